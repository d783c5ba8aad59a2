package charts

import (
	"encoding/json"
	"fmt"

	"github.com/vugu/vugu"

	"backfill-lab/core/shade"
	"backfill-lab/ui/link"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// Colours is what the jobs of the charts are coloured by.
type Colours struct {
	*session.Session

	base  int             // the result from which starts differ
	scale *protocol.Scale // of the charts as drawn, nil: none
}

// Kinds returns what jobs can be coloured by.
func (c *Colours) Kinds() []widgets.Pick {
	out := []widgets.Pick{{Text: "Job", Selected: c.ColouredBy == ""}}
	for _, k := range shade.Kinds {
		out = append(out, widgets.Pick{Value: k.Name, Text: k.Title, Selected: k.Name == c.ColouredBy})
	}
	return out
}

// Bases returns the schedules that starts may differ from, where that is asked for and
// there are others.
func (c *Colours) Bases() (out []widgets.Pick) {
	titles := c.Titles()
	if c.ColouredBy != shade.Difference || len(titles) < 2 {
		return nil
	}
	for i, t := range titles {
		out = append(out, widgets.Pick{Value: fmt.Sprint(i), Text: t, Selected: i == min(c.base, len(titles)-1)})
	}
	return out
}

// Set takes another property to colour by.
func (c *Colours) Set(e vugu.DOMEvent) {
	c.Paint(e.PropString("target", "value"), c.base)
	c.Events.Viewed()
}

// SetBase takes another schedule to differ from.
func (c *Colours) SetBase(e vugu.DOMEvent) {
	for i, o := range c.Bases() {
		if o.Value == e.PropString("target", "value") {
			c.Paint(c.ColouredBy, i)
			c.Events.Viewed()
		}
	}
}

// Paint has the charts coloured; a kind that this version does not know is none.
func (c *Colours) Paint(kind string, base int) {
	known := false
	for _, k := range shade.Kinds {
		known = known || k.Name == kind
	}
	if !known {
		kind, base = "", 0
	}
	c.ColouredBy, c.base = kind, base
	_ = session.Chart("colour", fmt.Sprintf("%q,%d", kind, base))
}

// Scaled takes the scale of what the charts show now.
func (c *Colours) Scaled(text string) {
	c.scale = nil
	var scale *protocol.Scale
	if json.Unmarshal([]byte(text), &scale) == nil {
		c.scale = scale
	}
}

// dot returns the class of the swatch of a job: of its own colour, if the charts have it.
func (c *Colours) dot(job int) string {
	if c.ColouredBy != "" {
		return "dot"
	}
	return fmt.Sprintf("dot hue-%d", job%12)
}

// LinkView adds the colours to what a link says of the page.
func (c *Colours) LinkView(v *link.View) { v.Colour, v.Base = c.ColouredBy, c.base }

// Title returns the heading of the legend of classes.
func (c *Colours) Title() string {
	if c.scale == nil {
		return ""
	}
	return c.scale.Title
}

// Keys returns its entries.
func (c *Colours) Keys() (out []widgets.Key) {
	if s := c.scale; s != nil {
		for k, w := range s.Words {
			out = append(out, widgets.Key{Class: fmt.Sprintf("key %s-%d", s.Palette, s.Shades[k]), Text: w})
		}
	}
	return out
}

// Note says what else tells the classes apart.
func (c *Colours) Note() string {
	switch s := c.scale; {
	case s == nil:
		return ""
	case s.Palette == shade.Sides:
		return "A number gives the seconds where it fits, otherwise an arrow gives the direction. Mean, where several jobs share a pixel."
	case s.Palette == shade.Hues:
		return "Where several jobs share a pixel, the class with the most processor time."
	}
	return "Mean, where several jobs share a pixel."
}
