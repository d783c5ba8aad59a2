//go:build !(js && wasm)

package browser

// This file contains native versions of the exported functions and types, except IsFirstWorker, which only the program
// for browsers needs. Code that uses this package therefore also compiles natively, and can be tested without a
// browser.

// InPage always returns false natively.
func InPage() bool { return false }

// Listen returns ErrNoBrowser.
func Listen(func(Message)) error { return ErrNoBrowser }

// Post returns ErrNoBrowser.
func Post(Message) error { return ErrNoBrowser }

// Worker does nothing natively.
type Worker struct{}

// Spawn returns ErrNoBrowser.
func Spawn(string, func(Message)) (*Worker, error) { return nil, ErrNoBrowser }

// Post returns ErrNoBrowser.
func (*Worker) Post(Message) error { return ErrNoBrowser }

// Terminate returns ErrNoBrowser.
func (*Worker) Terminate() error { return ErrNoBrowser }

// FileRef is never valid natively.
type FileRef struct{}

// Valid returns false.
func (FileRef) Valid() bool { return false }

// Same returns true.
func (FileRef) Same(FileRef) bool { return true }

// Name returns an empty string.
func (FileRef) Name() string { return "" }

// Size returns 0.
func (FileRef) Size() int64 { return 0 }

// ReadAt returns ErrNoBrowser.
func (FileRef) ReadAt([]byte, int64) (int, error) { return 0, ErrNoBrowser }

// SHA256 hashes nothing natively.
type SHA256 struct{}

// NewSHA256 returns a value whose methods return ErrNoBrowser.
func NewSHA256() *SHA256 { return &SHA256{} }

// Write returns ErrNoBrowser.
func (*SHA256) Write([]byte) (int, error) { return 0, ErrNoBrowser }

// Hex returns ErrNoBrowser.
func (*SHA256) Hex() (string, error) { return "", ErrNoBrowser }

// Framed returns false.
func Framed() bool { return false }

// PickFile returns ErrNoBrowser.
func PickFile(string, func(FileRef)) error { return ErrNoBrowser }

// FetchFile returns ErrNoBrowser.
func FetchFile(_, _ string) (FileRef, error) { return FileRef{}, ErrNoBrowser }

// OnDrop returns ErrNoBrowser.
func OnDrop(func(FileRef)) error { return ErrNoBrowser }

// LoadFile returns ErrNoBrowser.
func LoadFile(string) ([]byte, error) { return nil, ErrNoBrowser }

// CallAsync returns ErrNoBrowser.
func CallAsync(string, ...any) (string, error) { return "", ErrNoBrowser }

// ElementText returns an empty string.
func ElementText(string) string { return "" }

// FieldValue returns ErrNoBrowser.
func FieldValue(string) (string, error) { return "", ErrNoBrowser }

// SetFieldValue returns ErrNoBrowser.
func SetFieldValue(string, string) error { return ErrNoBrowser }

// Focus returns false.
func Focus(string) bool { return false }

// Download returns ErrNoBrowser.
func Download(string, string, []byte) error { return ErrNoBrowser }

// CopyText calls done with ErrNoBrowser.
func CopyText(_ string, done func(error)) { done(ErrNoBrowser) }

// MatchesMedia returns false.
func MatchesMedia(string) bool { return false }

// OnMediaChange returns ErrNoBrowser.
func OnMediaChange(string, func(bool)) error { return ErrNoBrowser }

// SetRootAttr returns ErrNoBrowser.
func SetRootAttr(string, string) error { return ErrNoBrowser }

// Fragment returns an empty string.
func Fragment() string { return "" }

// SetFragment returns ErrNoBrowser.
func SetFragment(string) error { return ErrNoBrowser }

// PushHistoryEntry does nothing.
func PushHistoryEntry() {}

// Random returns 0.
func Random() uint32 { return 0 }

// Address returns an empty string.
func Address() string { return "" }

// Deflate returns ErrNoBrowser.
func Deflate([]byte) ([]byte, error) { return nil, ErrNoBrowser }

// OpenedByLink returns false.
func OpenedByLink() bool { return false }

// OnFragmentChange returns ErrNoBrowser.
func OnFragmentChange(func(string)) error { return ErrNoBrowser }

// Store stores nothing natively.
type Store struct{}

// Local and Session are always empty natively.
var Local, Session Store

// Get finds nothing.
func (Store) Get(string) (string, bool) { return "", false }

// Set stores nothing and returns false.
func (Store) Set(string, string) bool { return false }

// Remove does nothing.
func (Store) Remove(string) {}

// NextFrame returns at once.
func NextFrame() {}

// Yield returns at once.
func Yield() {}

// Call returns ErrNoBrowser.
func Call(string, ...any) (any, error) { return nil, ErrNoBrowser }

// ExposeValue returns ErrNoBrowser.
func ExposeValue(string, func([]any) any) error { return ErrNoBrowser }

// Expose returns ErrNoBrowser.
func Expose(string, func([]any)) error { return ErrNoBrowser }

func reportFault(Fault, []byte) {}

// Database is never open natively.
type Database struct{}

// OpenDatabase returns ErrNoBrowser.
func OpenDatabase(string) (*Database, error) { return nil, ErrNoBrowser }

// Read returns ErrNoBrowser.
func (*Database) Read(string) ([]byte, error) { return nil, ErrNoBrowser }

// ReadAll returns ErrNoBrowser.
func (*Database) ReadAll([]string) ([][]byte, error) { return nil, ErrNoBrowser }

// Keys returns ErrNoBrowser.
func (*Database) Keys() ([]string, error) { return nil, ErrNoBrowser }

// Write returns ErrNoBrowser.
func (*Database) Write([]Record, []string) error { return ErrNoBrowser }

// AcquireLock returns ErrNoBrowser.
func AcquireLock(string) (bool, error) { return false, ErrNoBrowser }
