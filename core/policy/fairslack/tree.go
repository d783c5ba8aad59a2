package fairslack

import (
	"math"
	"math/bits"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/fairslack/rule"
	"backfill-lab/core/sim"
)

// node is a set of waiting jobs that could start together now.
type node struct {
	rule.Score
	set  uint64 // of places in the queue
	due  uint64 // places of those that start now, in the set or planned
	less int    // place in search.less of the numbers of the sets with a job less
	good bool   // no waiting job would start after its latest start
}

// search is the incomplete binary tree of one decision (Jin 2009, section 5.3,
// steps 1 to 7): its levels are the first waiting jobs, each of which is in the
// set or not.
type search struct {
	*rules
	stage
	clock job.Time // the moment on the wall
	visit visit
	nodes []node  // in the order of creation; the first is the empty set
	procs int     // of the machine
	extra []int64 // by node: free of each extra resource
	kids  []int32 // by node: its child of this level, or none
	less  []int32 // see lessOne

	reached job.Index // the first job of the queue that was not tried in all sets before it, or one beyond all

	numbers []int32 // see good
	scores  []rule.Score
	note    func(parent, k int, why log.Reason) // tells what became of a child
}

// prepare begins a search about the line behind its first jobs, which are due.
func (s *search) prepare(p *sim.Pass, l *line, due int) {
	s.goesBy(p)
	s.behind(l, due, p.Clock())
}

// behind takes the line over at the moment clock of the wall.
func (s *search) behind(l *line, due int, clock job.Time) {
	s.clock, s.visit.stay, s.visit.back = clock, 0, 0
	s.take(l, l.jobs[due:])
	for i := range l.jobs[:due] {
		w := &l.jobs[i]
		s.base.Reserve(w.need, s.now, s.now+w.estimate)
	}
	s.limits(s.queue)
}

// limits finds the latest starts of waiting jobs.
func (s *search) limits(queue []waiter) {
	for i := range queue {
		w := &queue[i]
		w.latest, w.asked = s.Latest(w.submit, w.estimate, w.fair, s.clock), job.Never
	}
}

// grow makes the tree: for each job in turn, a child of every node kept so far.
// The child without the job is its parent again.
func (s *search) grow(room policy.Room, procs int) {
	root := node{}
	if root.good = true; s.visit.stay == 0 {
		root = s.root()
	}
	root.Used = procs - room.Procs
	s.nodes, s.less, s.procs, s.extra = append(s.nodes[:0], root), s.less[:0], procs, append(s.extra[:0], room.Extra...)
	s.reached = math.MaxInt32
	if n := s.places(); n < len(s.queue) {
		s.reached = s.queue[n].job
	}
	if !root.good && s.hopeless() {
		return
	}
	for k := range s.places() {
		if !room.Has(s.queue[k].need) {
			continue
		}
		s.kids = s.kids[:0]
		for i, n := 0, len(s.nodes); i < n; i++ {
			if len(s.nodes) > s.limit {
				s.reached = s.queue[k].job
				return
			}
			s.kids = append(s.kids, s.try(i, k))
		}
	}
}

// none is the number of a set that is not kept.
const none = -1

// hopeless reports whether no set can be good though the empty one is not: some job is bound to start after
// its latest start, even behind the running jobs alone, and is in no set that
// fits.
func (s *search) hopeless() bool {
	bound := 0
	for i := range s.queue {
		w := &s.queue[i]
		at := s.base.Find(w.need, w.estimate, s.now)
		if s.onWall(w, at) <= w.latest {
			continue
		}
		if bound++; at > s.now || i >= s.lookahead || bound > 1 && !s.exact {
			return true
		}
	}
	return false
}

// try makes the child of node i with the job at place k, unless it is cut, and
// returns its number.
func (s *search) try(i, k int) int32 {
	w, room := &s.queue[k], s.room(i)
	if !room.Has(w.need) {
		s.note(i, k, log.Reason{Code: log.TooMuch, Other: job.None})
		return none
	}
	less := s.lessOne(i)
	child, late := s.child(i, k, s.less[less:])
	if late != nil {
		s.less = s.less[:less]
		s.note(i, k, log.Reason{Code: log.PastSlack, Other: late.job, Y: late.latest})
		return none
	}
	child.less, child.Used = less, s.nodes[i].Used+w.need.Procs
	number := len(s.nodes)
	s.nodes, s.extra = append(s.nodes, child), append(s.extra, room.Extra...)
	room = s.room(number)
	room.Take(w.need)
	s.note(i, k, log.Reason{Code: log.Kept, Other: job.None})
	return int32(number)
}

// room returns what node i leaves free. Its extra resources are those in s.extra.
func (s *search) room(i int) policy.Room {
	kinds := len(s.extra) / len(s.nodes)
	return policy.Room{Procs: s.procs - s.nodes[i].Used, Extra: s.extra[i*kinds : (i+1)*kinds]}
}

// lessOne appends to s.less the numbers of the sets that have one job less than
// the child of node i at this level, in the order of these jobs: the children of
// those that have one less than the node, and the node. All come before it.
func (s *search) lessOne(i int) (from int) {
	from = len(s.less)
	n := &s.nodes[i]
	for _, v := range s.less[n.less : n.less+bits.OnesCount64(n.set)] {
		if v != none {
			v = s.kids[v]
		}
		s.less = append(s.less, v)
	}
	s.less = append(s.less, int32(i))
	return from
}

// child returns the plan with the job at place k in the set as well. Where a set
// without some job has it start now anyway, it is the plan of that set: whoever
// is planned around the job finds the same place when it is there before.
func (s *search) child(i, k int, less []int32) (n node, late *waiter) {
	set := s.nodes[i].set | 1<<k
	for i, rest := 0, set; rest != 0; i, rest = i+1, rest&(rest-1) {
		if less[i] == none {
			continue
		}
		if v := &s.nodes[less[i]]; v.good && v.due&rest&-rest != 0 {
			n = *v
			n.set = set
			return n, nil
		}
	}
	tested := len(s.queue)
	if s.exact && s.visit.back == 0 {
		tested = k
	}
	return s.plan(set, tested)
}

// root returns the empty set: the plan of the line.
func (s *search) root() (n node) {
	n.good = true
	for k := range s.queue {
		if s.enter(&n, k, s.queue[k].planned) {
			n.good = false
		}
	}
	return n
}

// plan starts a set now and plans the other waiting jobs conservatively, in the
// order of the queue. It gives up at the first of those before place tested
// that would start after its latest start, and returns it, else nil.
func (s *search) plan(set uint64, tested int) (n node, late *waiter) {
	n.set, n.good = set, true
	s.trial.Become(s.base)
	for rest := set; rest != 0; rest &= rest - 1 {
		w := &s.queue[bits.TrailingZeros64(rest)]
		if end := s.now + w.estimate; s.visit.back > 0 { // it is planned already
			s.trial.Release(w.need, end-s.visit.of(w), end)
		} else {
			s.trial.Reserve(w.need, s.now, end-s.visit.of(w))
		}
	}
	if s.visit.stay > 0 {
		if late := s.received(&n); late != nil {
			return n, late
		}
	}
	for k := s.visit.back; k < len(s.queue); k++ {
		w := &s.queue[k]
		if set&(1<<k) != 0 { // never for a place beyond the word
			n.due |= 1 << k
			n.enter(w, s.clock)
			continue
		}
		if s.enter(&n, k, s.trial.Book(w.need, w.estimate, s.now)) {
			if k < tested {
				return n, w
			}
			n.good = false
		}
	}
	return n, nil
}

// enter takes the planned start of the job at place k into a plan and reports
// whether it is too late.
func (s *search) enter(n *node, k int, at job.Time) (late bool) {
	w := &s.queue[k]
	if at == s.now && s.visit.stay == 0 {
		n.due |= 1 << k
	}
	return n.enter(w, s.onWall(w, at))
}

// enter counts how far a job starts from its fair start, and reports whether it
// is too late.
func (n *node) enter(w *waiter, start job.Time) (late bool) {
	n.Late += max(0, start-w.fair)
	n.Early += max(0, w.fair-start)
	return start > w.latest
}

// good returns the nodes that are saved, with the empty set left out, and their scores.
func (s *search) good() (numbers []int32, scores []rule.Score) {
	s.numbers, s.scores = s.numbers[:0], s.scores[:0]
	for i := 1; i < len(s.nodes); i++ {
		if n := &s.nodes[i]; n.good {
			s.numbers = append(s.numbers, int32(i))
			s.scores = append(s.scores, n.Score)
		}
	}
	return s.numbers, s.scores
}
