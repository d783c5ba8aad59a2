package input

import (
	"fmt"
	"io"
)

// watched counts the bytes read from the source and reports their number to progress.
type watched struct {
	r        io.Reader
	n        int64
	progress func(int64) error
}

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	w.n += int64(n)
	if stop := w.tell(); stop != nil {
		return 0, stop
	}
	return n, err
}

func (w *watched) tell() error {
	if w.progress == nil {
		return nil
	}
	return w.progress(w.n)
}

// bounded fails at the first byte after max, or when gzip data expands too much. It calls progress
// after each read, because a few bytes of gzip data can expand to a large text.
type bounded struct {
	r      io.Reader
	source *watched
	packed bool // r decompresses gzip data
	n, max int64
}

func (b *bounded) Read(p []byte) (int, error) {
	most := b.most()
	if b.n > most { // called again after the limit was exceeded
		return 0, b.tooLarge()
	}
	n, err := b.r.Read(p[:min(int64(len(p)), most-b.n+1)])
	if b.n += int64(n); b.n > most && b.n > b.most() {
		return n - 1, b.tooLarge()
	}
	if stop := b.source.tell(); stop != nil {
		return 0, stop
	}
	return n, err
}

// most returns the limit of the text length, which depends on how much of the source was read.
func (b *bounded) most() int64 {
	if !b.packed {
		return b.max
	}
	return min(b.max, max(FreeGrowth, MaxGrowth*b.source.n))
}

func (b *bounded) tooLarge() error {
	if b.n <= b.max {
		return fmt.Errorf("%w: expected gzip data that grows at most %d-fold, got more", ErrTooLarge, MaxGrowth)
	}
	return fmt.Errorf("%w: more than %d bytes", ErrTooLarge, b.max)
}
