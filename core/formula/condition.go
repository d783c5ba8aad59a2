package formula

// Condition is a parsed comparison of values that the caller provides, such as metrics of a
// schedule. A Formula, in contrast, uses properties of jobs.
type Condition struct {
	nodes    []node
	operands []int
	text     string
}

// ParseCondition parses a comparison, or several comparisons combined by "and" or "or", in the
// syntax of formulas. Wherever an operand may begin, it calls operand with the rest of the source.
// The function operand returns the length of the operand in bytes and a number that identifies it.
// The length is 0 if there is no operand. The text expected describes the operands in error
// messages. The error is an *Error.
func ParseCondition(source, expected string, operand func(rest string) (length, number int)) (*Condition, error) {
	p := parser{operands: operand, expectedOperand: expected}
	if err := p.parse(source, truthKind); err != nil {
		return nil, err
	}
	return &Condition{p.nodes, p.found, source}, nil
}

// outsideOperand parses an operand that only the caller of ParseCondition knows. It reports false
// if there is none.
func (p *parser) outsideOperand() bool {
	from := p.next.offset
	length, number := p.operands(p.source[from:])
	if length == 0 {
		return false
	}
	p.found = append(p.found, number)
	p.next = token{symbol, p.source[from : from+length], from}
	p.take()
	return true
}

// String returns the source text of the condition.
func (c *Condition) String() string { return c.text }

// Operands returns the numbers that identify the operands, in the order of the text.
func (c *Condition) Operands() []int { return c.operands }

// Holds reports whether the condition is true. The argument values holds the value of each operand,
// in the order of Operands.
func (c *Condition) Holds(values []float64) bool {
	s := evaluation{nodes: c.nodes, values: values}
	return s.boolean(int16(len(c.nodes) - 1))
}
