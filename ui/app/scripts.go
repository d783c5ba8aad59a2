package app

import (
	"backfill-lab/ui/browser"
	"backfill-lab/ui/widgets"
)

// expose registers the functions that the scripts in public/js call.
func (c *App) expose() {
	c.exposeTable()
	c.exposeCharts()
	c.exposeTimes()
	c.registerAndDraw("labHung", func(a []any) { c.session.Unresponsive = boolArg(a, 0) })
	c.registerAndDraw("labUndo", func([]any) { c.session.Undo() })
	c.registerAndDraw("labRedo", func([]any) { c.session.Redo() })
	c.registerAndDraw("labCloseMenu", func([]any) { c.session.Menu = "" })
	c.registerAndDraw("labCalled", func(a []any) { c.files.HandleCall(words(a, 0), words(a, 1), words(a, 2)) })
	c.registerAndDraw("labConsented", func(a []any) { c.files.Consented(boolArg(a, 0)) })
	c.registerSilent("labKeep", func([]any) { c.files.KeepDraft() })
	_ = browser.OnDrop(c.files.Accept)
}

// exposeTable registers the handlers of keys and clipboard in tables.
func (c *App) exposeTable() {
	c.registerAndDraw("labPaste", func(a []any) { c.jobs.Paste(whole(a, 0), whole(a, 1), words(a, 2)) })
	c.registerAndDraw("labRefused", func(a []any) { c.jobs.RefusedPaste(words(a, 0), whole(a, 1), whole(a, 2)) })
	c.registerAndDraw("labScrolled", func(a []any) { c.window(words(a, 0)).Scroll(whole(a, 1), whole(a, 2)) })
	c.registerAndDraw("labGo", func(a []any) {
		if words(a, 0) == scheduleTable {
			c.results.MoveTo(whole(a, 1))
		} else {
			c.jobs.MoveTo(whole(a, 1), whole(a, 2))
		}
	})
	c.registerAndDraw("labRows", func(a []any) { c.jobs.RowKey(words(a, 0), whole(a, 1), whole(a, 2)) })
	c.registerAndDraw("labCopy", func([]any) { c.jobs.CopyRows() })
}

// exposeCharts registers the handlers of pointer and keys in the charts.
func (c *App) exposeCharts() {
	c.registerAndDraw("labFind", func(a []any) { c.charts.Finder.Next(whole(a, 0)) })
	c.registerAndDraw("labOnScale", func(a []any) { c.charts.Colours.SetScale(words(a, 0)) })
	c.registerAndDraw("labOnSelect", func(a []any) {
		c.charts.Strip.Follow(whole(a, 2))
		c.session.ShowJob(whole(a, 0), int64(number(a, 1)), whole(a, 2))
	})
	c.registerAndDraw("labOnEdit", func(a []any) { c.jobs.EditFromChart(whole(a, 0), words(a, 1), int64(number(a, 2)), boolArg(a, 3)) })
	c.registerSilent("labOnJob", func(a []any) { c.jobs.SendJobToCharts(whole(a, 0)) })
	c.registerSilent("labOnWindow", func([]any) { c.files.ViewChanged() })
	c.registerSilent("labOnCursor", func(a []any) {
		c.files.ViewChanged()
		c.charts.CursorMoved(int64(number(a, 0)))
	})
}

// exposeTimes registers the functions that write times for the charts.
func (c *App) exposeTimes() {
	clock := c.session.Clock
	_ = browser.ExposeValue("labInstant", func(a []any) any { return clock().Instant(int64(number(a, 0))) })
	_ = browser.ExposeValue("labDuration", func(a []any) any { return clock().Duration(int64(number(a, 0))) })
	_ = browser.ExposeValue("labTimesIn", func([]any) any { return clock().Name() })
	_ = browser.ExposeValue("labTicks", func(a []any) any {
		const charWidth = 6.4 // pixels
		var out []any
		for _, t := range clock().AxisTicks(int64(number(a, 0)), int64(number(a, 1)), int(number(a, 2)/charWidth)/clock().TickWidth()) {
			out = append(out, float64(t.At), t.Label)
		}
		return out
	})
}

// registerAndDraw registers a function and renders the page after each call.
func (c *App) registerAndDraw(name string, f func(args []any)) {
	_ = browser.Expose(name, func(args []any) {
		c.session.Env.Lock()
		defer c.session.Env.UnlockRender()
		f(args)
	})
}

// registerSilent registers a function that changes nothing visible. The page is not rendered after
// a call, because scripts call such functions often.
func (c *App) registerSilent(name string, f func(args []any)) {
	_ = browser.Expose(name, func(args []any) {
		c.session.Env.Lock()
		defer c.session.Env.UnlockOnly()
		f(args)
	})
}

// scheduleTable is the data-window name of the table of schedules.
const scheduleTable = "line"

// window returns the scroll window of the table with this data-window name.
func (c *App) window(name string) *widgets.Window {
	if name == scheduleTable {
		return c.results.Window()
	}
	return c.jobs.Window()
}

// number returns argument i of a call by a script. It returns -1 if the argument is missing or not a
// number.
func number(args []any, i int) float64 {
	if i < len(args) {
		if f, ok := args[i].(float64); ok {
			return f
		}
	}
	return -1
}

func whole(args []any, i int) int { return int(number(args, i)) }

func boolArg(args []any, i int) bool { return i < len(args) && args[i] == true }

func words(args []any, i int) string {
	if i < len(args) {
		if s, ok := args[i].(string); ok {
			return s
		}
	}
	return ""
}
