package sweep

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"

	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
	"backfill-lab/core/scenario"
	"backfill-lab/core/schedule"
	"backfill-lab/core/sim"
)

// Values holds the results of a run, by the name of the metric. Metrics that do not apply are
// missing.
type Values map[string]float64

// Load prepares the jobs of a scenario. The caller opens the files that a scenario names.
type Load func(*scenario.Scenario) (*scenario.Setup, error)

// Jobs are the jobs of a group, which all its runs share.
type Jobs struct {
	d     *Definition
	group Group
	setup *scenario.Setup
}

// Prepare draws or loads the jobs of a group.
func (d *Definition) Prepare(g Group, load Load) (*Jobs, error) {
	up, err := load(d.Scenario(g, 0))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.Describe(g), err)
	}
	return &Jobs{d, g, up}, nil
}

// Describe names a group, such as "lublin, load 1.2, seed 3".
func (d *Definition) Describe(g Group) string {
	out := d.Workloads[g.Workload].Name
	if len(d.Loads) > 1 || g.Load != 1 {
		out += ", load " + strconv.FormatFloat(g.Load, 'g', -1, 64)
	}
	if d.seeds(g.Workload) != nil {
		out += ", seed " + strconv.FormatInt(g.Seed, 10)
	}
	return out
}

// Run runs a policy on the jobs, checks the schedule and returns all metrics that apply.
func (j *Jobs) Run(policy int) (Values, error) { return j.RunWith(policy, (*sim.Engine).Run) }

// RunWith does the same as Run. It calls drive to run the engine to its end, for callers that have to
// do other work during a run. If drive returns an error, there are no results.
func (j *Jobs) RunWith(policy int, drive func(*sim.Engine) error) (Values, error) {
	x := j.d.Scenario(j.group, policy)
	values, err := runWith(x, j.setup, j.d.level(), drive)
	if err != nil {
		return nil, fmt.Errorf("%s, %s: %w", j.d.Describe(j.group), &x.Policies[0], err)
	}
	return values, nil
}

// Count returns the number of jobs.
func (j *Jobs) Count() int { return len(j.setup.Work.Jobs) }

func run(x *scenario.Scenario, jobs *scenario.Setup, level log.Level) (Values, error) {
	return runWith(x, jobs, level, (*sim.Engine).Run)
}

func runWith(x *scenario.Scenario, jobs *scenario.Setup, level log.Level, drive func(*sim.Engine) error) (Values, error) {
	up, err := x.WithWorkload(jobs.Work)
	if err != nil {
		return nil, err
	}
	c, err := up.Config(0, level)
	if err != nil {
		return nil, err
	}
	e, err := sim.New(c)
	if err != nil {
		return nil, err
	}
	if err := drive(e); err != nil {
		return nil, err
	}
	if found := schedule.CheckLogWith(e.Log(), schedule.Options{Promises: up.Speed == nil, Rates: up.Speed != nil}); len(found) > 0 {
		return nil, fmt.Errorf("the schedule is invalid: %s", found[0])
	}
	out := Values{}
	for _, v := range metrics.Compute(schedule.FromLog(e.Log()), c.Machine, x.Metrics()) {
		if v.Applies {
			out[v.Metric.Name] = v.Number
		}
	}
	return out, nil
}

// decisionMetrics lists the metrics that need more of the log than starts and finishes.
var decisionMetrics = []string{"promises-given", "promises-kept", "profile-events", "unfairness", "skip-unfairness", "groups", "jobs-per-group", "grouped-jobs"}

// level returns how much the runs have to record for the metrics.
func (d *Definition) level() log.Level {
	for _, m := range d.Metrics {
		if slices.Contains(decisionMetrics, m) {
			return log.Decisions
		}
	}
	return log.Spans
}

// Key identifies the content of a run: its jobs, its policy and what it records. Runs of different
// sweeps with equal keys have equal results.
func (d *Definition) Key(g Group, policy int) string {
	x := d.Scenario(g, policy)
	h := fnv.New128a()
	fmt.Fprintln(h, d.level(), d.workloadHash(g.Workload), x.Rules.LoadFactor, x.Policies[0].String())
	if x.Workload.Generator != nil {
		fmt.Fprintln(h, g.Seed)
	}
	return fmt.Sprintf("%032x", h.Sum(nil))
}

// workloadHash returns the hash of a workload without what the group sets. It is computed once,
// since a workload may list millions of jobs.
func (d *Definition) workloadHash(w int) string {
	if d.hashes == nil {
		d.hashes = make([]string, len(d.Workloads))
		for i := range d.Workloads {
			d.hashes[i] = scenario.Hash(d.Workloads[i].Scenario)
		}
	}
	return d.hashes[w]
}
