package moldable

import (
	"math"

	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// The ways to choose sizes.
const (
	byRevenue  = "hrf"           // highest revenue first, at each instant
	byRuntime  = "submit-greedy" // what is best for the job, at its submission
	bySubmit   = "submit-fair"   // within its share, at its submission
	bySchedule = "schedule-fair" // within its share, at each instant
)

const (
	byTurnaround = "turnaround" // of the knob greedy
	queuedOnly   = "queued"     // of the knob fair-population
)

// Spec presents the policy.
var Spec = policy.Spec{
	Name: "moldable", Title: "Moldable",
	Summary: "The scheduler chooses how many processors each moldable job gets: each processor goes where it shortens a runtime most.",
	Paper:   "Wu et al. 2015; Downey 1997",
	Knobs: []policy.Knob{
		{Name: "allocation", Kind: policy.Choice, Default: byRevenue, Choices: []string{byRevenue, byRuntime, bySubmit, bySchedule},
			Help: "how sizes are chosen: each processor where it shortens a runtime most; what is best for each job alone, when it is submitted; or a share by sequential runtime, when it is submitted or at each event"},
		{Name: "select", Kind: policy.Choice, Default: "fcfs", Choices: []string{"fcfs", "sjf", "easy"},
			Help: "how jobs start with these sizes: strict queue order, shortest runtime first, or EASY backfilling"},
		{Name: "alpha", Kind: policy.Number, Default: "1", Min: 0, Max: 100,
			Help: "processors to hand out or to share, as a multiple of the machine's"},
		{Name: "threshold", Kind: policy.Number, Default: "0.9", Min: 0, Max: 1,
			Help: "largest size of a job, as a share of the machine: rounded up by hrf, down by the others; every job may have one processor"},
		{Name: "budget-includes-initial", Kind: policy.Switch, Default: "false",
			Help: "the first processor of each job counts against alpha, as in the paper's example; its listing counts only those beyond (hrf only)"},
		{Name: "stop-at-zero", Kind: policy.Switch, Default: "true",
			Help: "no processor is handed out that shortens nothing (hrf only)"},
		{Name: "realloc", Kind: policy.Choice, Default: "pass", Choices: []string{"pass", "start"},
			Help: "when sizes are chosen anew: once at each event, or also after each start (hrf and schedule-fair only)"},
		{Name: "greedy", Kind: policy.Choice, Default: "runtime", Choices: []string{"runtime", byTurnaround},
			Help: "what is best for a job: the shortest runtime, or the first end in a plan of all jobs (submit-greedy only)"},
		{Name: "fair-population", Kind: policy.Choice, Default: "queued+running", Choices: []string{"queued+running", queuedOnly},
			Help: "the jobs that a new job shares with (submit-fair only)"},
	},
	New: build,
}

func build(v policy.Values) sim.Policy {
	m := &Moldable{eager: v.Text("realloc") == "start", sizer: newSizer(v), selection: newSelection(v.Text("select"))}
	m.waiting.Queue = policy.NewQueue(policy.FIFO)
	return m
}

func newSizer(v policy.Values) sizer {
	r := rules{alpha: v.Float("alpha"), threshold: v.Float("threshold"),
		includesFirst: v.On("budget-includes-initial"), stopAtZero: v.On("stop-at-zero")}
	switch v.Text("allocation") {
	case byRuntime:
		return &submitGreedy{rules: r, turnaround: v.Text("greedy") == byTurnaround}
	case bySubmit:
		return &submitFair{rules: r, queuedOnly: v.Text("fair-population") == queuedOnly}
	case bySchedule:
		return &scheduleFair{r}
	}
	return &hrf{rules: r}
}

func newSelection(name string) selection {
	if name == "easy" {
		return &easy{front: policy.Front{Head: job.None}}
	}
	return &fcfs{held: job.None, shortest: name == "sjf"}
}

// rules is the knobs of the sizers.
type rules struct {
	alpha, threshold          float64
	includesFirst, stopAtZero bool
}

// epsilon is the difference up to which numbers are taken as equal that differ
// by rounding: 0.29 * 100 is 29.
const epsilon = 1e-9

// whole returns x rounded down.
func whole(x float64) int { return int(math.Floor(x + epsilon)) }

// budget returns the processors to hand out on a machine of m.
func (r *rules) budget(m int) int { return whole(r.alpha * float64(m)) }

// most returns the size up to which Algorithm 1 lets a job grow: a job below the
// threshold gets one more, so the threshold is rounded up.
func (r *rules) most(m int) int {
	return min(max(1, int(math.Ceil(r.threshold*float64(m)-epsilon))), m)
}

// largest returns the largest size that the other sizers choose.
func (r *rules) largest(m int) int { return max(1, whole(r.threshold*float64(m))) }
