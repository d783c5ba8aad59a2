package widgets

// A table shows a window of its rows, so that 300,000 of them scroll.
const (
	step      = 8 // the window moves by so many rows
	overhang  = 8 // rows beyond what is seen, but after a jump, which has to draw all of them
	fewestRow = 24
)

// Window is which rows of a table are in view.
type Window struct {
	First, seen int  // the first one and how many are
	jumped      bool // to rows of which none was in view
	Row         int  // the one that the keyboard is in, or was last
}

func (w *Window) Scroll(first, seen int) {
	w.jumped = first >= w.First+w.seen || first+seen <= w.First
	w.First, w.seen = max(0, first), seen
}

// Reveal brings the keyboard to a row of n, wherever it is.
func (w *Window) Reveal(row, n int) {
	w.Row = max(0, min(row, n-1))
	if w.Row < w.First || w.Row >= w.First+max(w.seen, 1) {
		w.First = max(0, w.Row-max(w.seen, fewestRow)/2)
	}
}

// Span returns the rows of n to render.
func (w *Window) Span(n int) (from, to int) {
	beyond := overhang
	if w.jumped {
		beyond = 0
	}
	from = min(max(0, w.First-beyond), n) / step * step
	to = min(n, w.First+max(w.seen, fewestRow)+beyond)
	return from, max(from, to)
}
