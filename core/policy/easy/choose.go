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

// chooser backfills by another rule than the order of the queue.
type chooser struct {
	pick.Picker
	rest []policy.Entry // room for the jobs that may start
	asks pick.Shares    // and for what they ask

	told map[job.Index]int64 // the resource that the latest reason of a job left out names
}

// newChooser returns the chooser that the knobs ask for, nil for the order of the
// queue. Without reservations the first job may always start, or the queue could
// stop for good.
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

// passesOver reports whether jobs that may start are left waiting. A start can change
// the resource least in use, so that one of them matches later.
func (c *chooser) passesOver() bool { return c != nil && c.Fallback == pick.NoJob }

// clone returns a copy that shares nothing; of no chooser, none.
func (c *chooser) clone() *chooser {
	if c == nil {
		return nil
	}
	return &chooser{Picker: c.Picker, told: maps.Clone(c.told)}
}

// run starts jobs of the queue as long as any may start, each time the one that
// the rule takes of those that may (Leinberger et al. 1999, section 2.2). Room
// is what is free and follows what starts. Each start makes the room smaller,
// so who may not start once may not later.
func (c *chooser) run(p *sim.Pass, queue []policy.Entry, room *policy.Room,
	may func(*policy.Entry) bool, start func(*policy.Entry, log.Reason) bool) {
	c.rest = append(c.rest[:0], queue...)
	for c.keep(p, may); len(c.rest) > 0; c.keep(p, may) {
		used := pick.Used(p.Machine(), room)
		i := c.Pick(used, c.asks)
		if i == pick.Nobody {
			c.leave(p, pick.Resource(p.Machine(), pick.Least(used)))
			return
		}
		if x := &c.rest[i]; start(x, c.reason(p.Machine(), used, i)) {
			room.Take(x.Need(p))
		}
		delete(c.told, c.rest[i].Job)
		c.rest = slices.Delete(c.rest, i, i+1)
	}
}

// leave records of the jobs that may start why none does: they ask for too little of the
// resource. It records this once for each job and resource.
func (c *chooser) leave(p *sim.Pass, resource int64) {
	if c.told == nil {
		c.told = map[job.Index]int64{}
	}
	for i := range c.rest {
		j := c.rest[i].Job
		if was, ok := c.told[j]; !ok || was != resource {
			c.told[j] = resource
			p.Hold(j, log.Reason{Code: log.Unmatched, Other: job.None, X: resource})
		}
	}
}

// keep leaves only the jobs that may start.
func (c *chooser) keep(p *sim.Pass, may func(*policy.Entry) bool) {
	n := 0
	c.asks = c.asks[:0]
	for i := range c.rest {
		if x := &c.rest[i]; may(x) {
			c.asks = pick.Of(c.asks, p.Machine(), x.Need(p))
			c.rest[n] = *x
			n++
		}
	}
	c.rest = c.rest[:n]
}

// reason says why the job at place i is taken before the first one; of the
// first one it says nothing.
func (c *chooser) reason(m *cluster.Machine, used pick.Shares, i int) log.Reason {
	first, k := c.rest[0].Job, pick.Least(used)
	ask := c.asks.Job(len(used), i)
	balance, free := pick.Balance(used, ask)
	wasBalance, wasFree := pick.Balance(used, c.asks.Job(len(used), 0))
	switch {
	case i == 0:
		return log.Reason{Other: job.None}
	case c.Rule == pick.BL && c.LeastFirst(used, ask):
		return log.Reason{Code: log.LeastUsed, Other: first, X: pick.Resource(m, k), Y: log.Millionths(ask[k])}
	case c.Rule == pick.BB && pick.Less(balance, wasBalance):
		return log.Reason{Code: log.BestBalance, Other: first, X: log.Millionths(balance), Y: log.Millionths(wasBalance)}
	}
	return log.Reason{Code: log.Fuller, Other: first, X: log.Millionths(free), Y: log.Millionths(wasFree)}
}
