package files

import (
	"strings"

	"backfill-lab/ui/browser"
)

// pendingKey is the key under which the session storage of the browser keeps the last edits of a page that the user has
// left, if the address did not contain them yet.
const pendingKey = "pending"

// KeepPending is called when the user leaves the page. It stores the draft of a lesson. If the address does not contain
// the last edits yet, KeepPending also stores a link to the document, so that a reload restores them.
func (c *Files) KeepPending() {
	c.StoreDraft()
	browser.Session.Remove(pendingKey)
	s := &c.link
	if s.packedEdits == c.Edits || s.generating != 0 || c.Doc().Lesson != nil || c.tooLong() {
		return
	}
	f := s.fragment(c)
	if f.Payload = packed(c.Doc()); f.Payload != "" {
		browser.Session.Set(pendingKey, pendingText(s.written, f.String()))
	}
}

// pendingText returns the text to store for a page with the given fragment in its address: this fragment, and the one
// that contains the last edits.
func pendingText(written, edited string) string { return written + " " + edited }

// withPending returns the fragment that a page opens if its address has the given fragment. This is the edited fragment
// in text, the result of pendingText for the same address, and otherwise the given one.
func withPending(fragment, text string) string {
	if edited, ok := strings.CutPrefix(text, fragment+" "); ok {
		return edited
	}
	return fragment
}

// fragmentWithEdits returns the fragment of the link to open first, with the edits that KeepPending stored. It also
// deletes these edits, so that they are restored only once.
func fragmentWithEdits() string {
	text, _ := browser.Session.Get(pendingKey)
	browser.Session.Remove(pendingKey)
	return withPending(firstFragment(), text)
}
