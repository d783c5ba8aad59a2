package files

import (
	"errors"

	"backfill-lab/ui/browser"
)

// What the person opens or pastes into the page is theirs: a page around this one gets
// it, and what was made of it, only if they agree. Each such content has a number,
// which goes with the document through edits and undo; 0 is what the page around this
// one sent itself, and what the page begins with.

// consent is what the person has agreed to share with the page around this one. That
// cannot become another page while this one lives.
type consent struct {
	agreed map[int]bool // by number
	asking []int        // numbers that the dialog is about, nil: it is closed
	denied bool         // for as long as the page lives
}

var errDenied = errors.New("the person at the page does not share what they opened in it")

// mayTell reports whether answers may be given, which hold something of the document,
// the external schedule and the last error. If the person has yet to decide, they are
// asked, and the call goes on after that.
func (c *Files) mayTell(q *call) (bool, error) {
	x := &c.calls.consent
	all := []int{c.Doc().Brought, c.External.Content}
	if c.Failure != "" {
		all = append(all, c.FileContent)
	}
	var open []int
	for _, n := range all {
		if n != 0 && !x.agreed[n] {
			open = append(open, n)
		}
	}
	switch {
	case len(open) == 0:
		return true, nil
	case x.denied:
		return false, errDenied
	case x.asking == nil:
		x.asking = open
		if _, err := browser.Call("labConsent", q.origin); err != nil {
			x.denied = true
			return false, errDenied
		}
	}
	return false, nil
}

// Consented takes the person's decision.
func (c *Files) Consented(agreed bool) {
	x := &c.calls.consent
	for _, n := range x.asking {
		if x.agreed == nil {
			x.agreed = map[int]bool{}
		}
		x.agreed[n] = agreed
	}
	x.denied = x.denied || !agreed
	x.asking = nil
	c.Proceed()
}
