package formula

import "strconv"

// jobProperties lists the properties of a job that formulas can use.
var jobProperties = []struct {
	name string
	op   op
	kind kind
}{
	{"submit", submit, numberKind}, {"wait", wait, numberKind}, {"estimate", estimate, numberKind}, {"procs", procs, numberKind}, {"user", user, textKind},
}

// functions lists the functions that formulas can call. All arguments are numbers, except the first
// argument of "if", which is a comparison.
var functions = []struct {
	name             string
	op               op
	minArgs, maxArgs int
}{
	{"if", conditional, 3, 3}, {"min", minimum, 2, MaxLength}, {"max", maximum, 2, MaxLength},
	{"abs", absolute, 1, 1}, {"sqrt", squareRoot, 1, 1}, {"log", logarithm, 1, 1},
}

// jobOperand lists the possible operands of a formula about jobs, for error messages.
const jobOperand = `submit, wait, estimate, procs, user, res:NAME, a number, a function or "("`

// operand parses an operand, which may begin with a sign or "not", and may end with a power.
func (p *parser) operand() expression {
	offset := p.next.offset
	switch {
	case p.nextIs("-"):
		p.take()
		return p.addNode(numberKind, offset, node{op: negate, a: [3]int16{p.parseKind(numberKind, signLevel).node}})
	case p.nextIs("not"):
		p.take()
		return p.addNode(truthKind, offset, node{op: not, a: [3]int16{p.parseKind(truthKind, comparisonLevel).node}})
	}
	x := p.primary()
	if !p.nextIs("^") {
		return x
	}
	p.requireKind(numberKind, x)
	p.take()
	if t := p.next; t.kind != digits || len(t.text) != 1 || t.text < "2" {
		p.fail("2 to 9")
		return x
	}
	return p.addNode(numberKind, offset, node{op: power, a: [3]int16{x.node}, value: float64(p.take().text[0] - '0')})
}

// primary parses an operand without a sign, "not" or a power.
func (p *parser) primary() expression {
	offset := p.next.offset
	switch {
	case p.next.kind == digits:
		return p.parseNumber()
	case p.next.kind == quoted:
		return p.addNode(textKind, offset, node{op: text, text: p.take().text})
	case p.next.kind == unterminated:
		p.fail("a quotation mark at the end of the text")
	case p.nextIs("("):
		p.take()
		x := p.anyExpression(orLevel)
		p.expect(")")
		x.offset = offset
		return x
	case p.operands != nil && p.outsideOperand():
		return p.addNode(numberKind, offset, node{op: outside, value: float64(len(p.found) - 1)})
	case p.nextIs("res") && p.operands == nil:
		p.take()
		return p.resource(offset)
	case p.next.kind == word:
		return p.propertyOrCall()
	}
	p.fail(p.expectedOperand)
	return expression{kind: numberKind}
}

// parseNumber parses a number.
func (p *parser) parseNumber() expression {
	offset := p.next.offset
	v, err := strconv.ParseFloat(p.next.text, 64)
	if err != nil {
		p.fail("a number such as 3600, 0.5 or 1e6")
	}
	p.take()
	return p.addNode(numberKind, offset, node{op: number, value: v})
}

// resource parses a colon and the name of an extra resource. The word "res" before the colon starts
// at offset.
func (p *parser) resource(offset int) expression {
	p.expect(":")
	if p.next.kind != word && p.next.kind != quoted {
		p.fail("the name of an extra resource, in quotation marks if it is not a word")
	}
	return p.addNode(numberKind, offset, node{op: resource, text: p.take().text})
}

// propertyOrCall parses a property of the job or a function call.
func (p *parser) propertyOrCall() expression {
	for _, n := range jobProperties {
		if p.operands == nil && p.nextIs(n.name) {
			return p.addNode(n.kind, p.take().offset, node{op: n.op})
		}
	}
	for _, f := range functions {
		if p.nextIs(f.name) {
			return p.call(p.take().offset, f.op, f.minArgs, f.maxArgs)
		}
	}
	p.fail(p.expectedOperand)
	return expression{kind: numberKind}
}

// call parses the arguments of a function. It turns a call of min or max with more than two
// arguments into nested calls with two arguments.
func (p *parser) call(offset int, o op, minArgs, maxArgs int) expression {
	p.expect("(")
	first := numberKind
	if o == conditional {
		first = truthKind
	}
	n := node{op: o, a: [3]int16{p.parseKind(first, orLevel).node}}
	for i := 1; p.err == nil && (i < minArgs || i < maxArgs && p.nextIs(",")); i++ {
		p.expect(",")
		x := p.parseKind(numberKind, orLevel).node
		if i > 1 && o != conditional {
			n.a = [3]int16{p.addNode(numberKind, offset, n).node, x}
		} else {
			n.a[i] = x
		}
	}
	p.expect(")")
	return p.addNode(numberKind, offset, n)
}
