package sweep

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
	"backfill-lab/core/scenario"
	"backfill-lab/core/schedule"
	"backfill-lab/core/sim"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/draw"
)

// Values holds the results of a run, by metric name. A metric that does not apply is missing.
type Values map[string]float64

// JobLoader returns the jobs of a scenario, ready to run. The caller of this package provides this
// function, because the jobs may be in files, which the package does not open.
type JobLoader func(*scenario.Scenario) (*scenario.Setup, error)

// Jobs holds the jobs of a group. All runs of the group share them.
type Jobs struct {
	d     *Definition
	group Group
	setup *scenario.Setup
	tuned *TunedArrivals // nil if the definition sets no queue length
}

// Setup returns the scenario with the jobs, ready to run.
func (j *Jobs) Setup() *scenario.Setup { return j.setup }

// TunedArrivals returns the arrivals that Prepare found for the queue length in the definition.
// It returns nil if the definition sets no queue length.
func (j *Jobs) TunedArrivals() *TunedArrivals { return j.tuned }

// Prepare generates or loads the jobs of a group. If the workload requires it, Prepare also
// resamples the jobs, or searches for the arrival rate that gives the queue length in the
// definition.
func (d *Definition) Prepare(g Group, load JobLoader) (*Jobs, error) {
	x, err := d.Scenario(g, 0), error(nil)
	j := &Jobs{d: d, group: g}
	if q := d.Workloads[g.Workload].Queue; q != nil {
		x, j.tuned, err = q.tune(x, load)
	}
	if blocks := d.Workloads[g.Workload].Resample; err == nil && blocks != "" {
		j.setup, err = drawBlocks(x, load, blocks, g.Seed)
	} else if err == nil {
		j.setup, err = load(x)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.Describe(g), err)
	}
	return j, nil
}

// Describe returns a name for a group, such as "lublin, load factor 1.2, seed 3".
func (d *Definition) Describe(g Group) string {
	out := d.Workloads[g.Workload].Name
	if len(d.Loads) > 1 || g.Load != 1 {
		out += ", load factor " + strconv.FormatFloat(g.Load, 'g', -1, 64)
	}
	if d.SeedsOf(g.Workload) != nil {
		out += ", seed " + strconv.FormatInt(g.Seed, 10)
	}
	return out
}

// Run runs a policy on the jobs, checks that the schedule is valid, and returns all metrics that
// apply.
func (j *Jobs) Run(policy int) (Values, error) { return j.RunWith(policy, (*sim.Engine).Run) }

// RunWith is like Run, but calls the function drive to run the engine to its end, so that the
// caller can do other work during a run. If drive returns an error, RunWith returns it.
func (j *Jobs) RunWith(policy int, drive func(*sim.Engine) error) (Values, error) {
	x := j.d.Scenario(j.group, policy)
	setup := *j.setup
	setup.Work = withExactEstimates(setup.Work, j.d.Policies[policy].ExactEstimates)
	values, err := runWith(x, &setup, j.d.level(), drive)
	if err != nil {
		return nil, fmt.Errorf("%s, %s: %w", j.d.Describe(j.group), j.d.Titles()[policy], err)
	}
	return values, nil
}

// Count returns the number of jobs.
func (j *Jobs) Count() int { return len(j.setup.Work.Jobs) }

// withExactEstimates returns a copy of the workload in which the given percentage of jobs have
// estimates equal to their runtimes. If the percentage is 0, it returns w itself.
func withExactEstimates(w *workload.Workload, percent int) *workload.Workload {
	if percent == 0 {
		return w
	}
	out := *w
	out.Jobs = ExactEstimates(w.Jobs, percent)
	return &out
}

// ExactEstimates returns a copy of the jobs in which the given percentage of jobs have estimates
// equal to their runtimes. A hash of the job's index decides whether its estimate is changed.
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

// runWith runs a policy on prepared jobs and returns the metrics, or an error if the schedule is
// invalid. Scenario x is the scenario of the jobs, with the policy to run as its only policy. The
// argument level is the log level that the metrics need. The run uses a higher level if the policy
// or the jobs need it.
func runWith(x *scenario.Scenario, jobs *scenario.Setup, level log.Level, drive func(*sim.Engine) error) (Values, error) {
	up, err := jobs.WithPolicies(x)
	if err != nil {
		return nil, err
	}
	c, err := up.Config(0, max(level, up.LeastLevel(0)))
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
	ran := schedule.FromLog(e.Log())
	if found := schedule.CheckRun(e.Log(), ran, schedule.Options{Promises: up.Speed == nil, Rates: up.Speed != nil}); len(found) > 0 {
		return nil, fmt.Errorf("the schedule is invalid: %s", found[0])
	}
	out := Values{}
	for _, v := range metrics.Compute(ran, c.Machine, x.MetricOptions()) {
		if v.Applies {
			out[v.Metric.Name] = v.Number
		}
	}
	return out, nil
}

// slotMetrics lists the metrics that need the slots of jobs. The metrics in decisionMetrics, and all
// metrics whose names begin with late- or early-, need the decisions of the policy. All other metrics
// need only the starts and finishes of jobs.
var (
	slotMetrics     = []string{"node-utilization", "high-load-node-utilization"}
	decisionMetrics = []string{"promises-given", "promises-kept", "profile-events", "unfairness", "skip-unfairness", "groups", "jobs-per-group", "grouped-jobs"}
)

// level returns the log level that the runs need for the metrics.
func (d *Definition) level() log.Level {
	level := log.Starts
	for _, m := range d.Metrics {
		switch {
		case slices.Contains(decisionMetrics, m), strings.HasPrefix(m, "late-"), strings.HasPrefix(m, "early-"):
			return log.Decisions
		case slices.Contains(slotMetrics, m):
			level = log.Spans
		}
	}
	return level
}

// levelWords holds the word for each log level in the keys of runs. Older versions ran at level
// spans where level starts now suffices. Level starts therefore keeps the word "spans", so that the
// results of older versions stay usable.
var levelWords = map[log.Level]string{log.Starts: "spans", log.Spans: "slots", log.Decisions: "decisions"}

// Key returns a text that identifies a run by its jobs, its policy and its log level. If runs in
// different sweeps have equal keys, they have equal results.
func (d *Definition) Key(g Group, policy int) string {
	h := fnv.New128a()
	fmt.Fprintln(h, levelWords[d.level()], d.JobsKey(g), d.policyText(g.Workload, policy), d.Policies[policy].ExactEstimates)
	return hex.EncodeToString(h.Sum(nil))
}

// JobsKey returns a text that identifies the jobs and the machine of a group.
func (d *Definition) JobsKey(g Group) string {
	h, w := fnv.New128a(), &d.Workloads[g.Workload]
	fmt.Fprintln(h, d.workloadHash(g.Workload), g.Load)
	if w.Scenario.Workload.Generator != nil {
		fmt.Fprintln(h, g.Seed)
	}
	if w.Resample != "" {
		fmt.Fprintln(h, w.Resample, g.Seed)
	}
	if w.Queue != nil {
		fmt.Fprintln(h, *w.Queue)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// workloadHash returns the hash of a workload, without settings that differ between groups, such as
// load and seed. It hashes each workload only once, because a workload may list millions of jobs.
func (d *Definition) workloadHash(w int) string {
	if d.hashes == nil {
		d.hashes = make([]string, len(d.Workloads))
		for i := range d.Workloads {
			d.hashes[i] = scenario.Hash(d.Workloads[i].Scenario)
		}
	}
	return d.hashes[w]
}

// policyText returns the name of a policy with its knobs, such as "easy order=sjf". It computes the
// texts only once, unless the workload sets knobs.
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
