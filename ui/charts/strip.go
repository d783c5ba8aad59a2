package charts

import (
	"slices"
	"strconv"

	"github.com/vugu/vugu"

	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// Strip is the strip below the charts. It shows the busy processors and the waiting jobs of one
// schedule over time. The user selects this schedule, or the player switches to it.
type Strip struct {
	*session.Session

	Result        int    // index of the result
	selectedTitle string // title of the selected schedule, "" to show the first one
}

// Title returns the title of the schedule that the strip shows, or "" if there is none.
func (c *Strip) Title() string {
	if titles := c.Titles(); c.Result < len(titles) {
		return titles[c.Result]
	}
	return ""
}

// Options returns all schedules as options of a list.
func (c *Strip) Options() (out []widgets.Option) {
	for i, t := range c.Titles() {
		out = append(out, widgets.Option{Value: strconv.Itoa(i), Text: t, Selected: i == c.Result})
	}
	return out
}

// Select shows the schedule selected in the list.
func (c *Strip) Select(e vugu.DOMEvent) { c.show(widgets.ValueNumber(e)) }

// ShowSelectedChart makes the strip show the schedule of the chart in which the user has just selected something. It
// does nothing if the open lesson still hides that schedule.
func (c *Strip) ShowSelectedChart(result int) {
	if result >= 0 && result < len(c.Titles()) && !slices.Contains(c.Events.HiddenResults(), result) {
		c.show(result)
	}
}

// show makes the strip show the schedule of a result. After later runs, the strip shows the schedule with the
// same title.
func (c *Strip) show(result int) {
	c.Result = result
	c.selectedTitle = c.Title()
}

// keepSchedule makes the strip show the selected schedule after a run. If no schedule has its title any more, the strip
// shows the schedule at the same position in the list. If there is none, it shows the first schedule.
func (c *Strip) keepSchedule() {
	switch i := slices.Index(c.Titles(), c.selectedTitle); {
	case c.selectedTitle == "":
		c.Result = 0
	case i >= 0:
		c.Result = i
	case c.Result < len(c.Titles()):
		c.selectedTitle = c.Title()
	default:
		c.Result, c.selectedTitle = 0, ""
	}
}
