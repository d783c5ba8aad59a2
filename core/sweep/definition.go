// Package sweep defines experiments: every policy of a list on every workload, at several loads and
// with several seeds. It reads the definition of a sweep, lists its runs, makes a run and writes
// the table of results. It opens no files and starts no goroutines; its callers do.
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
	MaxPolicies  = 1000 // after the grids of knobs are expanded
	MaxSeeds     = 1_000_000
)

// Definition describes a sweep. It has a run for each workload, load, seed and policy.
type Definition struct {
	Title     string
	Text      string     // explanation for the reader
	Workloads []Workload // nil if the sweep runs on traces that the user names
	Loads     []float64  // load factors; {1} if the definition has none
	Seeds     []int64    // for generated workloads; nil if each keeps its own seed
	Policies  []Policy
	Metrics   []string // names of metrics, in the order of the table
	Study     *Study   // nil if the definition is not the study of a paper

	// The fields below are computed when they are first needed.
	hash        string   // of the sweep; see Hash
	hashes      []string // of the workloads; see workloadHash
	titles      []string // of the policies; see Titles
	policyTexts []string // see policyText
}

// Policy is a policy to run on every workload.
type Policy struct {
	scenario.Policy
	ExactEstimates int  // percentage of jobs whose estimates are replaced by their runtimes
	KeepsKnobs     bool // whether its knobs take precedence over the knobs of a workload
}

// Label returns the name by which columns of a study refer to the policy: its title, or its name, its
// knobs and the percentage of exact estimates.
func (p *Policy) Label() string {
	switch {
	case p.Title != "":
		return p.Title
	case p.ExactEstimates > 0:
		return fmt.Sprintf("%s exact=%d%%", p, p.ExactEstimates)
	}
	return p.String()
}

// DefaultMetrics lists the metrics of a sweep whose definition names none.
var DefaultMetrics = []string{"mean-wait", "mean-bounded-slowdown", "utilization", "max-wait"}

// Titles returns the distinct titles of the policies for the table of runs, with the names of knobs.
func (d *Definition) Titles() []string {
	if d.titles == nil {
		d.titles = (&scenario.Scenario{Policies: d.scenarioPolicies()}).PlainTitles()
	}
	return d.titles
}

// Baseline returns the index of the policy that the others are compared with.
func (d *Definition) Baseline() int {
	return (&scenario.Scenario{Policies: d.scenarioPolicies()}).Baseline()
}

// scenarioPolicies converts the policies to policies of a scenario. The title of a policy for which
// some estimates are exact says so.
func (d *Definition) scenarioPolicies() (out []scenario.Policy) {
	for i := range d.Policies {
		p := d.Policies[i].Policy
		if n := d.Policies[i].ExactEstimates; n > 0 && p.Title == "" {
			p.Title = fmt.Sprintf("%s, %d %% of the estimates exact", p.PlainTitle(), n)
		}
		out = append(out, p)
	}
	return out
}

// Runs returns the number of runs. It is more than MaxRuns, but not exact, if there are too many.
func (d *Definition) Runs() int {
	n := 0
	for i := range d.Workloads {
		n += product(len(d.Loads), max(1, len(d.SeedsOf(i))), len(d.Policies))
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

// SeedsOf returns the seeds of a workload, or nil if its jobs are not generated.
func (d *Definition) SeedsOf(workload int) []int64 {
	w := &d.Workloads[workload]
	g := w.Scenario.Workload.Generator
	switch {
	case g == nil:
		return nil
	case w.Seeds != nil:
		return w.Seeds
	case d.Seeds == nil:
		return []int64{g.Seed}
	}
	return d.Seeds
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

// Scenario returns the scenario of a run: the workload of a group with one policy. Slowdowns with the
// seed of the jobs keep the seed of the jobs.
func (d *Definition) Scenario(g Group, policy int) *scenario.Scenario {
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
	s.Policies = []scenario.Policy{d.policyOn(w, policy)}
	return &s
}

// loadFactor returns the load factor of the scenarios of a group, 0 if none is set.
func (d *Definition) loadFactor(g Group) float64 {
	factor := d.Workloads[g.Workload].Scenario.Rules.LoadFactor
	if g.Load != 1 {
		factor = cmp.Or(factor, 1) * g.Load
	}
	return factor
}

// policyOn returns a policy with the knobs of a workload. Knobs of an inner policy are set only in
// policies that have an inner policy.
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
