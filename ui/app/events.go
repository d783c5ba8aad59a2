package app

import (
	"backfill-lab/ui/browser"
	"backfill-lab/ui/session"
)

// connect says which feature hears of what. Features do not know each other: one raises
// an event, and here is who acts on it.
func (c *App) connect() {
	c.session.Events = session.Events{
		Locked:       c.files.Locked,
		Edited:       c.edited,
		Replaced:     c.replaced,
		JobsReplaced: c.jobs.ToTop,
		Ran:          c.ran,
		Settled:      c.charts.Finder.Ready,
		Selected:     c.jobs.Follow,
		Explained:    c.explain.Settle,
		Viewed:       c.files.Viewed,
		TabShown:     c.workload.Refresh,
		Anonymised:   c.forgetNames,
		Received:     c.files.Proceed,
		Answered:     c.answered,
		Failed:       c.failed,
		Lost:         c.lost,
	}
}

// edited follows the document.
func (c *App) edited() {
	c.jobs.Settle()
	c.lessons.Compare()
	c.workload.Refresh()
}

// replaced leaves what belongs to the scenario before.
func (c *App) replaced() {
	c.lessons.Close()
	c.charts.Rewind()
	c.jobs.ToTop()
}

// ran asks of new results what was asked of the former ones.
func (c *App) ran() {
	c.results.Renew()
	c.charts.Renew()
	c.explain.Renew()
}

// answered hands the worker's answer to the feature that asked.
func (c *App) answered(m browser.Message) (bool, error) {
	for _, take := range []func(browser.Message) (bool, error){c.explain.Answered, c.charts.Answered, c.results.Answered, c.files.Answered} {
		if taken, err := take(m); taken {
			return true, err
		}
	}
	return false, nil
}

// failed tells who waits for a request that it gets no answer.
func (c *App) failed(id int) (gone bool) {
	c.charts.Failed(id)
	return c.results.Failed(id)
}

// lost tells who waits for answers that none will come.
func (c *App) lost() {
	c.charts.Lost()
	c.results.Lost()
	c.explain.Lost()
}

// forgetNames drops all that the page shows or holds of the scenario before it was
// anonymised: the results until those with the new names are there, what was typed in
// forms, what was found and said.
func (c *App) forgetNames() {
	c.session.Forget()
	c.explain.Forget()
	c.charts.Forget()
	c.results.Forget()
	for _, p := range c.panels {
		if f, ok := p.component.(interface{ Forget() }); ok {
			f.Forget()
		}
	}
	_ = session.Chart("wipe", "")
}
