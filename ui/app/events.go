package app

import (
	"backfill-lab/ui/browser"
	"backfill-lab/ui/session"
)

// connect assigns the listeners of the session's events. Features do not import each
// other: one raises an event, and the listeners set here act on it.
func (c *App) connect() {
	c.session.Events = session.Events{
		Locked:       c.files.Locked,
		InLesson:     c.lessons.InLesson,
		Stepping:     c.lessons.Stepping,
		Untold:       c.lessons.Untold,
		Edited:       c.edited,
		Replaced:     c.replaced,
		JobsReplaced: c.jobs.ToTop,
		Started:      c.started,
		Ran:          c.ran,
		Settled:      c.charts.Finder.ResultsArrived,
		Selected:     c.jobs.Follow,
		Explained:    c.explain.Settle,
		Viewed:       c.files.ViewChanged,
		TabShown:     c.workload.Refresh,
		Anonymised:   c.forgetNames,
		Received:     c.files.ContinueCalls,
		Answered:     c.answered,
		Failed:       c.failed,
		Lost:         c.lost,
	}
}

// edited updates the features that show the document.
func (c *App) edited() {
	c.jobs.Settle()
	c.lessons.Compare()
	c.workload.Refresh()
}

// replaced closes the lesson and resets the charts and the table when another scenario
// replaces the document.
func (c *App) replaced() {
	c.lessons.Close()
	c.charts.Rewind()
	c.jobs.ToTop()
}

// started shows the charts, and drops what the features show of a scenario that an example or a lesson
// is about to replace.
func (c *App) started() {
	c.experiments.Close()
	c.explain.Forget()
	c.charts.Clear()
	c.jobs.Unselect()
}

// ran repeats, for the new results, the open questions about the previous ones.
func (c *App) ran() {
	c.results.Renew()
	c.charts.Renew()
	c.explain.Renew()
}

// answered passes an answer of the worker to the feature that asked. It reports whether
// a feature took it.
func (c *App) answered(m browser.Message) (bool, error) {
	for _, take := range []func(browser.Message) (bool, error){c.explain.Answered, c.charts.Answered, c.results.Answered, c.files.Answered} {
		if taken, err := take(m); taken {
			return true, err
		}
	}
	return false, nil
}

// failed tells the features that request id failed. It returns what the results panel
// reports: whether the result it asked about is gone.
func (c *App) failed(id int) (gone bool) {
	c.charts.Failed(id)
	return c.results.Failed(id)
}

// lost tells the features that the worker is gone and will answer no open request.
func (c *App) lost() {
	c.charts.Lost()
	c.results.Lost()
	c.explain.Lost()
}

// forgetNames removes every old name from the page after the scenario was anonymised:
// results, explanations, chart contents, search hits and text typed in forms. The
// results come back with the next run.
func (c *App) forgetNames() {
	c.session.ForgetResults()
	c.explain.Forget()
	c.charts.Forget()
	c.results.Forget()
	c.experiments.Forget()
	for _, p := range c.panels {
		if f, ok := p.component.(interface{ Forget() }); ok {
			f.Forget()
		}
	}
	_ = session.Chart("wipe", "")
}
