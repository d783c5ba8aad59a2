package csv

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/job"
)

// meaning identifies the content of a column.
type meaning int8

const (
	kept meaning = iota // an unknown column
	id
	submit
	procs
	estimate
	runtime
	lengthL
	averageA
	sigma
	slnos
	slcrs
	table    // T1, T2, ...: runtime on 1, 2, ... processors
	resource // res:NAME, an extra resource
	word     // one of job.TextFields
)

var meanings = map[string]meaning{
	"id": id, "submit": submit, "procs": procs, "estimate": estimate, "runtime": runtime,
	"l": lengthL, "a": averageA, "sigma": sigma,
	"slnos": slnos, "slcrs": slcrs,
}

// column describes a column of the file: its name as written, its meaning, and its index among the
// columns with that meaning (2 for T3).
type column struct {
	name  string
	means meaning
	place int
}

// layout describes the columns of a table, parsed from its header.
type layout struct {
	columns   []column
	has       [word + 1]bool
	widest    int // number of T columns
	resources []string
	kept      []string
}

func newLayout(line int, names []string) (*layout, error) {
	l := &layout{}
	met := map[string]bool{}
	own := names
	if !has(names, "id") { // a schedule calls this column "job"
		own = slices.Clone(names)
		for i, name := range own {
			if is(name, "job") {
				own[i] = "id"
			}
		}
	}
	if len(own) > MaxColumns {
		return nil, &Error{Line: line, Expected: "at most " + strconv.Itoa(MaxColumns) + " columns", Got: strconv.Itoa(len(own))}
	}
	for _, name := range own {
		if len(name) > job.MaxName {
			return nil, &Error{Line: line, Column: shown(name), Expected: "a name of at most " + strconv.Itoa(job.MaxName) + " bytes", Got: strconv.Itoa(len(name))}
		}
		c := l.understand(strings.TrimSpace(name))
		key := fmt.Sprint(c.means, c.place)
		if c.means != kept && met[key] {
			return nil, &Error{Line: line, Column: c.name, Expected: "each column once", Got: "two of them"}
		}
		met[key] = true
		if l.has[c.means] = true; len(l.resources) > job.MaxResources {
			return nil, &Error{Line: line, Column: shown(c.name), Expected: "at most " + strconv.Itoa(job.MaxResources) + " extra resources", Got: "more"}
		}
		if len(l.kept) > MaxUnread {
			return nil, &Error{Line: line, Column: shown(c.name), Expected: "at most " + strconv.Itoa(MaxUnread) + " columns that are not read", Got: "more"}
		}
		l.columns = append(l.columns, c)
	}
	return l, l.complete(line, names)
}

func is(name, word string) bool { return strings.EqualFold(strings.TrimSpace(name), word) }

func has(names []string, word string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return is(name, word) })
}

// understand returns the column with a name. It ignores case.
func (l *layout) understand(name string) column {
	lower := strings.ToLower(name)
	if m, ok := meanings[lower]; ok {
		return column{name: name, means: m}
	}
	for i := range job.TextFields {
		if job.TextFields[i].Name == lower {
			return column{name, word, i}
		}
	}
	if n, ok := tableColumn(lower); ok {
		l.widest = max(l.widest, n)
		return column{name, table, n - 1}
	}
	if r, ok := strings.CutPrefix(name, "res:"); ok && r != "" {
		return column{name, resource, l.resource(r)}
	}
	l.kept = append(l.kept, name)
	return column{name, kept, len(l.kept) - 1}
}

func (l *layout) resource(name string) int {
	for i, r := range l.resources {
		if r == name {
			return i
		}
	}
	l.resources = append(l.resources, name)
	return len(l.resources) - 1
}

// Limits on the columns of a table.
const (
	MaxColumns = job.MaxTable + 1<<12
	MaxUnread  = 1000 // unknown columns
)

// tableColumn parses "t12" as 12.
func tableColumn(lower string) (int, bool) {
	digits, ok := strings.CutPrefix(lower, "t")
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil && n >= 1 && n <= job.MaxTable && strconv.Itoa(n) == digits
}

// complete checks that the table has the columns needed to make jobs.
func (l *layout) complete(line int, names []string) error {
	lacks := func(what string) error {
		got := strings.Join(names, ",")
		return &Error{Line: line, Expected: "a header row with the column " + what, Got: shown(got), Starts: has(names, "job") && has(names, "start")}
	}
	moldable := l.has[averageA] || l.has[table]
	switch {
	case !l.has[submit]:
		return lacks("submit")
	case !l.has[procs] && !moldable:
		return lacks("procs")
	case !l.has[runtime] && !moldable:
		return lacks("runtime (or L, A, sigma, or T1, T2, ...)")
	}
	return l.tableWhole(line)
}

// tableWhole checks that no column between T1 and the highest T is missing.
func (l *layout) tableWhole(line int) error {
	have := make([]bool, l.widest)
	for _, c := range l.columns {
		if c.means == table {
			have[c.place] = true
		}
	}
	for i, ok := range have {
		if !ok {
			return &Error{Line: line, Expected: fmt.Sprintf("the columns T1 to T%d", l.widest), Got: fmt.Sprintf("no T%d", i+1)}
		}
	}
	return nil
}
