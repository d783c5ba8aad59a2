package raw

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// skipText skips a quoted text.
func (s *scanner) skipText() error {
	text, at := s.text, s.at+1
	for {
		for at < len(text) && text[at] >= ' ' && text[at] != '"' && text[at] != '\\' {
			at++
		}
		s.at = at
		switch c := s.peek(); {
		case c == '"':
			s.at++
			return nil
		case c == '\\':
			if err := s.skipEscape(); err != nil {
				return err
			}
			at = s.at
		default:
			return s.syntaxError("a closing quote")
		}
	}
}

func (s *scanner) skipEscape() error {
	s.at++
	switch s.peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.at++
		return nil
	case 'u':
		s.at++
	default:
		return s.syntaxError("one of \" \\ / b f n r t u after a backslash")
	}
	for range 4 {
		if c := s.peek() | 0x20; c < '0' || c > 'f' || c > '9' && c < 'a' {
			return s.syntaxError("four hexadecimal digits")
		}
		s.at++
	}
	return nil
}

// escapes maps the byte after a backslash to the byte that it stands for.
var escapes = map[byte]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unquote returns the decoded content of a quoted text that skipText has accepted.
func unquote(text string) string {
	text = text[1 : len(text)-1]
	if !strings.ContainsRune(text, '\\') {
		return text
	}
	var b []byte
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			b = append(b, text[i])
			continue
		}
		i++
		switch c, ok := escapes[text[i]]; {
		case ok:
			b = append(b, c)
		case text[i] == 'u':
			r, n := decodeUnicode(text[i+1:])
			b = utf8.AppendRune(b, r)
			i += n
		default:
			b = append(b, text[i])
		}
	}
	return string(b)
}

// decodeUnicode decodes the four hexadecimal digits after \u. If a second \u escape forms a
// surrogate pair with them, it decodes both. It also returns the number of bytes read.
func decodeUnicode(text string) (rune, int) {
	r := decodeHex4(text)
	if utf16.IsSurrogate(r) {
		if len(text) >= 10 && text[4:6] == `\u` {
			if both := utf16.DecodeRune(r, decodeHex4(text[6:])); both != utf8.RuneError {
				return both, 10
			}
		}
		return utf8.RuneError, 4
	}
	return r, 4
}

// decodeHex4 decodes the first four hexadecimal digits of text.
func decodeHex4(text string) rune {
	n, _ := strconv.ParseUint(text[:4], 16, 16)
	return rune(n)
}

// Quote appends word as a quoted JSON text.
func Quote(dst []byte, word string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for _, r := range word {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, `\n`...)
		case r == '\t':
			dst = append(dst, `\t`...)
		case r < ' ' || r == 0x7F:
			dst = append(dst, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		case r == '\u2028' || r == '\u2029':
			dst = append(append(dst, `\u202`...), hex[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// Compact returns the JSON of the value without white space between tokens. The spelling of texts
// and numbers does not change.
func (v Value) Compact() string {
	if k := v.Kind(); k != Object && k != Array {
		return v.Text
	}
	b := make([]byte, 0, len(v.Text))
	inText := false
	for i := 0; i < len(v.Text); i++ {
		c := v.Text[i]
		switch {
		case inText && c == '\\':
			b = append(b, c)
			i++
			c = v.Text[i]
		case c == '"':
			inText = !inText
		case !inText && (c == ' ' || c == '\t' || c == '\n' || c == '\r'):
			continue
		}
		b = append(b, c)
	}
	return string(b)
}
