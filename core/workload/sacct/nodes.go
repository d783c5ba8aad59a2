package sacct

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"backfill-lab/core/format"
)

// maxNodeNames is the maximum number of different node names in a file.
const maxNodeNames = 1_000_000

const nodeListForm = "node names such as n[001-004,7],gpu1"

// These are the errors of expand.
var (
	errNodeList  = errors.New("the list of nodes is invalid")
	errNodeNames = errors.New("there are too many different node names")
)

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
	before := len(f.nodes)
	for text != "" {
		name, rest := cutNodeName(text)
		switch err := f.expand("", name); err {
		case nil:
		case errNodeNames:
			return p.tooManyNodeNames()
		default:
			return p.invalidCell(nodeList, nodeListForm)
		}
		text = rest
	}
	if added := len(f.nodes) - before; added > f.mostNames {
		f.mostNames, f.mostNamesLine = added, p.line
	}
	return nil
}

// tooManyNodeNames returns an error which says that the current record exceeds the limit for node names. The error also
// names the earlier line with the most new names, in case that line caused the excess.
func (p *parser) tooManyNodeNames() error {
	got := quoteShort(p.cell(nodeList))
	if n := p.facts.mostNames; n > 0 {
		got += fmt.Sprintf(" after %s in line %d", format.Count(n, "new name"), p.facts.mostNamesLine)
	}
	return p.errorAt(nodeList, "at most "+format.Whole(maxNodeNames)+" different node names in the file", got)
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
// name. It returns errNodeList if the name is invalid, and errNodeNames if there are too many nodes.
func (f *facts) expand(prefix, name string) error {
	before, rest, brackets := strings.Cut(name, "[")
	if !brackets {
		return f.addNode(prefix + name)
	}
	list, rest, closed := strings.Cut(rest, "]")
	if !closed {
		return errNodeList
	}
	for more := true; more; {
		var numbers string
		numbers, list, more = strings.Cut(list, ",")
		first, last, two := strings.Cut(numbers, "-")
		if !two {
			last = first
		}
		a, ok1 := parseDigits(first)
		b, ok2 := parseDigits(last)
		if !ok1 || !ok2 || b < a {
			return errNodeList
		}
		if b-a >= maxNodeNames {
			return errNodeNames
		}
		for ; a <= b; a++ {
			if err := f.expand(prefix+before+zeroPadded(a, len(first)), rest); err != nil {
				return err
			}
		}
	}
	return nil
}

// addNode records a node name. It returns the same errors as expand.
func (f *facts) addNode(name string) error {
	if name == "" || strings.Contains(name, "]") {
		return errNodeList
	}
	if f.nodes[name] = struct{}{}; len(f.nodes) > maxNodeNames {
		return errNodeNames
	}
	return nil
}

// zeroPadded formats v with leading zeros, so that it has at least width digits.
func zeroPadded(v int64, width int) string {
	text := strconv.FormatInt(v, 10)
	return strings.Repeat("0", max(width-len(text), 0)) + text
}
