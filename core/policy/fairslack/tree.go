package fairslack

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/fairslack/rule"
	"backfill-lab/core/profile"
)

// waiter is a waiting job.
type waiter struct {
	job                    job.Index
	submit, estimate, fair job.Time
	latest                 job.Time // start, at this moment; like the fair one on the wall
	planned                job.Time // start, in the last plan of the queue
	need                   job.Need
	left                   bool // fits what is free and does not start, as recorded
}

// node is a set of waiting jobs that could start together now.
type node struct {
	rule.Score
	set  uint64 // of places in the queue
	due  uint64 // places of those that start now, in the set or planned
	room policy.Room
	kept int  // number among the nodes kept
	good bool // no waiting job would start after its latest start
}

// search is the incomplete binary tree of one decision (Jin 2009, section 5.3,
// steps 1 to 7): its levels are the first waiting jobs, each of which is in the
// set or not.
type search struct {
	*rules
	now   job.Time
	clock job.Time                  // now, on the wall
	wall  func(t job.Time) job.Time // on the wall, where jobs have their fair starts
	queue []waiter
	base  *profile.Profile // the running jobs
	trial *profile.Profile // room for a plan
	nodes []node           // in the order of creation; the first is the empty set
	note  func(parent *node, k int, why log.Reason, n *node)
}

// grow makes the tree: for each job in turn, a child of every node kept so far.
// The child without the job is its parent again.
func (s *search) grow(room policy.Room, procs int) {
	root, _ := s.plan(0, 0)
	root.room, root.Used = room, procs-room.Procs
	s.nodes = append(s.nodes[:0], root)
	if s.hopeless(&root) {
		return
	}
	for k := range min(s.lookahead, len(s.queue)) {
		if !room.Has(s.queue[k].need) {
			continue
		}
		for i, n := 0, len(s.nodes); i < n; i++ {
			if len(s.nodes) > s.limit {
				return
			}
			s.try(i, k)
		}
	}
}

// hopeless reports whether no set can be good: some job is bound to start after
// its latest start, even behind the running jobs alone, and is in no set that
// fits.
func (s *search) hopeless(root *node) bool {
	bound := 0
	for i := range s.queue {
		w := &s.queue[i]
		at := s.base.Find(w.need, w.estimate, s.now)
		if s.wall(at) <= w.latest {
			continue
		}
		if bound++; at > s.now || i >= s.lookahead || bound > 1 && !s.exact {
			return true
		}
	}
	return false
}

// try makes the child of node i with the job at place k, unless it is cut.
func (s *search) try(i, k int) {
	parent, w := &s.nodes[i], &s.queue[k]
	if !parent.room.Has(w.need) {
		s.note(parent, k, log.Reason{Code: log.TooMuch, Other: job.None}, nil)
		return
	}
	child, late := s.child(parent, k)
	if late >= 0 {
		s.note(parent, k, log.Reason{Code: log.PastSlack, Other: s.queue[late].job, Y: s.queue[late].latest}, nil)
		return
	}
	child.room = parent.room.Clone()
	child.room.Take(w.need)
	child.Used = parent.Used + w.need.Procs
	child.kept = len(s.nodes)
	s.note(parent, k, log.Reason{Code: log.Kept, Other: job.None}, &child)
	s.nodes = append(s.nodes, child)
}

// child is the plan with the job at place k in the set as well. Where it was to
// start now anyway the plan does not change: whoever is planned around it finds
// the same place when it is there before.
func (s *search) child(parent *node, k int) (n node, late int) {
	set := parent.set | 1<<k
	if parent.good && parent.due&(1<<k) != 0 {
		n = *parent
		n.set = set
		return n, -1
	}
	tested := len(s.queue)
	if s.exact {
		tested = k
	}
	return s.plan(set, tested)
}

// plan starts a set now and plans the other waiting jobs conservatively, in the
// order of the queue. It gives up at the first of those before place tested
// that would start after its latest start, and returns its place, else -1.
func (s *search) plan(set uint64, tested int) (n node, late int) {
	n.set, n.good = set, true
	s.trial.Become(s.base)
	for k := range s.queue {
		if set>>k == 0 {
			break
		}
		if w := &s.queue[k]; set&(1<<k) != 0 {
			s.trial.Reserve(w.need, s.now, s.now+w.estimate)
		}
	}
	for k := range s.queue {
		w, at, start := &s.queue[k], s.now, s.clock
		if set&(1<<k) == 0 { // nothing for a place beyond the word
			at = s.trial.Find(w.need, w.estimate, s.now)
			if start = s.wall(at); start > w.latest {
				if k < tested {
					return n, k
				}
				n.good = false
			}
			s.trial.Reserve(w.need, at, at+w.estimate)
		}
		if at == s.now {
			n.due |= 1 << k
		}
		n.Late += max(0, start-w.fair)
		n.Early += max(0, w.fair-start)
	}
	return n, -1
}

// good is the nodes that are saved, with the empty set left out.
func (s *search) good() (nodes []*node, scores []rule.Score) {
	for i := 1; i < len(s.nodes); i++ {
		if n := &s.nodes[i]; n.good {
			nodes = append(nodes, n)
			scores = append(scores, n.Score)
		}
	}
	return nodes, scores
}
