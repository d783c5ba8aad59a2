package experiments

import (
	"backfill-lab/core/scenario"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
)

// OpenRun opens the scenario of a run in the page: the jobs of its group, with its policy. The Back
// button of the browser returns to the experiment.
func (c *Experiments) OpenRun(run int) {
	if c.d == nil || run < 0 || run >= len(c.found.runs) {
		return
	}
	n := len(c.d.Policies)
	group, policy := c.d.Group(run/n), run%n
	if c.d.Policies[policy].ExactEstimates > 0 || c.d.Workloads[group.Workload].Queue != nil {
		c.said = "The charts cannot show this run: no scenario file describes exact estimates of some jobs, or an adjusted arrival rate."
		return
	}
	s := c.d.Scenario(group, policy)
	s.Title = c.d.Describe(group) + ": " + c.d.Titles()[policy]
	_, _ = browser.Call("labExperimentLeft")
	c.Close()
	if document.ManyDrawn(s) {
		c.DrawJobs(s, func(d document.Doc, _ *protocol.Opened) { c.takeRun(d) })
		return
	}
	d, err := document.Read(scenario.Format(s))
	if err != nil {
		c.Notice = "The run could not be opened: " + err.Error()
		return
	}
	c.takeRun(d)
}

// takeRun replaces the document by that of a run.
func (c *Experiments) takeRun(d document.Doc) {
	d.Source, d.ContentID = "an experiment", c.NewContent()
	c.StartOver(d)
	c.Notice = "This is a run of the experiment. Experiments returns to it."
}
