// Package decision reads from a log how a policy chose a set of jobs. A Decision describes the
// choice of a set to backfill (Jin 2009, section 5.3). A Formation describes the choice of a group
// of jobs to share nodes (Zeng 2009, chapter 4). Both list the sets that the policy tried, the
// reason for each rejection, and the reason for the final choice. The package reads these from the
// log only. It does not repeat the search.
package decision

import (
	"sort"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/fairslack/rule"
)

// Rules holds the policy parameters that decide which set the policy chooses.
type Rules struct {
	rule.Slack
	Goals [2]rule.Ranges // by goal (Fairness or Utilization); both are set, although a policy uses only one goal
}

// These are the goals of fair-slack backfilling. They are indexes of Rules.Goals and
// Decision.Picks.
const (
	Fairness    = 0
	Utilization = 1
)

var goalNames = [...]string{"fairness", "utilization"}

// Waiter holds a waiting job, which can become a member of a set.
type Waiter struct {
	Job    job.Index
	Fair   job.Time // fair start
	Latest job.Time // latest start that the slack of the job allows, as of the decision
}

// TriedSet holds a set that the search tried. It consists of the job Record.Job and the jobs of an
// earlier set, which the search kept. Record.X is the number of the earlier set. If it is 0, the
// tried set consists of Record.Job alone.
type TriedSet struct {
	Record     *log.Record
	Number     int // number of this set among the kept sets, from 1; 0 if the search rejected the set
	savedIndex int // index in Decision.Saved, or -1 if the set was not saved
}

// Decision describes the choice of a set of jobs to backfill.
type Decision struct {
	timeFormat
	At        job.Time
	View      uint8        // virtual machine whose jobs form the sets, 0 for the machine itself
	Host      uint8        // virtual machine whose time slice is active at time At; 0 if it is View, or without slices
	Queue     []Waiter     // waiting jobs in queue order: first the jobs of View, then the jobs of Host; omits jobs that already have processors (see reserveFirst)
	Free      []int64      // free processors, then the free amount of each extra resource
	TriedSets []TriedSet   // sets in the order in which they were tried; empty if the log does not record them
	Tried     int          // number of sets tried
	Goal      int          // goal of the policy: Fairness or Utilization; -1 if the log does not record it
	Chosen    int          // number of the set that started; 0 if the policy rejected every set and used its conservative plan
	Saved     []int        // indexes in TriedSets of the sets that keep every job within its slack, from which a goal chooses
	Scores    []rule.Score // scores of the sets in Saved, in the same order
	Picks     [2]Pick      // by goal: the set that this goal would choose; meaningless if Saved is empty

	log      *log.Log
	rules    *Rules
	keptSets []int // by set number: the index in TriedSets; element 0 is unused
}

// Complete reports whether the log records all sets that were tried. Only a log of level full
// records them.
func (d *Decision) Complete() bool { return len(d.TriedSets) == d.Tried }

// Read returns the decision whose record of kind log.Choice has index choice. The records of the
// sets that were tried directly precede that record.
func Read(l *log.Log, choice int, rules *Rules) *Decision {
	r := l.Record(choice)
	d := &Decision{At: r.At, View: r.View, Tried: int(r.Y), Chosen: int(r.X), Goal: -1, log: l, rules: rules}
	switch r.Code {
	case log.FairSet:
		d.Goal = Fairness
	case log.UtilizationSet:
		d.Goal = Utilization
	}
	first := choice
	for first > 0 && isAttempt(l.Record(first-1)) {
		first--
	}
	d.readState(first)
	d.readSearch(first, choice)
	if len(d.Saved) > 0 {
		for goal := range d.Picks {
			d.Picks[goal] = d.applyGoal(&rules.Goals[goal])
		}
	}
	return d
}

// Group returns nil, because backfilling does not put jobs on shared nodes.
func (d *Decision) Group() *Group { return nil }

// isAttempt reports whether a record describes a set that was tried.
func isAttempt(r *log.Record) bool { return r.Kind == log.SetTried || r.Kind == log.Scored }

// readSearch reads the sets that were tried. Their records have the indexes first to end-1.
func (d *Decision) readSearch(first, end int) {
	d.keptSets = append(d.keptSets[:0], -1)
	for i := first; i < end; i++ {
		r := d.log.Record(i)
		if r.Kind == log.Scored {
			last := len(d.TriedSets) - 1
			d.TriedSets[last].savedIndex = len(d.Saved)
			d.Saved = append(d.Saved, last)
			d.Scores = append(d.Scores, rule.Score{Late: r.X, Early: r.Y, Used: d.processorsInUse(last)})
			continue
		}
		n := TriedSet{Record: r, savedIndex: -1}
		if r.Code.KeepsSet() {
			n.Number = len(d.keptSets)
			d.keptSets = append(d.keptSets, len(d.TriedSets))
		}
		d.TriedSets = append(d.TriedSets, n)
	}
}

// Set returns the jobs in the set d.TriedSets[index], in queue order.
func (d *Decision) Set(index int) (out []job.Index) {
	n := &d.TriedSets[index]
	if n.Record.X > 0 {
		out = d.Set(d.keptSets[n.Record.X])
	}
	return append(out, n.Record.Job)
}

// processorsInUse returns how many processors would be in use after the set d.TriedSets[index] started.
func (d *Decision) processorsInUse(index int) int {
	n := d.log.Machine.Slots() - int(d.Free[0])
	for _, j := range d.Set(index) {
		n += d.log.Jobs[j].Procs
	}
	return n
}

// timeFormat holds the clock that formats the times in texts.
type timeFormat struct{ clock format.Clock }

// SetClock sets the clock that formats times in texts.
func (t *timeFormat) SetClock(c format.Clock) { t.clock = c }

// Description is implemented by Decision and Formation. The page and the command use it to show a
// decision.
type Description interface {
	Complete() bool           // reports whether the log records all sets that were tried
	Summary() string          // returns a summary, one sentence per line
	Tables(*Options) []*Table // returns tables of the sets that were tried
	SetClock(format.Clock)    // sets the clock that formats times; the default is seconds
	Group() *Group            // returns the group of jobs that share nodes, for a chart, or nil
}

// A Reader returns the decision or formation whose record of kind log.Choice has index place.
type Reader func(l *log.Log, place int) Description

// ChoiceRecords returns the indexes of the records of the kind log.Choice, in order.
func ChoiceRecords(l *log.Log) (out []int32) {
	for i := range l.Len() {
		if l.Record(i).Kind == log.Choice {
			out = append(out, int32(i))
		}
	}
	return out
}

// CountUntil returns the number of choices made at or before the given time. The choices are given
// by the indexes of their records, as returned by ChoiceRecords.
func CountUntil(l *log.Log, places []int32, time job.Time) int {
	return sort.Search(len(places), func(i int) bool { return l.Record(int(places[i])).At > time })
}

// Pick holds the set that a goal would choose. Sets are given as indexes in Decision.Saved.
type Pick struct {
	First    int            // the set with which the goal starts its comparison
	Taken    int            // the set that the goal chooses in the end
	Verdicts []rule.Verdict // by saved set: the condition that the set does not meet, if the goal rejects it
}

// applyGoal returns which set in d.Saved a goal with the rule r would choose, and why it would
// reject others.
func (d *Decision) applyGoal(r *rule.Ranges) (p Pick) {
	p.First, p.Taken, p.Verdicts = r.Explain(d.Scores, len(d.Queue))
	return p
}
