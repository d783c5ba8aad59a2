package charts

import (
	"encoding/json"
	"fmt"

	"github.com/vugu/vugu"

	"backfill-lab/core/colour"
	"backfill-lab/ui/link"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// Colours holds the user's choice of the property by which the charts colour jobs.
type Colours struct {
	*session.Session

	base  int             // index of the result with which start times are compared
	scale *protocol.Scale // colour scale of the charts as drawn, nil if none
}

// Kinds returns the properties by which jobs can be coloured.
func (c *Colours) Kinds() []widgets.Option {
	out := []widgets.Option{{Text: "Job", Selected: c.ColouredBy == ""}}
	for _, k := range colour.Kinds {
		out = append(out, widgets.Option{Value: k.Name, Text: k.Title, Selected: k.Name == c.ColouredBy})
	}
	return out
}

// BaseOptions returns the schedules that start times can be compared with. The list is empty unless the charts
// colour jobs by the difference of their start times and there are at least two schedules.
func (c *Colours) BaseOptions() (out []widgets.Option) {
	titles := c.Titles()
	if c.ColouredBy != colour.Difference || len(titles) < 2 {
		return nil
	}
	for i, t := range titles {
		out = append(out, widgets.Option{Value: fmt.Sprint(i), Text: t, Selected: i == min(c.base, len(titles)-1)})
	}
	return out
}

// followBase updates the index of the result that start times are compared with. It is called after each run,
// because a run can change the index of a policy's result.
func (c *Colours) followBase() {
	if base := c.NewBaseIndex(c.base); c.ColouredBy == colour.Difference && base != c.base {
		c.ColourBy(c.ColouredBy, base)
	}
}

// Set colours the jobs by the property that the user selected in the list. If this property is the difference of start
// times and was not selected before, start times are compared with those of the baseline.
func (c *Colours) Set(e vugu.DOMEvent) {
	base := c.base
	if c.ColouredBy != colour.Difference && c.Ran != nil {
		base = c.Ran.Baseline
	}
	c.ColourBy(e.PropString("target", "value"), base)
	c.Events.Viewed()
}

// SetBase compares start times with the schedule selected in the list.
func (c *Colours) SetBase(e vugu.DOMEvent) {
	for i, o := range c.BaseOptions() {
		if o.Value == e.PropString("target", "value") {
			c.ColourBy(c.ColouredBy, i)
			c.Events.Viewed()
		}
	}
}

// ColourBy makes the charts colour jobs by a property, which is given by its name. Start times are compared with those
// of the result with index base. If the property is unknown, for example in a link from a later version of the page,
// each job gets its own colour.
func (c *Colours) ColourBy(kind string, base int) {
	known := false
	for _, k := range colour.Kinds {
		known = known || k.Name == kind
	}
	if !known {
		kind, base = "", 0
	}
	c.ColouredBy, c.base = kind, base
	_ = session.CallCharts("colour", fmt.Sprintf("%q,%d", kind, base))
}

// SetScale stores the colour scale, given as JSON, that the scripts used to draw the charts.
func (c *Colours) SetScale(text string) {
	c.scale = nil
	var scale *protocol.Scale
	if json.Unmarshal([]byte(text), &scale) == nil {
		c.scale = scale
	}
}

// dotClass returns the CSS classes of the small square next to the name of a job. If each job has its own colour, the
// square has the colour of the job in the charts. Otherwise, it has no colour.
func (c *Colours) dotClass(job int) string {
	if c.ColouredBy != "" {
		return "dot"
	}
	return fmt.Sprintf("dot hue-%d", c.Hue(job))
}

// LinkView stores the selected property in v, the view that a link describes. It also stores the index of the result
// with which start times are compared.
func (c *Colours) LinkView(v *link.View) { v.Colour, v.Base = c.ColouredBy, c.base }

// Title returns the heading of the colour scale.
func (c *Colours) Title() string {
	if c.scale == nil {
		return ""
	}
	return c.scale.Title
}

// Keys returns the entries of the colour scale.
func (c *Colours) Keys() (out []widgets.Key) {
	if s := c.scale; s != nil {
		for k, w := range s.Labels {
			out = append(out, widgets.Key{Class: fmt.Sprintf("key %s-%d", s.Palette, s.ColourIndexes[k]), Text: w})
		}
	}
	return out
}

// Note explains the colour of a pixel that several jobs share. If the colours compare start times, Note also explains
// the texts and arrows in the boxes, which help people who cannot distinguish the colours.
func (c *Colours) Note() string {
	switch s := c.scale; {
	case s == nil:
		return ""
	case s.Palette == colour.Diverging:
		return "A box shows the difference as text, or as an arrow if the text does not fit. A pixel that several jobs share shows their mean difference."
	case s.Palette == colour.Hues:
		return "A pixel that several jobs share shows the colour of the jobs that use the most processor time there."
	}
	return "A pixel that several jobs share shows the colour of their mean value."
}
