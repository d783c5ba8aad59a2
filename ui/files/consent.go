package files

import (
	"errors"

	"backfill-lab/ui/browser"
)

// The embedding page gets content that the user opens or pastes, and results computed from it, only
// if the user agrees. Each such content has a number, which the document keeps through edits and
// undo. The initial example, and content that the embedding page sent, have the number 0.

// consent records which content the user shares with the embedding page. The embedding page stays
// the same as long as this page is open, so consent for one page suffices.
type consent struct {
	agreed map[int]bool // by number of the content
	asking []int        // numbers that the open dialog is about, nil if it is closed
	denied bool         // the user refused; stays set until the page is closed
}

var errDenied = errors.New("the user of the page refused to share the scenario that they opened")

// mayTell reports whether the page may answer the call q. The user must agree to share what answers contain: the
// document, the external schedule and the last error. If the user has not decided yet, mayTell opens a dialog and
// returns false, and the call continues after the decision. If the user has refused, mayTell returns errDenied.
func (c *Files) mayTell(q *call) (bool, error) {
	x := &c.calls.consent
	all := []int{c.Doc().ContentID, c.External.Content}
	if c.Failure != "" {
		all = append(all, c.FileContent)
	}
	var undecided []int
	for _, n := range all {
		if n != 0 && !x.agreed[n] {
			undecided = append(undecided, n)
		}
	}
	switch {
	case len(undecided) == 0:
		return true, nil
	case x.denied:
		return false, errDenied
	case x.asking == nil:
		x.asking = undecided
		if _, err := browser.Call("labConsent", q.origin); err != nil {
			x.denied = true
			return false, errDenied
		}
	}
	return false, nil
}

// Consented records the user's decision and continues the waiting call.
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
	c.sendGrade()
	c.ContinueCalls()
}
