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
	fairness    = "fairness"    // G1
	utilization = "utilization" // G2
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
	Summary: "Branch and bound over the sets of jobs to backfill with: no waiting job is put off beyond its slack past its fair start.",
	Paper:   "Jin 2009, sections 4 and 5",
	Rounds:  true, // the latest start is a whole second
	Knobs: []policy.Knob{
		{Name: "goal", Kind: policy.Choice, Default: fairness, Choices: []string{fairness, utilization},
			Help: "what a set is chosen for: starts close to the fair ones, or processors in use"},
		{Name: "lookahead", Kind: policy.Integer, Default: "20", Min: 1, Max: maxLookahead,
			Help: "waiting jobs, from the first on, that sets are made of (Jin: 20, under light load 30)"},
		{Name: "jin-fst", Kind: policy.Choice, Default: byAppend, Choices: []string{byAppend, byPlan, bySlack},
			Help: "fair start of a job when it is submitted: behind all that wait, the first hole in their plan, or the first start that keeps them within their slack; the thesis can be read in each way"},
		{Name: "slack-up", Kind: policy.Number, Default: "1.5", Min: 1, Max: 10,
			Help: "largest slack factor; what is above 1.5 counts only for jobs longer than 10 minutes and shorter than an hour that expect to wait less than 2 hours"},
		{Name: "slack-down", Kind: policy.Number, Default: "1.2", Min: 1, Max: 10,
			Help: "slack factor of jobs that expect to wait very long"},
		{Name: "slack-min", Kind: policy.Number, Default: "1.1", Min: 1, Max: 10,
			Help: "slack factor at the submission; it grows to the whole one while the job waits"},
		{Name: "k1", Kind: policy.Number, Default: "-0.5", Min: -100, Max: 0,
			Help: "fall of the slack factor with the expected wait: exponent for each slack-unit"},
		{Name: "k2", Kind: policy.Number, Default: "0.4", Min: 0, Max: 100,
			Help: "slack factor of no expected wait, above slack-down"},
		{Name: "slack-unit", Kind: policy.Number, Default: "8640", Min: 1, Max: 1e12, Unit: "s",
			Help: "unit of the expected wait in the exponent (ours: a tenth of a day fits the thesis's figure 6)"},
		{Name: "range-unfairness", Kind: policy.Number, Default: auto, Choices: []string{auto}, Min: 0, Max: 1000,
			Help: "goal=fairness: a set may delay jobs past their fair starts by this multiple of the least delay of any set (auto: 1.1); goal=utilization: the set taken so far must delay them by at least this multiple of the delay of the next (auto: 1); the thesis gives no ranges"},
		{Name: "range-unfairness-abs", Kind: policy.Number, Default: "0", Min: 0, Max: 1e12, Unit: "s",
			Help: "goal=fairness: mean delay that is allowed on top of that multiple (ours)"},
		{Name: "range-skip", Kind: policy.Number, Default: auto, Choices: []string{auto}, Min: 0, Max: 1000,
			Help: "the same for starts before the fair ones: goal=fairness: at most this multiple of those of the set taken so far (auto: 1.5); goal=utilization: those of that set are at least this multiple (auto: 1)"},
		{Name: "range-utilization", Kind: policy.Number, Default: auto, Choices: []string{auto}, Min: 0, Max: 1000,
			Help: "goal=fairness: processors in use, at least this multiple of those with the set taken so far (auto: 1.02); goal=utilization: the most that any set uses is at most this multiple (auto: 1.05)"},
		{Name: "exact-prune", Kind: policy.Switch, Default: "false",
			Help: "in the search, only jobs that have been left out of the set already cut it off; the thesis lets all waiting jobs do so"},
		{Name: "filling", Kind: policy.Choice, Default: byOwnPlan, Choices: []string{byOwnPlan, bySets},
			Help: "in the time slices of other types: start what the own plan has start now, if it delays no planned job of the slice, or search sets there too, which may put off the jobs of the slice within their slack (inside of scojo-pect only)"},
		{Name: "node-limit", Kind: policy.Integer, Default: "20000", Min: 1, Max: 1_000_000,
			Help: "sets kept in one search (ours)"},
	},
	New: func(v policy.Values) sim.Policy {
		f := FairSlack{rules: rulesOf(v)}
		if v.Text("filling") == bySets {
			return &visitor{f}
		}
		return &f
	},
}

// auto is the value of a range knob that selects the default for the goal.
const auto = "auto"

// maxLookahead is the largest lookahead, since a set is stored in 64 bits.
const maxLookahead = 64

// rules holds the knobs.
type rules struct {
	rule.Slack
	rule.Ranges
	fst       string // jin-fst
	lookahead int
	limit     int  // node-limit
	exact     bool // exact-prune: only jobs already decided on can prune a set
}

// rulesOf returns the knobs as rules.
func rulesOf(v policy.Values) rules {
	return rules{
		Slack: Slack(v), Ranges: Ranges(v, v.Text("goal") == utilization), fst: v.Text("jin-fst"),
		lookahead: v.Int("lookahead"), limit: v.Int("node-limit"), exact: v.On("exact-prune"),
	}
}

// Slack returns the knobs that determine the latest starts.
func Slack(v policy.Values) rule.Slack {
	return rule.Slack{Up: v.Float("slack-up"), Down: v.Float("slack-down"), Min: v.Float("slack-min"),
		K1: v.Float("k1"), K2: v.Float("k2"), Unit: v.Float("slack-unit")}
}

// Ranges returns the knobs for the comparison of sets. The goal is utilization if busy is set, and
// fairness otherwise.
func Ranges(v policy.Values, busy bool) rule.Ranges {
	r := rule.Ranges{Busy: busy, Late: 1.1, Early: 1.5, Used: 1.02, Allowed: v.Float("range-unfairness-abs")}
	if busy {
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
