package document

// History holds a document and its undo and redo steps. Every edit goes through Do, so
// every edit can be undone.
type History struct {
	now          Doc
	payload      string                            // the current document as packed for a link, "" if it is not packed yet
	past, future []step                            // the last step is the next to undo or redo
	key          string                            // key of the last edit; edits with the same key form one undo step
	unpack       func(payload string) (Doc, error) // unpacks a step that Restore added
}

// step holds the document before an edit (in past) or after it (in future), and a
// description of the edit.
type step struct {
	doc     Doc
	payload string // the document as packed for a link, "" if it is not packed yet
	packed  bool   // doc is not set; it has to be unpacked from payload
	change  string // description of the edit, such as "3 rows added"
}

// maxUndoSteps is the largest number of undo steps.
const maxUndoSteps = 500

// NewHistory returns a history without undo steps.
func NewHistory(d Doc) *History { return &History{now: d} }

// Now returns the current document.
func (h *History) Now() *Doc { return &h.now }

// Do makes d the current document, and drops the redo steps. Consecutive edits with the same
// non-empty key form one undo step.
func (h *History) Do(key string, d Doc) {
	if key == "" || key != h.key {
		h.past = append(h.past, step{doc: h.now, payload: h.payload, change: h.now.Difference(&d)})
		if len(h.past) > maxUndoSteps {
			h.past = h.past[1:]
		}
	}
	h.now, h.payload, h.future, h.key = d, "", nil, key
}

// CanUndo reports whether there is an edit to undo.
func (h *History) CanUndo() bool { return len(h.past) > 0 }

// CanRedo reports whether there is an undone edit to redo.
func (h *History) CanRedo() bool { return len(h.future) > 0 }

// UndoLabel describes the edit that Undo would revert, or "" if there is none.
func (h *History) UndoLabel() string { return lastDescription(h.past) }

// RedoLabel describes the edit that Redo would apply again, or "" if there is none.
func (h *History) RedoLabel() string { return lastDescription(h.future) }

// lastDescription returns the description of the last step, or "" if there is none.
func lastDescription(steps []step) string {
	if n := len(steps); n > 0 {
		return steps[n-1].change
	}
	return ""
}

// Undo reverts the last edit. It returns an error, and changes nothing, if a stored step
// cannot be read.
func (h *History) Undo() error { return h.move(&h.past, &h.future) }

// Redo applies the last undone edit again. It returns the same errors as Undo.
func (h *History) Redo() error { return h.move(&h.future, &h.past) }

// move makes the last document of one list of steps current, and removes it from this list. It appends the
// previously current document to the other list.
func (h *History) move(from, to *[]step) error {
	n := len(*from)
	if n == 0 {
		return nil
	}
	s := (*from)[n-1]
	if s.packed {
		d, err := h.unpack(s.payload)
		if err != nil {
			return err
		}
		s.doc = d
	}
	*from, *to = (*from)[:n-1], append(*to, step{doc: h.now, payload: h.payload, change: s.change})
	h.now, h.payload, h.key = s.doc, s.payload, ""
	return nil
}

// StoredHistory is a history in the form in which the page stores it, so that the page can restore it after a reload.
// Each document is packed like the payload of a link.
type StoredHistory struct {
	Now          string       // the packed current document
	Past, Future []StoredStep // steps closest to the current document first
}

// StoredStep is a step of a stored history: the description of an edit, and the packed
// document that undo or redo restores.
type StoredStep struct{ Change, Payload string }

// Store returns the history in stored form. The argument payload is the packed current document. Store calls pack
// to pack the other documents; pack returns "" if it cannot pack one. Half of the limit, in bytes, is for undo
// steps, and half for redo steps. Store starts with the steps closest to the current document, and stops at a step
// that does not fit or cannot be packed. It omits steps from before an anonymisation, because they contain names.
func (h *History) Store(payload string, limit int, pack func(*Doc) string) StoredHistory {
	h.payload = payload
	return StoredHistory{payload, packSteps(h.past[anonymisedFrom(h.past, &h.now):], limit/2, pack), packSteps(h.future, limit/2, pack)}
}

// anonymisedFrom returns the index of the first past step after the last anonymisation, or 0 if there was none.
func anonymisedFrom(past []step, now *Doc) int {
	after := now
	for i := len(past) - 1; i >= 0; i-- {
		before := &past[i].doc
		if after.Names != nil && after.Names != before.Names {
			return i + 1
		}
		after = before
	}
	return 0
}

// packSteps packs steps, starting with the last one. It stops at a step with which the total size would exceed
// limit bytes, or that cannot be packed.
func packSteps(steps []step, limit int, pack func(*Doc) string) (out []StoredStep) {
	for i := len(steps) - 1; i >= 0; i-- {
		s := &steps[i]
		if s.payload == "" {
			s.payload = pack(&s.doc)
		}
		if limit -= len(s.payload) + len(s.change); limit < 0 || s.payload == "" {
			break
		}
		out = append(out, StoredStep{s.change, s.payload})
	}
	return out
}

// Restore replaces the undo and redo steps with the steps of a stored history, which must have the same current
// document. A step is unpacked only when the user undoes or redoes it.
func (h *History) Restore(s StoredHistory, unpack func(payload string) (Doc, error)) {
	h.payload, h.past, h.future, h.unpack = s.Now, packedSteps(s.Past), packedSteps(s.Future), unpack
}

// packedSteps converts stored steps to steps of a History without unpacking them. It reverses their order, because
// a stored history lists the steps closest to the current document first.
func packedSteps(steps []StoredStep) (out []step) {
	for i := len(steps) - 1; i >= 0; i-- {
		out = append(out, step{payload: steps[i].Payload, packed: true, change: steps[i].Change})
	}
	return out
}
