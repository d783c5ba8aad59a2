package decision

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Table is a part of a decision as a page or a terminal shows it.
type Table struct {
	Name  string   `json:"name"`
	Notes []string `json:"notes,omitempty"`
	Heads []string `json:"heads"`
	Rows  []Row    `json:"rows"`
	More  int      `json:"more,omitempty"` // rows left out
}

// Row is a row. In a tree, what follows deeper lies below it.
type Row struct {
	Cells []string `json:"cells"`
	Depth int      `json:"depth,omitempty"`
	Set   int      `json:"set,omitempty"`  // number of a set with others below it
	Open  bool     `json:"open,omitempty"` // these are shown
	Mark  string   `json:"mark,omitempty"` // cut, or taken by the policy
}

// Options says how much is shown.
type Options struct {
	Most    int   // rows of a table, 0 = all
	Flipped []int // sets that are folded where they are not as a rule, or the other way round
}

// few is how many nodes can be read at a glance; of a larger tree the lower levels
// are folded.
const few = 40

// Tables is the decision as tables: who waits, what was tried, and the choice.
func (d *Decision) Tables(o Options) []Table {
	out := []Table{d.waiting(o), d.tree(o)}
	if len(d.Saved) > 0 {
		out = append(out, d.choice(o))
	}
	return out
}

// cut leaves out the rows behind the first few.
func (t *Table) cut(o Options) Table {
	if n := len(t.Rows); o.Most > 0 && n > o.Most {
		t.Rows, t.More = t.Rows[:o.Most], n-o.Most
	}
	return *t
}

func (d *Decision) waiting(o Options) Table {
	t := Table{Name: "Waiting jobs", Heads: []string{"job", "submitted", "processors", "estimate, s", "fair start", "latest start"}}
	for _, w := range d.Queue {
		q := &d.log.Jobs[w.Job]
		t.Rows = append(t.Rows, Row{Cells: []string{q.ID, moment(q.Submit), itoa(q.Procs), moment(q.Estimate), moment(w.Fair), moment(w.Latest)}})
	}
	return t.cut(o)
}

func (d *Decision) tree(o Options) Table {
	t := Table{Name: "Sets tried", Heads: []string{"set", "what became of it"},
		Notes: []string{"A set below another is that one with one job more."}}
	below := make([][]int, len(d.kept)) // by number of a set: the places of its nodes
	for i := range d.Nodes {
		below[d.Nodes[i].Parent] = append(below[d.Nodes[i].Parent], i)
	}
	var walk func(number, depth int)
	walk = func(number, depth int) {
		for _, i := range below[number] {
			n := &d.Nodes[i]
			r := Row{Cells: []string{d.set(i), d.became(i)}, Depth: depth}
			switch {
			case n.Number == 0:
				r.Mark = "cut"
			case n.Number == d.Chosen:
				r.Mark = "taken"
			}
			if n.Number > 0 && len(below[n.Number]) > 0 {
				r.Set = n.Number
				r.Open = len(d.Nodes) <= few != slices.Contains(o.Flipped, n.Number)
			}
			t.Rows = append(t.Rows, r)
			if r.Open {
				walk(n.Number, depth+1)
			}
		}
	}
	walk(0, 0)
	return t.cut(o)
}

// choice sets the goals side by side. What a goal begins with and takes is shown
// even where most is left out.
func (d *Decision) choice(o Options) Table {
	t := Table{Name: "Sets to choose from", Heads: []string{"set", "O", "Skip", "U", "goal fairness", "goal utilization"}, Notes: []string{
		"O is by how much waiting jobs would start after their fair starts on average, Skip by how much before them; U is the part of the processors in use."}}
	for goal := range d.rules.Goals {
		t.Notes = append(t.Notes, ranges(&d.rules.Goals[goal]))
	}
	if d.Goal >= 0 {
		t.Heads[4+d.Goal] += ", of this run"
	}
	for i, node := range d.Saved {
		if o.Most > 0 && i >= o.Most && !d.special(i) {
			t.More++
			continue
		}
		x := d.Scores[i]
		r := Row{Cells: []string{d.set(node), d.mean(float64(x.Late)), d.mean(float64(x.Early)), d.use(float64(x.Used)), d.verdict(Fairness, i), d.verdict(Utilization, i)}}
		if d.Nodes[node].Number == d.Chosen {
			r.Mark = "taken"
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// special reports whether a goal begins with the saved set at place i or takes it.
func (d *Decision) special(i int) bool {
	return slices.ContainsFunc(d.Picks[:], func(p Pick) bool { return i == p.First || i == p.Taken })
}

// Text is the decision as the command prints it.
func (d *Decision) Text() string {
	var b strings.Builder
	for _, s := range d.Says() {
		b.WriteString(s + "\n")
	}
	if d.Told() {
		for _, t := range d.Tables(Options{}) {
			t.text(&b)
		}
	}
	return b.String()
}

func (t *Table) text(b *strings.Builder) {
	b.WriteString("\n" + t.Name + "\n")
	for _, n := range t.Notes {
		b.WriteString("  " + n + "\n")
	}
	wide := make([]int, len(t.Heads))
	lines := [][]string{t.Heads}
	for _, r := range t.Rows {
		cells := slices.Clone(r.Cells)
		cells[0] = strings.Repeat("  ", r.Depth) + cells[0]
		lines = append(lines, cells)
	}
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
}
