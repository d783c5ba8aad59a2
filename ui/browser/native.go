//go:build !(js && wasm)

package browser

// The native twin of every function, so that what uses them compiles and can be
// tested without a browser.

// InPage is false natively.
func InPage() bool { return false }

// Listen reports ErrNoBrowser.
func Listen(func(Message)) error { return ErrNoBrowser }

// Post reports ErrNoBrowser.
func Post(Message) error { return ErrNoBrowser }

// Worker does nothing natively.
type Worker struct{}

// Spawn reports ErrNoBrowser.
func Spawn(string, func(Message)) (*Worker, error) { return nil, ErrNoBrowser }

// Post reports ErrNoBrowser.
func (*Worker) Post(Message) error { return ErrNoBrowser }

// Terminate reports ErrNoBrowser.
func (*Worker) Terminate() error { return ErrNoBrowser }

// FileRef is never valid natively.
type FileRef struct{}

// Valid is false.
func (FileRef) Valid() bool { return false }

// Name returns an empty text.
func (FileRef) Name() string { return "" }

// Size returns 0.
func (FileRef) Size() int64 { return 0 }

// ReadAt reports ErrNoBrowser.
func (FileRef) ReadAt([]byte, int64) (int, error) { return 0, ErrNoBrowser }

// Framed is false.
func Framed() bool { return false }

// PickFile reports ErrNoBrowser.
func PickFile(string, func(FileRef)) error { return ErrNoBrowser }

// OnDrop reports ErrNoBrowser.
func OnDrop(func(FileRef)) error { return ErrNoBrowser }

// Part reports ErrNoBrowser.
func Part(string) ([]byte, error) { return nil, ErrNoBrowser }

// Ask reports ErrNoBrowser.
func Ask(string, ...any) (string, error) { return "", ErrNoBrowser }

// Text reports ErrNoBrowser.
func Text(string) (string, error) { return "", ErrNoBrowser }

// SetText reports ErrNoBrowser.
func SetText(string, string) error { return ErrNoBrowser }

// Focus is false.
func Focus(string) bool { return false }

// Download reports ErrNoBrowser.
func Download(string, string, []byte) error { return ErrNoBrowser }

// CopyText reports ErrNoBrowser.
func CopyText(_ string, done func(error)) { done(ErrNoBrowser) }

// Media is false.
func Media(string) bool { return false }

// OnMedia reports ErrNoBrowser.
func OnMedia(string, func(bool)) error { return ErrNoBrowser }

// SetRootAttr reports ErrNoBrowser.
func SetRootAttr(string, string) error { return ErrNoBrowser }

// Hash returns an empty text.
func Hash() string { return "" }

// SetHash reports ErrNoBrowser.
func SetHash(string) error { return ErrNoBrowser }

// Random returns 0.
func Random() uint32 { return 0 }

// Address returns an empty text.
func Address() string { return "" }

// Deflate reports ErrNoBrowser.
func Deflate([]byte) ([]byte, error) { return nil, ErrNoBrowser }

// OnHash reports ErrNoBrowser.
func OnHash(func(string)) error { return ErrNoBrowser }

// Store stores nothing natively.
type Store struct{}

// Local and Session are empty natively.
var Local, Session Store

// Get finds nothing.
func (Store) Get(string) (string, bool) { return "", false }

// Set stores nothing.
func (Store) Set(string, string) bool { return false }

// Remove does nothing.
func (Store) Remove(string) {}

// NextFrame returns at once.
func NextFrame() {}

// Yield returns at once.
func Yield() {}

// Call reports ErrNoBrowser.
func Call(string, ...any) (any, error) { return nil, ErrNoBrowser }

// Expose reports ErrNoBrowser.
func Expose(string, func([]any)) error { return ErrNoBrowser }

func reportFault(Fault, []byte) {}

// Database is none natively.
type Database struct{}

// OpenDatabase reports ErrNoBrowser.
func OpenDatabase(string) (*Database, error) { return nil, ErrNoBrowser }

// Read reports ErrNoBrowser.
func (*Database) Read(string) ([]byte, error) { return nil, ErrNoBrowser }

// Keys reports ErrNoBrowser.
func (*Database) Keys() ([]string, error) { return nil, ErrNoBrowser }

// Write reports ErrNoBrowser.
func (*Database) Write([]Record, []string) error { return ErrNoBrowser }

// Hold reports ErrNoBrowser.
func Hold(string) (bool, error) { return false, ErrNoBrowser }
