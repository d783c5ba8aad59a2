package policy

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/sim"
)

// Order is a priority order of waiting jobs; ties go to the earlier job.
type Order string

const (
	FIFO Order = "fifo" // submit
	SJF  Order = "sjf"  // estimate, shortest first
	LJF  Order = "ljf"  // estimate, longest first
	WJF  Order = "wjf"  // processors, widest first
	NJF  Order = "njf"  // processors, narrowest first
)

// Orders is the names of all orders.
var Orders = []string{string(FIFO), string(SJF), string(LJF), string(WJF), string(NJF)}

// OrderKnob is the knob by which policies offer an order.
func OrderKnob(name, help string) Knob {
	return Knob{Name: name, Kind: Choice, Default: string(FIFO), Choices: Orders, Help: help}
}

func (o Order) key(q *job.Request) int64 {
	switch o {
	case SJF:
		return q.Estimate
	case LJF:
		return -q.Estimate
	case WJF:
		return -int64(q.Procs)
	case NJF:
		return int64(q.Procs)
	}
	return 0
}

// Entry is a waiting job in a queue.
type Entry struct {
	key      int64
	Estimate job.Time
	Job      job.Index
	Procs    int32
}

func (a *Entry) before(b *Entry) bool {
	return a.key < b.key || a.key == b.key && a.Job < b.Job
}

// Queue holds waiting jobs in an order.
type Queue struct {
	Order   Order
	Entries []Entry

	room []Entry // what Entries lies in, from its begin: Pop leaves space there
}

// Clone returns a copy that shares nothing.
func (q *Queue) Clone() Queue { return Queue{Order: q.Order, Entries: slices.Clone(q.Entries)} }

// Add enters the waiting job j at its place, which it returns.
func (q *Queue) Add(p *sim.Pass, j job.Index) int {
	r := p.Job(j)
	e := Entry{q.Order.key(r), r.Estimate, j, int32(r.Procs)}
	q.makeRoom()
	if n := len(q.Entries); n == 0 || q.Entries[n-1].before(&e) {
		q.Entries = append(q.Entries, e)
		return n
	}
	i := q.place(&e)
	q.Entries = slices.Insert(q.Entries, i, e)
	return i
}

// makeRoom lets Entries have one more: from the space that Pop has left, as
// long as that costs no more than the pops did, else from the allocator.
func (q *Queue) makeRoom() {
	n := len(q.Entries)
	switch {
	case n < cap(q.Entries):
	case cap(q.room)-cap(q.Entries) > n:
		q.Entries = q.room[:copy(q.room[:n], q.Entries)]
	default:
		q.Entries = slices.Grow(q.Entries, max(64, n))
		q.room = q.Entries[:0]
	}
}

// Find is the place of an entry of this queue.
func (q *Queue) Find(p *sim.Pass, j job.Index) int {
	return q.place(&Entry{key: q.Order.key(p.Job(j)), Job: j})
}

// Remove takes out an entry of this queue or of another one.
func (q *Queue) Remove(p *sim.Pass, j job.Index) {
	i := q.Find(p, j)
	q.Entries = slices.Delete(q.Entries, i, i+1)
}

// Pop takes out the first n entries.
func (q *Queue) Pop(n int) { q.Entries = q.Entries[n:] }

// place is the index of the first entry that does not come before e.
func (q *Queue) place(e *Entry) int {
	lo, hi := 0, len(q.Entries)
	for lo < hi {
		if mid := (lo + hi) / 2; q.Entries[mid].before(e) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// AddSubmitted enters the jobs submitted at this instant.
func (q *Queue) AddSubmitted(p *sim.Pass) {
	for _, ev := range p.Events() {
		if ev.Kind == sim.Submitted {
			q.Add(p, ev.Job)
		}
	}
}
