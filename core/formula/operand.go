package formula

import "strconv"

// names is what a formula may name of a job.
var names = []struct {
	name string
	op   op
	kind kind
}{
	{"submit", submit, numbers}, {"wait", wait, numbers}, {"estimate", estimate, numbers}, {"procs", procs, numbers}, {"user", user, texts},
}

// functions take numbers; if takes a comparison before them.
var functions = []struct {
	name         string
	op           op
	fewest, most int
}{
	{"if", choose, 3, 3}, {"min", least, 2, MaxLength}, {"max", greatest, 2, MaxLength},
	{"abs", absolute, 1, 1}, {"sqrt", root, 1, 1}, {"log", logarithm, 1, 1},
}

const anOperand = `submit, wait, estimate, procs, user, res:NAME, a number, a function or "("`

// operand reads what stands between operators, with what stands before it.
func (p *parser) operand() part {
	at := p.next.at
	switch {
	case p.sees("-"):
		p.take()
		return p.node(numbers, at, node{op: negate, a: [3]int16{p.expression(numbers, signs).node}})
	case p.sees("not"):
		p.take()
		return p.node(truths, at, node{op: not, a: [3]int16{p.expression(truths, comparisons).node}})
	}
	x := p.simple()
	if !p.sees("^") {
		return x
	}
	p.want(numbers, x)
	p.take()
	if t := p.next; t.sort != digits || len(t.text) != 1 || t.text < "2" {
		p.fail("2 to 9")
		return x
	}
	return p.node(numbers, at, node{op: power, a: [3]int16{x.node}, value: float64(p.take().text[0] - '0')})
}

func (p *parser) simple() part {
	at := p.next.at
	switch {
	case p.next.sort == digits:
		return p.numeral()
	case p.next.sort == quoted:
		return p.node(texts, at, node{op: text, text: p.take().text})
	case p.next.sort == unended:
		p.fail("a quotation mark at the end of the text")
	case p.sees("("):
		p.take()
		x := p.any(ors)
		p.expect(")")
		x.at = at
		return x
	case p.sees("res"):
		p.take()
		return p.resource(at)
	case p.next.sort == word:
		return p.named()
	}
	p.fail(anOperand)
	return part{kind: numbers}
}

func (p *parser) numeral() part {
	at := p.next.at
	v, err := strconv.ParseFloat(p.next.text, 64)
	if err != nil {
		p.fail("a number such as 3600, 0.5 or 1e6")
	}
	p.take()
	return p.node(numbers, at, node{op: number, value: v})
}

func (p *parser) resource(at int) part {
	p.expect(":")
	if p.next.sort != word && p.next.sort != quoted {
		p.fail("the name of an extra resource, in quotation marks if it is not a word")
	}
	return p.node(numbers, at, node{op: resource, text: p.take().text})
}

func (p *parser) named() part {
	for _, n := range names {
		if p.sees(n.name) {
			return p.node(n.kind, p.take().at, node{op: n.op})
		}
	}
	for _, f := range functions {
		if p.sees(f.name) {
			return p.call(p.take().at, f.op, f.fewest, f.most)
		}
	}
	p.fail(anOperand)
	return part{kind: numbers}
}

// call reads the arguments of a function; those of min and max are joined two by
// two.
func (p *parser) call(at int, o op, fewest, most int) part {
	p.expect("(")
	first := numbers
	if o == choose {
		first = truths
	}
	n := node{op: o, a: [3]int16{p.expression(first, ors).node}}
	for i := 1; p.bad == nil && (i < fewest || i < most && p.sees(",")); i++ {
		p.expect(",")
		x := p.expression(numbers, ors).node
		if i > 1 && o != choose {
			n.a = [3]int16{p.node(numbers, at, n).node, x}
		} else {
			n.a[i] = x
		}
	}
	p.expect(")")
	return p.node(numbers, at, n)
}
