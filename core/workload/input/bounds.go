package input

import (
	"fmt"
	"io"
)

// countingReader reads from r, and calls progress with the total number of bytes read so far.
type countingReader struct {
	r        io.Reader
	n        int64
	progress func(int64) error
}

func (w *countingReader) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	w.n += int64(n)
	if stop := w.report(); stop != nil {
		return 0, stop
	}
	return n, err
}

// report calls progress, if it is set.
func (w *countingReader) report() error {
	if w.progress == nil {
		return nil
	}
	return w.progress(w.n)
}

// limitedReader returns an error if the text is longer than the maximum, or if gzip data expands
// too much. It calls progress after each read, because a few bytes of gzip data can expand to a
// large text.
type limitedReader struct {
	r       io.Reader
	source  *countingReader // reader of the file as stored, before decompression
	gzipped bool            // whether r decompresses gzip data
	n, max  int64           // number of bytes of text read so far, and maximum number of bytes
}

func (b *limitedReader) Read(p []byte) (int, error) {
	limit := b.limit()
	if b.n > limit { // the limit was exceeded in an earlier call
		return 0, b.tooLarge()
	}
	n, err := b.r.Read(p[:min(int64(len(p)), limit-b.n+1)])
	if b.n += int64(n); b.n > limit && b.n > b.limit() {
		return n - 1, b.tooLarge()
	}
	if stop := b.source.report(); stop != nil {
		return 0, stop
	}
	return n, err
}

// limit returns the maximum length of the text. For gzip data, the limit grows with the number of
// bytes read.
func (b *limitedReader) limit() int64 {
	if !b.gzipped {
		return b.max
	}
	return min(b.max, max(FreeGrowth, MaxGrowth*b.source.n))
}

// tooLarge returns the error for the limit that was exceeded.
func (b *limitedReader) tooLarge() error {
	if b.n <= b.max {
		return fmt.Errorf("%w: expected gzip data that expands at most %d-fold, got more", ErrTooLarge, MaxGrowth)
	}
	return fmt.Errorf("%w: more than %d bytes", ErrTooLarge, b.max)
}
