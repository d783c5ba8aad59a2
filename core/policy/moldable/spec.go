package moldable

import (
	"math"

	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// The values of the knob allocation: which sizer decides the sizes, and when.
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
	Summary: "The scheduler chooses how many processors each moldable job gets. By default, each processor goes where it shortens a runtime most.",
	Paper:   "Wu et al. 2015; Downey 1997",
	Knobs: []policy.Knob{
		{Name: "allocation", Title: "allocation", Kind: policy.Choice, Default: byRevenue, Choices: []string{byRevenue, byRuntime, bySubmit, bySchedule},
			ChoiceTitles: []string{"highest revenue first (HRF)", "best size at submission", "fair share at submission", "fair share at each event"}, Needs: policy.NeedsMoldable,
			Help: "how sizes are chosen. hrf: each processor goes to the job whose runtime it shortens most; submit-greedy: at submission, the best size for the job alone; submit-fair: at submission, the best size within the share of the processors that is proportional to the sequential runtime of the job; schedule-fair: like submit-fair, but again at each event"},
		{Name: "select", Title: "selection", Kind: policy.Choice, Default: "fcfs", Choices: []string{"fcfs", "sjf", "easy"},
			ChoiceTitles: []string{"FCFS", "shortest first (SJF)", "EASY"},
			Help:         "which waiting jobs start, once their sizes are chosen. fcfs: strict queue order; sjf: shortest runtime first; easy: EASY backfilling"},
		{Name: "alpha", Title: "processors to hand out (alpha)", Kind: policy.Number, Default: "1", Min: 0, Max: 100, DependsOn: "allocation", DependsOnValues: []string{byRevenue, bySubmit, bySchedule}, Needs: policy.NeedsMoldable,
			Help: "number of processors to hand out or to share, as a multiple of the processors of the machine"},
		{Name: "threshold", Title: "largest size", Kind: policy.Number, Default: "0.9", Min: 0, Max: 1, Needs: policy.NeedsMoldable,
			Help: "largest size of a job, as a share of the machine, but at least one processor. allocation=hrf rounds it up, the other values round it down"},
		{Name: "budget-includes-initial", Title: "alpha includes the first processor", Kind: policy.Switch, Default: "false", DependsOn: "allocation", DependsOnValues: []string{byRevenue}, Needs: policy.NeedsMoldable,
			Help: "whether the first processor of each job counts against alpha. true: yes, as in the paper's example; false: no, as in the paper's listing"},
		{Name: "stop-at-zero", Title: "stop without a gain", Kind: policy.Switch, Default: "true", DependsOn: "allocation", DependsOnValues: []string{byRevenue}, Needs: policy.NeedsMoldable,
			Help: "what happens when no further processor shortens a runtime. true: the policy stops handing out processors; false: it continues"},
		{Name: "realloc", Title: "sizes are chosen", Kind: policy.Choice, Default: "pass", Choices: []string{"pass", "start"},
			ChoiceTitles: []string{"at each event", "also after each start"}, DependsOn: "allocation", DependsOnValues: []string{byRevenue, bySchedule}, Needs: policy.NeedsMoldable,
			Help: "when sizes are chosen again"},
		{Name: "greedy", Title: "best size", Kind: policy.Choice, Default: "runtime", Choices: []string{"runtime", byTurnaround},
			ChoiceTitles: []string{"shortest runtime", "earliest end"}, DependsOn: "allocation", DependsOnValues: []string{byRuntime}, Needs: policy.NeedsMoldable,
			Help: "what the best size of a job minimizes. runtime: the runtime of the job; turnaround: the time at which the job ends in a plan of all jobs"},
		{Name: "fair-population", Title: "jobs that share", Kind: policy.Choice, Default: "queued+running", Choices: []string{"queued+running", queuedOnly},
			ChoiceTitles: []string{"all jobs in the system", "waiting jobs"}, DependsOn: "allocation", DependsOnValues: []string{bySubmit}, Needs: policy.NeedsMoldable,
			Help: "jobs with which a new job shares the processors"},
	},
	New: build,
}

func build(v policy.Values) sim.Policy {
	m := &Moldable{allocateAfterStarts: v.Text("realloc") == "start", sizer: newSizer(v), selection: newSelection(v.Text("select"))}
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

// rules holds the knob values that the sizers use.
type rules struct {
	alpha         float64 // budget, as a multiple of the processors of the machine
	threshold     float64 // maximum size of a job, as a fraction of the processors of the machine
	includesFirst bool    // the first processor of each job counts against the budget
	stopAtZero    bool    // hand out no processors without revenue
}

// epsilon is the tolerance for rounding errors, so that 0.29 * 100 counts as 29.
const epsilon = 1e-9

// floorWithTolerance rounds x down, after adding epsilon.
func floorWithTolerance(x float64) int { return int(math.Floor(x + epsilon)) }

// budget returns the number of processors to hand out on a machine of m processors.
func (r *rules) budget(m int) int { return floorWithTolerance(r.alpha * float64(m)) }

// maxSizeHRF returns the maximum size of a job under hrf on a machine of m processors. Algorithm 1 of
// Wu et al. 2015 gives one more processor to jobs below the threshold, so the threshold is rounded up.
func (r *rules) maxSizeHRF(m int) int {
	return min(max(1, int(math.Ceil(r.threshold*float64(m)-epsilon))), m)
}

// maxSize returns the maximum size of a job on a machine of m processors under all sizers except
// hrf. They round the threshold down.
func (r *rules) maxSize(m int) int { return max(1, floorWithTolerance(r.threshold*float64(m))) }

// Presets lists the combinations of allocation and selection that Wu et al. 2015, section 6,
// compare.
var Presets = []policy.Preset{
	preset("wu-hrf-fcfs", "Moldable, highest revenue first, FCFS", "HRFFcfs", byRevenue, "fcfs"),
	preset("wu-hrf-easy", "Moldable, highest revenue first, EASY", "HRFBf", byRevenue, "easy"),
	preset("wu-greedy-fcfs", "Moldable, best size for each job alone, FCFS", "SbmGrdyFcfs", byRuntime, "fcfs"),
	preset("wu-greedy-easy", "Moldable, best size for each job alone, EASY", "SbmGrdyBf", byRuntime, "easy"),
	preset("wu-submit-fair-fcfs", "Moldable, size by fair share, chosen at submission, FCFS", "SbmFairFcfs", bySubmit, "fcfs"),
	preset("wu-submit-fair-easy", "Moldable, size by fair share, chosen at submission, EASY", "SbmFairBf", bySubmit, "easy"),
	preset("wu-schedule-fair-fcfs", "Moldable, size by fair share, chosen at each event, FCFS", "SchFairFcfs", bySchedule, "fcfs"),
	preset("wu-schedule-fair-easy", "Moldable, size by fair share, chosen at each event, EASY", "SchFairBf", bySchedule, "easy"),
}

// preset returns a preset of the policy moldable. Its last two arguments are the values of the knobs allocation and
// select.
func preset(name, title, short, allocation, selection string) policy.Preset {
	return policy.Preset{Name: name, Title: title, Short: short, Paper: "Wu et al. 2015", Policy: "moldable",
		Knobs: [][2]string{{"allocation", allocation}, {"select", selection}}}
}
