package render

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/vugu/vugu"
)

// Vugu v0.4.0 sends the page to the browser in parts of 16 kB. If an attribute, a property or a
// text does not fit into a part, the program ends with an error. Vugu splits HTML that does not
// fit, possibly within a character.
const (
	maxBytes = 15_200 // largest length of an attribute, a property or a text
	maxValue = 2_400  // largest length of the string in a property; in JSON, each byte may become six bytes
)

// shorten truncates attributes, properties and texts that are too long, in n and all nodes below it.
// It makes a truncated input field read-only, so that the user cannot replace the full text by the
// truncated one. It also replaces invisible characters, and escapes long HTML so that Vugu may split
// it anywhere.
func shorten(r *vugu.BuildResults, n *vugu.VGNode) {
	n = rootElement(r, n)
	if n.Type == vugu.TextNode {
		n.Data = truncate(replaceInvisible(n.Data), maxBytes)
	}
	for i := range n.Attr {
		a := &n.Attr[i]
		if a.Key != "value" { // this attribute identifies an option of a list, so it must not change
			a.Val = replaceInvisible(a.Val)
		}
		a.Val = truncate(a.Val, maxBytes)
	}
	for i := range n.Prop {
		if p := &n.Prop[i]; len(p.JSONVal) > maxBytes {
			var text string
			if json.Unmarshal(p.JSONVal, &text) == nil {
				p.JSONVal, _ = json.Marshal(truncate(text, maxValue))
				n.Prop = append(n.Prop, vugu.VGProperty{Key: "readOnly", JSONVal: []byte("true")})
			}
		}
	}
	if n.InnerHTML != nil {
		text := replaceInvisible(*n.InnerHTML)
		n.InnerHTML = &text
	}
	if n.InnerHTML != nil && len(*n.InnerHTML) > maxBytes {
		text := escapeNonASCII(*n.InnerHTML)
		n.InnerHTML = &text
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		shorten(r, c)
	}
}

// replaceInvisible replaces invisible characters that affect how other text is displayed: control
// characters, and characters that change the direction of writing.
func replaceInvisible(s string) string {
	if strings.IndexFunc(s, isInvisible) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if isInvisible(r) {
			return utf8.RuneError
		}
		return r
	}, s)
}

func isInvisible(r rune) bool {
	switch {
	case r < ' ':
		return r != '\t' && r != '\n' && r != '\r'
	case r < 0x7f:
		return false
	}
	return r < 0xa0 || r == 0x61c || r == 0x200e || r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// truncate truncates a text that is longer than limit bytes, and appends an ellipsis.
func truncate(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + "…"
}

// escapeNonASCII returns HTML in which all non-ASCII characters are escaped.
func escapeNonASCII(html string) string {
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
