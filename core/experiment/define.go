package experiment

import (
	"cmp"
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"backfill-lab/core/sweep"
)

// definitions holds the definition of each study as JSON. docs/experiments.md describes the format.
//
//go:embed studies/*.json
var definitions embed.FS

// papers lists the first parts of study names, in the order in which All returns the studies.
var papers = []string{"lindsay", "leinberger", "wu", "jin", "scojo", "zeng"}

// All returns every study, sorted by paper and then by name. It reads the definitions only once.
var All = sync.OnceValue(func() (out []*Study) {
	files, err := definitions.ReadDir("studies")
	if err != nil {
		panic(err) // the folder is embedded in the program, so this cannot happen
	}
	for _, f := range files {
		s, err := openStudy(strings.TrimSuffix(f.Name(), ".json"))
		if err != nil {
			panic(fmt.Sprintf("%s: %v", f.Name(), err)) // TestStudiesAreValid reads every definition
		}
		out = append(out, s)
	}
	slices.SortFunc(out, func(a, b *Study) int {
		return cmp.Or(slices.Index(papers, a.paper())-slices.Index(papers, b.paper()), strings.Compare(a.sortKey(), b.sortKey()))
	})
	return out
})

// sortKey returns the key by which studies are sorted: the name, with an extra digit before a
// single-digit figure number. As a result, figure 9 comes before figure 10.
func (s *Study) sortKey() string {
	if paper, figure, ok := strings.Cut(s.Name, "-fig"); ok && len(figure) == 1 {
		return paper + "-fig0" + figure
	}
	return s.Name
}

// paper returns the part of the name before the first dash, such as "jin".
func (s *Study) paper() string {
	name, _, _ := strings.Cut(s.Name, "-")
	return name
}

// Definition returns the JSON text that defines a study.
func Definition(name string) ([]byte, error) {
	return definitions.ReadFile(path.Join("studies", name+".json"))
}

// openStudy reads the definition of a study.
func openStudy(name string) (*Study, error) {
	data, err := Definition(name)
	if err != nil {
		return nil, err
	}
	d, err := sweep.Parse(data)
	if err != nil {
		return nil, err
	}
	if d.Study == nil {
		return nil, fmt.Errorf("expected a field study, got none")
	}
	return fromDefinition(name, d), nil
}

// fromDefinition returns the study that a definition describes.
func fromDefinition(name string, d *sweep.Definition) *Study {
	x := d.Study
	s := &Study{Name: name, Title: d.Title, Paper: x.Paper, Text: d.Text, AsLines: x.Lines, Axis: x.Axis, Tally: x.Tally}
	var cases []*Case
	for i := range d.Policies {
		p := &d.Policies[i]
		cases = append(cases, &Case{Policy: p.Name, Knobs: p.Knobs, ExactPercent: p.ExactEstimates, KeepsKnobs: p.KeepsKnobs})
	}
	for _, c := range x.Columns {
		out := Column{Title: c.Title, Metric: c.Metric, BaseMetric: c.BaseMetric, Comparison: c.Shows, Digits: c.Digits, InFigure: c.InFigure}
		if c.Policy >= 0 {
			out.Case = cases[c.Policy]
		}
		if slices.Contains(FullLogResults, c.Metric) {
			full := *out.Case
			full.FullLog, out.Case = true, &full
		}
		if c.Base >= 0 {
			out.Base = cases[c.Base]
		}
		s.Columns = append(s.Columns, out)
	}
	s.Rows = rowsOf(d)
	return s
}

// rowsOf returns the table rows of a definition, or nil if the study runs on traces.
func rowsOf(d *sweep.Definition) (out []Row) {
	if d.Study.Rows == nil {
		for i, w := range d.Workloads {
			if i == 0 || d.Workloads[i-1].Row != w.Row {
				out = append(out, Row{Name: w.Row, Group: w.Group, Parts: partsOf(d, []string{w.Row})})
			}
		}
		return out
	}
	for _, r := range d.Study.Rows {
		out = append(out, Row{Name: r.Name, Group: r.Group, Parts: partsOf(d, r.Workloads), Base: partsOf(d, r.Subtracted), PairSeeds: r.PairSeeds})
	}
	return out
}

// partsOf returns one part for each combination of a seed and a workload with one of the given
// names, ordered by name and then by seed. If several workloads have the same name, they all use
// the seeds of the first one.
func partsOf(d *sweep.Definition, names []string) (out []Part) {
	for _, name := range names {
		workloads := d.WorkloadsNamed(name)
		if len(workloads) == 0 {
			continue
		}
		for _, seed := range d.SeedsOf(workloads[0]) {
			for _, w := range workloads {
				out = append(out, Part{Source: newGeneratedSource(d, sweep.Group{Workload: w, Load: 1, Seed: seed}), Knobs: d.Workloads[w].Knobs})
			}
		}
	}
	return out
}
