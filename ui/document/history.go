package document

// History holds a document and its undo and redo steps. Every edit goes through Do, so
// every edit can be undone.
type History struct {
	now          Doc
	past, future []step
	key          string // key of the last edit, to join keystrokes in one cell
}

// step holds the document before an edit (in past) or after it (in future), and a
// description of the edit.
type step struct {
	doc    Doc
	change string
}

const longestPast = 500

// NewHistory returns a history without undo steps.
func NewHistory(d Doc) *History { return &History{now: d} }

// Now returns the current document.
func (h *History) Now() *Doc { return &h.now }

// Do makes d the current document. Consecutive edits with the same non-empty key form one
// undo step.
func (h *History) Do(key string, d Doc) {
	if key == "" || key != h.key {
		h.past = append(h.past, step{h.now, h.now.Difference(&d)})
		if len(h.past) > longestPast {
			h.past = h.past[1:]
		}
	}
	h.now, h.future, h.key = d, nil, key
}

// CanUndo reports whether there is an edit to undo.
func (h *History) CanUndo() bool { return len(h.past) > 0 }

// CanRedo reports whether there is an undone edit to redo.
func (h *History) CanRedo() bool { return len(h.future) > 0 }

// Undone describes the edit that Undo would revert; empty if there is none.
func (h *History) Undone() string { return last(h.past) }

// Redone describes the edit that Redo would apply again; empty if there is none.
func (h *History) Redone() string { return last(h.future) }

func last(steps []step) string {
	if n := len(steps); n > 0 {
		return steps[n-1].change
	}
	return ""
}

// Undo reverts the last edit.
func (h *History) Undo() { h.move(&h.past, &h.future) }

// Redo applies the last undone edit again.
func (h *History) Redo() { h.move(&h.future, &h.past) }

func (h *History) move(from, to *[]step) {
	if n := len(*from); n > 0 {
		s := (*from)[n-1]
		*from, *to = (*from)[:n-1], append(*to, step{h.now, s.change})
		h.now, h.key = s.doc, ""
	}
}
