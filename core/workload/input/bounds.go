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

// bounded refuses the first byte beyond max. It tells the progress of the source
// again: a little gzip data may become a lot of text.
type bounded struct {
	r         io.Reader
	source    *watched
	left, max int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left < 0 { // asked again
		return 0, b.tooLarge()
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left+1)])
	if b.left -= int64(n); b.left < 0 {
		return n - 1, b.tooLarge()
	}
	if stop := b.source.tell(); stop != nil {
		return 0, stop
	}
	return n, err
}

func (b *bounded) tooLarge() error {
	return fmt.Errorf("%w: more than %d bytes", ErrTooLarge, b.max)
}
