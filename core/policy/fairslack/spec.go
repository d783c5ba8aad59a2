// Package fairslack implements backfilling with sets of jobs (Jin 2009, sections 4 and 5). At each
// event it searches the sets of waiting jobs that fit. It rejects sets that would delay a waiting
// job beyond its slack. From the remaining sets it starts the set that keeps all jobs closest to
// their fair start times, or the set that uses the most processors.
package fairslack

import (
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/fairslack/rule"
	"backfill-lab/core/sim"
)

// The values of the knob goal.
const (
	fairness    = "fairness"    // G1 in the thesis
	utilization = "utilization" // G2 in the thesis
)

// The values of the knob filling: which jobs start in the time slices of other types.
const (
	byOwnPlan = "plan" // the jobs that are planned for now
	bySets    = "sets" // the best set
)

// The values of the knob jin-fst: interpretations of the fair start time.
const (
	byAppend = "append"       // not before the planned start of any waiting job
	byPlan   = "conservative" // the earliest start in the plan of the waiting jobs
	bySlack  = "slack"        // the earliest start that delays no waiting job beyond its latest start
)

// Spec describes the policy.
var Spec = policy.Spec{
	Name: "fair-slack", Title: "Fair slack",
	Summary: "Searches for the best set of jobs to start together. At submission, each job gets a fair start. A set may delay a waiting job past this time, but only by the slack of that job.",
	Paper:   "Jin 2009, sections 4 and 5",
	Rounds:  true, // the latest start is a whole second
	Knobs: []policy.Knob{
		{Name: "goal", Title: "goal", Kind: policy.Choice, Default: fairness, Choices: []string{fairness, utilization},
			ChoiceTitles: []string{"fairness (G1)", "utilization (G2)"},
			Help:         "what counts most when the best set is selected (goals G1 and G2 in Jin 2009). fairness: little delay past the fair starts, then many processors in use; utilization: many processors in use, then fairness"},
		{Name: "lookahead", Title: "lookahead", Kind: policy.Integer, Default: "20", Min: 1, Max: maxLookahead,
			Help: "number of jobs at the front of the queue that can be in a set (Jin: 20, or 30 under light load)"},
		{Name: "jin-fst", Title: "fair start", Kind: policy.Choice, Default: byAppend, Choices: []string{byAppend, byPlan, bySlack},
			ChoiceTitles: []string{"after all planned starts", "first hole in the plan", "first start within the slack"},
			Help:         "how the fair start of a new job is determined. append: the earliest start in the plan that is not before any planned start; conservative: the earliest start that delays no waiting job; slack: the earliest start that delays no waiting job beyond its slack"},
		{Name: "slack-up", Title: "largest slack factor", Kind: policy.Number, Default: "1.5", Min: 1, Max: 10,
			Help: "largest slack factor. A job may wait at most its slack factor times its expected wait, the time from its submission to its fair start. Factors above 1.5 apply only to jobs with an estimate between 10 and 60 minutes and an expected wait below 2 hours"},
		{Name: "slack-down", Title: "slack factor for long waits", Kind: policy.Number, Default: "1.2", Min: 1, Max: 10,
			Help: "slack factor of jobs with a very long expected wait"},
		{Name: "slack-min", Title: "slack factor at submission", Kind: policy.Number, Default: "1.1", Min: 1, Max: 10,
			Help: "slack factor of a job at its submission. It grows while the job waits, up to the factor that the other slack knobs give"},
		{Name: "k1", Title: "fall of the slack factor (K1)", Kind: policy.Number, Default: "-0.5", Min: -100, Max: 0,
			Help: "how fast the slack factor falls as the expected wait w grows. The term K2 exp(K1 w / unit) is added to slack-down; the unit is slack-unit"},
		{Name: "k2", Title: "extra slack factor for short waits (K2)", Kind: policy.Number, Default: "0.4", Min: 0, Max: 100,
			Help: "how much larger the slack factor is than slack-down, for jobs with no expected wait"},
		{Name: "slack-unit", Title: "unit of the expected wait", Kind: policy.Number, Default: "8640", Min: 1, Max: 1e12, Unit: "s",
			Help: "time unit of the expected wait in the exponent (our choice: a tenth of a day matches figure 6 of the thesis)"},
		{Name: "range-unfairness", Title: "range of unfairness", Kind: policy.Number, Default: auto, Choices: []string{auto}, Min: 0, Max: 1000,
			Help: "limit of a set's mean delay past the fair starts. goal=fairness: this factor times the smallest delay of all sets (auto: 1.1); goal=utilization: the delay of the best set so far, divided by this factor (auto: 1)"},
		{Name: "range-unfairness-abs", Title: "additional mean delay", Kind: policy.Number, Default: "0", Min: 0, Max: 1e12, Unit: "s", DependsOn: "goal", DependsOnValues: []string{fairness},
			Help: "number of seconds by which the mean delay of a set may exceed the limit that range-unfairness sets (our choice)"},
		{Name: "range-skip", Title: "range of early starts", Kind: policy.Number, Default: auto, Choices: []string{auto}, Min: 0, Max: 1000,
			Help: "limit of the mean time by which a set starts jobs before their fair starts. goal=fairness: this factor times the time of the best set so far (auto: 1.5); goal=utilization: that time divided by this factor (auto: 1)"},
		{Name: "range-utilization", Title: "range of utilization", Kind: policy.Number, Default: auto, Choices: []string{auto}, Min: 0, Max: 1000,
			Help: "fewest processors that may be in use after a set has started, including those of running jobs. goal=fairness: this factor times the number with the best set so far (auto: 1.02); goal=utilization: the largest number with any set, divided by this factor (auto: 1.05)"},
		{Name: "exact-prune", Title: "exact pruning", Kind: policy.Switch, Default: "false",
			Help: "which jobs rule out a set if they would start too late. false: all waiting jobs outside the set, as in the thesis; true: only jobs ahead of the set's last job, because later jobs may still join"},
		{Name: "filling", Title: "starts in other slices", Kind: policy.Choice, Default: byOwnPlan, Choices: []string{byOwnPlan, bySets},
			ChoiceTitles: []string{"planned jobs", "the best set"}, Needs: policy.NeedsSlices,
			Help: "which jobs start in the time slices of other types. plan: jobs that are planned to start now, if they delay no planned job of the slice; sets: the best set, which may delay jobs of the slice within their slack"},
		{Name: "node-limit", Title: "maximum number of sets", Kind: policy.Integer, Default: "20000", Min: 1, Max: 1_000_000,
			Help: "largest number of sets that one search keeps (our choice)"},
	},
	New: func(v policy.Values) sim.Policy {
		f := FairSlack{rules: rulesOf(v)}
		if v.Text("filling") == bySets {
			return &setFiller{f}
		}
		return &f
	},
}

// auto is a value of range-... knobs. It stands for a number that depends on the knob goal.
const auto = "auto"

// maxLookahead is the maximum of the knob lookahead, since a set is stored in 64 bits.
const maxLookahead = 64

// rules holds the values of the knobs.
type rules struct {
	rule.Slack
	rule.Ranges
	fairStartRule string // jin-fst
	lookahead     int    // number of jobs at the front of the queue that can be in a set
	limit         int    // node-limit
	exactPrune    bool   // exact-prune: a set is ruled out only by jobs ahead of its last job
}

// rulesOf returns the rules with the knob values v.
func rulesOf(v policy.Values) rules {
	return rules{
		Slack: Slack(v), Ranges: Ranges(v, v.Text("goal") == utilization), fairStartRule: v.Text("jin-fst"),
		lookahead: v.Int("lookahead"), limit: v.Int("node-limit"), exactPrune: v.On("exact-prune"),
	}
}

// Slack returns the parameters of the slack factor that the knobs set.
func Slack(v policy.Values) rule.Slack {
	return rule.Slack{Up: v.Float("slack-up"), Down: v.Float("slack-down"), Min: v.Float("slack-min"),
		K1: v.Float("k1"), K2: v.Float("k2"), Unit: v.Float("slack-unit")}
}

// Ranges returns the parameters of the comparison of sets, as given by the knobs. The goal is
// utilization if forUtilization is true, and fairness otherwise.
func Ranges(v policy.Values, forUtilization bool) rule.Ranges {
	r := rule.Ranges{ForUtilization: forUtilization, Late: 1.1, Early: 1.5, Used: 1.02, ExtraDelay: v.Float("range-unfairness-abs")}
	if forUtilization {
		r.Late, r.Early, r.Used = 1, 1, 1.05
	}
	set := func(to *float64, name string) {
		if v.Text(name) != auto {
			*to = v.Float(name)
		}
	}
	set(&r.Late, "range-unfairness")
	set(&r.Early, "range-skip")
	set(&r.Used, "range-utilization")
	return r
}
