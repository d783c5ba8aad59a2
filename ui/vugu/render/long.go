package render

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/vugu/vugu"
)

// Vugu v0.4.0 sends the browser a page in parts of 16 kB. An attribute, a property or
// a text that does not fit into one ends the program, and longer HTML is cut between
// the bytes of a letter.
const (
	most  = 15_200 // bytes; the JSON of widgets.LongestText letters of six bytes fits
	value = 2_400  // of a text that stands in JSON, where a byte can take six
)

// shorten cuts what is too long in the nodes that are to be drawn. A field that shows
// a part of its text cannot be edited: nothing of it is lost.
func shorten(r *vugu.BuildResults, n *vugu.VGNode) {
	n = resolved(r, n)
	if n.Type == vugu.TextNode {
		n.Data = cut(visible(n.Data), most)
	}
	for i := range n.Attr {
		a := &n.Attr[i]
		if a.Key != "value" { // by which an option is told
			a.Val = visible(a.Val)
		}
		a.Val = cut(a.Val, most)
	}
	for i := range n.Prop {
		if p := &n.Prop[i]; len(p.JSONVal) > most {
			var text string
			if json.Unmarshal(p.JSONVal, &text) == nil {
				p.JSONVal, _ = json.Marshal(cut(text, value))
				n.Prop = append(n.Prop, vugu.VGProperty{Key: "readOnly", JSONVal: []byte("true")})
			}
		}
	}
	if n.InnerHTML != nil {
		text := visible(*n.InnerHTML)
		n.InnerHTML = &text
	}
	if n.InnerHTML != nil && len(*n.InnerHTML) > most {
		text := plain(*n.InnerHTML)
		n.InnerHTML = &text
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		shorten(r, c)
	}
}

// visible returns a text with a sign in the place of each character that cannot be seen but
// changes how others are: control characters, and those that turn the direction of
// writing around.
func visible(s string) string {
	if strings.IndexFunc(s, hidden) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if hidden(r) {
			return utf8.RuneError
		}
		return r
	}, s)
}

func hidden(r rune) bool {
	switch {
	case r < ' ':
		return r != '\t' && r != '\n' && r != '\r'
	case r < 0x7f:
		return false
	}
	return r < 0xa0 || r == 0x61c || r == 0x200e || r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// cut returns the beginning of a text that has more than so many bytes.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most] + "…"
}

// plain returns HTML without letters of several bytes.
func plain(html string) string {
	var b strings.Builder
	for _, r := range html {
		if r < utf8.RuneSelf {
			b.WriteByte(byte(r))
		} else {
			fmt.Fprintf(&b, "&#%d;", r)
		}
	}
	return b.String()
}
