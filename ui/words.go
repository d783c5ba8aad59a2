package ui

import (
	"unicode/utf8"

	"github.com/vugu/vugu"
)

// Words is the form of the scenario's title and text.
type Words struct{ App *App }

// longestText is what a field may hold: Vugu ends where a property has 16 KB.
const longestText = 2500

// TextFits reports whether title and text can be edited in fields.
func (c *App) TextFits() bool {
	d := c.Doc()
	return utf8.RuneCountInString(d.Title) <= longestText && utf8.RuneCountInString(d.Text) <= longestText
}

// SetTitle takes what was typed as the title.
func (c *App) SetTitle(e vugu.DOMEvent) {
	d := *c.Doc()
	d.Title = e.PropString("target", "value")
	c.do("title", d)
}

// SetText takes what was typed as the text.
func (c *App) SetText(e vugu.DOMEvent) {
	d := *c.Doc()
	d.Text = e.PropString("target", "value")
	c.do("text", d)
}
