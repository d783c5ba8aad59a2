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
	c.registerAndDraw("labCalled", func(a []any) { c.files.HandleCall(textArg(a, 0), textArg(a, 1), textArg(a, 2)) })
	c.registerAndDraw("labConsented", func(a []any) { c.files.RecordConsent(boolArg(a, 0)) })
	c.registerSilent("labKeep", func([]any) { c.files.KeepPending() })
	_ = browser.OnDrop(c.files.Accept)
}

// exposeTable registers the keyboard and clipboard handlers of the tables.
func (c *App) exposeTable() {
	c.registerAndDraw("labPaste", func(a []any) { c.jobs.Paste(intArg(a, 0), intArg(a, 1), textArg(a, 2)) })
	c.registerAndDraw("labRefused", func(a []any) { c.jobs.RefusedPaste(textArg(a, 0), intArg(a, 1), intArg(a, 2)) })
	c.registerAndDraw("labScrolled", func(a []any) { c.tableWindow(textArg(a, 0)).Scroll(intArg(a, 1), intArg(a, 2)) })
	c.registerAndDraw("labGo", func(a []any) {
		if textArg(a, 0) == scheduleTable {
			c.results.MoveTo(intArg(a, 1))
		} else {
			c.jobs.MoveTo(intArg(a, 1), intArg(a, 2))
		}
	})
	c.registerAndDraw("labRows", func(a []any) { c.jobs.RowKey(textArg(a, 0), intArg(a, 1), intArg(a, 2)) })
	c.registerAndDraw("labCopy", func([]any) { c.jobs.CopyRows() })
}

// exposeCharts registers the pointer and keyboard handlers of the charts.
func (c *App) exposeCharts() {
	c.registerAndDraw("labFind", func(a []any) { c.charts.Finder.Next(intArg(a, 0)) })
	c.registerAndDraw("labOnScale", func(a []any) { c.charts.Colours.SetScale(textArg(a, 0)) })
	c.registerAndDraw("labOnSelect", func(a []any) {
		c.charts.Strip.ShowSelectedChart(intArg(a, 2))
		c.session.ShowJob(intArg(a, 0), int64(numberArg(a, 1)), intArg(a, 2))
	})
	c.registerAndDraw("labOnEdit", func(a []any) {
		c.jobs.EditFromChart(intArg(a, 0), textArg(a, 1), int64(numberArg(a, 2)), boolArg(a, 3))
	})
	c.registerSilent("labOnJob", func(a []any) { c.jobs.SendJobToCharts(intArg(a, 0)) })
	c.registerSilent("labOnWindow", func([]any) { c.files.ScheduleLinkUpdate() })
	c.registerSilent("labOnCursor", func(a []any) {
		c.files.ScheduleLinkUpdate()
		c.charts.FollowCursor(int64(numberArg(a, 0)))
	})
}

// exposeTimes registers the functions that format times for the charts.
func (c *App) exposeTimes() {
	clock := c.session.Clock
	_ = browser.ExposeValue("labInstant", func(a []any) any { return clock().Instant(int64(numberArg(a, 0))) })
	_ = browser.ExposeValue("labDuration", func(a []any) any { return clock().Duration(int64(numberArg(a, 0))) })
	_ = browser.ExposeValue("labTimesIn", func([]any) any { return clock().Name() })
	_ = browser.ExposeValue("labTicks", func(a []any) any {
		const charWidth = 6.4 // width of a typical character of a label, in pixels
		var out []any
		t0, t1 := int64(numberArg(a, 0)), int64(numberArg(a, 1))
		for _, t := range clock().AxisTicks(t0, t1, int(numberArg(a, 2)/charWidth)/clock().LabelWidth(t1)) {
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

// registerSilent registers a function that changes nothing visible and that scripts call often. A call of this function
// therefore does not render the page.
func (c *App) registerSilent(name string, f func(args []any)) {
	_ = browser.Expose(name, func(args []any) {
		c.session.Env.Lock()
		defer c.session.Env.UnlockOnly()
		f(args)
	})
}

// scheduleTable is the value of the attribute data-window of the schedule table.
const scheduleTable = "line"

// tableWindow returns the range of visible rows of the table whose attribute data-window has the given value. Any
// value except scheduleTable selects the jobs table.
func (c *App) tableWindow(name string) *widgets.Window {
	if name == scheduleTable {
		return c.results.Window()
	}
	return c.jobs.Window()
}

// numberArg returns argument i of a call by a script, or -1 if the argument is missing or not a number.
func numberArg(args []any, i int) float64 {
	if i < len(args) {
		if f, ok := args[i].(float64); ok {
			return f
		}
	}
	return -1
}

// intArg is like numberArg, but drops the fraction.
func intArg(args []any, i int) int { return int(numberArg(args, i)) }

// boolArg returns argument i of a call by a script, or false if the argument is missing or not a boolean.
func boolArg(args []any, i int) bool { return i < len(args) && args[i] == true }

// textArg returns argument i of a call by a script, or "" if the argument is missing or not a string.
func textArg(args []any, i int) string {
	if i < len(args) {
		if s, ok := args[i].(string); ok {
			return s
		}
	}
	return ""
}
