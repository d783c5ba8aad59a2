package sacct

import (
	"strconv"
	"strings"
)

// mostNodes is the maximum number of distinct node names.
const mostNodes = 1_000_000

const someNodes = "names of nodes as n[001-004,7],gpu1"

// nodesNamed adds the nodes on which the job of the current record ran.
func (p *parser) nodesNamed() error {
	text, f := p.cell(nodeList), &p.facts
	if text == "" || text == "None assigned" || text == "(null)" {
		return nil
	}
	if _, seen := f.lists[text]; seen {
		return nil
	}
	if f.lists == nil {
		f.nodes, f.lists = map[string]struct{}{}, map[string]struct{}{}
	}
	f.lists[strings.Clone(text)] = struct{}{}
	for text != "" {
		name, rest := oneName(text)
		if !f.expand("", name) {
			return p.wrong(nodeList, someNodes)
		}
		text = rest
	}
	return nil
}

// oneName splits a list at the first comma outside brackets.
func oneName(text string) (name, rest string) {
	inside := false
	for i := range len(text) {
		switch text[i] {
		case '[':
			inside = true
		case ']':
			inside = false
		case ',':
			if !inside {
				return text[:i], text[i+1:]
			}
		}
	}
	return text, ""
}

// expand adds all node names described by a name with brackets, each prefixed by front. It reports
// false if the name is invalid or there are too many nodes.
func (f *facts) expand(front, name string) bool {
	before, rest, brackets := strings.Cut(name, "[")
	if !brackets {
		f.nodes[front+name] = struct{}{}
		return front+name != "" && !strings.Contains(name, "]") && len(f.nodes) <= mostNodes
	}
	list, rest, closed := strings.Cut(rest, "]")
	for more := closed; more; {
		var numbers string
		numbers, list, more = strings.Cut(list, ",")
		first, last, two := strings.Cut(numbers, "-")
		if !two {
			last = first
		}
		a, ok1 := number(first)
		b, ok2 := number(last)
		if !ok1 || !ok2 || b < a || b-a >= mostNodes {
			return false
		}
		for ; a <= b; a++ {
			if !f.expand(front+before+padded(a, len(first)), rest) {
				return false
			}
		}
	}
	return closed
}

// padded returns v with leading zeros, width digits in all.
func padded(v int64, width int) string {
	text := strconv.FormatInt(v, 10)
	return strings.Repeat("0", max(width-len(text), 0)) + text
}
