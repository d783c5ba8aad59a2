package document

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"backfill-lab/core/job"
)

// Column is a column of the jobs table.
type Column int

// The columns that every table has, in the order in which links number them: another one
// goes before Amounts. The columns of the machine's extra resources follow.
const (
	ID Column = iota
	Submit
	Procs
	Estimate
	Runtime
	L
	A
	Sigma
	Class
	SLnos
	SLcrs
	Amounts
)

// Groups says which columns are shown besides those that always are.
type Groups uint8

const (
	Curves Groups = 1 << iota // where a job is moldable, or the person asks for them
	Shares                    // where jobs share nodes, or a job tells how

	AllGroups = ^Groups(0)
)

// columns describes the columns before Amounts. An entry here adds a column to the table,
// to set column, paste, copy and links; its name is that of scenario files and tables.
var columns = [Amounts]column{
	ID:       {name: "id", head: "job"},
	Submit:   {name: "submit", kind: whole},
	Procs:    {name: "procs", kind: whole},
	Estimate: {name: "estimate", kind: whole},
	Runtime:  {name: "runtime", kind: whole},
	L:        {name: "L", kind: curve, group: Curves, help: "sequential runtime of a moldable job, in seconds"},
	A:        {name: "A", kind: curve, group: Curves, help: "average parallelism of a moldable job (Downey 1997)"},
	Sigma:    {name: "sigma", kind: curve, group: Curves, help: "coefficient of variance of the parallelism of a moldable job (Downey 1997)"},
	Class:    {name: "class", kind: word, group: Shares, help: "application class; jobs of a class may be alike in how they slow others down"},
	SLnos: {name: "slnos", kind: factor, group: Shares, factor: func(m *job.More) *float64 { return &m.SLnos },
		help: "how much longer the job takes with two of its processes on a node, such as 1.1; empty: no longer"},
	SLcrs: {name: "slcrs", kind: factor, group: Shares, factor: func(m *job.More) *float64 { return &m.SLcrs },
		help: "how much longer it takes beyond that with four of its processes on a node"},
}

// column is what there is to know of a column.
type column struct {
	name, head, help string // head: over the column, if not the name
	kind             kind
	group            Groups                   // that shows the column, 0: it is always shown
	factor           func(*job.More) *float64 // of this kind: where the number is
}

// kind is what the cells of a column hold.
type kind int

const (
	name   kind = iota // of the job
	whole              // a whole number, one of Row.Values
	curve              // a part of the curve of a moldable job
	word               // one of job.Words, of the column's name
	factor             // a number that may be left out
	amount             // of an extra resource
)

func (c Column) kind() kind {
	if c >= Amounts {
		return amount
	}
	return columns[c].kind
}

// Name returns the name of a column before Amounts, as in scenario files and tables.
func (c Column) Name() string { return columns[c].name }

// ColumnNamed returns the column of a name, -1 if there is none.
func ColumnNamed(name string) Column {
	return Column(slices.IndexFunc(columns[:], func(c column) bool { return c.name == name }))
}

// Columns returns the columns of some groups, and those that are always shown.
func (d *Doc) Columns(shown Groups) []Column {
	all := make([]Column, 0, int(Amounts)+len(d.Resources))
	for c := range Amounts {
		if g := columns[c].group; g == 0 || g&shown != 0 {
			all = append(all, c)
		}
	}
	for k := range d.Resources {
		all = append(all, Amounts+Column(k))
	}
	return all
}

// AllColumns returns the columns that there can be.
func (d *Doc) AllColumns() []Column { return d.Columns(AllGroups) }

// ColumnTitle names a column in sentences.
func (d *Doc) ColumnTitle(c Column) string {
	if c >= Amounts {
		return d.Resources[c-Amounts].Name
	}
	return columns[c].name
}

// ColumnHead returns what stands over a column of the table.
func (d *Doc) ColumnHead(c Column) string {
	if c < Amounts && columns[c].head != "" {
		return columns[c].head
	}
	return d.ColumnTitle(c)
}

// ColumnHelp says what a column holds, nothing where its heading says it.
func (d *Doc) ColumnHelp(c Column) string {
	if c >= Amounts {
		r := d.Resources[c-Amounts]
		return fmt.Sprintf("amount of %s, of the machine's %s", r.Name, r.Capacity)
	}
	return columns[c].help
}

// Heading names a column as the workload CSV does.
func (d *Doc) Heading(c Column) string {
	if c >= Amounts {
		return "res:" + d.Resources[c-Amounts].Name
	}
	return columns[c].name
}

// Text returns the text of a cell.
func (r *Row) Text(c Column) string {
	if x := r.typed(c); x != nil {
		return x.text
	}
	switch c.kind() {
	case name:
		return r.Name
	case whole:
		return strconv.FormatInt(r.Values[c-1], 10)
	case curve:
		return r.curveText(c)
	case amount:
		return strconv.FormatInt(r.amount(c), 10)
	}
	if r.more == nil || r.more.traits == nil {
		return ""
	}
	if c.kind() == word {
		return *job.WordNamed(c.Name()).Of(r.more.traits)
	}
	return given(*columns[c].factor(r.more.traits))
}

// With returns the row with another text in a cell.
func (r Row) With(c Column, text string) Row {
	m := r.extras()
	m.killed = m.killed && c != Estimate && c != Runtime
	switch c.kind() {
	case name:
		r.Name = text
	case whole:
		v, err := strconv.ParseInt(text, 10, 64)
		if m.write(c, text, err != nil, false); err == nil {
			r.Values[c-1] = v
		}
	case curve:
		m.curve(&r, c, text)
	case word:
		*job.WordNamed(c.Name()).Of(m.change()) = text
		m.settle()
	case factor:
		m.factor(c, text)
	case amount:
		m.amount(c, text)
	}
	r = r.having(m)
	if c == Procs || c == Runtime || c.kind() == curve {
		r.followCurve()
	}
	return r
}

// factor takes the text of a number that may be left out.
func (m *more) factor(c Column, text string) {
	t := m.change()
	v, err := strconv.ParseFloat(text, 64)
	is := text == "" || err == nil && !math.IsNaN(v)
	if m.write(c, text, !is || text != given(v), is); is {
		*columns[c].factor(t) = v
	}
	m.settle()
}

// given returns the text of a number that may be left out.
func given(v float64) string {
	if v == 0 {
		return ""
	}
	return number(v)
}

// fault says what is wrong with a text that is no value. Curves are told as a whole.
func (c Column) fault(text string, on room) string {
	k := int(c - Amounts)
	switch _, err := strconv.ParseInt(text, 10, 64); {
	case c.kind() == factor:
		return fmt.Sprintf("expected a number, got %q", text)
	case k >= 0 && k < len(on.extra) && err == nil:
		return beyond(on.extra[k], text)
	}
	return fmt.Sprintf("expected a whole number, got %q", text)
}

// groups returns those of which the row has something to show.
func (r *Row) groups() (shown Groups) {
	for c := range Amounts {
		if g := columns[c].group; g&^shown != 0 && r.Text(c) != "" {
			shown |= g
		}
	}
	return shown
}
