package experiment

import (
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"backfill-lab/core/stats"
)

// Row is a row of a study on generated workloads.
type Row struct {
	Name      string
	Group     string // name of the group; in the figure, a line connects the rows of a group
	Parts     []Part // workloads; the row shows means over them
	Base      []Part // if not nil, the row compares Parts with Base; used only if PairSeeds is true
	PairSeeds bool   // whether to average first over the parts with the same seed, then over the seeds, see pairedValue
}

// Part is a workload with policy parameters. CaseWithKnobs adds these parameters to a case.
type Part struct {
	Source Source
	Knobs  map[string]string
}

// Source generates a workload.
type Source interface {
	// Key returns the key of the workload. Workloads with equal keys have equal jobs.
	Key() string
	// String describes the workload in messages.
	String() string
	// Load generates the workload and returns it with facts about it.
	Load() (*Workload, Results, error)
}

// CaseWithKnobs returns a copy of the case with the policy parameters of the part. If c.KeepsKnobs
// is set, parameters of the case take precedence. Parameters of an inner policy are set only if the
// case has an inner policy. Parts that differ only in such parameters therefore share one run of a
// base case without an inner policy.
func (p *Part) CaseWithKnobs(c *Case) *Case {
	knobs := maps.Clone(p.Knobs)
	maps.DeleteFunc(knobs, func(name, _ string) bool {
		_, isSet := c.Knobs[name]
		return isSet && c.KeepsKnobs || c.Knobs["inner"] == "" && strings.HasPrefix(name, "inner.")
	})
	return c.withKnobs(knobs)
}

// Runs yields each workload together with each case that the study runs on this workload. It may
// yield the same pair more than once.
func (s *Study) Runs(yield func(Source, *Case) bool) {
	cases := s.Cases()
	for i := range s.Rows {
		for _, parts := range [][]Part{s.Rows[i].Parts, s.Rows[i].Base} {
			for k := range parts {
				p := &parts[k]
				for _, c := range cases {
					if !yield(p.Source, p.CaseWithKnobs(c)) {
						return
					}
				}
			}
		}
	}
}

// GeneratedTable returns the table of a study on generated workloads. It calls factsOf for the
// facts about a workload, and resultsOf for the results of a case on a workload.
func (s *Study) GeneratedTable(factsOf func(Source) Results, resultsOf func(Source, *Case) Results) *Table {
	rows := make([]string, len(s.Rows))
	for i := range rows {
		rows[i] = s.Rows[i].Name
	}
	t := s.NewTable(rows,
		func(i int) []Results {
			return s.Rows[i].resultsByWorkload(func(p *Part) Results { return factsOf(p.Source) })
		},
		func(i int, c *Case) []Results {
			return s.Rows[i].resultsByWorkload(func(p *Part) Results { return resultsOf(p.Source, p.CaseWithKnobs(c)) })
		})
	for i := range s.Rows {
		if r := &s.Rows[i]; r.PairSeeds {
			for k := range s.Columns {
				t.Values[i][k], t.HalfWidths[i][k] = r.pairedValue(&s.Columns[k], resultsOf)
			}
		}
	}
	return t
}

// resultsByWorkload calls resultOf for each part and returns one result for each workload. It averages
// the results of parts with the same workload, because these results are not independent samples.
func (r *Row) resultsByWorkload(resultOf func(*Part) Results) []Results {
	var order []string
	bySource := map[string][]Results{}
	for i := range r.Parts {
		key := r.Parts[i].Source.Key()
		if bySource[key] == nil {
			order = append(order, key)
		}
		bySource[key] = append(bySource[key], resultOf(&r.Parts[i]))
	}
	out := make([]Results, len(order))
	for i, key := range order {
		out[i] = meanResults(bySource[key])
	}
	return out
}

// meanResults returns the mean of each metric over the cells. It omits a metric that is missing in any
// cell.
func meanResults(cells []Results) Results {
	out := Results{}
	for name := range cells[0] {
		if x := metricValues(cells, name); x != nil {
			out[name] = stat.Mean(x, nil)
		}
	}
	return out
}

// seededSource is a source that depends on a seed. Workloads with the same seed are not independent
// samples, even if their other parameters differ.
type seededSource interface{ seed() int64 }

// pairedValue returns the mean value of a column and half the width of its confidence interval.
// Each seed of the row is one sample: the mean over the parts with this seed. If the row has a
// Base, the value is the difference from the base, which must have the same seeds. This difference
// is in percentage points for improvements, and in percent for other metrics. For facts and ratios,
// pairedValue returns NaN.
func (r *Row) pairedValue(c *Column, cell func(Source, *Case) Results) (value, half float64) {
	if c.Comparison == WorkloadFact || c.Comparison == Ratio {
		return math.NaN(), math.NaN()
	}
	x := c.meansBySeed(r.Parts, cell)
	if r.Base == nil {
		return stats.Mean(x).MeanAndHalfWidth()
	}
	base := c.meansBySeed(r.Base, cell)
	if c.Comparison == Value {
		value, half = stats.Ratio(x, base).MeanAndHalfWidth()
		return 100 * (value - 1), 100 * half
	}
	for i := range x {
		x[i] -= base[i]
	}
	return stats.Mean(x).MeanAndHalfWidth()
}

// meansBySeed returns the mean value of the column for each seed, over the parts with this seed.
// Seeds are in the order in which they first occur.
func (c *Column) meansBySeed(parts []Part, cell func(Source, *Case) Results) []float64 {
	var seeds []int64
	var sums, counts []float64
	for i := range parts {
		p := &parts[i]
		cells := func(k *Case) []Results { return []Results{cell(p.Source, p.CaseWithKnobs(k))} }
		v, _ := c.value(nil, cells)
		seed := p.Source.(seededSource).seed()
		k := slices.Index(seeds, seed)
		if k < 0 {
			k = len(seeds)
			seeds, sums, counts = append(seeds, seed), append(sums, 0), append(counts, 0)
		}
		sums[k] += v
		counts[k]++
	}
	for k := range sums {
		sums[k] /= counts[k]
	}
	return sums
}

// Seeds returns the number of independent samples in the row, which is the number of different seeds.
func (r *Row) Seeds() int {
	seen := map[int64]bool{}
	for i := range r.Parts {
		seen[r.Parts[i].Source.(seededSource).seed()] = true
	}
	return len(seen)
}
