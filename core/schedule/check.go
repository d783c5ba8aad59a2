package schedule

import (
	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// Options says which rules a schedule must follow, and how many findings are reported.
type Options struct {
	Promises bool // whether jobs must start no later than promised
	Rates    bool // whether co-scheduled jobs may change the speed of a job; the time that it runs may then differ from its runtime, but a log must show that it did all its work at the recorded rates
	Partial  bool // whether jobs may be unfinished when the schedule ends
	Limit    int  // maximum number of findings per code; 0 means DefaultLimit
}

// Check checks a schedule against the rules that apply to every policy. If slots are unknown, it
// compares only the number of processors in use with the size of the machine. It takes O(n log n)
// time for n segments.
func Check(s *Schedule, m cluster.Machine, o Options) []Finding {
	c := newChecker(s, m, o)
	for i := range s.Rows {
		r := &s.Rows[i]
		c.checkRequest(r)
		c.checkTimes(r)
		c.ordered[i] = c.checkSegments(r)
		c.placed[i] = c.ordered[i] && c.checkAlloc(r)
	}
	c.addOutageRows()
	c.sweep()
	return c.findings
}

// checker checks each row of a schedule, and then all rows together.
type checker struct {
	*report
	s       *Schedule
	m       cluster.Machine
	o       Options
	ordered []bool // by row: whether its segments are in order, as method sweep requires
	placed  []bool // by row: whether its segments are in order, and checkAlloc returned true
}

func newChecker(s *Schedule, m cluster.Machine, o Options) *checker {
	return &checker{newReport(o.Limit), s, m, o, make([]bool, len(s.Rows)), make([]bool, len(s.Rows))}
}

// checkRequest checks the number of processors, the runtime and the estimate of a job.
func (c *checker) checkRequest(r *Row) {
	if r.Procs < 1 || r.Runtime < 1 || r.Estimate < r.Runtime {
		c.add(BadRequest, r.ID, job.Never, "job %q requests %d processors for %d s and runs %d s", r.ID, r.Procs, r.Estimate, r.Runtime)
	}
}

// checkTimes checks when a job started and finished, and whether it started as promised.
func (c *checker) checkTimes(r *Row) {
	if !r.Finished() && !c.o.Partial {
		what := "finishes"
		if r.Start == job.Never {
			what = "starts"
		}
		c.add(Unfinished, r.ID, job.Never, "job %q never %s", r.ID, what)
	}
	if r.Start < r.Submit {
		c.add(EarlyStart, r.ID, r.Start, "job %q starts at %d, before its submission at %d", r.ID, r.Start, r.Submit)
	}
	if c.o.Promises && r.Start != job.Never && r.Start > r.Promised {
		c.add(PromiseBroken, r.ID, r.Promised, "job %q was promised to start by %d, but starts at %d", r.ID, r.Promised, r.Start)
	}
}

// checkSegments checks that the segments of a job are in order, and that they agree with its start,
// finish and runtime. It reports whether they are in order.
func (c *checker) checkSegments(r *Row) bool {
	last := job.Time(0)
	for i, g := range r.Segments {
		if g.From < last || g.To < g.From {
			c.add(SegmentOrder, r.ID, g.From, "job %q: segment %d goes from %d to %d, but the previous one ends at %d", r.ID, i+1, g.From, g.To, last)
			return false
		}
		last = g.To
	}
	if r.Start == job.Never && len(r.Segments) == 0 {
		return true
	}
	if len(r.Segments) == 0 || r.Segments[0].From != r.Start {
		c.add(StartAt, r.ID, r.Start, "job %q starts at %s, but its first segment does not", r.ID, timeText(r.Start))
	} else if last != r.Finish {
		c.add(FinishAt, r.ID, r.Finish, "job %q finishes at %s, but its last segment ends at %s", r.ID, timeText(r.Finish), timeText(last))
	} else if ran := r.TotalRuntime(); r.Finish != job.Never && !r.Rated && !c.o.Rates && ran != r.Runtime {
		c.add(Work, r.ID, r.Finish, "job %q has a runtime of %d s, but ran %d s", r.ID, r.Runtime, ran)
	}
	return true
}

// timeText formats t for the text of a finding.
func timeText(t job.Time) string {
	if t == job.Never {
		return "an unknown time"
	}
	return string(appendTime(nil, t))
}

// checkAlloc checks which slots a job has, how many there are, and how many are on each node. It
// reports whether the slots are known, ascending and on the machine, as method sweep requires.
func (c *checker) checkAlloc(r *Row) bool {
	last := int32(0)
	for _, g := range r.Alloc {
		if g.Lo < last || g.Hi <= g.Lo || int(g.Hi) > c.m.Slots() {
			c.add(InvalidSlots, r.ID, r.Start, "job %q has the slots %v, but the machine has slots 0 to %d", r.ID, r.Alloc, c.m.Slots()-1)
			return false
		}
		last = g.Hi
	}
	if len(r.Alloc) == 0 {
		return false
	}
	if n := r.Alloc.Count(); n != r.Procs {
		c.add(SlotCount, r.ID, r.Start, "job %q has %d processes but %d slots", r.ID, r.Procs, n)
	}
	if r.PerNode > 0 {
		c.checkPerNode(r)
	}
	return true
}

// checkPerNode checks that the job has at most r.PerNode processes on each node.
func (c *checker) checkPerNode(r *Row) {
	node, count := -1, 0
	for _, g := range r.Alloc {
		for lo := int(g.Lo); lo < int(g.Hi); {
			n := c.m.Node(lo)
			hi := min(int(g.Hi), (n+1)*c.m.SlotsPerNode())
			if n != node {
				node, count = n, 0
			}
			if count += hi - lo; count > r.PerNode {
				c.add(PerNode, r.ID, r.Start, "job %q has %d processes on node %d, but its layout allows %d", r.ID, count, node, r.PerNode)
				return
			}
			lo = hi
		}
	}
}
