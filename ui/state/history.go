package state

// History is a document and the way back. Every kind of edit goes through Do,
// so every kind of edit can be undone.
type History struct {
	now          Doc
	past, future []Doc
	key          string // of the last edit, to join keystrokes in one cell
}

const longestPast = 500

// NewHistory begins with a document.
func NewHistory(d Doc) *History { return &History{now: d} }

// Now is the present document.
func (h *History) Now() *Doc { return &h.now }

// Do makes d the present document. Edits in a row with the same key, not
// empty, are one step back.
func (h *History) Do(key string, d Doc) {
	if key == "" || key != h.key {
		h.past = append(h.past, h.now)
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

// Undo goes a step back.
func (h *History) Undo() {
	if n := len(h.past); n > 0 {
		h.future = append(h.future, h.now)
		h.now, h.past, h.key = h.past[n-1], h.past[:n-1], ""
	}
}

// Redo takes a step back back.
func (h *History) Redo() {
	if n := len(h.future); n > 0 {
		h.past = append(h.past, h.now)
		h.now, h.future, h.key = h.future[n-1], h.future[:n-1], ""
	}
}
