package raw

import (
	"fmt"
	"unicode/utf8"
)

// MaxDepth is the maximum nesting depth of lists and objects.
const MaxDepth = 100

// SyntaxError reports the position at which a text is not valid JSON.
type SyntaxError struct {
	At       int // offset of the unexpected byte
	Expected string
	Got      string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("expected %s, got %s", e.Expected, e.Got) }

// Check returns the JSON value in data. It returns a *SyntaxError unless data holds exactly one
// value.
func Check(data []byte) (Value, error) {
	s := scanner{text: string(data)}
	if at := invalidByte(s.text); at >= 0 {
		return Value{}, &SyntaxError{at, "text in UTF-8", fmt.Sprintf("the byte %#x", data[at])}
	}
	s.skipBlank()
	from := s.at
	if err := s.skipValue(0); err != nil {
		return Value{}, err
	}
	v := Value{s.text[from:s.at], from}
	if s.skipBlank(); s.at < len(s.text) {
		return Value{}, s.syntaxError("the end of the text")
	}
	return v, nil
}

// invalidByte returns the offset of the first byte that is not valid UTF-8, or -1 if there is none.
func invalidByte(text string) int {
	if utf8.ValidString(text) {
		return -1
	}
	at := 0
	for {
		r, n := utf8.DecodeRuneInString(text[at:])
		if r == utf8.RuneError && n == 1 {
			return at
		}
		at += n
	}
}

// scanner moves through JSON text and checks its syntax.
type scanner struct {
	text string
	at   int // offset of the next byte
}

func (s *scanner) skipBlank() {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\n', '\r':
			s.at++
		default:
			return
		}
	}
}

// peek returns the next byte, or 0 at the end of the text.
func (s *scanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

// syntaxError returns an error which says what was expected instead of the next byte.
func (s *scanner) syntaxError(expected string) error {
	got := "the end of the text"
	if s.at < len(s.text) {
		end := s.at + 1
		for end < len(s.text) && s.text[end]&0xC0 == 0x80 {
			end++
		}
		got = fmt.Sprintf("%q", s.text[s.at:end])
	}
	return &SyntaxError{s.at, expected, got}
}

// skipValue skips one value of any kind.
func (s *scanner) skipValue(depth int) error {
	if depth > MaxDepth {
		return s.syntaxError(fmt.Sprintf("at most %d nested lists and objects", MaxDepth))
	}
	switch c := s.peek(); {
	case c == '{':
		return s.skipMembers('}', depth, s.skipField)
	case c == '[':
		return s.skipMembers(']', depth, s.skipValue)
	case c == '"':
		return s.skipText()
	case c == '-' || c >= '0' && c <= '9':
		return s.skipNumber()
	}
	for _, w := range []string{"true", "false", "null"} {
		if n := s.at + len(w); n <= len(s.text) && s.text[s.at:n] == w {
			s.at = n
			return nil
		}
	}
	return s.syntaxError("a value")
}

// skipMembers skips the members of a list or an object, and its closing bracket. It calls
// skipMember for each member.
func (s *scanner) skipMembers(end byte, depth int, skipMember func(int) error) error {
	s.at++
	s.skipBlank()
	if s.peek() == end {
		s.at++
		return nil
	}
	for {
		if err := skipMember(depth + 1); err != nil {
			return err
		}
		s.skipBlank()
		switch s.peek() {
		case end:
			s.at++
			return nil
		case ',':
			s.at++
			s.skipBlank()
		default:
			return s.syntaxError(fmt.Sprintf("\",\" or %q", string(end)))
		}
	}
}

// skipField skips the name and the value of a field.
func (s *scanner) skipField(depth int) error {
	if s.peek() != '"' {
		return s.syntaxError("a name in double quotes")
	}
	if err := s.skipText(); err != nil {
		return err
	}
	s.skipBlank()
	if s.peek() != ':' {
		return s.syntaxError("\":\"")
	}
	s.at++
	s.skipBlank()
	return s.skipValue(depth)
}

func (s *scanner) skipNumber() error {
	if s.peek() == '-' {
		s.at++
	}
	if s.peek() == '0' {
		s.at++
	} else if !s.skipDigits() {
		return s.syntaxError("a digit")
	}
	if s.peek() == '.' {
		s.at++
		if !s.skipDigits() {
			return s.syntaxError("a digit")
		}
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.at++
		if c := s.peek(); c == '+' || c == '-' {
			s.at++
		}
		if !s.skipDigits() {
			return s.syntaxError("a digit")
		}
	}
	return nil
}

// skipDigits skips digits and reports whether there were any.
func (s *scanner) skipDigits() bool {
	from := s.at
	for c := s.peek(); c >= '0' && c <= '9'; c = s.peek() {
		s.at++
	}
	return s.at > from
}
