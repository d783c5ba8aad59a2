package main

import (
	"io"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// visible writes text for a person to read: control characters, which a terminal
// would obey, and those that turn the direction of text around are written as
// \x1b and \u202e. Line ends and tabs stay, and so does all other text.
type visible struct {
	w    io.Writer
	rest []byte // the beginning of a character that the next call completes
}

func (v *visible) Write(data []byte) (int, error) {
	text := append(v.rest, data...)
	out := make([]byte, 0, len(text)+16)
	v.rest = nil
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == utf8.RuneError && n == 1 && !utf8.FullRune(text):
			v.rest = append(v.rest, text...)
			n = len(text)
		case r == utf8.RuneError && n == 1 || hidden(r):
			quoted := strconv.QuoteToASCII(string(text[:n]))
			out = append(out, quoted[1:len(quoted)-1]...)
		default:
			out = append(out, text[:n]...)
		}
		text = text[n:]
	}
	if _, err := v.w.Write(out); err != nil {
		return 0, err
	}
	return len(data), nil
}

// hidden reports whether a character acts on a terminal instead of being seen.
func hidden(r rune) bool {
	if r == '\n' || r == '\t' {
		return false
	}
	return unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp)
}
