// Package app holds the root component of the page: layout, tabs, menus and theme. It
// creates the features and connects them. Each feature keeps its own state.
package app

import (
	"strconv"

	"github.com/vugu/vugu"

	"backfill-lab/public/examples"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/charts"
	"backfill-lab/ui/document"
	"backfill-lab/ui/experiments"
	"backfill-lab/ui/explain"
	"backfill-lab/ui/files"
	"backfill-lab/ui/jobs"
	"backfill-lab/ui/lessons"
	"backfill-lab/ui/policies"
	"backfill-lab/ui/results"
	"backfill-lab/ui/session"
	"backfill-lab/ui/workload"
)

// App is the root component.
type App struct {
	session *session.Session

	panels   []Panel // left-hand panels in tab order
	jobs     *jobs.Table
	workload *workload.Workload
	policies *policies.Policies

	charts  *charts.Charts
	results *results.Results
	explain *explain.Explainer
	lessons *lessons.Lessons
	files   *files.Files

	experiments *experiments.Experiments

	theme string // "light", "dark", or "" for the theme of the system
}

// Stage is the centre column of the page: progress and notices, then the charts, then
// the results.
type Stage struct{ *App }

// New returns the root component with the first example loaded.
func New() *App {
	s := session.New()
	d, err := document.Read([]byte(examples.List[0].Scenario))
	if err != nil {
		s.Notice = err.Error()
	}
	s.Open(d)
	c := &App{session: s, policies: policies.New(s), results: results.New(s)}
	c.charts = charts.New(s)
	c.jobs = jobs.New(s, c.charts.Player.IsOpen)
	c.explain = explain.New(s, c.charts.Decisions, c.results.ExportChange)
	c.workload = workload.New(s, c.explain.OpenWallTimesQuestion)
	c.lessons = lessons.New(s, c.charts.Player)
	c.files = files.New(s, c.charts.Colours, c.charts.Player, c.lessons)
	c.experiments = experiments.New(s)
	c.panels = c.leftPanels()
	for _, p := range c.panels {
		s.Tabs = append(s.Tabs, p.Name)
	}
	c.connect()
	return c
}

// Start connects the page to the browser: theme, scripts, worker and saved work. The
// renderer calls it once.
func (c *App) Start(env vugu.EventEnv) {
	c.session.Env = env
	c.theme, _ = browser.Local.Get("theme")
	_ = browser.SetRootAttr("data-theme", c.theme)
	c.expose()
	err := c.session.Start()
	c.files.Start()
	if !c.files.Embedded() {
		c.experiments.Start()
	}
	if err != nil {
		c.session.Notice = "The simulation cannot run here: " + err.Error()
		return
	}
	if c.session.Task == 0 { // otherwise the worker is still generating the jobs of a link
		c.session.Check()
	}
}

// AfterRender runs after each render. It updates the parts of the page that JavaScript manages instead of Vugu. If the
// session asks for it, AfterRender also moves the keyboard focus or scrolls.
func (c *App) AfterRender() {
	c.files.AfterRender()
	c.experiments.AfterRender()
	focus, reveal := c.session.TakeFocus()
	_, _ = browser.Call("labDrawn", focus, reveal)
}

// Title returns the title of the scenario. While a lesson is open, it returns "", because the lesson shows its own.
func (c *App) Title() string {
	if c.lessons.InLesson() {
		return ""
	}
	return c.session.Doc().Title
}

// quickRunRows is the largest number of jobs with which a run usually ends within two display frames, about 33 ms.
const quickRunRows = 500

// ExpectsAnswer reports whether the worker is about to send an answer that changes most of the page. If so, the
// renderer waits for the answer instead of drawing twice.
func (c *App) ExpectsAnswer() bool {
	s := c.session
	return c.charts.Player.Seeking() || s.Task != 0 && s.RunPlan != nil && s.RunPlan.Rows.Len() <= quickRunRows
}

// AddJob shows the jobs table and adds an empty row to it.
func (c *App) AddJob() {
	c.session.OpenTab("jobs")
	c.jobs.Add()
}

// ToCharts moves the keyboard focus past the table to the first chart.
func (c *App) ToCharts() { c.session.Focus = "gantt-0" }

// ToggleDrawer opens or closes a drawer, which is a panel that covers the charts on a narrow screen.
func (c *App) ToggleDrawer(drawer string) {
	if c.session.Drawer == drawer {
		drawer = ""
	}
	c.session.Drawer = drawer
}

// CloseDrawer closes the open drawer, and moves the keyboard focus to the button that opens it.
func (c *App) CloseDrawer() { c.session.Drawer, c.session.Focus = "", "open-"+c.session.Drawer }

// ToggleMenu opens or closes a menu.
func (c *App) ToggleMenu(menu string) {
	c.session.ToggleMenu(menu)
	if c.session.Menu == "lessons" {
		c.files.ListDrafts()
		c.lessons.AfterLoading("", func() {})
	}
}

// OpenFile lets the user pick a file, and switches to the view with the charts.
func (c *App) OpenFile() {
	c.experiments.Close()
	c.files.Open()
}

// Expanded returns the aria-expanded value of the button that opens a menu or drawer.
func (c *App) Expanded(menu string) string {
	return strconv.FormatBool(c.session.Menu == menu || c.session.Drawer == menu)
}

// MenusClass returns the CSS class of the list that holds all menus on a narrow screen.
func (c *App) MenusClass() string {
	if c.session.Menu == "" {
		return "menus"
	}
	return "menus open"
}

// ToggleTheme switches between the light and the dark theme and saves the choice. Until the
// first switch, the page follows the system.
func (c *App) ToggleTheme() {
	dark := c.theme == "dark" || c.theme == "" && browser.MatchesMedia("(prefers-color-scheme: dark)")
	c.theme = "dark"
	if dark {
		c.theme = "light"
	}
	browser.Local.Set("theme", c.theme)
	_ = browser.SetRootAttr("data-theme", c.theme)
}

// Class returns the CSS classes of the root element. The style sheet uses them to show or hide parts of the page,
// for example while a drawer, a lesson or an experiment is open.
func (c *App) Class() string {
	class := "lab" + c.files.FrameClass()
	if c.lessons.HidesLaterEvents() {
		class += " stepping"
	}
	if c.lessons.Folded() {
		class += " folded"
	}
	if c.session.Drawer != "" {
		class += " open-" + c.session.Drawer
	}
	if c.session.Emptied {
		class += " emptied"
	}
	if c.workload.AsksMachine() {
		class += " asking"
	}
	if c.lessons.TaskStart() != "" && len(c.charts.Charts()) == 0 {
		class += " incomplete"
	}
	if c.experiments.IsOpen() {
		class += " experimenting"
	}
	return class
}

// ShowKeys opens the dialog of keyboard shortcuts.
func (c *App) ShowKeys() { _, _ = browser.Call("labShowKeys") }

// Drafts returns the lesson drafts to list in the menu of lessons. It returns none while the user writes or
// previews a lesson.
func (c *App) Drafts() []files.Draft {
	if c.lessons.Writing() || c.lessons.Previewing() {
		return nil
	}
	return c.files.Drafts()
}

// NewestDraft returns the newest lesson draft in a list of at most one entry. The list is empty if there is no draft,
// or if the page no longer shows the example with which it opened.
func (c *App) NewestDraft() []files.Draft {
	if all := c.Drafts(); c.lessons.Untouched() {
		return all[:min(len(all), 1)]
	}
	return nil
}

// OffersIntroduction reports whether the page still shows the example with which it opened and is not embedded. If
// so, the page offers the introduction.
func (c *App) OffersIntroduction() bool { return c.lessons.Untouched() && !c.files.Embedded() }
