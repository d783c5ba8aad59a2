package experiments

import (
	"strconv"

	"backfill-lab/core/scenario"
	"backfill-lab/core/sweep"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
)

// maxOpenCharts is the largest number of policies that have a chart when the user opens a run.
const maxOpenCharts = 4

// scenarioOf returns a scenario with the jobs of a group. Its policies are the given policy, followed by the other
// policies of the experiment. Of these other policies, scenarioOf leaves out those that use exact estimates for some
// jobs, because a scenario cannot express such estimates. The list ends after scenario.MaxPolicies policies, of which
// only the first maxOpenCharts have charts.
func scenarioOf(d *sweep.Definition, group sweep.Group, policy int) *scenario.Scenario {
	policies := []int{policy}
	for i := range d.Policies {
		if i != policy && d.Policies[i].ExactEstimates == 0 && len(policies) < scenario.MaxPolicies {
			policies = append(policies, i)
		}
	}
	s := d.Scenario(group, policies...)
	s.Title = d.Describe(group)
	for k, i := range policies {
		s.Policies[k].Baseline = i == d.Baseline()
		s.Policies[k].NoChart = k >= maxOpenCharts
	}
	return s
}

// OpenRun opens a run of the experiment in the page, as a scenario with the jobs of its group. The policy of the run
// comes first, followed by the other policies. A button above the charts, and the Back button of the browser, return
// to the experiment. If a scenario cannot express the run, OpenRun shows a message instead.
func (c *Experiments) OpenRun(run int) {
	if c.definition == nil || run < 0 || run >= len(c.results.runs) {
		return
	}
	n := len(c.definition.Policies)
	group, policy := c.definition.Group(run/n), run%n
	w := &c.definition.Workloads[group.Workload]
	because := ""
	switch {
	case c.definition.Policies[policy].ExactEstimates > 0:
		because = "some jobs have exact estimates"
	case w.Queue != nil:
		because = "the arrival rate is adjusted to the length of the queue"
	case w.Resample != "":
		because = "the trace is resampled"
	}
	if because != "" {
		c.message = "The charts cannot show this run, because a scenario cannot express that " + because + "."
		return
	}
	s := scenarioOf(c.definition, group, policy)
	key := strconv.FormatUint(uint64(browser.Random()), 36)
	_, _ = browser.Call("labExperimentLeft", key)
	c.Close()
	if document.GeneratesManyJobs(s) {
		c.GenerateJobs(s, func(d document.Doc, _ *protocol.Opened) { c.showRun(key, d) })
		return
	}
	d, err := document.Read(scenario.Format(s))
	if err != nil {
		c.Notice = "The run could not be opened: " + err.Error()
		return
	}
	c.showRun(key, d)
}

// runNotice is the notice above the charts of a run.
const runNotice = "The page shows a run of the experiment. The policy of this run comes first, before any other policies of the experiment. Your own scenario returns when you go back to the experiment."

// ShowsRun reports whether the user has just opened a run, and may return to the experiment.
func (c *Experiments) ShowsRun() bool { return c.Notice == runNotice }

// Return returns to the experiment from a run, like the Back button of the browser.
func (c *Experiments) Return() { _, _ = browser.Call("labExperimentReturn") }

// showRun replaces the document by d, the scenario of a run. It keeps the old document under the given key. The
// history entry to which the Back button returns has the same key.
func (c *Experiments) showRun(key string, d document.Doc) {
	c.replaced[key] = *c.Doc()
	d.Source, d.ContentID = "an experiment", c.NewContentID()
	c.StartOver(d)
	c.Notice = runNotice
}

// restore restores the document that was replaced when the user opened a run. It also prevents the page from opening
// the link in the address, because the document in memory contains more than the link.
func (c *Experiments) restore(key string) {
	d, ok := c.replaced[key]
	if !ok {
		return
	}
	delete(c.replaced, key)
	c.Replace(d)
	c.Restored = session.Restored{Fragment: browser.Fragment(), Edits: c.Edits}
}
