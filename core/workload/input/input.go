// Package input opens the text of a workload file. It decompresses gzip data, limits the size of
// the text, and rejects data that is not text. It works for every file format, and ignores file
// names.
package input

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// DefaultMaxBytes is the default maximum length of the decompressed text. Traces and tables with
// the maximum number of jobs are shorter.
const DefaultMaxBytes = 1 << 29

// MaxInMemory is the maximum length of a text that is read into memory at once, such as a scenario.
// Reading it needs memory for two copies, in addition to the jobs.
const MaxInMemory = 1 << 28

// MaxLines is the maximum number of lines in a trace or a table, including blank lines.
const MaxLines = 20_000_000

// These constants limit how much gzip data may expand. The text may have FreeGrowth bytes, or
// MaxGrowth times as many bytes as the gzip data, whichever is more. Lists of jobs expand less than
// 30-fold, while a gzip bomb expands 1000-fold.
const (
	FreeGrowth = 1 << 23
	MaxGrowth  = 200
)

const blockSize = 64 << 10 // bytes read at a time

var (
	// ErrEmpty means that the file is empty.
	ErrEmpty = errors.New("the file is empty")
	// ErrNotText means that the file is not text.
	ErrNotText = errors.New("this is not a text file")
	// ErrTooLarge means that the text is longer than Options.MaxBytes after decompression.
	ErrTooLarge = errors.New("the text is too large")
	// ErrDamaged means that the gzip data is incomplete or has a wrong checksum.
	ErrDamaged = errors.New("the gzip data is damaged")
)

// Options sets a limit, and a callback for progress. The zero value selects the defaults.
type Options struct {
	// MaxBytes is the maximum length of the text after decompression; 0 means DefaultMaxBytes.
	MaxBytes int64
	// Progress, if not nil, is called with the number of bytes read from the source so far, before
	// decompression. If it returns an error, reading stops and returns this error.
	Progress func(bytes int64) error
}

// Open returns a reader of the text in r, without a byte order mark. It decompresses gzip data. It
// returns ErrEmpty if r is empty, and ErrNotText if r is not text. If r has a method Len, it
// returns ErrTooLarge at once for plain text that is too long. Otherwise, Open or the returned
// reader returns ErrTooLarge when too much text has been read. Both may also return ErrDamaged, or
// an error from Progress or from r.
func Open(r io.Reader, o Options) (io.Reader, error) {
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	source := &countingReader{r: r, progress: o.Progress}
	outer := bufio.NewReaderSize(source, blockSize)
	magic, err := outer.Peek(2)
	if err != nil && err != io.EOF {
		return nil, err
	}
	text := limitedReader{r: outer, source: source, max: o.MaxBytes}
	if string(magic) == "\x1f\x8b" {
		text.gzipped = true
		if text.r, err = inflate(outer); err != nil {
			return nil, err
		}
	}
	if known, ok := r.(interface{ Len() int }); ok && !text.gzipped {
		if n := int64(known.Len() + outer.Buffered()); n > o.MaxBytes {
			return nil, (&limitedReader{n: n, max: o.MaxBytes}).tooLarge()
		}
	}
	inner := bufio.NewReaderSize(&text, blockSize)
	if err := checkText(inner); err != nil {
		return nil, err
	}
	return inner, nil
}

// checkText returns an error if b is empty or not text. It skips a byte order mark.
func checkText(b *bufio.Reader) error {
	head, err := b.Peek(512)
	if err != nil && err != io.EOF {
		return err
	}
	if len(head) == 0 {
		return ErrEmpty
	}
	if what := nonText(head); what != "" {
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

// nonTextTypes lists the first bytes of common kinds of files that are not text.
var nonTextTypes = []struct{ start, what string }{
	{"\xff\xd8\xff", "a JPEG image"},
	{"\x89PNG", "a PNG image"},
	{"GIF8", "a GIF image"},
	{"%PDF", "a PDF document"},
	{"PK\x03\x04", "a zip archive or an office document"},
	{"\x1f\x8b", "gzip data inside gzip data"},
	{"\xfd7zXZ", "xz data (only gzip is supported)"},
	{"BZh", "bzip2 data (only gzip is supported)"},
	{"\x28\xb5\x2f\xfd", "zstd data (only gzip is supported)"},
	{"\x1f\x9d", "data of the old compress program (only gzip is supported)"},
	{"\xff\xfe", "UTF-16 text (save it as UTF-8)"},
	{"\xfe\xff", "UTF-16 text (save it as UTF-8)"},
}

// nonText returns the kind of file that begins with the given bytes, such as "a PNG image". It
// returns "" for text.
func nonText(head []byte) string {
	for _, m := range nonTextTypes {
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

// inflater holds only the Read method of a gzip.Reader. A gzip.Reader also contains a header with a
// time.Time. The code that formats and parses times would otherwise add 40 KB to the WebAssembly
// program.
type inflater struct{ read func([]byte) (int, error) }

// inflate returns a reader that decompresses r.
func inflate(r io.Reader) (io.Reader, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, gzipError(err)
	}
	return &inflater{z.Read}, nil
}

func (i *inflater) Read(p []byte) (int, error) {
	n, err := i.read(p)
	return n, gzipError(err)
}

// gzipError wraps an error of the gzip decoder in ErrDamaged. It returns other errors unchanged.
func gzipError(err error) error {
	var corrupt flate.CorruptInputError
	switch {
	case err == nil || err == io.EOF:
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w: it is truncated", ErrDamaged)
	case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.As(err, &corrupt):
		return fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	return err
}

// StatedLength returns the length of the text in a source of size bytes, without reading the text. For gzip data, it
// reads this length from the end of the data. For plain text that is too long, it returns ErrTooLarge. It reports false
// if the length may be wrong, because the gzip data may have several parts, be incomplete, or be a gzip bomb.
func StatedLength(r io.ReaderAt, size int64, o Options) (text int64, sure bool, err error) {
	b := limitedReader{source: &countingReader{n: size}, n: size, max: o.MaxBytes}
	if b.max <= 0 {
		b.max = DefaultMaxBytes
	}
	var word [4]byte
	if err := readAt(r, word[:2], 0); err != nil {
		return 0, false, err
	}
	if b.gzipped = word[0] == 0x1f && word[1] == 0x8b; !b.gzipped {
		if size > b.max {
			return size, true, b.tooLarge()
		}
		return size, true, nil
	}
	if err := readAt(r, word[:], max(size-4, 0)); err != nil {
		return 0, false, err
	}
	text = int64(binary.LittleEndian.Uint32(word[:]))
	return text, size <= text && text <= b.limit(), nil
}

// readAt fills p with bytes from offset off. If the source is too short, it leaves the rest of p
// unchanged.
func readAt(r io.ReaderAt, p []byte, off int64) error {
	_, err := r.ReadAt(p, off)
	if err == io.EOF {
		return nil
	}
	return err
}
