package sweep

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
	"backfill-lab/core/scenario"
	"backfill-lab/core/schedule"
	"backfill-lab/core/sim"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/draw"
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
	tuned *Tuned
}

// Setup returns the jobs with their machine.
func (j *Jobs) Setup() *scenario.Setup { return j.setup }

// Tuned returns the arrival rate of the jobs and their queue, nil if the model sets the rate.
func (j *Jobs) Tuned() *Tuned { return j.tuned }

// Prepare draws or loads the jobs of a group.
func (d *Definition) Prepare(g Group, load Load) (*Jobs, error) {
	x, err := d.Scenario(g, 0), error(nil)
	j := &Jobs{d: d, group: g}
	if q := d.Workloads[g.Workload].Queue; q != nil {
		x, j.tuned, err = q.tune(x, load)
	}
	if err == nil {
		j.setup, err = load(x)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.Describe(g), err)
	}
	return j, nil
}

// Describe names a group, such as "lublin, load 1.2, seed 3".
func (d *Definition) Describe(g Group) string {
	out := d.Workloads[g.Workload].Name
	if len(d.Loads) > 1 || g.Load != 1 {
		out += ", load " + strconv.FormatFloat(g.Load, 'g', -1, 64)
	}
	if d.SeedsOf(g.Workload) != nil {
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
	setup := *j.setup
	setup.Work = withExactEstimates(setup.Work, j.d.Policies[policy].ExactEstimates)
	values, err := runWith(x, &setup, j.d.level(), drive)
	if err != nil {
		return nil, fmt.Errorf("%s, %s: %w", j.d.Describe(j.group), &x.Policies[0], err)
	}
	return values, nil
}

// Count returns the number of jobs.
func (j *Jobs) Count() int { return len(j.setup.Work.Jobs) }

// withExactEstimates returns the workload with a percentage of the estimates equal to the runtimes.
func withExactEstimates(w *workload.Workload, percent int) *workload.Workload {
	if percent == 0 {
		return w
	}
	out := *w
	out.Jobs = ExactEstimates(w.Jobs, percent)
	return &out
}

// ExactEstimates returns a copy of jobs in which a percentage of the estimates equal the runtimes. A
// hash of its index decides whether a job gets an exact estimate.
func ExactEstimates(jobs []job.Job, percent int) []job.Job {
	out := slices.Clone(jobs)
	for i := range out {
		if int(draw.Mix(uint64(i))%100) < percent {
			out[i].Estimate = out[i].Runtime
		}
	}
	return out
}

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
	h := fnv.New128a()
	fmt.Fprintln(h, d.level(), d.JobsKey(g), d.policyText(g.Workload, policy), d.Policies[policy].ExactEstimates)
	return hex.EncodeToString(h.Sum(nil))
}

// JobsKey identifies the jobs of a group and their machine.
func (d *Definition) JobsKey(g Group) string {
	h, w := fnv.New128a(), &d.Workloads[g.Workload]
	fmt.Fprintln(h, d.workloadHash(g.Workload), g.Load)
	if w.Scenario.Workload.Generator != nil {
		fmt.Fprintln(h, g.Seed)
	}
	if w.Queue != nil {
		fmt.Fprintln(h, *w.Queue)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// workloadHash returns the hash of a workload without the settings that differ between groups, such
// as load and seed. It is computed once, since a workload may list millions of jobs.
func (d *Definition) workloadHash(w int) string {
	if d.hashes == nil {
		d.hashes = make([]string, len(d.Workloads))
		for i := range d.Workloads {
			d.hashes[i] = scenario.Hash(d.Workloads[i].Scenario)
		}
	}
	return d.hashes[w]
}

// policyText returns the name of a policy with its knobs, such as "easy order=sjf". It is computed
// once, unless the workload sets knobs.
func (d *Definition) policyText(workload, policy int) string {
	if w := &d.Workloads[workload]; len(w.Knobs) > 0 {
		x := d.policyOn(w, policy)
		return x.String()
	}
	if d.policyTexts == nil {
		d.policyTexts = make([]string, len(d.Policies))
		for i := range d.Policies {
			d.policyTexts[i] = d.Policies[i].String()
		}
	}
	return d.policyTexts[policy]
}
