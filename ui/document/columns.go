package document

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"backfill-lab/core/job"
)

// Column identifies a column of the jobs table.
type Column int

// The columns of every jobs table, some of which may be hidden. Links store these numbers, so insert a new column
// directly before Amounts. The column of extra resource k (from 0) is Amounts+k.
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

// Groups is a bit set of groups of columns that the table can hide. The table shows a group only if it is
// needed.
type Groups uint8

const (
	Curves Groups = 1 << iota // L, A and sigma; shown if a job is moldable, or if the user asks for them
	Shares                    // class, slnos and slcrs; shown if nodes can be shared, or if a job has any of these values

	AllGroups = ^Groups(0) // every optional group
)

// columns describes the columns before Amounts. An entry here adds a column to the table,
// to the "set column" form, to copy and paste, and to links.
var columns = [Amounts]column{
	ID:       {name: "id", head: "job"},
	Submit:   {name: "submit", kind: wholeKind},
	Procs:    {name: "procs", kind: wholeKind},
	Estimate: {name: "estimate", kind: wholeKind},
	Runtime:  {name: "runtime", kind: wholeKind},
	L:        {name: "L", kind: curveKind, group: Curves, help: "sequential runtime of a moldable job, in seconds"},
	A:        {name: "A", kind: curveKind, group: Curves, help: "average parallelism of a moldable job (Downey 1997)"},
	Sigma:    {name: "sigma", kind: curveKind, group: Curves, help: "coefficient of variation of the parallelism of a moldable job (Downey 1997)"},
	Class:    {name: "class", kind: wordKind, group: Shares, help: "application class; slowdowns can be given for classes instead of jobs"},
	SLnos: {name: "slnos", kind: factorKind, group: Shares, factor: func(m *job.More) *float64 { return &m.SLnos },
		help: "factor by which the runtime of the job grows with two of its processes on each node, such as 1.1; empty if it does not grow"},
	SLcrs: {name: "slcrs", kind: factorKind, group: Shares, factor: func(m *job.More) *float64 { return &m.SLcrs },
		help: "further factor for four processes of the job on each node: the runtime is then multiplied by slnos × slcrs"},
}

// column describes a column.
type column struct {
	name, head, help string // name: as in scenario and CSV files; head: heading in the table, if it differs
	kind             kind
	group            Groups                   // group that contains the column, 0 if always shown
	factor           func(*job.More) *float64 // for factorKind: returns the field that holds the number
}

// kind says what the cells of a column contain.
type kind int

const (
	nameKind   kind = iota // name of the job
	wholeKind              // a whole number, stored in Row.Values
	curveKind              // a parameter of the speedup curve of a moldable job
	wordKind               // a text, stored in the field of job.TextFields that has the column's name
	factorKind             // an optional slowdown factor
	amountKind             // requested amount of an extra resource
)

func (c Column) kind() kind {
	if c >= Amounts {
		return amountKind
	}
	return columns[c].kind
}

// Name returns the name of a column in scenario and CSV files. The columns of extra resources, from Amounts on,
// have no such name.
func (c Column) Name() string { return columns[c].name }

// ColumnNamed returns the column with the given name, or -1 if there is none.
func ColumnNamed(name string) Column {
	return Column(slices.IndexFunc(columns[:], func(c column) bool { return c.name == name }))
}

// Columns returns the columns that are always shown and the columns of the given groups.
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

// AllColumns returns all columns, including the optional ones.
func (d *Doc) AllColumns() []Column { return d.Columns(AllGroups) }

// ColumnTitle returns the name of a column for use in sentences.
func (d *Doc) ColumnTitle(c Column) string {
	if c >= Amounts {
		return d.Resources[c-Amounts].Name
	}
	return columns[c].name
}

// ColumnHead returns the heading of a column in the table.
func (d *Doc) ColumnHead(c Column) string {
	if c < Amounts && columns[c].head != "" {
		return columns[c].head
	}
	return d.ColumnTitle(c)
}

// ColumnHelp describes the content of a column. It returns an empty text if the heading is
// clear enough.
func (d *Doc) ColumnHelp(c Column) string {
	if c >= Amounts {
		r := d.Resources[c-Amounts]
		return fmt.Sprintf("amount of %s that the job needs; the machine has %s", r.Name, r.Capacity)
	}
	return columns[c].help
}

// CSVHeading returns the name of a column in CSV files.
func (d *Doc) CSVHeading(c Column) string {
	if c >= Amounts {
		return "res:" + d.Resources[c-Amounts].Name
	}
	return columns[c].name
}

// Text returns the text of a cell.
func (r *Row) Text(c Column) string {
	if x := r.cellText(c); x != nil {
		return x.text
	}
	switch c.kind() {
	case nameKind:
		return r.Name
	case wholeKind:
		return strconv.FormatInt(r.Values[c-1], 10)
	case curveKind:
		return r.curveText(c)
	case amountKind:
		return strconv.FormatInt(r.amount(c), 10)
	}
	if r.optional == nil || r.optional.traits == nil {
		return ""
	}
	if c.kind() == wordKind {
		return *job.TextFieldNamed(c.Name()).Pointer(r.optional.traits)
	}
	return optionalText(*columns[c].factor(r.optional.traits))
}

// With returns the row with the text of a cell replaced. If the edit affects the runtime of a moldable job, With
// recomputes this runtime from the speedup curve. A new estimate or runtime removes the mark that the job was
// killed. A new estimate counts as a wall time limit.
func (r Row) With(c Column, text string) Row {
	m := r.copyOptional()
	m.killed = m.killed && c != Estimate && c != Runtime
	if c == Estimate && m.traits != nil && m.traits.NoLimit {
		m.copyTraits().NoLimit = false
		m.dropEmpty()
	}
	switch c.kind() {
	case nameKind:
		r.Name = text
	case wholeKind:
		v, err := strconv.ParseInt(text, 10, 64)
		if m.write(c, text, err != nil, false); err == nil {
			r.Values[c-1] = v
		}
	case curveKind:
		m.setCurve(&r, c, text)
	case wordKind:
		*job.TextFieldNamed(c.Name()).Pointer(m.copyTraits()) = text
		m.dropEmpty()
	case factorKind:
		m.setFactor(c, text)
	case amountKind:
		m.setAmount(c, text)
	}
	r = r.withOptional(m)
	if c == Procs || c == Runtime || c.kind() == curveKind {
		r.computeRuntime()
	}
	return r
}

// setFactor stores the text of a cell that may contain a slowdown factor or be empty.
func (m *optional) setFactor(c Column, text string) {
	t := m.copyTraits()
	v, err := strconv.ParseFloat(text, 64)
	isNumber := text == "" || err == nil && !math.IsNaN(v)
	if m.write(c, text, !isNumber || text != optionalText(v), isNumber); isNumber {
		*columns[c].factor(t) = v
	}
	m.dropEmpty()
}

// optionalText returns the text of an optional number. The text is empty if the number is 0.
func optionalText(v float64) string {
	if v == 0 {
		return ""
	}
	return formatNumber(v)
}

// cellError returns the error for an invalid text in a cell of column c. It does not handle the parameters of a
// curve, which invalidCells checks together.
func (c Column) cellError(text string, lim limits) string {
	k := int(c - Amounts)
	switch _, err := strconv.ParseInt(text, 10, 64); {
	case c.kind() == factorKind:
		return fmt.Sprintf("expected a number, got %q", text)
	case k >= 0 && k < len(lim.extra) && err == nil:
		return capacityError(lim.extra[k], text)
	}
	if c.IsTime() {
		return fmt.Sprintf("expected seconds, or a time such as 1h 30m, got %q", text)
	}
	return fmt.Sprintf("expected a whole number, got %q", text)
}

// IsTime reports whether the column holds times or durations in seconds.
func (c Column) IsTime() bool { return c == Submit || c == Estimate || c == Runtime }

// groups returns the optional groups of columns in which the row has text.
func (r *Row) groups() (shown Groups) {
	for c := range Amounts {
		if g := columns[c].group; g&^shown != 0 && r.Text(c) != "" {
			shown |= g
		}
	}
	return shown
}
