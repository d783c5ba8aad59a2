package input

import (
	"fmt"
	"io"
)

// watched counts what is taken from the source and tells it.
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

// bounded refuses the first byte beyond max, and text that has grown too much out
// of gzip data. It tells the progress of the source again: a little gzip data may
// become a lot of text.
type bounded struct {
	r      io.Reader
	source *watched
	packed bool // r inflates
	n, max int64
}

func (b *bounded) Read(p []byte) (int, error) {
	most := b.most()
	if b.n > most { // asked again
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

// most returns how much text there may be so far.
func (b *bounded) most() int64 {
	if !b.packed {
		return b.max
	}
	return min(b.max, max(FreeGrowth, MostGrowth*b.source.n))
}

func (b *bounded) tooLarge() error {
	if b.n <= b.max {
		return fmt.Errorf("%w: expected gzip data that grows at most %d-fold, got more", ErrTooLarge, MostGrowth)
	}
	return fmt.Errorf("%w: more than %d bytes", ErrTooLarge, b.max)
}
