package formula

import "strconv"

// names lists the properties of a job that a formula may use.
var names = []struct {
	name string
	op   op
	kind kind
}{
	{"submit", submit, numbers}, {"wait", wait, numbers}, {"estimate", estimate, numbers}, {"procs", procs, numbers}, {"user", user, texts},
}

// functions lists the functions. Arguments are numbers, except the first argument of "if", a
// comparison.
var functions = []struct {
	name         string
	op           op
	fewest, most int
}{
	{"if", choose, 3, 3}, {"min", least, 2, MaxLength}, {"max", greatest, 2, MaxLength},
	{"abs", absolute, 1, 1}, {"sqrt", root, 1, 1}, {"log", logarithm, 1, 1},
}

const expectedOperand = `submit, wait, estimate, procs, user, res:NAME, a number, a function or "("`

// operand parses an operand with its sign, "not" or power.
func (p *parser) operand() part {
	offset := p.next.offset
	switch {
	case p.sees("-"):
		p.take()
		return p.node(numbers, offset, node{op: negate, a: [3]int16{p.expression(numbers, signs).node}})
	case p.sees("not"):
		p.take()
		return p.node(truths, offset, node{op: not, a: [3]int16{p.expression(truths, comparisons).node}})
	}
	x := p.simple()
	if !p.sees("^") {
		return x
	}
	p.want(numbers, x)
	p.take()
	if t := p.next; t.kind != digits || len(t.text) != 1 || t.text < "2" {
		p.fail("2 to 9")
		return x
	}
	return p.node(numbers, offset, node{op: power, a: [3]int16{x.node}, value: float64(p.take().text[0] - '0')})
}

// simple parses an operand without a sign, "not" or power.
func (p *parser) simple() part {
	offset := p.next.offset
	switch {
	case p.next.kind == digits:
		return p.numeral()
	case p.next.kind == quoted:
		return p.node(texts, offset, node{op: text, text: p.take().text})
	case p.next.kind == unterminated:
		p.fail("a quotation mark at the end of the text")
	case p.sees("("):
		p.take()
		x := p.any(ors)
		p.expect(")")
		x.offset = offset
		return x
	case p.sees("res"):
		p.take()
		return p.resource(offset)
	case p.next.kind == word:
		return p.named()
	}
	p.fail(expectedOperand)
	return part{kind: numbers}
}

// numeral parses a number.
func (p *parser) numeral() part {
	offset := p.next.offset
	v, err := strconv.ParseFloat(p.next.text, 64)
	if err != nil {
		p.fail("a number such as 3600, 0.5 or 1e6")
	}
	p.take()
	return p.node(numbers, offset, node{op: number, value: v})
}

// resource parses an extra resource after the word "res", which starts at an offset.
func (p *parser) resource(offset int) part {
	p.expect(":")
	if p.next.kind != word && p.next.kind != quoted {
		p.fail("the name of an extra resource, in quotation marks if it is not a word")
	}
	return p.node(numbers, offset, node{op: resource, text: p.take().text})
}

// named parses a property of the job or a function call.
func (p *parser) named() part {
	for _, n := range names {
		if p.sees(n.name) {
			return p.node(n.kind, p.take().offset, node{op: n.op})
		}
	}
	for _, f := range functions {
		if p.sees(f.name) {
			return p.call(p.take().offset, f.op, f.fewest, f.most)
		}
	}
	p.fail(expectedOperand)
	return part{kind: numbers}
}

// call parses the arguments of a function. Calls of min and max with more than two
// arguments become nested calls with two.
func (p *parser) call(offset int, o op, fewest, most int) part {
	p.expect("(")
	first := numbers
	if o == choose {
		first = truths
	}
	n := node{op: o, a: [3]int16{p.expression(first, ors).node}}
	for i := 1; p.err == nil && (i < fewest || i < most && p.sees(",")); i++ {
		p.expect(",")
		x := p.expression(numbers, ors).node
		if i > 1 && o != choose {
			n.a = [3]int16{p.node(numbers, offset, n).node, x}
		} else {
			n.a[i] = x
		}
	}
	p.expect(")")
	return p.node(numbers, offset, n)
}
