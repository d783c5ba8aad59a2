// Package results is what there is to read below the charts: metrics, comparisons of two
// schedules, distributions, and the schedules as a table.
package results

import (
	"backfill-lab/ui/browser"
	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// Results is the state of the results.
type Results struct {
	*session.Session

	more       bool // all metrics are shown
	table      table
	comparison comparison
	spread     spread
}

// New returns the results of a session.
func New(s *session.Session) *Results { return &Results{Session: s} }

// Answered takes the worker's answer to a request of the results; it reports whether it
// is one.
func (c *Results) Answered(m browser.Message) (bool, error) {
	switch {
	case m.Kind == "compared" && m.ID == c.comparison.asking:
		return true, c.compared(m)
	case m.Kind == "spreads" && m.ID == c.spread.asking:
		return true, c.spreads(m)
	case m.Kind == "outcomes":
		return true, c.table.outcomes(c, m)
	}
	return false, nil
}

// Renew asks about new results what was asked about the former ones.
func (c *Results) Renew() {
	c.table.ask(c)
	c.comparison.renew(c)
	c.spread.renew(c)
}

// Failed is told of a request that gets no answer; it reports whether the request was
// about results that are gone.
func (c *Results) Failed(id int) bool { return id == c.comparison.asking || id == c.spread.asking }

// Lost is told that the worker is gone with all requests.
func (c *Results) Lost() { c.comparison.asking, c.spread.asking = 0, 0 }

// Forget drops all names of jobs and schedules.
func (c *Results) Forget() {
	c.comparison.shown, c.comparison.titles = nil, nil
	c.spread.shown, c.spread.coming, c.spread.titles = nil, nil, nil
	c.table = table{Window: c.table.Window, Open: c.table.Open}
}

// Window returns the rows of the schedule table in view.
func (c *Results) Window() *widgets.Window { return &c.table.Window }

// MoveTo brings the keyboard to a row of the schedule table.
func (c *Results) MoveTo(row int) { c.table.move(c, row) }

type (
	// Scores is the metrics tables.
	Scores struct{ Results *Results }
	// Compare is how two schedules differ, and how waits are distributed.
	Compare struct{ Results *Results }
	// Ledgers is tables of jobs and classes.
	Ledgers struct {
		Results *Results
		List    []Ledger
	}
	// Schedules is the schedules as a table.
	Schedules struct{ Results *Results }
)
