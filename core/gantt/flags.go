package gantt

import "backfill-lab/core/log"

// Flags says what is special about a piece.
type Flags uint8

const (
	Bin        Flags = 1 << iota // no single job: several, too small to be drawn alone
	Backfilled                   // the job started ahead of others by the right to fill a hole
	Resumed                      // a later stretch of a job that was suspended
	Continues                    // the job is not finished at the end of the log
	Shared                       // other jobs may run on the same nodes
	Planned                      // a reservation, not yet a job on the machine
)

// rights says which reasons of a start make it a backfilled or a shared one.
// A start by a plan is a backfilled one if an earlier job waits at that moment.
var rights = [256]struct{ flags, ahead Flags }{
	log.FirstFit:     {flags: Backfilled},
	log.BeforeShadow: {flags: Backfilled},
	log.BesideShadow: {flags: Backfilled},
	log.LeastUsed:    {flags: Backfilled},
	log.BestBalance:  {flags: Backfilled},
	log.Fuller:       {flags: Backfilled},
	log.Entered:      {flags: Backfilled},
	log.Grouped:      {flags: Shared},
	log.Planned:      {ahead: Backfilled},
	log.MovedUp:      {ahead: Backfilled},
	log.MovedNow:     {ahead: Backfilled},
	log.MovedAhead:   {ahead: Backfilled},
}

// mark sets the flags of every stretch from the records of the log.
func (c *Chart) mark() {
	start, finished := c.starts()
	seen := make([]bool, len(c.log.Jobs))
	for i, j := range c.jobs {
		c.flags[i] = start[j]
		if seen[j] {
			c.flags[i] |= Resumed
		}
		seen[j] = true
		if !finished[j] {
			c.flags[i] |= Continues
		}
		if w := c.log.Width(j); w.PerNode != 0 && int(w.PerNode) < c.log.Machine.PerNode() {
			c.flags[i] |= Shared
		}
	}
}

// starts reads, by job, the flags of its start and whether it finished.
func (c *Chart) starts() (start []Flags, finished []bool) {
	start, finished = make([]Flags, len(c.log.Jobs)), make([]bool, len(c.log.Jobs))
	started := make([]bool, len(c.log.Jobs))
	earliest := 0 // job that has not started
	for r := range c.log.All() {
		switch r.Kind {
		case log.Start:
			started[r.Job] = true
			for earliest < len(started) && started[earliest] {
				earliest++
			}
			start[r.Job] = rights[r.Code].flags
			if earliest < int(r.Job) {
				start[r.Job] |= rights[r.Code].ahead
			}
		case log.Finish:
			finished[r.Job] = true
		}
	}
	return start, finished
}
