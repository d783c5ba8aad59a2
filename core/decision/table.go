package decision

import (
	"strings"
	"unicode/utf8"
)

// Table is a part of a decision as a page or a terminal shows it. Tabs part the
// cells of a row: a slice of each would be more of the download than they are.
type Table struct {
	Name  string `json:"name"`
	Notes string `json:"notes,omitempty"` // in lines
	Heads string `json:"heads"`
	Rows  []*Row `json:"rows"`
	More  int    `json:"more,omitempty"` // rows left out
}

// Row is a row. In a tree, what follows deeper lies below it.
type Row struct {
	Cells string `json:"cells"`
	Depth int    `json:"depth,omitempty"`
	Set   int    `json:"set,omitempty"`  // number of a set with others below it
	Open  bool   `json:"open,omitempty"` // these are shown
	Mark  string `json:"mark,omitempty"` // cut, or taken by the policy
}

// Options says how much is shown.
type Options struct {
	Most    int   // rows of a table, 0 = all
	Flipped []int // sets that were folded where they are not as a rule, or unfolded, or several times in turn
}

// few is how many nodes can be read at a glance; of a larger tree the lower levels
// are folded.
const few = 40

// Tables returns the decision as tables: who waits, what was tried, and the choice.
func (d *Decision) Tables(o *Options) []*Table {
	out := append(make([]*Table, 0, 3), d.waiting(o))
	out = append(out, d.tree(o))
	if len(d.Saved) > 0 {
		out = append(out, d.choice(o))
	}
	return out
}

// add adds a row, or counts it where there are enough.
func (t *Table) add(r *Row, o *Options) {
	if o.Most > 0 && len(t.Rows) >= o.Most {
		t.More++
		return
	}
	t.Rows = append(t.Rows, r)
}

func (d *Decision) waiting(o *Options) *Table {
	t := &Table{Name: "Waiting jobs", Heads: "job\tsubmitted\tprocessors\testimate, s\tfair start\tlatest start"}
	for i := range d.Queue {
		w := &d.Queue[i]
		q := &d.log.Jobs[w.Job]
		t.add(&Row{Cells: say("%\t%\t%\t%\t%\t%", d.name(w.Job), moment(q.Submit), itoa(q.Procs), moment(q.Estimate), moment(w.Fair), moment(w.Latest))}, o)
	}
	return t
}

func (d *Decision) tree(o *Options) *Table {
	t := &Table{Name: "Sets tried", Heads: "set\twhat became of it", Notes: "A set below another is that one with one job more."}
	below := make([][]int, len(d.kept)) // by number of a set: the places of its nodes
	for i := range d.Nodes {
		parent := d.Nodes[i].Record.X
		below[parent] = append(below[parent], i)
	}
	var walk func(number, depth int)
	walk = func(number, depth int) {
		for _, i := range below[number] {
			n := d.Nodes[i].Number
			r := &Row{Cells: d.set(i) + "\t" + d.became(i), Depth: depth, Mark: d.mark(n)}
			if n > 0 && len(below[n]) > 0 {
				r.Set = n
				r.Open = open(n, len(d.Nodes) <= few, o)
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

// open reports whether what lies below a set is shown, where it is or is not as a
// rule.
func open(set int, rule bool, o *Options) bool {
	for _, f := range o.Flipped {
		if f == set {
			rule = !rule
		}
	}
	return rule
}

// mark tells a set by its number among those kept: 0 was cut.
func (d *Decision) mark(number int) string {
	switch number {
	case 0:
		return "cut"
	case d.Chosen:
		return "taken"
	}
	return ""
}

// choice sets the goals side by side. What a goal begins with and takes is shown
// even where most is left out.
func (d *Decision) choice(o *Options) *Table {
	t := &Table{Name: "Sets to choose from", Heads: "set\tO\tSkip\tU\tgoal fairness\tgoal utilization",
		Notes: "O is by how much waiting jobs would start after their fair starts on average, Skip by how much before them; U is the part of the processors in use."}
	for goal := range d.rules.Goals {
		t.Notes += ranges(&d.rules.Goals[goal])
	}
	for i, node := range d.Saved {
		if o.Most > 0 && i >= o.Most && !d.special(i) {
			t.More++
			continue
		}
		x := &d.Scores[i]
		t.Rows = append(t.Rows, &Row{Mark: d.mark(d.Nodes[node].Number), Cells: say("%\t%\t%\t%\t%\t%", d.set(node),
			d.mean(float64(x.Late)), d.mean(float64(x.Early)), d.use(float64(x.Used)), d.verdict(Fairness, i), d.verdict(Utilization, i))})
	}
	return t
}

// special reports whether a goal begins with the saved set at place i or takes it.
func (d *Decision) special(i int) bool {
	for g := range d.Picks {
		if p := &d.Picks[g]; i == p.First || i == p.Taken {
			return true
		}
	}
	return false
}

// Text returns a decision as the command prints it.
func Text(d Account) string {
	var b strings.Builder
	b.WriteString(d.Says() + "\n")
	if d.Told() {
		for _, t := range d.Tables(&Options{}) {
			t.text(&b)
		}
	}
	return b.String()
}

func (t *Table) text(b *strings.Builder) {
	b.WriteString("\n" + t.Name + "\n")
	lines := [][]string{strings.Split(t.Heads, "\t")}
	for _, r := range t.Rows {
		lines = append(lines, strings.Split(strings.Repeat("  ", r.Depth)+r.Cells, "\t"))
	}
	wide := make([]int, len(lines[0]))
	for _, cells := range lines {
		for k, c := range cells {
			wide[k] = max(wide[k], utf8.RuneCountInString(c))
		}
	}
	for _, cells := range lines {
		line := "  "
		for k, c := range cells {
			line += c + strings.Repeat(" ", wide[k]-utf8.RuneCountInString(c)+2)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	if t.Notes != "" {
		b.WriteString(t.Notes + "\n")
	}
}
