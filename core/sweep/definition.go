// Package sweep defines experiments: every policy of a list on every workload, at several loads and
// with several seeds. It reads the definition of a sweep, lists its runs, makes a run and writes
// the table of results. It opens no files and starts no goroutines; its callers do.
package sweep

import (
	"cmp"
	"fmt"
	"math"
	"strconv"

	"backfill-lab/core/metrics"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/scenario"
)

// These constants limit the size of a sweep.
const (
	MaxRuns      = 10_000_000
	MaxWorkloads = 1000
	MaxPolicies  = 1000 // after the grids of knobs are expanded
	MaxSeeds     = 1_000_000
)

// Definition describes a sweep. It has a run for each workload, load, seed and policy.
type Definition struct {
	Title     string
	Text      string // explanation for the reader
	Workloads []Workload
	Loads     []float64 // load factors; {1} if the definition has none
	Seeds     []int64   // for generated workloads; nil if each keeps its own seed
	Policies  []scenario.Policy
	Metrics   []string // names of metrics, in the order of the table

	hashes []string // of the workloads; see workloadHash
	titles []string // of the policies; see Titles
}

// Workload is a machine and its jobs. The scenario has no policies.
type Workload struct {
	Name     string
	Scenario *scenario.Scenario
}

// DefaultMetrics lists the metrics of a sweep whose definition names none.
var DefaultMetrics = []string{"mean-wait", "mean-bounded-slowdown", "utilization", "max-wait"}

// Titles returns the distinct titles of the policies for the table of runs, with the names of knobs.
func (d *Definition) Titles() []string {
	if d.titles == nil {
		d.titles = (&scenario.Scenario{Policies: d.Policies}).PlainTitles()
	}
	return d.titles
}

// Baseline returns the index of the policy that the others are compared with.
func (d *Definition) Baseline() int { return (&scenario.Scenario{Policies: d.Policies}).Baseline() }

// Runs returns the number of runs. It is more than MaxRuns, but not exact, if there are too many.
func (d *Definition) Runs() int {
	n := 0
	for i := range d.Workloads {
		n += product(len(d.Loads), max(1, len(d.seeds(i))), len(d.Policies))
	}
	return n
}

// product returns the product of counts, or a number above MaxRuns if it is larger.
func product(counts ...int) int {
	n := 1.0
	for _, c := range counts {
		n *= float64(c)
	}
	return int(math.Min(n, 2*MaxRuns))
}

// seeds returns the seeds of a workload, or nil if its jobs are not generated.
func (d *Definition) seeds(workload int) []int64 {
	g := d.Workloads[workload].Scenario.Workload.Generator
	switch {
	case g == nil:
		return nil
	case d.Seeds == nil:
		return []int64{g.Seed}
	}
	return d.Seeds
}

// Validate returns an error for the first thing that cannot run: too many runs, an unknown policy,
// knob or metric, or an invalid workload. Files of workloads are not opened.
func (d *Definition) Validate() error {
	switch {
	case len(d.Workloads) == 0:
		return fmt.Errorf("workloads: expected at least one workload, got none")
	case len(d.Policies) == 0:
		return fmt.Errorf("policies: expected at least one policy, got none")
	}
	if n := d.Runs(); n > MaxRuns {
		return fmt.Errorf("expected at most %d runs, got more: %d workloads x %d loads x %d seeds x %d policies", MaxRuns, len(d.Workloads), len(d.Loads), max(1, len(d.Seeds)), len(d.Policies))
	}
	for i := range d.Policies {
		p := &d.Policies[i]
		if _, err := registry.New(p.Name, p.Knobs); err != nil {
			return fmt.Errorf("policies, %s: %w", p, err)
		}
	}
	for i, name := range d.Metrics {
		if metrics.Named(name) == nil {
			return fmt.Errorf("metrics, row %d: expected the name of a metric, such as mean-wait, got %q", i+1, name)
		}
	}
	for i := range d.Workloads {
		g := Group{Workload: i, Load: d.Loads[0]}
		if seeds := d.seeds(i); seeds != nil {
			g.Seed = seeds[0]
		}
		if err := d.Scenario(g, 0).Validate(); err != nil {
			return fmt.Errorf("workloads, %s: %w", d.Workloads[i].Name, err)
		}
	}
	return nil
}

// Group selects the runs on the same jobs: a workload at a load, with a seed.
type Group struct {
	Workload int
	Load     float64
	Seed     int64
}

// Groups returns the number of groups. Group g has the runs from g times the number of policies.
func (d *Definition) Groups() int { return d.Runs() / len(d.Policies) }

// Group returns group number i, from 0. Groups are in the order of workloads, then loads, then
// seeds.
func (d *Definition) Group(i int) Group {
	for w := range d.Workloads {
		seeds := d.seeds(w)
		n := max(1, len(seeds))
		if all := len(d.Loads) * n; i >= all {
			i -= all
			continue
		}
		g := Group{Workload: w, Load: d.Loads[i/n]}
		if seeds != nil {
			g.Seed = seeds[i%n]
		}
		return g
	}
	panic("sweep: no group " + strconv.Itoa(i))
}

// Scenario returns the scenario of a run: the workload of a group with one policy.
func (d *Definition) Scenario(g Group, policy int) *scenario.Scenario {
	s := *d.Workloads[g.Workload].Scenario
	if s.Workload.Generator != nil {
		drawn := *s.Workload.Generator
		drawn.Seed = g.Seed
		s.Workload.Generator = &drawn
	}
	if g.Load != 1 {
		s.Rules.LoadFactor = cmp.Or(s.Rules.LoadFactor, 1) * g.Load
	}
	p := d.Policies[policy]
	p.Baseline, p.Title = false, ""
	s.Policies = []scenario.Policy{p}
	return &s
}
