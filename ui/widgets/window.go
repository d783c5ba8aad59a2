package widgets

// A table renders only a window of its rows, so that one of 300,000 rows scrolls well.
const (
	step     = 8  // the first rendered row is a multiple of step
	overhang = 8  // rows rendered above and below the visible ones, except after a jump
	minRows  = 24 // fewest rows to render
)

// Window records which rows of a table are visible and which one is current.
type Window struct {
	First, visible int  // first visible row, and number of visible rows
	jumped         bool // the last scroll moved to rows that were all out of view
	Row            int  // current row: the one with the keyboard focus, or the last that had it
}

// Scroll records that the person scrolled to the given first row, with n rows visible.
func (w *Window) Scroll(first, n int) {
	w.jumped = first >= w.First+w.visible || first+n <= w.First
	w.First, w.visible = max(0, first), n
}

// Reveal makes row, of n rows, the current one and scrolls to it if it is not visible.
func (w *Window) Reveal(row, n int) {
	w.Row = max(0, min(row, n-1))
	if w.Row < w.First || w.Row >= w.First+max(w.visible, 1) {
		w.First = max(0, w.Row-max(w.visible, minRows)/2)
	}
}

// Span returns the half-open range of rows to render, of n rows.
func (w *Window) Span(n int) (from, to int) {
	beyond := overhang
	if w.jumped {
		beyond = 0
	}
	from = min(max(0, w.First-beyond), n) / step * step
	to = min(n, w.First+max(w.visible, minRows)+beyond)
	return from, max(from, to)
}
