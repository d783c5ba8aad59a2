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
	if w.progress != nil {
		if stop := w.progress(w.n); stop != nil {
			return 0, stop
		}
	}
	return n, err
}

// bounded refuses the first byte beyond max.
type bounded struct {
	r         io.Reader
	left, max int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	b.left -= int64(n)
	if b.left < 0 {
		return 0, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, b.max)
	}
	return n, err
}
