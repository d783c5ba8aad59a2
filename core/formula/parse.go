package formula

import (
	"slices"
	"strconv"
	"unicode/utf8"
)

// MaxLength is the most characters of a formula. It bounds all else: a formula
// has no more parts than characters, and no part is evaluated twice for a job.
const MaxLength = 500

// Parse reads a formula. The error is an *Error.
func Parse(source string) (*Formula, error) {
	if utf8.RuneCountInString(source) > MaxLength {
		return nil, &Error{MaxLength + 1, "at most " + strconv.Itoa(MaxLength) + " characters", "more"}
	}
	p := parser{tokens: tokens{source: source}}
	p.take()
	p.expression(numbers, ors)
	if p.next.sort != end {
		p.fail("an operator, such as + or ==, or the end")
	}
	if p.bad != nil {
		return nil, p.bad
	}
	return &Formula{p.nodes, source}, nil
}

// parser builds the parts from the bottom up, by the levels of the operators
// (Pratt 1973).
type parser struct {
	tokens
	nodes []node
	bad   *Error // the first
}

// fail says that something else was expected than the token at hand, and ends
// the source there.
func (p *parser) fail(expected string) { p.failAt(p.next.at, expected, p.next.got()) }

func (p *parser) failAt(at int, expected, got string) {
	if p.bad == nil {
		p.bad = &Error{1 + utf8.RuneCountInString(p.source[:at]), expected, got}
	}
	p.next = token{end, "", len(p.source)}
}

// kind is what a part of a formula is.
type kind string

const (
	numbers kind = "a number"
	truths  kind = "a comparison"
	texts   kind = "a text"
)

// part is one that was read.
type part struct {
	node int16
	kind kind
	at   int // byte of its begin
}

// want fails unless a part is of a kind.
func (p *parser) want(k kind, x part) {
	if x.kind != k {
		p.failAt(x.at, string(k), string(x.kind))
	}
}

func (p *parser) node(k kind, at int, n node) part {
	p.nodes = append(p.nodes, n)
	return part{int16(len(p.nodes) - 1), k, at}
}

// level is how tightly an operator binds.
type level int

const (
	ors level = 1 + iota
	ands
	comparisons
	sums
	products
	signs
)

// operator is one between two operands.
type operator struct {
	symbol string
	op     op
	level  level
}

var operators = []operator{
	{"or", either, ors}, {"and", both, ands},
	{"<", less, comparisons}, {"<=", lessEqual, comparisons}, {">", more, comparisons}, {">=", moreEqual, comparisons},
	{"==", equal, comparisons}, {"!=", unequal, comparisons},
	{"+", add, sums}, {"-", subtract, sums}, {"*", multiply, products}, {"/", divide, products}, {"%", modulo, products},
}

// sees reports whether the token at hand is a symbol or a word of operators.
func (p *parser) sees(s string) bool {
	return p.next.text == s && (p.next.sort == symbol || p.next.sort == word)
}

func (p *parser) expect(s string) {
	if !p.sees(s) {
		p.fail(strconv.Quote(s))
		return
	}
	p.take()
}

// expression reads a part of a kind, as far as its operators bind as tightly as
// a level or tighter.
func (p *parser) expression(k kind, l level) part {
	x := p.any(l)
	p.want(k, x)
	return x
}

func (p *parser) any(l level) part {
	x := p.operand()
	for p.bad == nil {
		i := slices.IndexFunc(operators, func(o operator) bool { return p.sees(o.symbol) })
		if i < 0 || operators[i].level < l {
			break
		}
		p.take()
		x = p.join(&operators[i], x)
	}
	return x
}

// join reads the right operand of o and joins it to the left one.
func (p *parser) join(o *operator, x part) part {
	k, result, n := numbers, numbers, node{op: o.op}
	switch {
	case o.level <= ands:
		k, result = truths, truths
	case o.level == comparisons:
		result = truths
		if x.kind == texts && (o.op == equal || o.op == unequal) {
			k, n.op = texts, o.op-equal+is
		}
	}
	p.want(k, x)
	n.a = [3]int16{x.node, p.expression(k, o.level+1).node}
	return p.node(result, x.at, n)
}
