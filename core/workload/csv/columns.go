package csv

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/job"
)

// meaning says what the cells of a column contain.
type meaning int8

// These are the possible meanings of a column.
const (
	unknown meaning = iota // a column that is not interpreted
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
	noLimit
	table     // T1, T2, ...: runtime on 1, 2, ... processors
	resource  // res:NAME, an extra resource
	textField // a field in job.TextFields
)

// meanings holds the meaning of each column name. Names are in lower case.
var meanings = map[string]meaning{
	"id": id, "submit": submit, "procs": procs, "estimate": estimate, "runtime": runtime,
	"l": lengthL, "a": averageA, "sigma": sigma,
	"slnos": slnos, "slcrs": slcrs, "no-limit": noLimit,
}

// column describes a column of the file: its name in the header, its meaning, and its index among
// the columns with the same meaning. For example, T3 has index 2.
type column struct {
	name  string
	means meaning
	index int
}

// layout describes the columns of a table, as given by its header.
type layout struct {
	columns   []column
	has       [textField + 1]bool // by meaning: whether the table has a column with this meaning
	widest    int                 // number of columns named T1, T2 and so on
	resources []string            // names of extra resources
	unknown   []string            // names of unknown columns
}

// newLayout parses the names in the header. It takes the line number of the header, for use in
// errors.
func newLayout(line int, names []string) (*layout, error) {
	l := &layout{}
	seen := map[string]bool{}
	renamed := names
	if !containsName(names, "id") { // a schedule, which can be read as a table too, has the ids in the column "job"
		renamed = slices.Clone(names)
		for i, name := range renamed {
			if sameName(name, "job") {
				renamed[i] = "id"
			}
		}
	}
	if len(renamed) > MaxColumns {
		return nil, &Error{Line: line, Expected: "at most " + strconv.Itoa(MaxColumns) + " columns", Got: strconv.Itoa(len(renamed))}
	}
	for _, name := range renamed {
		if len(name) > job.MaxName {
			return nil, &Error{Line: line, Column: quoteShort(name), Expected: "a name of at most " + strconv.Itoa(job.MaxName) + " bytes", Got: strconv.Itoa(len(name))}
		}
		c := l.parseColumn(strings.TrimSpace(name))
		key := fmt.Sprint(c.means, c.index)
		if c.means != unknown && seen[key] {
			return nil, &Error{Line: line, Column: c.name, Expected: "each column only once", Got: "it twice"}
		}
		seen[key] = true
		if l.has[c.means] = true; len(l.resources) > job.MaxResources {
			return nil, &Error{Line: line, Column: quoteShort(c.name), Expected: "at most " + strconv.Itoa(job.MaxResources) + " extra resources", Got: "more"}
		}
		if len(l.unknown) > MaxUnknownColumns {
			return nil, &Error{Line: line, Column: quoteShort(c.name), Expected: "at most " + strconv.Itoa(MaxUnknownColumns) + " columns that are not read", Got: "more"}
		}
		l.columns = append(l.columns, c)
	}
	return l, l.checkRequired(line, names)
}

// sameName reports whether a name equals a word, ignoring case and surrounding blanks.
func sameName(name, word string) bool { return strings.EqualFold(strings.TrimSpace(name), word) }

func containsName(names []string, word string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return sameName(name, word) })
}

// parseColumn returns the column with the given name. It also records the name of a new resource or
// an unknown column. It ignores case, except in res:NAME.
func (l *layout) parseColumn(name string) column {
	lower := strings.ToLower(name)
	if m, ok := meanings[lower]; ok {
		return column{name: name, means: m}
	}
	for i := range job.TextFields {
		if job.TextFields[i].Name == lower {
			return column{name, textField, i}
		}
	}
	if n, ok := tableColumn(lower); ok {
		l.widest = max(l.widest, n)
		return column{name, table, n - 1}
	}
	if r, ok := strings.CutPrefix(name, "res:"); ok && r != "" {
		return column{name, resource, l.resource(r)}
	}
	l.unknown = append(l.unknown, name)
	return column{name, unknown, len(l.unknown) - 1}
}

// resource returns the index of an extra resource. It adds the resource if it is new.
func (l *layout) resource(name string) int {
	for i, r := range l.resources {
		if r == name {
			return i
		}
	}
	l.resources = append(l.resources, name)
	return len(l.resources) - 1
}

// These constants limit the columns of a table.
const (
	MaxColumns        = job.MaxTable + 1<<12
	MaxUnknownColumns = 1000
)

// tableColumn parses "t12" as 12.
func tableColumn(lower string) (int, bool) {
	digits, ok := strings.CutPrefix(lower, "t")
	n, err := strconv.Atoi(digits)
	return n, ok && err == nil && n >= 1 && n <= job.MaxTable && strconv.Itoa(n) == digits
}

// checkRequired checks that the table has the columns that every job needs.
func (l *layout) checkRequired(line int, names []string) error {
	missing := func(what string) error {
		got := strings.Join(names, ",")
		return &Error{Line: line, Expected: "a header row with the column " + what, Got: quoteShort(got), HasStarts: containsName(names, "job") && containsName(names, "start")}
	}
	moldable := l.has[averageA] || l.has[table]
	switch {
	case !l.has[submit]:
		return missing("submit")
	case !l.has[procs] && !moldable:
		return missing("procs")
	case !l.has[runtime] && !moldable:
		return missing("runtime (or L, A, sigma, or T1, T2, ...)")
	}
	return l.checkTableColumns(line)
}

// checkTableColumns checks that the columns T1, T2 and so on have no gap.
func (l *layout) checkTableColumns(line int) error {
	have := make([]bool, l.widest)
	for _, c := range l.columns {
		if c.means == table {
			have[c.index] = true
		}
	}
	for i, ok := range have {
		if !ok {
			return &Error{Line: line, Expected: fmt.Sprintf("the columns T1 to T%d", l.widest), Got: fmt.Sprintf("no T%d", i+1)}
		}
	}
	return nil
}
