package experiments

import (
	"strconv"

	"backfill-lab/core/scenario"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
)

// OpenRun opens the scenario of a run in the page: the jobs of its group, with its policy. The Back
// button of the browser returns to the experiment.
func (c *Experiments) OpenRun(run int) {
	if c.definition == nil || run < 0 || run >= len(c.results.runs) {
		return
	}
	n := len(c.definition.Policies)
	group, policy := c.definition.Group(run/n), run%n
	w := &c.definition.Workloads[group.Workload]
	if c.definition.Policies[policy].ExactEstimates > 0 || w.Queue != nil || w.Resample != "" {
		c.message = "The charts cannot show this run: a scenario file cannot express exact estimates for some jobs, an adjusted arrival rate, or a resampled trace."
		return
	}
	s := c.definition.Scenario(group, policy)
	s.Title = c.definition.Describe(group) + ": " + c.definition.Titles()[policy]
	key := strconv.FormatUint(uint64(browser.Random()), 36)
	_, _ = browser.Call("labExperimentLeft", key)
	c.Close()
	if document.ManyDrawn(s) {
		c.DrawJobs(s, func(d document.Doc, _ *protocol.Opened) { c.takeRun(key, d) })
		return
	}
	d, err := document.Read(scenario.Format(s))
	if err != nil {
		c.Notice = "The run could not be opened: " + err.Error()
		return
	}
	c.takeRun(key, d)
}

// takeRun replaces the document by the scenario of a run. The key identifies the history entry of the
// replaced document.
func (c *Experiments) takeRun(key string, d document.Doc) {
	c.replaced[key] = *c.Doc()
	d.Source, d.ContentID = "an experiment", c.NewContent()
	c.StartOver(d)
	c.Notice = "This is a run of the experiment. Back, or Undo, restores your scenario."
}

// restore restores the document that was replaced when the user opened a run. The page does not open the
// link in the address instead, because the document in memory contains more than the link.
func (c *Experiments) restore(key string) {
	d, ok := c.replaced[key]
	if !ok {
		return
	}
	delete(c.replaced, key)
	c.Replace(d)
	c.Restored = session.Restored{Fragment: browser.Hash(), Edits: c.Edits}
}
