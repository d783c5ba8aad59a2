package easy

import (
	"maps"
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/pick"
	"backfill-lab/core/sim"
)

// chooser selects the jobs to backfill by a rule other than queue order.
type chooser struct {
	pick.Picker
	candidates []policy.Entry // buffer: candidates that may still start during this call of startSelected
	demands    pick.Shares    // buffer: the demands of the entries in candidates, as shares of the machine

	// unmatched holds the jobs that wait because they do not match the rule pick=bl. It maps each job to the
	// number of the resource that was least used. The recorded reason names this resource.
	unmatched map[job.Index]int64
}

// newChooser returns the chooser that the knobs describe, or nil for queue order. The knob fallback
// says which job starts if no job matches the rule. With reservations=0 and fallback=none, the
// queue could block forever. So with reservations=0, newChooser always sets the fallback to the
// first job.
func newChooser(v policy.Values) *chooser {
	if v.Text("pick") == pick.First {
		return nil
	}
	c := &chooser{Picker: pick.Picker{Rule: v.Text("pick"), Fullness: v.Text("fullness"), Fallback: v.Text("fallback")}}
	if v.Int("reservations") == 0 {
		c.Fallback = pick.FirstJob
	}
	return c
}

// leavesStartable reports whether the chooser may let a job wait although the job could start. Such
// a job can be selected later, after another start has changed which resource is least used.
func (c *chooser) leavesStartable() bool { return c != nil && c.Fallback == pick.NoJob }

// clone returns a deep copy, or nil if c is nil.
func (c *chooser) clone() *chooser {
	if c == nil {
		return nil
	}
	return &chooser{Picker: c.Picker, unmatched: maps.Clone(c.unmatched)}
}

// startSelected repeatedly starts the candidate that the rule selects, until none may start
// (Leinberger et al. 1999, section 2.2). It subtracts the demand of each started job from the free
// capacity. This capacity only shrinks, so startSelected drops each candidate that the function
// mayStart refuses. If the rule selects no candidate, startSelected records why the remaining
// candidates wait. It calls tryStart, which starts a candidate and reports whether the machine
// accepted the start.
func (c *chooser) startSelected(p *sim.Pass, candidates []policy.Entry, free *policy.Capacity,
	mayStart func(*policy.Entry) bool, tryStart func(*policy.Entry, log.Reason) bool) {
	c.candidates = append(c.candidates[:0], candidates...)
	for c.dropRefused(p, mayStart); len(c.candidates) > 0; c.dropRefused(p, mayStart) {
		used := pick.SharesInUse(p.Machine(), free)
		i := c.Pick(used, c.demands)
		if i == pick.NoMatch {
			c.recordUnmatched(p, pick.ResourceNumber(p.Machine(), pick.LeastUsed(used)))
			return
		}
		if x := &c.candidates[i]; tryStart(x, c.reason(p.Machine(), used, i)) {
			free.Take(x.Demand(p))
		}
		delete(c.unmatched, c.candidates[i].Job)
		c.candidates = slices.Delete(c.candidates, i, i+1)
	}
}

// recordUnmatched records that the remaining candidates wait because they request too little of the
// given resource. It records this once for each job and resource.
func (c *chooser) recordUnmatched(p *sim.Pass, resource int64) {
	if c.unmatched == nil {
		c.unmatched = map[job.Index]int64{}
	}
	for i := range c.candidates {
		j := c.candidates[i].Job
		if recorded, ok := c.unmatched[j]; !ok || recorded != resource {
			c.unmatched[j] = resource
			p.RecordWait(j, log.Reason{Code: log.Unmatched, Other: job.None, X: resource})
		}
	}
}

// dropRefused keeps only the jobs in c.candidates that may start, and computes their demands.
func (c *chooser) dropRefused(p *sim.Pass, mayStart func(*policy.Entry) bool) {
	n := 0
	c.demands = c.demands[:0]
	for i := range c.candidates {
		if x := &c.candidates[i]; mayStart(x) {
			c.demands = pick.AppendShares(c.demands, p.Machine(), x.Demand(p))
			c.candidates[n] = *x
			n++
		}
	}
	c.candidates = c.candidates[:n]
}

// reason returns why the candidate at index i starts before the first candidate. For the first
// candidate, the code of the reason is log.NoReason.
func (c *chooser) reason(m *cluster.Machine, used pick.Shares, i int) log.Reason {
	first, least := c.candidates[0].Job, pick.LeastUsed(used)
	demand, firstDemand := c.demands.Job(len(used), i), c.demands.Job(len(used), 0)
	balance, free := pick.Balance(used, demand)
	firstBalance, firstFree := pick.Balance(used, firstDemand)
	switch {
	case i == 0:
		return log.Reason{Other: job.None}
	case c.Rule == pick.BL && c.Matches(used, demand):
		return log.Reason{Code: log.LeastUsed, Other: first, X: pick.ResourceNumber(m, least), Y: log.Millionths(demand[least])}
	case c.Rule == pick.BB && pick.Less(balance, firstBalance):
		return log.Reason{Code: log.BestBalance, Other: first, X: log.Millionths(balance), Y: log.Millionths(firstBalance)}
	}
	return log.Reason{Code: log.LeavesLessFree, Other: first, X: log.Millionths(free), Y: log.Millionths(firstFree)}
}

// backfillChosen backfills the candidates in the order in which the chooser selects them.
func (e *Easy) backfillChosen(p *sim.Pass, candidates []policy.Entry, free *policy.Capacity) {
	mayStart := func(x *policy.Entry) bool {
		_, ok := e.reservation.MayBackfill(p, x, p.Now(), free.Procs)
		return ok && free.Fits(p, x)
	}
	e.chooser.startSelected(p, candidates, free, mayStart, func(x *policy.Entry, why log.Reason) bool {
		rule, _ := e.reservation.MayBackfill(p, x, p.Now(), free.Procs)
		if why.Code == log.NoReason {
			why = rule
		}
		if !e.start(p, x, why) {
			return false
		}
		e.reservation.TakeExtra(p, x, rule)
		e.started = append(e.started, x.Job)
		return true
	})
	e.removeStarted(p)
}
