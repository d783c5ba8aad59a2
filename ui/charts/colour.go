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

// colouring is by what the jobs of the charts are coloured.
type colouring struct {
	base  int             // the result from which starts differ
	scale *protocol.Scale // of the charts as drawn, nil: none
}

// Colours is what jobs can be coloured by.
func (c *Charts) Colours() []widgets.Pick {
	out := []widgets.Pick{{Text: "Job", Selected: c.ColouredBy == ""}}
	for _, k := range shade.Kinds {
		out = append(out, widgets.Pick{Value: k.Name, Text: k.Title, Selected: k.Name == c.ColouredBy})
	}
	return out
}

// ColourBases is the schedules that starts may differ from, where that is asked for and
// there are others.
func (c *Charts) ColourBases() (out []widgets.Pick) {
	titles := c.Titles()
	if c.ColouredBy != shade.Difference || len(titles) < 2 {
		return nil
	}
	for i, t := range titles {
		out = append(out, widgets.Pick{Value: fmt.Sprint(i), Text: t, Selected: i == min(c.colour.base, len(titles)-1)})
	}
	return out
}

// SetColour takes another property to colour by.
func (c *Charts) SetColour(e vugu.DOMEvent) {
	c.Paint(e.PropString("target", "value"), c.colour.base)
	c.Events.Viewed()
}

// SetColourBase takes another schedule to differ from.
func (c *Charts) SetColourBase(e vugu.DOMEvent) {
	for i, o := range c.ColourBases() {
		if o.Value == e.PropString("target", "value") {
			c.Paint(c.ColouredBy, i)
			c.Events.Viewed()
		}
	}
}

// Paint has the charts coloured; a kind that this version does not know is none.
func (c *Charts) Paint(kind string, base int) {
	known := false
	for _, k := range shade.Kinds {
		known = known || k.Name == kind
	}
	if !known {
		kind, base = "", 0
	}
	c.ColouredBy, c.colour.base = kind, base
	_ = session.Chart("colour", fmt.Sprintf("%q,%d", kind, base))
}

// Scaled takes the scale of what the charts show now.
func (c *Charts) Scaled(text string) {
	c.colour.scale = nil
	var scale *protocol.Scale
	if json.Unmarshal([]byte(text), &scale) == nil {
		c.colour.scale = scale
	}
}

// dot is the class of the swatch of a job: of its own colour, if the charts have it.
func (c *Charts) dot(job int) string {
	if c.ColouredBy != "" {
		return "dot"
	}
	return fmt.Sprintf("dot hue-%d", job%12)
}

// LinkView adds the colours to what a link says of the page.
func (c *Charts) LinkView(v *link.View) { v.Colour, v.Base = c.ColouredBy, c.colour.base }

// ScaleTitle is the heading of the legend of classes.
func (c *Charts) ScaleTitle() string {
	if c.colour.scale == nil {
		return ""
	}
	return c.colour.scale.Title
}

// ScaleKeys is its entries.
func (c *Charts) ScaleKeys() (out []widgets.Key) {
	if s := c.colour.scale; s != nil {
		for k, w := range s.Words {
			out = append(out, widgets.Key{Class: fmt.Sprintf("key %s-%d", s.Palette, s.Shades[k]), Text: w})
		}
	}
	return out
}

// ScaleNote says what else tells the classes apart.
func (c *Charts) ScaleNote() string {
	switch s := c.colour.scale; {
	case s == nil:
		return ""
	case s.Palette == shade.Sides:
		return "Where there is room, a number says by how many seconds, else an arrow which way. Of many jobs the mean."
	case s.Palette == shade.Hues:
		return "Of many jobs what most of their processor time is."
	}
	return "Of many jobs the mean."
}
