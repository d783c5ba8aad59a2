package raw

import (
	"fmt"
	"unicode/utf8"
)

// Deepest is the maximum nesting depth of lists and objects.
const Deepest = 100

// Syntax reports a position at which a text is not valid JSON.
type Syntax struct {
	At       int // offset of the unexpected byte
	Expected string
	Got      string
}

func (e *Syntax) Error() string { return fmt.Sprintf("expected %s, got %s", e.Expected, e.Got) }

// Check returns the single JSON value in data, or a *Syntax error.
func Check(data []byte) (Value, error) {
	s := scanner{text: string(data)}
	if at := invalid(s.text); at >= 0 {
		return Value{}, &Syntax{at, "text in UTF-8", fmt.Sprintf("the byte %#x", data[at])}
	}
	s.blank()
	from := s.at
	if err := s.value(0); err != nil {
		return Value{}, err
	}
	v := Value{s.text[from:s.at], from}
	if s.blank(); s.at < len(s.text) {
		return Value{}, s.bad("the end of the text")
	}
	return v, nil
}

// invalid returns the offset of the first byte that is not UTF-8, or -1 if there is none.
func invalid(text string) int {
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

type scanner struct {
	text string
	at   int
}

func (s *scanner) blank() {
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

func (s *scanner) bad(expected string) error {
	got := "the end of the text"
	if s.at < len(s.text) {
		end := s.at + 1
		for end < len(s.text) && s.text[end]&0xC0 == 0x80 {
			end++
		}
		got = fmt.Sprintf("%q", s.text[s.at:end])
	}
	return &Syntax{s.at, expected, got}
}

// value skips a value.
func (s *scanner) value(depth int) error {
	if depth > Deepest {
		return s.bad(fmt.Sprintf("at most %d nested lists and objects", Deepest))
	}
	switch c := s.peek(); {
	case c == '{':
		return s.members('}', depth, s.member)
	case c == '[':
		return s.members(']', depth, s.value)
	case c == '"':
		return s.quoted()
	case c == '-' || c >= '0' && c <= '9':
		return s.number()
	}
	for _, w := range []string{"true", "false", "null"} {
		if n := s.at + len(w); n <= len(s.text) && s.text[s.at:n] == w {
			s.at = n
			return nil
		}
	}
	return s.bad("a value")
}

// members skips the members of a list or an object and its closing bracket.
func (s *scanner) members(end byte, depth int, one func(int) error) error {
	s.at++
	s.blank()
	if s.peek() == end {
		s.at++
		return nil
	}
	for {
		if err := one(depth + 1); err != nil {
			return err
		}
		s.blank()
		switch s.peek() {
		case end:
			s.at++
			return nil
		case ',':
			s.at++
			s.blank()
		default:
			return s.bad(fmt.Sprintf("\",\" or %q", string(end)))
		}
	}
}

func (s *scanner) member(depth int) error {
	if s.peek() != '"' {
		return s.bad("a name in double quotes")
	}
	if err := s.quoted(); err != nil {
		return err
	}
	s.blank()
	if s.peek() != ':' {
		return s.bad("\":\"")
	}
	s.at++
	s.blank()
	return s.value(depth)
}

func (s *scanner) number() error {
	if s.peek() == '-' {
		s.at++
	}
	if s.peek() == '0' {
		s.at++
	} else if !s.digits() {
		return s.bad("a digit")
	}
	if s.peek() == '.' {
		s.at++
		if !s.digits() {
			return s.bad("a digit")
		}
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.at++
		if c := s.peek(); c == '+' || c == '-' {
			s.at++
		}
		if !s.digits() {
			return s.bad("a digit")
		}
	}
	return nil
}

// digits skips digits and reports whether there were any.
func (s *scanner) digits() bool {
	from := s.at
	for c := s.peek(); c >= '0' && c <= '9'; c = s.peek() {
		s.at++
	}
	return s.at > from
}
