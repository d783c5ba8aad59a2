package formula

import (
	"slices"
	"strconv"
	"unicode/utf8"
)

// MaxLength is the maximum number of characters of a formula. It also limits the cost of
// evaluation: a formula has at most one node per character, and each node is evaluated once per
// job.
const MaxLength = 500

// Parse parses a formula about jobs. The error is an *Error.
func Parse(source string) (*Formula, error) {
	p := parser{expectedOperand: jobOperand}
	if err := p.parse(source, numberKind); err != nil {
		return nil, err
	}
	return &Formula{p.nodes, source}, nil
}

// parser builds the nodes of a formula bottom up, by operator precedence (Pratt 1973).
type parser struct {
	tokens
	nodes []node
	err   *Error // the first error

	expectedOperand string                             // possible operands, for error messages
	operands        func(rest string) (length, id int) // finds the operand at the start of rest; length 0 means none
	found           []int                              // IDs of the operands of a condition, in order
}

// parse parses the whole source as an expression of kind k.
func (p *parser) parse(source string, k kind) error {
	if utf8.RuneCountInString(source) > MaxLength {
		return &Error{MaxLength + 1, "at most " + strconv.Itoa(MaxLength) + " characters", "more"}
	}
	p.tokens = tokens{source: source}
	p.take()
	p.parseKind(k, orLevel)
	if p.next.kind != end {
		p.fail("an operator, such as + or ==, or the end")
	}
	if p.err != nil {
		return p.err
	}
	return nil
}

// fail records an error that says what was expected instead of the next token, and stops parsing.
func (p *parser) fail(expected string) { p.failAt(p.next.offset, expected, p.next.description()) }

// failAt records an error at a byte offset, unless an earlier error is recorded, and stops parsing.
func (p *parser) failAt(offset int, expected, got string) {
	if p.err == nil {
		p.err = &Error{1 + utf8.RuneCountInString(p.source[:offset]), expected, got}
	}
	p.next = token{end, "", len(p.source)}
}

// kind is the type of an expression. Error messages contain the values of the constants.
type kind string

const (
	numberKind kind = "a number"
	truthKind  kind = "a comparison"
	textKind   kind = "a text"
)

// expression is a parsed expression.
type expression struct {
	node   int16 // index of its node
	kind   kind  // type of its value
	offset int   // offset of its first byte
}

// requireKind fails unless expression x has kind k.
func (p *parser) requireKind(k kind, x expression) {
	if x.kind != k {
		p.failAt(x.offset, string(k), string(x.kind))
	}
}

// addNode adds a node to the formula, and returns it as an expression of kind k.
func (p *parser) addNode(k kind, offset int, n node) expression {
	p.nodes = append(p.nodes, n)
	return expression{int16(len(p.nodes) - 1), k, offset}
}

// level is the precedence of an operator. Operators with a higher level bind more tightly.
type level int

const (
	orLevel level = 1 + iota
	andLevel
	comparisonLevel
	sumLevel
	productLevel
	signLevel
)

// operator is a binary operator.
type operator struct {
	symbol string
	op     op    // op of the node that the operator creates
	level  level // precedence
}

// operators lists the binary operators.
var operators = []operator{
	{"or", eitherTrue, orLevel}, {"and", bothTrue, andLevel},
	{"<", less, comparisonLevel}, {"<=", lessEqual, comparisonLevel}, {">", greater, comparisonLevel}, {">=", greaterEqual, comparisonLevel},
	{"==", equal, comparisonLevel}, {"!=", unequal, comparisonLevel},
	{"+", add, sumLevel}, {"-", subtract, sumLevel}, {"*", multiply, productLevel}, {"/", divide, productLevel}, {"%", modulo, productLevel},
}

// nextIs reports whether the next token is the given symbol or word.
func (p *parser) nextIs(s string) bool {
	return p.next.text == s && (p.next.kind == symbol || p.next.kind == word)
}

// expect consumes the given symbol or word. It fails if the next token is different.
func (p *parser) expect(s string) {
	if !p.nextIs(s) {
		p.fail(strconv.Quote(s))
		return
	}
	p.take()
}

// parseKind parses an expression and fails unless it has kind k. It stops at an operator that binds
// less tightly than level l.
func (p *parser) parseKind(k kind, l level) expression {
	x := p.anyExpression(l)
	p.requireKind(k, x)
	return x
}

// anyExpression parses an expression. It stops at an operator that binds less tightly than level l.
func (p *parser) anyExpression(l level) expression {
	x := p.operand()
	for p.err == nil {
		i := slices.IndexFunc(operators, func(o operator) bool { return p.nextIs(o.symbol) })
		if i < 0 || operators[i].level < l {
			break
		}
		p.take()
		x = p.applyOperator(&operators[i], x)
	}
	return x
}

// applyOperator parses the right operand of the binary operator o. It returns the operator applied
// to x and this operand.
func (p *parser) applyOperator(o *operator, x expression) expression {
	k, result, n := numberKind, numberKind, node{op: o.op}
	switch {
	case o.level <= andLevel:
		k, result = truthKind, truthKind
	case o.level == comparisonLevel:
		result = truthKind
		if x.kind == textKind && (o.op == equal || o.op == unequal) {
			k, n.op = textKind, o.op-equal+textsEqual
		}
	}
	p.requireKind(k, x)
	n.a = [3]int16{x.node, p.parseKind(k, o.level+1).node}
	return p.addNode(result, x.offset, n)
}
