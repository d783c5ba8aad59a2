package app

import (
	"unicode/utf8"

	"github.com/vugu/vugu"

	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// text edits the scenario's title and text.
type text struct{ *session.Session }

// TextForm is the component of the Text panel.
type TextForm struct{ Text *text }

const titleField, textField = "text-title", "text-text"

// Fields returns the fields of title and text. It returns none when the two together
// are too long for form fields.
func (c *text) Fields() []widgets.Field {
	d := c.Doc()
	if utf8.RuneCountInString(d.Title+d.Text) > widgets.LongestText {
		return nil
	}
	return []widgets.Field{
		{ID: titleField, Label: "Title", Text: d.Title, Invalid: "false", Help: "stands at the top of the page"},
		{ID: textField, Label: "Text", Text: d.Text, Kind: widgets.Long, Invalid: "false", Help: "stands above the charts: what to look at"},
	}
}

// SetField stores the text typed in the field f.
func (c *text) SetField(e vugu.DOMEvent, f widgets.Field) {
	d, typed := *c.Doc(), e.PropString("target", "value")
	if f.ID == titleField {
		d.Title = typed
	} else {
		d.Text = typed
	}
	c.Do(f.ID, d)
}
