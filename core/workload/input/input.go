// Package input opens the text behind a workload: plain or gzip, whatever it is
// called, bounded, and refused with a plain word when it is no text at all. It
// knows no workload format, opens no file and looks at no file name.
package input

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// DefaultMaxBytes bounds the text after inflation where Options does not. Traces
// and tables of the five million jobs we accept stay below it.
const DefaultMaxBytes = 1 << 29

// MostWhole bounds a text that its reader holds in memory as a whole, as that of
// a scenario does. The reader needs two copies of it beside the jobs.
const MostWhole = 1 << 28

// MaxLines is how many lines a trace or a table may have, with blank ones.
const MaxLines = 20_000_000

// Gzip data may hold up to FreeGrowth bytes of text, and beyond that up to
// MostGrowth times its own length. Job lists grow less than 30-fold; a gzip bomb
// grows 1000-fold.
const (
	FreeGrowth = 1 << 23
	MostGrowth = 200
)

const blockSize = 64 << 10

var (
	// ErrEmpty is a source without a single byte of text.
	ErrEmpty = errors.New("the file is empty")
	// ErrNotText is a source that holds something other than text.
	ErrNotText = errors.New("this is not a text file")
	// ErrTooLarge is a text longer than Options.MaxBytes, inflated.
	ErrTooLarge = errors.New("the text is too large")
	// ErrDamaged is gzip data that ends early or fails its checksum.
	ErrDamaged = errors.New("the gzip data is damaged")
)

// Options bound and watch the reading. The zero value is sensible.
type Options struct {
	// MaxBytes is the most text read, after inflation; 0 means DefaultMaxBytes.
	MaxBytes int64
	// Progress, where given, is told the bytes taken from the source so far
	// (before inflation) at each block; an error from it ends the reading and
	// comes back to the caller unchanged.
	Progress func(bytes int64) error
}

// Open returns the text in r: inflated if r starts like gzip, without a byte
// order mark. It fails with ErrEmpty or ErrNotText, and with ErrTooLarge if r
// reports its length by Len and that is too much. A later Read fails with
// ErrTooLarge, ErrDamaged, the error of Progress or that of r.
func Open(r io.Reader, o Options) (io.Reader, error) {
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	source := &watched{r: r, progress: o.Progress}
	outer := bufio.NewReaderSize(source, blockSize)
	magic, err := outer.Peek(2)
	if err != nil && err != io.EOF {
		return nil, err
	}
	text := bounded{r: outer, source: source, max: o.MaxBytes}
	if string(magic) == "\x1f\x8b" {
		text.packed = true
		if text.r, err = inflate(outer); err != nil {
			return nil, err
		}
	}
	if known, ok := r.(interface{ Len() int }); ok && !text.packed {
		if n := int64(known.Len() + outer.Buffered()); n > o.MaxBytes {
			return nil, (&bounded{n: n, max: o.MaxBytes}).tooLarge()
		}
	}
	inner := bufio.NewReaderSize(&text, blockSize)
	if err := checkText(inner); err != nil {
		return nil, err
	}
	return inner, nil
}

func checkText(b *bufio.Reader) error {
	head, err := b.Peek(512)
	if err != nil && err != io.EOF {
		return err
	}
	if len(head) == 0 {
		return ErrEmpty
	}
	if what := foreign(head); what != "" {
		return fmt.Errorf("%w: it looks like %s", ErrNotText, what)
	}
	if bytes.HasPrefix(head, []byte("\xef\xbb\xbf")) {
		b.Discard(3)
		if len(head) == 3 {
			return ErrEmpty
		}
	}
	return nil
}

var magics = []struct{ start, what string }{
	{"\xff\xd8\xff", "a JPEG image"},
	{"\x89PNG", "a PNG image"},
	{"GIF8", "a GIF image"},
	{"%PDF", "a PDF document"},
	{"PK\x03\x04", "a zip archive or an office document"},
	{"\x1f\x8b", "gzip data inside gzip data"},
	{"\xfd7zXZ", "xz data (only gzip is read)"},
	{"BZh", "bzip2 data (only gzip is read)"},
	{"\x28\xb5\x2f\xfd", "zstd data (only gzip is read)"},
	{"\x1f\x9d", "data of the old compress program (only gzip is read)"},
	{"\xff\xfe", "UTF-16 text (save it as UTF-8)"},
	{"\xfe\xff", "UTF-16 text (save it as UTF-8)"},
}

// foreign names what head is if it is no text, else it is empty.
func foreign(head []byte) string {
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.start)) {
			return m.what
		}
	}
	for _, c := range head {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\v' {
			return "binary data"
		}
	}
	return ""
}

// inflater holds the method, not the gzip.Reader: that has a time.Time in its
// header, and what is behind an io.Reader links all that time can print and read,
// 40 KB for the browser.
type inflater struct{ read func([]byte) (int, error) }

func inflate(r io.Reader) (io.Reader, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, damage(err)
	}
	return &inflater{z.Read}, nil
}

func (i *inflater) Read(p []byte) (int, error) {
	n, err := i.read(p)
	return n, damage(err)
}

// damage puts the errors of gzip in plain words and lets all others pass.
func damage(err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case err == nil || err == io.EOF:
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: it is cut short", ErrDamaged)
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.As(err, &corrupt):
		return fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	return err
}
