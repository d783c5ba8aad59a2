package formula

import (
	"slices"
	"strconv"
	"unicode/utf8"
)

// MaxLength is the maximum number of characters of a formula. It also limits the cost: a formula
// has at most one node per character, and each node is evaluated once per job.
const MaxLength = 500

// Parse reads a formula. The error is an *Error.
func Parse(source string) (*Formula, error) {
	if utf8.RuneCountInString(source) > MaxLength {
		return nil, &Error{MaxLength + 1, "at most " + strconv.Itoa(MaxLength) + " characters", "more"}
	}
	p := parser{tokens: tokens{source: source}}
	p.take()
	p.expression(numbers, ors)
	if p.next.kind != end {
		p.fail("an operator, such as + or ==, or the end")
	}
	if p.err != nil {
		return nil, p.err
	}
	return &Formula{p.nodes, source}, nil
}

// parser builds the nodes bottom up by operator precedence (Pratt 1973).
type parser struct {
	tokens
	nodes []node
	err   *Error // the first error
}

// fail records that the next token is not what was expected, and stops parsing.
func (p *parser) fail(expected string) { p.failAt(p.next.offset, expected, p.next.got()) }

// failAt records the first error, at a byte offset, and stops parsing.
func (p *parser) failAt(offset int, expected, got string) {
	if p.err == nil {
		p.err = &Error{1 + utf8.RuneCountInString(p.source[:offset]), expected, got}
	}
	p.next = token{end, "", len(p.source)}
}

// kind is the type of an expression. Error messages show its text.
type kind string

const (
	numbers kind = "a number"
	truths  kind = "a comparison"
	texts   kind = "a text"
)

// part is an expression that was parsed.
type part struct {
	node   int16
	kind   kind
	offset int // offset of its first byte
}

// want fails unless expression x is of kind k.
func (p *parser) want(k kind, x part) {
	if x.kind != k {
		p.failAt(x.offset, string(k), string(x.kind))
	}
}

// node adds a node and returns it as an expression of a kind.
func (p *parser) node(k kind, offset int, n node) part {
	p.nodes = append(p.nodes, n)
	return part{int16(len(p.nodes) - 1), k, offset}
}

// level is the precedence of an operator; larger levels bind more tightly.
type level int

const (
	ors level = 1 + iota
	ands
	comparisons
	sums
	products
	signs
)

// operator is a binary operator.
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

// sees reports whether the next token is the symbol or word s.
func (p *parser) sees(s string) bool {
	return p.next.text == s && (p.next.kind == symbol || p.next.kind == word)
}

// expect takes the symbol or word s, or fails.
func (p *parser) expect(s string) {
	if !p.sees(s) {
		p.fail(strconv.Quote(s))
		return
	}
	p.take()
}

// expression parses an expression of a kind. It stops at an operator that binds less
// tightly than level l.
func (p *parser) expression(k kind, l level) part {
	x := p.any(l)
	p.want(k, x)
	return x
}

// any parses an expression of any kind. It stops at an operator that binds less tightly
// than level l.
func (p *parser) any(l level) part {
	x := p.operand()
	for p.err == nil {
		i := slices.IndexFunc(operators, func(o operator) bool { return p.sees(o.symbol) })
		if i < 0 || operators[i].level < l {
			break
		}
		p.take()
		x = p.join(&operators[i], x)
	}
	return x
}

// join parses the right operand of the binary operator o, and applies o to x and that operand.
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
	return p.node(result, x.offset, n)
}
