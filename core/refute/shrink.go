package refute

import "backfill-lab/core/job"

// shrinker makes a counterexample smaller. It tries candidates, which are smaller variants of the
// smallest counterexample so far. A candidate that still reaches the goal becomes the smallest
// counterexample. The shrinker ends when no candidate reaches the goal.
//
// The library rapid, which the tests use, also shrinks. However, it shrinks the random numbers from
// which a workload is drawn, so removing one job changes all later jobs. It also cannot pause, and
// stops after a time limit.
type shrinker struct {
	best       *workload   // smallest counterexample so far
	candidates []*workload // variants of best that are smaller
	next       int         // index of the candidate to try next
	failed     int         // number of candidates in a row that did not reach the goal
	done       bool        // whether no candidate reaches the goal
}

// newShrinker returns a shrinker for a workload. It has not tried any candidate.
func newShrinker(w *workload) shrinker { return shrinker{best: w, candidates: candidates(w)} }

// shrink tries the next candidate. If none is left to try, it sets s.done instead.
func (s *shrinker) shrink(reaches func(*workload) (bool, error)) error {
	if s.failed == len(s.candidates) {
		s.done = true
		return nil
	}
	s.next %= len(s.candidates)
	c := s.candidates[s.next]
	ok, err := reaches(c)
	switch {
	case err != nil:
		return err
	case ok:
		*s = shrinker{best: c, candidates: candidates(c), next: s.next}
	default:
		s.next++
		s.failed++
	}
	return nil
}

// size returns five numbers by which workloads are compared. The first number that differs decides
// which workload is smaller. The first number is the number of jobs. The second is the number of
// extra resources, outages and moldable jobs. The third is the sum of the processors and capacities
// of the machine. The fourth is the sum of the processors and amounts that jobs and outages take,
// plus the lengths of the runtime tables of moldable jobs. The fifth is the sum of the digit costs
// of all times (see digitCost), plus 10 for each job that ends before its estimate.
func size(w *workload) [5]int64 {
	m := &w.machine
	s := [5]int64{int64(len(w.jobs)), int64(len(m.Resources) + len(m.Outages)), int64(m.Slots())}
	for _, r := range m.Resources {
		s[2] += r.Capacity
	}
	for i := range w.jobs {
		j := &w.jobs[i]
		for k := range m.Resources {
			s[3] += j.Extra(k)
		}
		s[3] += int64(j.Procs)
		if curve := j.Speedup(); curve != nil {
			s[1]++
			s[3] += int64(len(curve.Table))
			for _, t := range curve.Table[1:] {
				s[4] += digitCost(t)
			}
		}
		if j.Runtime != j.Estimate {
			s[4] += 10
		}
		s[4] += digitCost(j.Submit) + digitCost(j.Estimate) + digitCost(j.Runtime)
	}
	for _, b := range m.Outages {
		s[3] += int64(b.Procs)
		s[4] += digitCost(b.From) + digitCost(b.To)
	}
	return s
}

// digitCost returns t, plus 10 for each digit after the first one. Zeros at the end do not count as
// digits. So rounder numbers count as smaller: 20 has a lower digit cost than 12.
func digitCost(t job.Time) int64 {
	w := t
	for t > 0 && t%10 == 0 {
		t /= 10
	}
	for ; t >= 10; t /= 10 {
		w += 10
	}
	return w
}
