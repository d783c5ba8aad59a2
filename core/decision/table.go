package decision

import (
	"strings"
	"unicode/utf8"
)

// Table is a table about a decision, for the page or a terminal. The cells of a row are one string,
// separated by tabs. Slices of strings would make the downloaded program larger.
type Table struct {
	Name     string `json:"name"`            // heading of the table
	Notes    string `json:"notes,omitempty"` // one note per line
	Headings string `json:"heads"`           // column headings, separated by tabs
	Rows     []*Row `json:"rows"`
	More     int    `json:"more,omitempty"` // number of rows left out
}

// Row is a row of a table. In a tree, the descendants of a row follow it directly and have a
// greater depth.
type Row struct {
	Cells string `json:"cells"`           // separated by tabs
	Depth int    `json:"depth,omitempty"` // 0 at the top level
	Set   int    `json:"set,omitempty"`   // number that Options.Toggled uses for this row; 0 if it has no children
	Open  bool   `json:"open,omitempty"`  // whether its children are shown
	Mark  string `json:"mark,omitempty"`  // "cut" if the job or set was rejected, "taken" if the policy chose the set, or ""
}

// Options selects the rows that the tables show.
type Options struct {
	MaxRows int   // maximum number of rows of a table, 0 for no limit
	Toggled []int // values of Row.Set of the rows that the user folded or unfolded, once for each click
}

// maxUnfolded is the maximum number of rows of a tree that is shown completely at first. A larger
// tree shows only its top level at first.
const maxUnfolded = 40

// Tables returns a table of the waiting jobs and a table of the sets that were tried. If at least
// one set keeps every job within its slack, Tables also returns a table of the sets from which a
// goal can choose.
func (d *Decision) Tables(o *Options) []*Table {
	out := append(make([]*Table, 0, 3), d.waitingJobs(o))
	out = append(out, d.setsTried(o))
	if len(d.Saved) > 0 {
		out = append(out, d.setsToChooseFrom(o))
	}
	return out
}

// add adds a row. If the table is full, it only increases t.More.
func (t *Table) add(r *Row, o *Options) {
	if o.MaxRows > 0 && len(t.Rows) >= o.MaxRows {
		t.More++
		return
	}
	t.Rows = append(t.Rows, r)
}

// waitingJobs returns the table of the waiting jobs.
func (d *Decision) waitingJobs(o *Options) *Table {
	t := &Table{Name: "Waiting jobs", Headings: "job\tsubmitted\tprocessors\testimate\tfair start\tlatest start"}
	for i := range d.Queue {
		w := &d.Queue[i]
		q := &d.log.Jobs[w.Job]
		t.add(&Row{Cells: fillTemplate("%\t%\t%\t%\t%\t%", d.jobID(w.Job), d.clock.Instant(q.Submit), itoa(q.Procs), d.clock.Duration(q.Estimate), d.clock.Instant(w.Fair), d.clock.Instant(w.Latest))}, o)
	}
	return t
}

// setsTried returns a tree of the sets that were tried.
func (d *Decision) setsTried(o *Options) *Table {
	t := &Table{Name: "Sets tried", Headings: "set\toutcome", Notes: "An indented set adds one job to the nearest less indented set above it."}
	children := make([][]int, len(d.keptSets)) // by set number: indexes in d.TriedSets of the sets that extend the set by one job
	for i := range d.TriedSets {
		parent := d.TriedSets[i].Record.X
		children[parent] = append(children[parent], i)
	}
	var walk func(number, depth int)
	walk = func(number, depth int) {
		for _, i := range children[number] {
			n := d.TriedSets[i].Number
			r := &Row{Cells: d.setName(i) + "\t" + d.outcome(i), Depth: depth, Mark: d.mark(n)}
			if n > 0 && len(children[n]) > 0 {
				r.Set = n
				r.Open = isOpen(n, len(d.TriedSets) <= maxUnfolded, o)
			}
			t.add(r, o)
			if r.Open {
				walk(n, depth+1)
			}
		}
	}
	walk(0, 0)
	return t
}

// isOpen reports whether a table shows the children of the row with the given value of Row.Set. If
// openAtFirst is true, it shows them at first. Each occurrence of the value in o.Toggled changes
// whether it shows them.
func isOpen(set int, openAtFirst bool, o *Options) bool {
	open := openAtFirst
	for _, f := range o.Toggled {
		if f == set {
			open = !open
		}
	}
	return open
}

// mark returns the value of Row.Mark for the set with the given number. The number 0 stands for a
// set that the search rejected.
func (d *Decision) mark(number int) string {
	switch number {
	case 0:
		return "cut"
	case d.Chosen:
		return "taken"
	}
	return ""
}

// setsToChooseFrom returns a table of the sets in d.Saved, with one column for each goal. Even if the
// table is full, it shows the set with which each goal starts its comparison, and the set that the goal
// selects.
func (d *Decision) setsToChooseFrom(o *Options) *Table {
	t := &Table{Name: "Sets to choose from", Headings: "set\tO\tSkip\tU\tgoal fairness\tgoal utilization",
		Notes: "O is the mean time by which waiting jobs would start after their fair starts. Skip is the mean time by which they would start before their fair starts. U is the share of the processors in use."}
	for goal := range d.rules.Goals {
		t.Notes += rangesText(&d.rules.Goals[goal])
	}
	for i, index := range d.Saved {
		if o.MaxRows > 0 && i >= o.MaxRows && !d.isPicked(i) {
			t.More++
			continue
		}
		x := &d.Scores[i]
		t.Rows = append(t.Rows, &Row{Mark: d.mark(d.TriedSets[index].Number), Cells: fillTemplate("%\t%\t%\t%\t%\t%", d.setName(index),
			d.meanText(float64(x.Late)), d.meanText(float64(x.Early)), d.shareText(float64(x.Used)), d.verdict(Fairness, i), d.verdict(Utilization, i))})
	}
	return t
}

// isPicked reports whether a goal starts its comparison with the set d.Saved[i], or selects this set.
func (d *Decision) isPicked(i int) bool {
	for g := range d.Picks {
		if p := &d.Picks[g]; i == p.First || i == p.Taken {
			return true
		}
	}
	return false
}

// Text returns a decision as plain text: its summary, then its tables if the log records all sets
// that were tried.
func Text(d Description) string {
	var b strings.Builder
	b.WriteString(d.Summary() + "\n")
	if d.Complete() {
		for _, t := range d.Tables(&Options{}) {
			t.writeText(&b)
		}
	}
	return b.String()
}

// writeText writes the table with aligned columns.
func (t *Table) writeText(b *strings.Builder) {
	b.WriteString("\n" + t.Name + "\n")
	lines := [][]string{strings.Split(t.Headings, "\t")}
	for _, r := range t.Rows {
		lines = append(lines, strings.Split(strings.Repeat("  ", r.Depth)+r.Cells, "\t"))
	}
	widths := make([]int, len(lines[0]))
	for _, cells := range lines {
		for k, c := range cells {
			widths[k] = max(widths[k], utf8.RuneCountInString(c))
		}
	}
	for _, cells := range lines {
		line := "  "
		for k, c := range cells {
			line += c + strings.Repeat(" ", widths[k]-utf8.RuneCountInString(c)+2)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	if t.Notes != "" {
		b.WriteString(t.Notes + "\n")
	}
}
