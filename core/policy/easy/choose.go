package easy

import (
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
	jobs []policy.Entry
	asks []pick.Shares
}

// newChooser is the chooser that the knobs ask for, nil for the order of the
// queue.
func newChooser(v policy.Values) *chooser {
	if v.Text("pick") == pick.First {
		return nil
	}
	return &chooser{Picker: pick.Picker{Rule: v.Text("pick"), Fullness: v.Text("fullness")}}
}

// clone returns a copy that shares nothing; of no chooser, none.
func (c *chooser) clone() *chooser {
	if c == nil {
		return nil
	}
	return &chooser{Picker: c.Picker}
}

// run starts jobs of the queue as long as any may start, each time the one that
// the rule takes of those that may (Leinberger et al. 1999, section 2.2). Room
// is what is free and follows what starts. Each start makes the room smaller,
// so who may not start once may not later.
func (c *chooser) run(p *sim.Pass, queue []policy.Entry, room *policy.Room,
	may func(*policy.Entry) bool, start func(*policy.Entry, log.Reason) bool) {
	c.jobs = append(c.jobs[:0], queue...)
	c.asks = c.asks[:0]
	for i := range c.jobs {
		c.asks = append(c.asks, pick.Of(nil, p.Machine(), c.jobs[i].Need(p)))
	}
	for c.keep(may); len(c.jobs) > 0; c.keep(may) {
		used := pick.Used(p.Machine(), room)
		i := c.Pick(used, c.asks)
		if x := &c.jobs[i]; start(x, c.reason(p.Machine(), used, i)) {
			room.Take(x.Need(p))
		}
		c.jobs = append(c.jobs[:i], c.jobs[i+1:]...)
		c.asks = append(c.asks[:i], c.asks[i+1:]...)
	}
}

// keep leaves only the jobs that may start.
func (c *chooser) keep(may func(*policy.Entry) bool) {
	n := 0
	for i := range c.jobs {
		if may(&c.jobs[i]) {
			c.jobs[n], c.asks[n] = c.jobs[i], c.asks[i]
			n++
		}
	}
	c.jobs, c.asks = c.jobs[:n], c.asks[:n]
}

// reason says why the job at place i is taken before the first one; of the
// first one it says nothing.
func (c *chooser) reason(m *cluster.Machine, used pick.Shares, i int) log.Reason {
	first, k := c.jobs[0].Job, pick.Least(used)
	balance, free := pick.Balance(used, c.asks[i])
	wasBalance, wasFree := pick.Balance(used, c.asks[0])
	reason := func(code log.Code, x, y float64) log.Reason {
		return log.Reason{Code: code, Other: first, X: log.Millionths(x), Y: log.Millionths(y)}
	}
	switch {
	case i == 0:
		return log.Reason{Other: job.None}
	case c.Rule == pick.BL && c.LeastFirst(used, c.asks[i]):
		return log.Reason{Code: log.LeastUsed, Other: first, X: pick.Resource(m, k), Y: log.Millionths(c.asks[i][k])}
	case c.Rule == pick.BB && pick.Less(balance, wasBalance):
		return reason(log.BestBalance, balance, wasBalance)
	}
	return reason(log.Fuller, free, wasFree)
}
