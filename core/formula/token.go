package formula

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Error is what is wrong with a formula, and where.
type Error struct {
	Column        int // in characters, from 1
	Expected, Got string
}

func (e *Error) Error() string {
	return fmt.Sprintf("column %d: expected %s, got %s", e.Column, e.Expected, e.Got)
}

// sort is what a token is.
type sort uint8

const (
	end     sort = iota
	digits       // 12, 0.5, 1e6
	word         // a name of letters
	quoted       // a text, without its quotes
	symbol       // all else
	unended      // a text that does not end
)

type token struct {
	sort sort
	text string
	at   int // byte
}

// got returns the token in the words of an error.
func (t *token) got() string {
	switch t.sort {
	case end:
		return "the end"
	case quoted, unended:
		return "a text"
	}
	return strconv.Quote(t.text)
}

// tokens takes a formula apart.
type tokens struct {
	source string
	next   token // the one at hand
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' }

// take goes on to the next token and returns the one at hand.
func (s *tokens) take() token {
	was := s.next
	from := was.at + len(was.text)
	if was.sort == quoted {
		from += 2
	}
	for from < len(s.source) && strings.IndexByte(" \t\r\n", s.source[from]) >= 0 {
		from++
	}
	s.next = read(s.source, from)
	return was
}

func read(source string, from int) token {
	rest := source[from:]
	switch {
	case rest == "":
		return token{end, "", from}
	case isDigit(rest[0]) || rest[0] == '.':
		return token{digits, rest[:numeral(rest)], from}
	case isLetter(rest[0]):
		n := span(rest, func(c byte) bool { return isLetter(c) || isDigit(c) })
		return token{word, rest[:n], from}
	case rest[0] == '"' || rest[0] == '\'':
		n := strings.IndexByte(rest[1:], rest[0])
		if n < 0 {
			return token{unended, rest, from}
		}
		return token{quoted, rest[1 : n+1], from}
	}
	for _, s := range []string{"<=", ">=", "==", "!="} {
		if strings.HasPrefix(rest, s) {
			return token{symbol, s, from}
		}
	}
	_, n := utf8.DecodeRuneInString(rest)
	return token{symbol, rest[:n], from}
}

// numeral returns the length of the number at the begin of a text.
func numeral(s string) int {
	n := span(s, isDigit)
	if n < len(s) && s[n] == '.' {
		n += 1 + span(s[n+1:], isDigit)
	}
	if n < len(s) && s[n]|0x20 == 'e' {
		sign := n + 1
		if sign < len(s) && (s[sign] == '+' || s[sign] == '-') {
			sign++
		}
		if more := span(s[sign:], isDigit); more > 0 {
			n = sign + more
		}
	}
	return n
}

func span(s string, of func(byte) bool) int {
	n := 0
	for n < len(s) && of(s[n]) {
		n++
	}
	return n
}
