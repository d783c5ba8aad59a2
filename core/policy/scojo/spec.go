// Package scojo implements Scojo-PECT, which shares a machine between short, medium and long jobs
// by coarse time slices (Esbaugh and Sodan 2007; Jin 2009, section 4; Zeng 2009, section 4). Each
// type of jobs has its own slices and its own view (sim.View), in which an inner policy schedules
// the jobs. A job keeps its nodes until it ends, and normally runs only in the slices of its type.
// It can also run on idle nodes in the slice of another type. It is then called a guest.
package scojo

import (
	"fmt"
	"strconv"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/sim"
)

// Values of the knobs short-slice and node-choice.
const (
	auto        = "auto"
	lowest      = "lowest"
	leastShared = "least-shared"
)

// Spec describes the policy. The knob inner can select each of the given inner policies.
func Spec(inner policy.Inner) *policy.Spec {
	return &policy.Spec{
		Name: "scojo-pect", Title: "Scojo-PECT",
		Summary:      "Time slices for short, medium and long jobs. An inner policy schedules each type, and jobs of other types may use idle nodes.",
		Paper:        "Esbaugh and Sodan 2007; Jin 2009, section 4; Zeng 2009, section 4",
		SelectsSlots: true, // jobs are suspended between slices
		Rounds:       true, // slices are whole seconds
		Knobs:        inner.Knobs(knobs),
		New:          func(v policy.Values) sim.Policy { return build(v, inner.Maker(v)) },
		Check:        checkKnobs,

		NeverStarts: func(v policy.Values, m *cluster.Machine, jobs []job.Job) *job.Invalid {
			if bad := firstTooLongJob(v, jobs); bad != nil {
				return bad
			}
			return inner.NeverStarts(v, m, jobs)
		},
	}
}

// maxTime is the maximum of the knobs that hold times, in seconds.
const maxTime = 1_000_000_000_000

var knobs = []policy.Knob{
	{Name: "interval", Title: "interval", Kind: policy.Integer, Default: "3600", Min: 6, Max: maxTime, Unit: "s",
		Help: "length of an interval. Each interval has a medium and a long slice, and a short slice if unfinished short jobs are present when it begins"},
	{Name: "share-medium", Title: "share of medium jobs", Kind: policy.Number, Default: "0.3", Min: 0.01, Max: 0.99,
		Help: "share of the interval, without the short slice, that the medium jobs get. The long jobs get the rest"},
	{Name: "short-max", Title: "longest short job", Kind: policy.Integer, Default: "600", Min: 1, Max: maxTime, Unit: "s",
		Help: "longest estimate of a short job. With short-slice=auto, also the longest short slice, without its overhead"},
	{Name: "medium-max", Title: "longest medium job", Kind: policy.Integer, Default: "10800", Min: 1, Max: maxTime, Unit: "s",
		Help: "longest estimate of a medium job. Longer jobs are long"},
	{Name: "short-slice", Title: "short slice", Kind: policy.Integer, Default: auto, Choices: []string{auto}, Min: 1, Max: maxTime, Unit: "s",
		Help: "length of the short slice, including its overhead. auto: the time that the short jobs need, at most short-max plus the overhead"},
	{Name: "overhead", Title: "overhead", Kind: policy.Integer, Default: "0", Min: 0, Max: maxTime, Unit: "s",
		Help: "time at the start of each slice in which nothing runs (Jin: 0, Zeng: 60)"},
	{Name: "non-type", Title: "other types on idle nodes", Kind: policy.Switch, Default: "true",
		Help: "what happens on the nodes that a slice leaves idle. true: jobs of other types run there, if they delay no planned job; false: these nodes stay idle"},
	{Name: "node-choice", Title: "nodes of a job", Kind: policy.Choice, Default: lowest, Choices: []string{lowest, leastShared},
		ChoiceTitles: []string{"the lowest free ones", "the least shared ones"},
		Help:         "which free nodes a job gets and keeps until it ends. lowest: the nodes with the lowest numbers; least-shared: the nodes that the fewest jobs of other types keep. The inner policy glomarc-ts always uses lowest"},
}

// rulesOf returns the rules for the knob values v.
func rulesOf(v policy.Values) rules {
	return rules{
		interval: int64(v.Int("interval")), share: v.Float("share-medium"),
		Bounds:     policy.BoundsOf(v),
		shortSlice: int64(v.Int("short-slice")), overhead: int64(v.Int("overhead")),
		allowGuests: v.On("non-type"), leastShared: v.Text("node-choice") == leastShared,
	}
}

// checkKnobs returns an error if, with the knob values v, a slice would be no longer than its
// overhead.
func checkKnobs(v policy.Values) *policy.BadKnob {
	r := rulesOf(v)
	bad := func(name, expected string) *policy.BadKnob {
		return &policy.BadKnob{Knob: name, Expected: expected, Got: v.Text(name)}
	}
	if r.shortSlice >= 0 && r.shortSlice <= r.overhead {
		return bad("short-slice", fmt.Sprintf("more than the overhead of %d s", r.overhead))
	}
	for _, length := range []job.Time{0, r.maxShortSlice()} {
		if m := r.mediumSliceLength(length); m <= r.overhead || r.interval-length-m <= r.overhead {
			return bad("interval", fmt.Sprintf("an interval in which the slices of medium and long jobs last longer than the overhead of %d s, even after a short slice of %d s", r.overhead, r.maxShortSlice()))
		}
	}
	return nil
}

// MaxIntervals is the maximum number of intervals that a job may take. Each interval costs a few
// log records, since the job is preempted and resumes.
const MaxIntervals = 100_000

// firstTooLongJob returns the first job that would need more than MaxIntervals intervals to finish, or nil.
func firstTooLongJob(v policy.Values, jobs []job.Job) *job.Invalid {
	r := rulesOf(v)
	later := r.laterSlices()
	for i := range jobs {
		j := &jobs[i]
		c := r.Class(&j.Request)
		if longest := later[c].usable * MaxIntervals; j.Runtime > longest {
			return &job.Invalid{Row: i, ID: j.ID, Field: "runtime", Expected: fmt.Sprintf(
				"at most %d s under scojo-pect: %d intervals of %d s, each with %d s for jobs of this type (a longer interval admits longer jobs)", longest, MaxIntervals, r.interval, later[c].usable),
				Got: strconv.FormatInt(j.Runtime, 10)}
		}
	}
	return nil
}
