package experiment

import (
	"maps"
	"strings"

	"gonum.org/v1/gonum/stat"
)

// Row is a row of a study on workloads that need no trace.
type Row struct {
	Name  string
	Group string // rows of a group are joined by the figure's lines
	Parts []Part // the row shows the means over its parts
	Than  []Part // if set, the row shows by how much the values over Parts exceed those over Than
	Pair  bool   // the values of a seed are averaged first, so that the row counts seeds, see pooled
}

// Part is a workload of a row, and what is set on it in every case.
type Part struct {
	Source Source
	Knobs  map[string]string
}

// Source makes a workload.
type Source interface {
	// Key tells it from all others: equal keys, equal jobs.
	Key() string
	// String names it in messages.
	String() string
	// Load makes the jobs, and tells the facts about them.
	Load() (*Load, Cell, error)
}

// On returns the case as it runs on the part. Knobs of an inner policy are for the
// cases that name theirs: what these are compared with stays, and is run once.
func (p *Part) On(c *Case) *Case {
	knobs := maps.Clone(p.Knobs)
	maps.DeleteFunc(knobs, func(name, _ string) bool {
		_, own := c.Knobs[name]
		return own && c.Firm || c.Knobs["inner"] == "" && strings.HasPrefix(name, "inner.")
	})
	return c.with(knobs)
}

// Needs yields what is to run for the study: each part's source with the cases
// on it.
func (s *Study) Needs(yield func(Source, *Case) bool) {
	cases := s.Cases()
	for i := range s.Rows {
		for _, parts := range [][]Part{s.Rows[i].Parts, s.Rows[i].Than} {
			for k := range parts {
				p := &parts[k]
				for _, c := range cases {
					if !yield(p.Source, p.On(c)) {
						return
					}
				}
			}
		}
	}
}

// Made makes the table of a study on its own rows; facts returns those of a
// source, cell what a case gave on it.
func (s *Study) Made(facts func(Source) Cell, cell func(Source, *Case) Cell) *Table {
	rows := make([]string, len(s.Rows))
	for i := range rows {
		rows[i] = s.Rows[i].Name
	}
	t := s.Tabled(rows,
		func(i int) []Cell {
			return s.Rows[i].cells(func(p *Part) Cell { return facts(p.Source) })
		},
		func(i int, c *Case) []Cell {
			return s.Rows[i].cells(func(p *Part) Cell { return cell(p.Source, p.On(c)) })
		})
	for i := range s.Rows {
		if r := &s.Rows[i]; r.Pair {
			for k := range s.Columns {
				t.Values[i][k], t.Halves[i][k] = r.pooled(&s.Columns[k], cell)
			}
		}
	}
	return t
}

// cells returns a cell for each workload of the row. Parts that share a workload are
// not independent, so their means count as one.
func (r *Row) cells(of func(*Part) Cell) []Cell {
	var order []string
	shared := map[string][]Cell{}
	for i := range r.Parts {
		key := r.Parts[i].Source.Key()
		if shared[key] == nil {
			order = append(order, key)
		}
		shared[key] = append(shared[key], of(&r.Parts[i]))
	}
	out := make([]Cell, len(order))
	for i, key := range order {
		out[i] = meanCell(shared[key])
	}
	return out
}

// meanCell returns the mean of each metric that all cells have.
func meanCell(cells []Cell) Cell {
	out := Cell{}
	for name := range cells[0] {
		if x := metricOf(cells, name); x != nil {
			out[name] = stat.Mean(x, nil)
		}
	}
	return out
}
