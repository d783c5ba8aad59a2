// Package sweep defines experiments that run every policy in a list on every workload, at several
// loads and with several seeds. It reads the definition of a sweep, makes its runs and writes a
// table of the results. The caller opens files and starts goroutines.
package sweep

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"

	"backfill-lab/core/scenario"
)

// These constants limit the size of a sweep.
const (
	MaxRuns      = 10_000_000
	MaxWorkloads = 1000
	MaxPolicies  = 1000 // counting every combination of knob values
	MaxSeeds     = 1_000_000
)

// Definition defines a sweep. It has one run for each combination of workload, load, seed and
// policy.
type Definition struct {
	Title     string
	Text      string     // explanation for readers
	Workloads []Workload // nil if the sweep runs on traces that the user provides
	Loads     []float64  // load factors; {1} if the definition gives none
	Seeds     []int64    // seeds for workloads that are generated or resampled; nil if each of them has its own
	Policies  []Policy
	Metrics   []string // names of metrics, in the order of the table
	Study     *Study   // table and figure of a paper that the sweep reproduces; nil if there is none

	// The fields below are computed when they are first used.
	hash        string   // result of Hash
	hashes      []string // by workload: result of workloadHash
	titles      []string // result of Titles
	policyTexts []string // by policy: result of policyText
}

// Policy is a policy to run on every workload.
type Policy struct {
	scenario.Policy
	ExactEstimates int  // percentage of jobs whose estimate is replaced by the runtime
	KeepsKnobs     bool // whether the knobs of the policy take precedence over knobs of the workload
}

// Label returns the name by which columns of a study refer to the policy. This is its title, or
// else its name with its knobs and the percentage of exact estimates.
func (p *Policy) Label() string {
	switch {
	case p.Title != "":
		return p.Title
	case p.ExactEstimates > 0:
		return fmt.Sprintf("%s exact=%d%%", p, p.ExactEstimates)
	}
	return p.String()
}

// DefaultMetrics lists the metrics of a sweep whose definition lists none.
var DefaultMetrics = []string{"mean-wait", "mean-bounded-slowdown", "utilization", "max-wait"}

// Titles returns a unique title for each policy. Both tables, that of runs and that of summaries,
// contain these titles. They are the titles that a scenario with the same policies has, so the page
// and the command backfill compare also show them.
func (d *Definition) Titles() []string {
	if d.titles == nil {
		d.titles = (&scenario.Scenario{Policies: d.scenarioPolicies()}).Titles()
	}
	return d.titles
}

// Baseline returns the index of the policy with which the others are compared.
func (d *Definition) Baseline() int {
	return (&scenario.Scenario{Policies: d.scenarioPolicies()}).Baseline()
}

// scenarioPolicies converts the policies to policies of a scenario. If a policy has exact estimates
// but no title, it gets a title that contains their percentage.
func (d *Definition) scenarioPolicies() (out []scenario.Policy) {
	for i := range d.Policies {
		p := d.Policies[i].Policy
		if n := d.Policies[i].ExactEstimates; n > 0 && p.Title == "" {
			p.Title = fmt.Sprintf("%s, %d %% of the estimates exact", p.DerivedTitle(), n)
		}
		out = append(out, p)
	}
	return out
}

// Runs returns the number of runs. If that is more than MaxRuns, it returns some number above
// MaxRuns.
func (d *Definition) Runs() int {
	n := 0
	for i := range d.Workloads {
		n += product(len(d.Loads), max(1, len(d.SeedsOf(i))), len(d.Policies))
	}
	return n
}

// product returns the product of the given counts. If it exceeds MaxRuns, the result is some number
// above MaxRuns.
func product(counts ...int) int {
	n := 1.0
	for _, c := range counts {
		n *= float64(c)
	}
	return int(math.Min(n, 2*MaxRuns))
}

// SeedsOf returns the seeds of a workload. It returns nil if the jobs are neither generated nor
// resampled, because nothing is random then.
func (d *Definition) SeedsOf(workload int) []int64 {
	w := &d.Workloads[workload]
	g := w.Scenario.Workload.Generator
	switch {
	case g == nil && w.Resample == "":
		return nil
	case w.Seeds != nil:
		return w.Seeds
	case d.Seeds == nil && g != nil:
		return []int64{g.Seed}
	}
	return d.Seeds
}

// Group identifies the runs that use the same jobs: a workload at a load, with a seed.
type Group struct {
	Workload int     // index in Definition.Workloads
	Load     float64 // load factor
	Seed     int64   // seed of the jobs; 0 if SeedsOf returns nil
}

// Groups returns the number of groups. The first run of group g has the number g * len(d.Policies).
func (d *Definition) Groups() int { return d.Runs() / len(d.Policies) }

// Group returns group number i, from 0. Groups are sorted by workload, then by load, then by seed.
func (d *Definition) Group(i int) Group {
	for w := range d.Workloads {
		seeds := d.SeedsOf(w)
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

// Scenario returns the workload of a group as a scenario, with the given policies. If the workload
// uses one seed for both the jobs and their slowdowns, the seed of the group replaces both.
func (d *Definition) Scenario(g Group, policies ...int) *scenario.Scenario {
	w := &d.Workloads[g.Workload]
	s := *w.Scenario
	if s.Workload.Generator != nil {
		drawn := *s.Workload.Generator
		if slows := s.Slowdown; slows != nil && slows.Drawn && slows.Seed == drawn.Seed {
			own := *slows
			own.Seed, s.Slowdown = g.Seed, &own
		}
		drawn.Seed = g.Seed
		s.Workload.Generator = &drawn
	}
	s.Rules.LoadFactor = d.loadFactor(g)
	s.Policies = nil
	for _, p := range policies {
		s.Policies = append(s.Policies, d.policyOn(w, p))
	}
	return &s
}

// loadFactor returns the load factor for the scenarios of a group, or 0 if none is needed.
func (d *Definition) loadFactor(g Group) float64 {
	factor := d.Workloads[g.Workload].Scenario.Rules.LoadFactor
	if g.Load != 1 {
		factor = cmp.Or(factor, 1) * g.Load
	}
	return factor
}

// policyOn returns a policy with the knobs that workload w sets, but without its title and baseline
// mark. If KeepsKnobs is set, knobs that the policy itself sets stay as they are. Knobs of an inner
// policy are set only if the policy has an inner policy.
func (d *Definition) policyOn(w *Workload, policy int) scenario.Policy {
	p := d.Policies[policy]
	p.Baseline, p.Title = false, ""
	if len(w.Knobs) == 0 {
		return p.Policy
	}
	own := p.Knobs
	p.Knobs = map[string]string{}
	maps.Copy(p.Knobs, own)
	for name, value := range w.Knobs {
		_, isSet := own[name]
		if !(isSet && p.KeepsKnobs) && (own["inner"] != "" || !strings.HasPrefix(name, "inner.")) {
			p.Knobs[name] = value
		}
	}
	return p.Policy
}
