package formula

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Error says what is wrong with the text of a formula or a condition, and in which column.
type Error struct {
	Column        int // in characters, from 1
	Expected, Got string
}

func (e *Error) Error() string {
	return fmt.Sprintf("column %d: expected %s, got %s", e.Column, e.Expected, e.Got)
}

// tokenKind is the kind of a token.
type tokenKind uint8

// These are the kinds of tokens.
const (
	end          tokenKind = iota
	digits                 // a number, such as 12, 0.5 or 1e6
	word                   // a letter or underscore, followed by letters, underscores and digits
	quoted                 // a text in quotation marks; token.text does not contain the marks
	symbol                 // anything else, such as <=
	unterminated           // a text without a closing quotation mark
)

// token is a token of a formula.
type token struct {
	kind   tokenKind
	text   string // for kind quoted, without the quotation marks
	offset int    // offset in bytes
}

// description describes the token in an error message, after "got".
func (t *token) description() string {
	switch t.kind {
	case end:
		return "the end"
	case quoted, unterminated:
		return "a text"
	}
	return strconv.Quote(t.text)
}

// tokens reads the tokens of a formula one after the other.
type tokens struct {
	source string // the whole text
	next   token  // the token that take will return
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' }

// take returns the next token. It also reads the token after it into s.next.
func (s *tokens) take() token {
	taken := s.next
	from := taken.offset + len(taken.text)
	if taken.kind == quoted {
		from += 2
	}
	for from < len(s.source) && strings.IndexByte(" \t\r\n", s.source[from]) >= 0 {
		from++
	}
	s.next = readToken(s.source, from)
	return taken
}

// readToken returns the token that begins at a byte offset of the source.
func readToken(source string, from int) token {
	rest := source[from:]
	switch {
	case rest == "":
		return token{end, "", from}
	case isDigit(rest[0]) || rest[0] == '.':
		return token{digits, rest[:numberLength(rest)], from}
	case isLetter(rest[0]):
		n := prefixLength(rest, func(c byte) bool { return isLetter(c) || isDigit(c) })
		return token{word, rest[:n], from}
	case rest[0] == '"' || rest[0] == '\'':
		n := strings.IndexByte(rest[1:], rest[0])
		if n < 0 {
			return token{unterminated, rest, from}
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

// numberLength returns the number of bytes of the number at the beginning of s.
func numberLength(s string) int {
	n := prefixLength(s, isDigit)
	if n < len(s) && s[n] == '.' {
		n += 1 + prefixLength(s[n+1:], isDigit)
	}
	if n < len(s) && s[n]|0x20 == 'e' {
		sign := n + 1
		if sign < len(s) && (s[sign] == '+' || s[sign] == '-') {
			sign++
		}
		if length := prefixLength(s[sign:], isDigit); length > 0 {
			n = sign + length
		}
	}
	return n
}

// prefixLength returns the number of bytes at the beginning of s for which matches returns true.
func prefixLength(s string, matches func(byte) bool) int {
	n := 0
	for n < len(s) && matches(s[n]) {
		n++
	}
	return n
}
