package files

import (
	"errors"
	"strings"

	"backfill-lab/core/policy/script"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
)

// The embedding page gets a scenario or file that the user opens or pastes, and results computed from it, only if the
// user agrees. Each such scenario or file has a number, which the document keeps through edits and undo. The number 0
// stands for the initial example and for everything that the embedding page sent.

// consent records which content the user shares with the embedding page. The embedding page stays
// the same as long as this page is open, so consent for one page suffices.
type consent struct {
	agreed map[int]bool // by number of the content
	asking []int        // numbers that the open dialog is about, nil if it is closed
	denied bool         // the user refused; stays set until the page is closed
}

var errDenied = errors.New("the user of the page refused to share the scenario that they opened")

// mayAnswer reports whether the page may answer the call q. The user must agree to share what answers contain: the
// document, the external schedule and the last error. If the user has not decided yet, mayAnswer opens a dialog and
// returns false, and the call continues after the decision. If the user has refused, mayAnswer returns errDenied.
func (c *Files) mayAnswer(q *call) (bool, error) {
	x := &c.calls.consent
	all := []int{c.Doc().ContentID, c.External.ContentID}
	if c.Failure != "" {
		all = append(all, c.FileContentID)
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

// RecordConsent records the user's decision and continues the waiting call.
func (c *Files) RecordConsent(agreed bool) {
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

// scriptsKey is the key under which the browser keeps the scripts that last ran.
const scriptsKey = "backfill-lab scripts"

// scriptsOf returns all scripts of a document.
func scriptsOf(d *document.Doc) string {
	var all strings.Builder
	for i := range d.Policies {
		if p := &d.Policies[i]; p.Name == script.Name {
			all.WriteString(p.Knobs[script.SourceKnob] + "\x00")
		}
	}
	return all.String()
}

// knowsScripts reports whether the scripts of a document may run without asking the user. They may if they are
// exactly the scripts that last ran in this browser, for example before a reload. knowsScripts also returns true if
// the document has no scripts.
func (c *Files) knowsScripts(d *document.Doc) bool {
	if !d.HasScript() {
		return true
	}
	kept, ok := browser.Local.Get(scriptsKey)
	return ok && kept == scriptsOf(d)
}

// storeScripts stores the scripts of the document in the browser, unless the user still has to allow
// them to run.
func (c *Files) storeScripts() {
	if c.Doc().HasScript() && !c.AsksForScriptConsent() {
		browser.Local.Set(scriptsKey, scriptsOf(c.Doc()))
	}
}
