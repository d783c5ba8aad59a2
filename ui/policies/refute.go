package policies

import (
	"encoding/json"
	"fmt"

	"backfill-lab/core/format"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/link"
	"backfill-lab/ui/protocol"
)

// search is a search for a small workload on which a job starts at different times under two policies, or on which
// a policy breaks a rule.
type search struct {
	request      int    // ID of the request, 0 if no search is under way
	nothingFound string // result to show if the search finds nothing, such as "A and B start all jobs at the same times"
	count        uint32 // number of searches so far, which is also the seed of the last search
}

// CanSearch reports whether the page offers searches for policy x. The policy must have a name, and must be a script or
// a policy other than the baseline. The page offers no search while the scripts of the scenario wait for permission
// to run.
func (c *Policies) CanSearch(x *Choice) bool {
	return x.Spec.Name != "" && !c.AsksForScriptConsent() && (x.Script != nil || c.SearchLabel(x) != "")
}

// SearchLabel returns the label of the button that searches for a small workload on which policy x
// differs from the baseline. It returns "" for the baseline.
func (c *Policies) SearchLabel(x *Choice) string {
	base := c.Doc().Baseline()
	if x.I == base {
		return ""
	}
	return "Open a small example where this policy differs from " + c.Doc().PolicyTitles()[base]
}

// SearchDifference searches for a small workload on which policy i and the baseline differ.
func (c *Policies) SearchDifference(i int) {
	titles, base := c.Doc().PolicyTitles(), c.Doc().Baseline()
	b := c.protocolPolicy(base)
	b.Baseline = true
	c.startSearch(protocol.Refute{A: c.protocolPolicy(i), B: &b}, titles[i]+" and "+titles[base]+" start all jobs at the same times")
}

// SearchBrokenRule searches for a small workload on which policy i breaks a rule that every policy must
// keep.
func (c *Policies) SearchBrokenRule(i int) {
	c.startSearch(protocol.Refute{A: c.protocolPolicy(i)}, c.Doc().PolicyTitles()[i]+" breaks no rule")
}

// startSearch starts a search, unless the last one is still in progress. If the scenario has errors, it shows a
// notice instead.
func (c *Policies) startSearch(q protocol.Refute, nothingFound string) {
	if c.search.request != 0 && c.search.request == c.Task {
		return // the last search is still in progress
	}
	if c.Plan == nil {
		c.Notice = c.FirstFixNotice("search")
		return
	}
	c.Notice = ""
	c.search.count++
	c.search.nothingFound = nothingFound
	facts := c.Doc().Facts()
	q.Seed, q.Resources, q.Moldable, q.Outages = c.search.count, facts.Resources, facts.Moldable, len(c.Doc().Outages) > 0
	c.WithScripts(func() {
		c.search.request = c.Post("refute", q, browser.Message{})
		c.BeginTask(c.search.request)
	})
}

// protocolPolicy returns policy i of the document for a request.
func (c *Policies) protocolPolicy(i int) protocol.Policy {
	p := &c.Doc().Policies[i]
	return protocol.Policy{Name: p.Name, Title: c.Doc().PolicyTitles()[i], Knobs: p.Knobs}
}

// HandleAnswer handles the answer to a search. It opens the workload that was found, or shows a notice if none was.
// It returns false if m is not such an answer.
func (c *Policies) HandleAnswer(m browser.Message) (bool, error) {
	if m.Kind != "refuted" {
		return false, nil
	}
	if m.ID != c.search.request || m.ID != c.Task {
		return true, nil // the search was cancelled
	}
	c.Task = 0
	var found protocol.Refuted
	if err := json.Unmarshal(m.Head, &found); err != nil {
		return true, err
	}
	if found.Scenario == nil {
		c.Notice = fmt.Sprintf("%s on %s. Other workloads may give another result.", c.search.nothingFound, format.Count(found.Tried, "small random workload"))
		return true, nil
	}
	d, err := document.Read(found.Scenario)
	if err != nil {
		return true, err
	}
	c.Replace(d)
	c.Notice = fmt.Sprintf("%s. This is the smallest workload found: %s. Undo restores your scenario.", found.Title, found.Size)
	c.LinkedView = &link.View{Cursor: found.At, Job: found.Job}
	return true, nil
}
