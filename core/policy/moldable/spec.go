package moldable

import (
	"math"

	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// The values of the knob allocation: how sizes are decided.
const (
	byRevenue  = "hrf"           // at each event: highest revenue first
	byRuntime  = "submit-greedy" // at submission: the size that is best for the job alone
	bySubmit   = "submit-fair"   // at submission: a size within the fair share of the job
	bySchedule = "schedule-fair" // at each event: a size within the fair share of the job
)

const (
	byTurnaround = "turnaround" // a value of the knob greedy
	queuedOnly   = "queued"     // a value of the knob fair-population
)

// Spec describes the policy.
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
		return &easy{reservation: policy.HeadReservation{Head: job.None}}
	}
	return &fcfs{blocked: job.None, shortest: name == "sjf"}
}

// rules holds the knobs of the sizers.
type rules struct {
	alpha         float64 // budget, as a multiple of the processors of the machine
	threshold     float64 // maximum size, as a fraction of the processors of the machine
	includesFirst bool    // the first processor of each job counts against the budget
	stopAtZero    bool    // hand out no processors without revenue
}

// epsilon is the tolerance for rounding errors: 0.29 * 100 counts as 29.
const epsilon = 1e-9

// floor rounds x down, after adding epsilon.
func floor(x float64) int { return int(math.Floor(x + epsilon)) }

// budget returns the number of processors to hand out on a machine of m processors.
func (r *rules) budget(m int) int { return floor(r.alpha * float64(m)) }

// maxSizeHRF returns the maximum size of a job under Algorithm 1. The algorithm gives one more
// processor to jobs below the threshold, so the threshold is rounded up.
func (r *rules) maxSizeHRF(m int) int {
	return min(max(1, int(math.Ceil(r.threshold*float64(m)-epsilon))), m)
}

// maxSize returns the maximum size of a job under the other sizers, which round the threshold down.
func (r *rules) maxSize(m int) int { return max(1, floor(r.threshold*float64(m))) }

// Presets lists the combinations of allocation and selection that Wu et al. 2015, section 6,
// compare.
var Presets = []policy.Preset{
	preset("wu-hrf-fcfs", "HRFFcfs", byRevenue, "fcfs"),
	preset("wu-hrf-easy", "HRFBf", byRevenue, "easy"),
	preset("wu-greedy-fcfs", "SbmGrdyFcfs", byRuntime, "fcfs"),
	preset("wu-greedy-easy", "SbmGrdyBf", byRuntime, "easy"),
	preset("wu-submit-fair-fcfs", "SbmFairFcfs", bySubmit, "fcfs"),
	preset("wu-submit-fair-easy", "SbmFairBf", bySubmit, "easy"),
	preset("wu-schedule-fair-fcfs", "SchFairFcfs", bySchedule, "fcfs"),
	preset("wu-schedule-fair-easy", "SchFairBf", bySchedule, "easy"),
}

// preset returns the preset with an allocation and a selection.
func preset(name, title, allocation, selection string) policy.Preset {
	return policy.Preset{Name: name, Title: title, Policy: "moldable", Knobs: [][2]string{{"allocation", allocation}, {"select", selection}}}
}
