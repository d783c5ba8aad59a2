// Package results implements the tables below the charts: metrics, comparison of two
// schedules, distributions of waits and slowdowns, and the schedules job by job.
package results

import (
	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// Results is the state of the results.
type Results struct {
	*session.Session

	more       bool // show all metrics
	table      table
	comparison comparison
	spread     spread

	// The distributions (by measure) and the comparison that were requested for the export dialog, and the change
	// for which the dialog was opened. They are empty unless the dialog waits for answers.
	exported           [len(spreadMeasures)]spread
	exportedComparison comparison
	exportedChange     *protocol.WhatIfAnswer
}

// New returns the results panel of a session.
func New(s *session.Session) *Results { return &Results{Session: s} }

// HandleAnswer handles the worker's answer to a request of this package. It reports false if
// the answer is for another feature.
func (c *Results) HandleAnswer(m browser.Message) (bool, error) {
	switch {
	case m.Kind == "compared" && c.comparisonWaitingFor(m.ID) != nil:
		return true, c.storeComparison(m)
	case m.Kind == "spreads" && c.spreadWaitingFor(m.ID) != nil:
		return true, c.storeSpreads(m)
	case m.Kind == "outcomes":
		return true, c.table.storeOutcomes(c, m)
	}
	return false, nil
}

// AskAgain asks the worker again for the open table, comparison and distributions, because a new
// run has replaced the results. The comparison keeps its two policies. However, if its base was the
// baseline, the current baseline becomes its base.
func (c *Results) AskAgain() {
	d := &c.comparison
	d.base, d.other = c.NewBaseIndex(d.base), c.NewIndex(d.other)
	c.table.ask(c)
	c.comparison.request(c)
	c.spread.request(c)
	c.forgetExported()
}

// AskedFor reports whether the failed request id asked for a comparison or a distribution. Such a
// request fails only if its results no longer exist.
func (c *Results) AskedFor(id int) bool {
	return c.comparisonWaitingFor(id) != nil || c.spreadWaitingFor(id) != nil
}

// HandleWorkerLoss records that the worker has ended, so no unanswered request will get an answer.
func (c *Results) HandleWorkerLoss() {
	c.comparison.requestID, c.spread.requestID = 0, 0
	c.forgetExported()
}

// Forget drops everything that contains names of jobs or schedules.
func (c *Results) Forget() {
	c.comparison.shown, c.comparison.titles = nil, nil
	c.spread.shown, c.spread.received, c.spread.titles = nil, nil, nil
	c.forgetExported()
	c.table = table{Window: c.table.Window, Open: c.table.Open}
}

// forgetExported drops the data of the export dialog that waits for answers.
func (c *Results) forgetExported() {
	c.exported, c.exportedComparison, c.exportedChange = [len(spreadMeasures)]spread{}, comparison{}, nil
}

// Window returns the visible window of the schedule table.
func (c *Results) Window() *widgets.Window { return &c.table.Window }

// MoveTo moves the keyboard focus to a row of the schedule table.
func (c *Results) MoveTo(row int) { c.table.move(c, row) }

type (
	// Scores is the component of the metrics tables.
	Scores struct {
		Results  *Results
		ToWhatIf func() // moves the focus to the what-if questions about the machine; nil hides the button
	}
	// Compare is the component of the comparison and the distributions.
	Compare struct{ Results *Results }
	// Tables is a component that renders a list of tables.
	Tables struct {
		Results *Results
		List    []ResultTable
	}
	// Schedules is the component of the schedule table.
	Schedules struct{ Results *Results }
)
