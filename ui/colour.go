package ui

import (
	"encoding/json"
	"fmt"

	"github.com/vugu/vugu"

	"backfill-lab/core/shade"
	"backfill-lab/ui/link"
	"backfill-lab/ui/protocol"
)

// colouring is by what the jobs of the charts are coloured.
type colouring struct {
	kind  string          // of package shade; empty: each job by itself
	base  int             // the result from which starts differ
	scale *protocol.Scale // of the charts as drawn, nil: none
}

// Colours is what jobs can be coloured by.
func (c *App) Colours() []Pick {
	out := []Pick{{Text: "Job", Selected: c.colour.kind == ""}}
	for _, k := range shade.Kinds {
		out = append(out, Pick{k.Name, k.Title, k.Name == c.colour.kind})
	}
	return out
}

// ColourBases is the schedules that starts may differ from, where that is asked for and
// there are others.
func (c *App) ColourBases() (out []Pick) {
	titles := c.Titles()
	if c.colour.kind != shade.Difference || len(titles) < 2 {
		return nil
	}
	for i, t := range titles {
		out = append(out, Pick{fmt.Sprint(i), t, i == min(c.colour.base, len(titles)-1)})
	}
	return out
}

// SetColour takes another property to colour by.
func (c *App) SetColour(e vugu.DOMEvent) {
	c.paint(e.PropString("target", "value"), c.colour.base)
	c.share.soon(c)
}

// SetColourBase takes another schedule to differ from.
func (c *App) SetColourBase(e vugu.DOMEvent) {
	for i, o := range c.ColourBases() {
		if o.Value == e.PropString("target", "value") {
			c.paint(c.colour.kind, i)
			c.share.soon(c)
		}
	}
}

// paint has the charts coloured; a kind that this version does not know is none.
func (c *App) paint(kind string, base int) {
	known := false
	for _, k := range shade.Kinds {
		known = known || k.Name == kind
	}
	if !known {
		kind, base = "", 0
	}
	c.colour.kind, c.colour.base = kind, base
	_ = chart("colour", fmt.Sprintf("%q,%d", kind, base))
}

// scaled takes the scale of what the charts show now.
func (c *App) scaled(text string) {
	c.colour.scale = nil
	var scale *protocol.Scale
	if json.Unmarshal([]byte(text), &scale) == nil {
		c.colour.scale = scale
	}
}

// dot is the class of the swatch of a job: of its own colour, if the charts have it.
func (c *App) dot(job int) string {
	if c.colour.kind != "" {
		return "dot"
	}
	return fmt.Sprintf("dot hue-%d", job%12)
}

// seen is the colouring as a link has it.
func (x *colouring) seen(v *link.View) { v.Colour, v.Base = x.kind, x.base }

// ScaleTitle is the heading of the legend of classes.
func (c *App) ScaleTitle() string {
	if c.colour.scale == nil {
		return ""
	}
	return c.colour.scale.Title
}

// ScaleKeys is its entries.
func (c *App) ScaleKeys() (out []Key) {
	if s := c.colour.scale; s != nil {
		for k, w := range s.Words {
			out = append(out, Key{fmt.Sprintf("key %s-%d", s.Palette, s.Shades[k]), w})
		}
	}
	return out
}

// ScaleNote says what else tells the classes apart.
func (c *App) ScaleNote() string {
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
