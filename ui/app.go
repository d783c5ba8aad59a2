// Package ui is not for scheduling: it shows what the core computed and hands on
// what the person asked for. Structs and methods live in .go files, markup in
// .vugu files.
package ui

import (
	"github.com/vugu/vugu"

	"backfill-lab/public/examples"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/link"
	"backfill-lab/ui/protocol"
)

// App is the root component: the page and all it knows.
type App struct {
	history *document.History
	lab     lab // the worker and what it is doing

	Tab    string // jobs, workload, machine, policies or text
	Drawer string // the panel open on a narrow screen: "", edit or why
	Menu   string // the open menu: "", lessons, examples, share or export
	Theme  string // "", light or dark
	Notice string // the last thing worth a sentence
	Focus  string // id of what to focus after the render
	Hung   bool   // the worker does not answer

	plan *document.Plan // of the present document, nil while it has problems
	bad  []document.Problem

	Edits         int               // so far
	Editing       protocol.Progress // of what the page itself does to the jobs
	EditCancelled bool
	brought       int // number of the content of the person that came last

	// What is edited.
	grid      grid
	Mold      mold
	slackWait string  // that a job expects as an example of slack, as typed
	work      shaping // of all jobs at once
	jobsSeen  surveyed
	gen       generating

	// What is read.
	why        *protocol.Answers
	more       bool // all metrics are shown
	CurveOpen  bool // so are the values of a curve
	find       find
	table      table // of the schedules
	player     player
	decisions  decisions
	comparison comparison
	spread     spread // of waits and slowdowns
	beside     beside
	colour     colouring
	ifs        supposing
	held       int // row + 1 of the job to be selected when the results are there, 0 if none

	// Where it comes from and goes to.
	sources  []source   // files that were opened
	unfold   bool       // what was done to their records is shown
	lesson   *taught    // nil: none is open
	opening  string     // what the first example says of itself
	sought   *link.View // to be shown when the results are there
	share    share
	outer    link.Frame // what a page that shows this one in a frame asks for
	calls    calls      // of that page
	autosave autosave

	env     vugu.EventEnv
	started bool
}

// NewApp is the page with the first example.
func NewApp() *App {
	c := &App{Tab: "jobs", Mold: mold{texts: [2]string{"16", "1"}}, gen: generating{seed: "1"}, slackWait: "65000"}
	d, err := document.Read([]byte(examples.List[0].Scenario))
	if err != nil {
		c.Notice = err.Error()
	}
	c.history, c.opening = document.NewHistory(d), d.Text
	return c
}

// Start connects the page to the browser; it runs once.
func (c *App) Start(env vugu.EventEnv) {
	c.env = env
	c.Theme, _ = browser.Local.Get("theme")
	_ = browser.SetRootAttr("data-theme", c.Theme)
	c.expose()
	err := c.lab.start(c)
	c.share.start(c)
	_ = browser.OnDrop(c.open)
	if err != nil {
		c.Notice = "The simulation cannot run here: " + err.Error()
		return
	}
	c.started = true
	if c.lab.task == 0 { // else the link's jobs are being drawn
		c.check()
	}
	c.survey()
}

// Doc is the scenario as it stands.
func (c *App) Doc() *document.Doc { return c.history.Now() }

// do is every edit's way into the history.
func (c *App) do(key string, d document.Doc) {
	if c.locked(c.Doc(), &d) {
		return
	}
	c.put(key, d)
}

func (c *App) put(key string, d document.Doc) {
	c.history.Do(key, d)
	c.changed()
}

// Undo takes the last edit back.
func (c *App) Undo() { c.turn((*document.History).Undo, (*document.History).Redo) }

// Redo makes it again.
func (c *App) Redo() { c.turn((*document.History).Redo, (*document.History).Undo) }

// turn goes through the history; what was said is of where it came from.
func (c *App) turn(way, back func(*document.History)) {
	was := *c.Doc()
	way(c.history)
	if c.locked(&was, c.Doc()) {
		back(c.history)
		return
	}
	c.Notice = ""
	c.changed()
}

// UndoTitle says what Undo takes back, RedoTitle what Redo makes again.
func (c *App) UndoTitle() string { return titled("Undo", c.history.Undone(), " (Ctrl+Z)") }
func (c *App) RedoTitle() string { return titled("Redo", c.history.Redone(), " (Ctrl+Shift+Z)") }

func titled(word, edit, key string) string {
	if edit != "" {
		word += ": " + edit
	}
	return word + key
}

// CanUndo reports whether there is an edit to take back.
func (c *App) CanUndo() bool { return c.history.CanUndo() }

// CanRedo reports whether one was taken back.
func (c *App) CanRedo() bool { return c.history.CanRedo() }

// changed checks the document after an edit and has it run.
func (c *App) changed() {
	c.share.edited(c)
	c.compare()
	c.rename()
	c.check()
	c.survey()
	c.foresee()
	c.preview()
}

// check has the document run, if it can.
func (c *App) check() {
	c.plan, c.bad = c.Doc().Check()
	c.grid.settle(c)
	c.lab.edited(c)
}

// expose offers the hand-written scripts what they call.
func (c *App) expose() {
	on := func(name string, f func(args []any)) {
		_ = browser.Expose(name, func(args []any) {
			c.env.Lock()
			defer c.env.UnlockRender()
			f(args)
		})
	}
	on("labPaste", func(a []any) { c.paste(whole(a, 0), whole(a, 1), words(a, 2)) })
	on("labRefused", func(a []any) { c.refusedPaste(words(a, 0), whole(a, 1), whole(a, 2)) })
	on("labScrolled", func(a []any) { c.rowsOf(words(a, 0)).scroll(whole(a, 1), whole(a, 2)) })
	on("labGo", func(a []any) {
		if words(a, 0) == "line" {
			c.table.move(c, whole(a, 1))
		} else {
			c.grid.move(c, whole(a, 1), whole(a, 2))
		}
	})
	on("labRows", func(a []any) { c.rowKey(words(a, 0), whole(a, 1), whole(a, 2)) })
	on("labCopy", func([]any) { c.copyRows() })
	on("labFind", func(a []any) { c.FindNext(whole(a, 0)) })
	on("labHung", func(a []any) { c.Hung = truth(a, 0) })
	on("labUndo", func([]any) { c.Undo() })
	on("labRedo", func([]any) { c.Redo() })
	on("labOnScale", func(a []any) { c.scaled(words(a, 0)) })
	on("labOnSelect", func(a []any) { c.chosen(whole(a, 0), int64(number(a, 1))) })
	on("labCalled", func(a []any) { c.called(words(a, 0), words(a, 1), words(a, 2)) })
	on("labConsented", func(a []any) { c.consented(truth(a, 0)) })
	on("labCloseMenu", func([]any) { c.Menu = "" })
	on("labOnEdit", func(a []any) { c.drawn(whole(a, 0), words(a, 1), int64(number(a, 2)), truth(a, 3)) })
	_ = browser.Expose("labOnJob", func(a []any) {
		c.env.Lock()
		defer c.env.UnlockOnly()
		c.describe(whole(a, 0))
	})
	_ = browser.Expose("labOnWindow", func([]any) { // often; nothing is drawn for it
		c.env.Lock()
		defer c.env.UnlockOnly()
		c.share.soon(c)
	})
	_ = browser.Expose("labOnCursor", func(a []any) {
		c.env.Lock()
		defer c.env.UnlockOnly()
		at := int64(number(a, 0))
		c.share.soon(c)
		c.stand(at)
		c.decisions.follow(c, at)
	})
}

// stand has the answer and the player follow the cursor to a moment.
func (c *App) stand(at int64) {
	c.follow(at)
	if c.player.open {
		c.player.pause()
		c.playAt(c.player.want.Result, at)
	}
}

func number(args []any, i int) float64 {
	if i < len(args) {
		if f, ok := args[i].(float64); ok {
			return f
		}
	}
	return -1
}

func whole(args []any, i int) int { return int(number(args, i)) }

func truth(args []any, i int) bool { return i < len(args) && args[i] == true }

func words(args []any, i int) string {
	if i < len(args) {
		if s, ok := args[i].(string); ok {
			return s
		}
	}
	return ""
}

// Drawn runs after each render: the parts of the page that scripts draw.
func (c *App) Drawn() {
	c.share.fill(c)
	_, _ = browser.Call("labDrawn", c.takeFocus())
}

// takeFocus returns the id of what to focus after the render, once.
func (c *App) takeFocus() string {
	id := c.Focus
	c.Focus = ""
	return id
}

// ToCharts leads the keyboard past the table.
func (c *App) ToCharts() { c.Focus = "gantt-0" }

// Pick opens a panel's tab.
func (c *App) Pick(tab string) {
	c.Tab = tab
	c.survey()
	c.foresee()
	c.preview()
	c.share.soon(c)
}

// Toggle opens or closes a drawer of a narrow screen.
func (c *App) Toggle(drawer string) {
	if c.Drawer == drawer {
		drawer = ""
	}
	c.Drawer = drawer
}

// Drop opens or closes a menu.
func (c *App) Drop(menu string) {
	if c.Menu == menu {
		menu = ""
	}
	if c.Menu = menu; menu == "lessons" {
		c.withLessons(func() {})
	}
}

// shut closes the menu after a choice in it; the keyboard goes back to its button.
func (c *App) shut() { c.Focus, c.Menu = c.Menu, "" }

// Expanded is the value of aria-expanded of a menu's button.
func (c *App) Expanded(menu string) string {
	if c.Menu == menu || c.Drawer == menu {
		return "true"
	}
	return "false"
}

// Selected is the value of aria-selected of a tab.
func (c *App) Selected(tab string) string {
	if c.Tab == tab {
		return "true"
	}
	return "false"
}

// Dim switches between the system's theme, light and dark.
func (c *App) Dim() {
	dark := c.Theme == "dark" || c.Theme == "" && browser.Media("(prefers-color-scheme: dark)")
	c.Theme = "dark"
	if dark {
		c.Theme = "light"
	}
	browser.Local.Set("theme", c.Theme)
	_ = browser.SetRootAttr("data-theme", c.Theme)
}

// Class names the state of the page for the style sheet.
func (c *App) Class() string {
	class := "lab" + c.frameClass()
	if c.Drawer != "" {
		class += " open-" + c.Drawer
	}
	return class
}
