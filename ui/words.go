package ui

import (
	"unicode/utf8"

	"github.com/vugu/vugu"

	"backfill-lab/core/policy"
)

// longestText is what a field may hold: Vugu ends where a property has 16 KB.
const longestText = 2500

// The places of title and text among the fields: before all texts of the machine.
const (
	titlePlace = -1 - iota
	textPlace
)

// words is the fields of title and text; none where these are too long.
func (c *App) words() []Field {
	d := c.Doc()
	if utf8.RuneCountInString(d.Title+d.Text) > longestText {
		return nil
	}
	return []Field{
		{ID: "text-title", Label: "Title", Text: d.Title, Place: titlePlace, Invalid: "false", Help: "stands at the top of the page"},
		{ID: "text-text", Label: "Text", Text: d.Text, Place: textPlace, Kind: long, Invalid: "false", Help: "stands above the charts: what to look at"},
	}
}

// Form is the fields of the tabs that are no more than fields.
func (c *App) Form() []Field {
	if c.Tab == "text" {
		return c.words()
	}
	return c.machine()
}

// FormTab is the id of the tab.
func (c *App) FormTab() string { return "tab-" + c.Tab }

// FormHelp is what there is to say of all of its fields.
func (c *App) FormHelp() string {
	if c.Tab == "text" {
		return "Both go along in links and saved files. With more than 2,500 characters they are edited there."
	}
	return "A process takes a core; on single-core nodes it takes a node."
}

// Keys is the keys that a phone shows for the field.
func (f *Field) Keys() string {
	if f.Kind == policy.Integer && f.Options == nil {
		return "numeric"
	}
	return "text"
}

// SetField takes what was typed in a field.
func (c *App) SetField(e vugu.DOMEvent, f Field) {
	d, text := *c.Doc(), e.PropString("target", "value")
	switch f.Place {
	case textPlace:
		d.Text = text
	case titlePlace:
		d.Title = text
	default:
		d = d.SetText(f.Place, text)
	}
	c.do(f.ID, d)
}
