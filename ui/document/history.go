package document

// History is a document and the way back. Every kind of edit goes through Do,
// so every kind of edit can be undone.
type History struct {
	now          Doc
	past, future []step
	key          string // of the last edit, to join keystrokes in one cell
}

// step is the document before or after an edit, and what the edit changed.
type step struct {
	doc    Doc
	change string
}

const longestPast = 500

// NewHistory begins with a document.
func NewHistory(d Doc) *History { return &History{now: d} }

// Now returns the present document.
func (h *History) Now() *Doc { return &h.now }

// Do makes d the present document. Edits in a row with the same key, not
// empty, are one step back.
func (h *History) Do(key string, d Doc) {
	if key == "" || key != h.key {
		h.past = append(h.past, step{h.now, h.now.Difference(&d)})
		if len(h.past) > longestPast {
			h.past = h.past[1:]
		}
	}
	h.now, h.future, h.key = d, nil, key
}

// CanUndo reports whether there is a step back.
func (h *History) CanUndo() bool { return len(h.past) > 0 }

// CanRedo reports whether a step back can be taken back.
func (h *History) CanRedo() bool { return len(h.future) > 0 }

// Undone names the edit that Undo takes back, nothing if there is none.
func (h *History) Undone() string { return last(h.past) }

// Redone names the edit that Redo makes again.
func (h *History) Redone() string { return last(h.future) }

func last(steps []step) string {
	if n := len(steps); n > 0 {
		return steps[n-1].change
	}
	return ""
}

// Undo goes a step back.
func (h *History) Undo() { h.turn(&h.past, &h.future) }

// Redo takes a step back back.
func (h *History) Redo() { h.turn(&h.future, &h.past) }

func (h *History) turn(from, to *[]step) {
	if n := len(*from); n > 0 {
		s := (*from)[n-1]
		*from, *to = (*from)[:n-1], append(*to, step{h.now, s.change})
		h.now, h.key = s.doc, ""
	}
}
