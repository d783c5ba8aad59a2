package sacct

import (
	"strconv"
	"strings"
)

// maxNodeNames is the maximum number of different node names in a file.
const maxNodeNames = 1_000_000

const nodeListForm = "node names such as n[001-004,7],gpu1"

// addNodeNames records the names of the nodes on which the job ran.
func (p *parser) addNodeNames() error {
	text, f := p.cell(nodeList), &p.facts
	if text == "" || text == "None assigned" || text == "(null)" {
		return nil
	}
	if _, known := f.lists[text]; known {
		return nil
	}
	if f.lists == nil {
		f.nodes, f.lists = map[string]struct{}{}, map[string]struct{}{}
	}
	f.lists[strings.Clone(text)] = struct{}{}
	for text != "" {
		name, rest := cutNodeName(text)
		if !f.expand("", name) {
			return p.invalidCell(nodeList, nodeListForm)
		}
		text = rest
	}
	return nil
}

// cutNodeName splits a list at the first comma outside brackets.
func cutNodeName(text string) (name, rest string) {
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

// expand records all node names that a name with brackets stands for. It puts prefix before each
// name. It reports false if the name is invalid or if there are too many nodes.
func (f *facts) expand(prefix, name string) bool {
	before, rest, brackets := strings.Cut(name, "[")
	if !brackets {
		f.nodes[prefix+name] = struct{}{}
		return prefix+name != "" && !strings.Contains(name, "]") && len(f.nodes) <= maxNodeNames
	}
	list, rest, closed := strings.Cut(rest, "]")
	for more := closed; more; {
		var numbers string
		numbers, list, more = strings.Cut(list, ",")
		first, last, two := strings.Cut(numbers, "-")
		if !two {
			last = first
		}
		a, ok1 := parseDigits(first)
		b, ok2 := parseDigits(last)
		if !ok1 || !ok2 || b < a || b-a >= maxNodeNames {
			return false
		}
		for ; a <= b; a++ {
			if !f.expand(prefix+before+zeroPadded(a, len(first)), rest) {
				return false
			}
		}
	}
	return closed
}

// zeroPadded formats v with leading zeros, so that it has at least width digits.
func zeroPadded(v int64, width int) string {
	text := strconv.FormatInt(v, 10)
	return strings.Repeat("0", max(width-len(text), 0)) + text
}
