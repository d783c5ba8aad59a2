// Package decision reads from a log how a set of jobs was chosen: one to backfill
// with (Decision; Jin 2009, section 5.3), or a group that shares nodes (Formation;
// Zeng 2009, chapter 4). It tells the sets tried, what cut each of them, and why one
// of those left was taken. It searches nothing anew, and what the log does not hold
// it does not know.
package decision

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/fairslack/rule"
)

// Rules is the knobs that a policy decided by.
type Rules struct {
	rule.Slack
	Goals [2]rule.Ranges // by goal, whichever is the policy's
}

// The goals.
const (
	Fairness    = 0
	Utilization = 1
)

var goalNames = [...]string{"fairness", "utilization"}

// Waiter is a job that waits, and could be in a set.
type Waiter struct {
	Job          job.Index
	Fair, Latest job.Time // start; the latest one at the moment of the decision
}

// Node is a set that was tried: one of those kept, with the number X, and the job
// of its record with it.
type Node struct {
	Record *log.Record
	Number int // its own among those kept, from 1; 0: it was cut
	saved  int // place among the saved ones, -1: none
}

// Decision is the choice of a set at a moment.
type Decision struct {
	At     job.Time
	View   uint8    // number of the virtual machine of whose jobs the sets are, 0 = the machine itself
	Host   uint8    // number of another one in whose time it fell, 0 = its own time
	Queue  []Waiter // the waiting jobs in order, those of the host last; without those that only wait for others to leave their processors
	Free   []int64  // the processors, and the amount of each extra resource, that sets can have
	Nodes  []Node   // in the order in which they were tried; none where the log does not hold them
	Tried  int      // how many there were
	Goal   int      // of the policy, -1 where the log does not tell
	Chosen int      // number of the set that started, 0: none was good, and the ordinary plan decided
	Saved  []int    // places in Nodes of the sets to choose from
	Scores []rule.Score
	Picks  [2]Pick // what each goal makes of them; of no meaning without sets

	log   *log.Log
	rules *Rules
	kept  []int // by number of a set: its place in Nodes; the first is of no meaning
}

// Told reports whether the log holds the sets that were tried: only one of all
// that a run records does.
func (d *Decision) Told() bool { return len(d.Nodes) == d.Tried }

// Read reads the decision at a place.
func Read(l *log.Log, place int, rules *Rules) *Decision {
	r := l.Record(place)
	d := &Decision{At: r.At, View: r.View, Tried: int(r.Y), Chosen: int(r.X), Goal: -1, log: l, rules: rules}
	switch r.Code {
	case log.FairSet:
		d.Goal = Fairness
	case log.BusySet:
		d.Goal = Utilization
	}
	first := place
	for first > 0 && ofSearch(l.Record(first-1)) {
		first--
	}
	d.state(first)
	d.search(first, place)
	if len(d.Saved) > 0 {
		for goal := range d.Picks {
			d.Picks[goal] = d.pick(&rules.Goals[goal])
		}
	}
	return d
}

// Group returns none: these jobs share no nodes.
func (d *Decision) Group() *Group { return nil }

// ofSearch reports whether a record is one of those before a choice that tell
// of its search.
func ofSearch(r *log.Record) bool { return r.Kind == log.Node || r.Kind == log.Scored }

// search reads the nodes from the records between two places.
func (d *Decision) search(first, end int) {
	d.kept = append(d.kept[:0], -1)
	for i := first; i < end; i++ {
		r := d.log.Record(i)
		if r.Kind == log.Scored {
			last := len(d.Nodes) - 1
			d.Nodes[last].saved = len(d.Saved)
			d.Saved = append(d.Saved, last)
			d.Scores = append(d.Scores, rule.Score{Late: r.X, Early: r.Y, Used: d.used(last)})
			continue
		}
		n := Node{Record: r, saved: -1}
		if r.Code.Keeps() {
			n.Number = len(d.kept)
			d.kept = append(d.kept, len(d.Nodes))
		}
		d.Nodes = append(d.Nodes, n)
	}
}

// Set returns the jobs of the set of a node, in the order of the queue.
func (d *Decision) Set(node int) (out []job.Index) {
	n := &d.Nodes[node]
	if n.Record.X > 0 {
		out = d.Set(d.kept[n.Record.X])
	}
	return append(out, n.Record.Job)
}

// used returns how many processors are in use with the set of a node.
func (d *Decision) used(node int) int {
	n := d.log.Machine.Slots() - int(d.Free[0])
	for _, j := range d.Set(node) {
		n += d.log.Jobs[j].Procs
	}
	return n
}
