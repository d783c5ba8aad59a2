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

// treeNode holds a node of the search tree: a set of waiting jobs that could start together now.
type treeNode struct {
	rule.Score
	set       uint64 // bits are indices in the queue
	startsNow uint64 // jobs that start now, because they are in the set or planned for now; bits are indices in the queue
	subsets   int    // index in search.subsets at which the subsets with one job less begin
	good      bool   // whether every waiting job starts by its latest start
}

// search holds the search tree of one decision (Jin 2009, section 5.3, steps 1 to 7), which is a
// binary tree of sets. Each level decides whether one of the first waiting jobs is in the set.
type search struct {
	*rules
	planner
	clock      job.Time   // current wall-clock time
	otherSlice otherSlice // used only in a time slice of another type
	nodes      []treeNode // in the order of creation; the first is the empty set
	procs      int        // processors of the machine
	extra      []int64    // by node, then by extra resource: the amount that the node leaves free
	children   []int32    // by node: the node number of its child at the current level, or notKept
	subsets    []int32    // numbers of nodes, or notKept; see appendSubsets

	untried job.Index // first job in the queue that was not tried with all sets; math.MaxInt32 if there is none

	numbers []int32 // buffers for goodSets
	scores  []rule.Score
	note    func(parent, k int, why log.Reason) // called for each child tried: its parent, the added job, the result
}

// prepare prepares a search over sets of the jobs in l. The first dueCount jobs of the queue are due jobs, which are
// not in any set.
func (s *search) prepare(p *sim.Pass, l *plannedQueue, dueCount int) {
	s.setClock(p)
	s.prepareAt(l, dueCount, p.WallClock())
}

// prepareAt prepares a search like prepare, but with the wall-clock time given by clock.
func (s *search) prepareAt(l *plannedQueue, due int, clock job.Time) {
	s.clock, s.otherSlice.timeLeft, s.otherSlice.recalled = clock, 0, 0
	s.load(l, l.jobs[due:])
	for i := range l.jobs[:due] {
		w := &l.jobs[i]
		s.base.Reserve(w.demand, s.now, s.now+w.estimate)
	}
	s.setLatest(s.queue)
}

// setLatest computes the latest starts of waiting jobs and clears their caches of toWall.
func (s *search) setLatest(queue []waitingJob) {
	for i := range queue {
		w := &queue[i]
		w.latest, w.cachedStart = s.Latest(w.submit, w.estimate, w.fair, s.clock), job.Never
	}
}

// buildTree builds the tree. For each job in turn, it tries a child with this job for every node
// kept so far. The child without the job equals its parent and needs no node. It stops when it has
// more nodes than the limit, and keeps only the root if it is certain that no set is good.
func (s *search) buildTree(free policy.Capacity, procs int) {
	root := treeNode{}
	if root.good = true; s.otherSlice.timeLeft == 0 {
		root = s.rootNode()
	}
	root.Used = procs - free.Procs
	s.nodes, s.subsets = append(s.nodes[:0], root), s.subsets[:0]
	s.procs, s.extra = procs, append(s.extra[:0], free.Extra...)
	s.untried = math.MaxInt32
	if n := s.levelCount(); n < len(s.queue) {
		s.untried = s.queue[n].job
	}
	if !root.good && s.noSetIsGood() {
		return
	}
	for k := range s.levelCount() {
		if !free.Has(s.queue[k].demand) {
			continue
		}
		s.children = s.children[:0]
		for i, n := 0, len(s.nodes); i < n; i++ {
			if len(s.nodes) > s.limit {
				s.untried = s.queue[k].job
				return
			}
			s.children = append(s.children, s.tryChild(i, k))
		}
	}
}

// notKept takes the place of a node number if the search did not keep the node.
const notKept = -1

// noSetIsGood reports whether it is certain that no set is good. The caller has found that the
// empty set is not good. The method looks for a job that would start late even without the other
// waiting jobs, and that no set can start now. Without the option exact-prune, two jobs that would
// start late are enough, even if sets can start them now. Each set that lacks one of the two makes
// that job late, so the search rejects the set. A set with both jobs would extend a rejected set,
// so the search never tries it.
func (s *search) noSetIsGood() bool {
	late := 0
	for i := range s.queue {
		w := &s.queue[i]
		start := s.base.Find(w.demand, w.estimate, s.now)
		if s.toWall(w, start) <= w.latest {
			continue
		}
		if late++; start > s.now || i >= s.lookahead || late > 1 && !s.exactPrune {
			return true
		}
	}
	return false
}

// tryChild adds job k of the queue to the set of node i. It returns the number of the new node. If
// the new set does not fit, or makes a waiting job start too late, it returns notKept.
func (s *search) tryChild(i, k int) int32 {
	w, free := &s.queue[k], s.freeAfter(i)
	if !free.Has(w.demand) {
		s.note(i, k, log.Reason{Code: log.SetTooLarge, Other: job.None})
		return notKept
	}
	subsets := s.appendSubsets(i)
	child, late := s.childNode(i, k, s.subsets[subsets:])
	if late != nil {
		s.subsets = s.subsets[:subsets]
		s.note(i, k, log.Reason{Code: log.PastSlack, Other: late.job, Y: late.latest})
		return notKept
	}
	child.subsets, child.Used = subsets, s.nodes[i].Used+w.demand.Procs
	number := len(s.nodes)
	s.nodes, s.extra = append(s.nodes, child), append(s.extra, free.Extra...)
	free = s.freeAfter(number)
	free.Take(w.demand)
	s.note(i, k, log.Reason{Code: log.SetKept, Other: job.None})
	return int32(number)
}

// freeAfter returns the capacity that node i leaves free. The slice Extra of the result is a part
// of s.extra.
func (s *search) freeAfter(i int) policy.Capacity {
	kinds := len(s.extra) / len(s.nodes)
	return policy.Capacity{Procs: s.procs - s.nodes[i].Used, Extra: s.extra[i*kinds : (i+1)*kinds]}
}

// appendSubsets appends to s.subsets the nodes whose sets lack one job of the child that node i
// gets at the current level. The children of the subsets of node i at this level lack a job of node
// i. Node i itself lacks the new job. The nodes are sorted by the missing job, and all were tried
// before the child. appendSubsets returns the index of the first appended node.
func (s *search) appendSubsets(i int) (from int) {
	from = len(s.subsets)
	n := &s.nodes[i]
	for _, number := range s.subsets[n.subsets : n.subsets+bits.OnesCount64(n.set)] {
		if number != notKept {
			number = s.children[number]
		}
		s.subsets = append(s.subsets, number)
	}
	s.subsets = append(s.subsets, int32(i))
	return from
}

// childNode returns a new node, whose set is that of node i plus job k of the queue. The argument
// subsets lists the nodes whose sets lack one job of the new set. Suppose one of these nodes is
// good, and its plan starts the missing job now anyway. Then the new set has the same plan, and
// childNode copies that node. Otherwise, it computes the plan. If that plan makes a waiting job
// start too late, childNode also returns this job.
func (s *search) childNode(i, k int, subsets []int32) (n treeNode, late *waitingJob) {
	set := s.nodes[i].set | 1<<k
	for i, rest := 0, set; rest != 0; i, rest = i+1, rest&(rest-1) {
		if subsets[i] == notKept {
			continue
		}
		if subset := &s.nodes[subsets[i]]; subset.good && subset.startsNow&rest&-rest != 0 {
			n = *subset
			n.set = set
			return n, nil
		}
	}
	tested := len(s.queue) // number of jobs that must not be late
	if s.exactPrune && s.otherSlice.recalled == 0 {
		tested = k
	}
	return s.planWithSet(set, tested)
}

// rootNode returns the node of the empty set. It uses the planned starts of the queue.
func (s *search) rootNode() (n treeNode) {
	n.good = true
	for k := range s.queue {
		if s.addStart(&n, k, s.queue[k].planned) {
			n.good = false
		}
	}
	return n
}

// planWithSet returns the node of a set. The jobs of the set start now, and the other waiting jobs
// are planned conservatively in queue order. The first testedCount jobs of the queue must not start
// late. If one of these jobs would start after its latest start, planWithSet stops and returns that
// job.
func (s *search) planWithSet(set uint64, testedCount int) (n treeNode, late *waitingJob) {
	n.set, n.good = set, true
	s.trial.CopyFrom(s.base)
	for rest := set; rest != 0; rest &= rest - 1 {
		w := &s.queue[bits.TrailingZeros64(rest)]
		if end := s.now + w.estimate; s.otherSlice.recalled > 0 { // base already contains the job
			s.trial.Release(w.demand, end-s.otherSlice.guestTime(w), end)
		} else {
			s.trial.Reserve(w.demand, s.now, end-s.otherSlice.guestTime(w))
		}
	}
	if s.otherSlice.timeLeft > 0 {
		if late := s.planOwner(&n); late != nil {
			return n, late
		}
	}
	for k := s.otherSlice.recalled; k < len(s.queue); k++ {
		w := &s.queue[k]
		if set&(1<<k) != 0 { // false for k >= 64
			n.startsNow |= 1 << k
			n.addStart(w, s.clock)
			continue
		}
		if s.addStart(&n, k, s.trial.ReserveEarliest(w.demand, w.estimate, s.now)) {
			if k < testedCount {
				return n, w
			}
			n.good = false
		}
	}
	return n, nil
}

// addStart counts the planned start of the job at position k of the queue in the score of the node,
// and marks the job in n.startsNow if it starts now. The given start is in the clock of the plan.
// The result reports whether the job would start after its latest start.
func (s *search) addStart(n *treeNode, k int, start job.Time) (late bool) {
	w := &s.queue[k]
	if start == s.now && s.otherSlice.timeLeft == 0 {
		n.startsNow |= 1 << k
	}
	return n.addStart(w, s.toWall(w, start))
}

// addStart adds the time between the given start of w, in wall-clock time, and the fair start of w
// to the score. It reports whether the given start is after the latest start of w.
func (n *treeNode) addStart(w *waitingJob, start job.Time) (late bool) {
	n.Late += max(0, start-w.fair)
	n.Early += max(0, w.fair-start)
	return start > w.latest
}

// goodSets returns the numbers and the scores of all good nodes except the node of the empty set.
func (s *search) goodSets() (numbers []int32, scores []rule.Score) {
	s.numbers, s.scores = s.numbers[:0], s.scores[:0]
	for i := 1; i < len(s.nodes); i++ {
		if n := &s.nodes[i]; n.good {
			s.numbers = append(s.numbers, int32(i))
			s.scores = append(s.scores, n.Score)
		}
	}
	return s.numbers, s.scores
}
