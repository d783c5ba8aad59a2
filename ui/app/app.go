// Package app is the root of the page: its layout, tabs, menus and theme. It creates the
// features and connects them; it holds nothing of theirs.
package app

import (
	"github.com/vugu/vugu"

	"backfill-lab/public/examples"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/charts"
	"backfill-lab/ui/document"
	"backfill-lab/ui/explain"
	"backfill-lab/ui/files"
	"backfill-lab/ui/jobs"
	"backfill-lab/ui/lessons"
	"backfill-lab/ui/results"
	"backfill-lab/ui/session"
	"backfill-lab/ui/workload"
)

// App is the root component.
type App struct {
	session *session.Session

	panels   []Panel // of the left side
	jobs     *jobs.Table
	workload *workload.Workload

	charts  *charts.Charts
	results *results.Results
	explain *explain.Explainer
	lessons *lessons.Lessons
	files   *files.Files

	theme string // "", light or dark
}

// Stage is the middle of the page: what is under way, the charts, and the results below
// them.
type Stage struct{ *App }

// New returns the page with the first example.
func New() *App {
	s := session.New()
	d, err := document.Read([]byte(examples.List[0].Scenario))
	if err != nil {
		s.Notice = err.Error()
	}
	s.Open(d)
	c := &App{session: s, workload: workload.New(s), results: results.New(s)}
	c.charts = charts.New(s)
	c.jobs = jobs.New(s, c.charts.Player.IsOpen)
	c.explain = explain.New(s, c.charts.Decisions)
	c.lessons = lessons.New(s, c.charts.Player)
	c.files = files.New(s, c.charts.Colours, c.charts.Player, c.lessons)
	c.panels = c.leftPanels()
	for _, p := range c.panels {
		s.Tabs = append(s.Tabs, p.Name)
	}
	c.connect()
	return c
}

// Start connects the page to the browser; it runs once.
func (c *App) Start(env vugu.EventEnv) {
	c.session.Env = env
	c.theme, _ = browser.Local.Get("theme")
	_ = browser.SetRootAttr("data-theme", c.theme)
	c.expose()
	err := c.session.Start()
	c.files.Start()
	if err != nil {
		c.session.Notice = "The simulation cannot run here: " + err.Error()
		return
	}
	if c.session.Task == 0 { // else the link's jobs are being drawn
		c.session.Check()
	}
}

// Drawn runs after each render: it fills the parts of the page that scripts draw.
func (c *App) Drawn() {
	c.files.Drawn()
	_, _ = browser.Call("labDrawn", c.session.TakeFocus())
}

// soonRows is up to how many jobs the results of a run mostly come before a frame or
// two are drawn.
const soonRows = 500

// Soon reports whether an answer is about to come that changes most of the page.
func (c *App) Soon() bool {
	s := c.session
	return c.charts.Player.Seeking() || s.Task != 0 && s.Running != nil && s.Running.Rows.Len() <= soonRows
}
