package ui

// A table shows a window of its rows, so that 300,000 of them scroll.
const (
	step      = 8 // the window moves by so many rows
	overhang  = 8 // rows beyond what is seen, but after a jump, which has to draw all of them
	fewestRow = 24
)

// window is which rows of a table are in view.
type window struct {
	first, seen int  // the first one and how many are
	jumped      bool // to rows of which none was in view
	row         int  // the one that the keyboard is in, or was last
}

func (w *window) scroll(first, seen int) {
	w.jumped = first >= w.first+w.seen || first+seen <= w.first
	w.first, w.seen = max(0, first), seen
}

// reveal brings the keyboard to a row of n, wherever it is.
func (w *window) reveal(row, n int) {
	w.row = max(0, min(row, n-1))
	if w.row < w.first || w.row >= w.first+max(w.seen, 1) {
		w.first = max(0, w.row-max(w.seen, fewestRow)/2)
	}
}

// span is the rows of n to render.
func (w *window) span(n int) (from, to int) {
	beyond := overhang
	if w.jumped {
		beyond = 0
	}
	from = min(max(0, w.first-beyond), n) / step * step
	to = min(n, w.first+max(w.seen, fewestRow)+beyond)
	return from, max(from, to)
}

// rowsOf is the window of a table by the name that it has in the page.
func (c *App) rowsOf(name string) *window {
	if name == "line" {
		return &c.table.window
	}
	return &c.grid.window
}
