package policy

import (
	"cmp"
	"slices"

	"backfill-lab/core/formula"
	"backfill-lab/core/job"
	"backfill-lab/core/sim"
)

// Order is a priority order of waiting jobs: one of the names below, or a formula. Each name stands
// for a formula (see the method Formula). The job with the smallest value of the formula goes first;
// ties go to the job with the lower index.
type Order string

const (
	FIFO Order = "fifo" // by submit time
	SJF  Order = "sjf"  // shortest estimate first
	LJF  Order = "ljf"  // longest estimate first
	WJF  Order = "wjf"  // most processors first
	NJF  Order = "njf"  // fewest processors first
)

// Orders lists the named orders.
var Orders = []string{string(FIFO), string(SJF), string(LJF), string(WJF), string(NJF)}

// OrderTitles holds the titles of Orders.
var OrderTitles = []string{"first in, first out (FIFO)", "shortest first (SJF)", "longest first (LJF)", "widest first (WJF)", "narrowest first (NJF)"}

// Formula returns the formula equivalent to a named order.
func (o Order) Formula() string {
	switch o {
	case SJF:
		return "estimate"
	case LJF:
		return "-estimate"
	case WJF:
		return "-procs"
	case NJF:
		return "procs"
	}
	return "submit"
}

// OrderKnob returns a knob whose value is an Order. The default is FIFO.
func OrderKnob(name, help string) Knob {
	return Knob{Name: name, Title: "queue order", Kind: ByOrder, Default: string(FIFO), Choices: Orders, ChoiceTitles: OrderTitles, Help: help}
}

// keyRule computes the sort key of a job from an Order.
type keyRule struct {
	order   Order            // a named order, used if formula is nil
	formula *formula.Formula // the parsed formula, nil for a named order
}

// key returns the sort key of a job; the smallest key goes first. Formulas use wall-clock time,
// because waiting times are in wall-clock time.
func (r *keyRule) key(p *sim.Pass, q *job.Request) int64 {
	if r.formula != nil {
		return r.formula.Key(p.Machine(), q, p.WallClock())
	}
	switch r.order {
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

// Entry holds a waiting job in a queue.
type Entry struct {
	key      int64 // sort key; the smallest goes first
	Estimate job.Time
	Job      job.Index
	Procs    int32 // requested processors
}

// before reports whether a comes before b in the queue.
func (a *Entry) before(b *Entry) bool {
	return a.key < b.key || a.key == b.key && a.Job < b.Job
}

// Queue holds waiting jobs, sorted by an Order. The zero Queue sorts by submit time.
type Queue struct {
	Entries []Entry

	keyRule keyRule
	keysAt  job.Time    // wall-clock time at which Resort last computed the keys; 0 before the first time
	buffer  []Entry     // the whole array that Entries is part of; Pop leaves unused space at its start
	keys    *keyBuffers // buffers of Resort; nil until it needs them
}

// keyBuffers holds the buffers in which recompute computes the keys of up to formula.BatchSize entries.
type keyBuffers struct {
	*formula.Keys
	jobs   [formula.BatchSize]*job.Request
	values [formula.BatchSize]int64
}

// NewQueue returns an empty queue in order o. It panics if o is neither a named order nor a valid
// formula. (Knobs accept only valid orders.)
func NewQueue(o Order) Queue {
	if slices.Contains(Orders, string(o)) {
		return Queue{keyRule: keyRule{order: o}}
	}
	f, err := formula.Parse(string(o))
	if err != nil {
		panic(err)
	}
	return Queue{keyRule: keyRule{formula: f}}
}

// Clone returns a deep copy.
func (q *Queue) Clone() Queue {
	return Queue{Entries: slices.Clone(q.Entries), keyRule: q.keyRule, keysAt: q.keysAt}
}

// ResetLike removes all entries from q and makes q use the order of the queue o.
func (q *Queue) ResetLike(o *Queue) { *q = Queue{Entries: q.Entries[:0], keyRule: o.keyRule} }

// Resort sorts the entries by their keys at the current instant. Policies call it, or
// AddSubmitted, in each pass before they use the queue. It does nothing unless the order
// depends on the time.
func (q *Queue) Resort(p *sim.Pass) {
	if f := q.keyRule.formula; f == nil || !f.DependsOnTime() || q.keysAt == p.WallClock() {
		return
	}
	q.keysAt = p.WallClock()
	if q.keys == nil && len(q.Entries) > 0 {
		q.keys = &keyBuffers{Keys: formula.NewKeys(q.keyRule.formula)}
	}
	for batch := range slices.Chunk(q.Entries, formula.BatchSize) {
		q.keys.recompute(p, batch)
	}
	q.sort()
}

// recompute recomputes the keys of at most formula.BatchSize entries.
func (k *keyBuffers) recompute(p *sim.Pass, batch []Entry) {
	for i := range batch {
		k.jobs[i] = p.Job(batch[i].Job)
	}
	k.Compute(p.Machine(), k.jobs[:len(batch)], p.WallClock(), k.values[:])
	for i := range batch {
		batch[i].key = k.values[i]
	}
}

// sort sorts the entries by insertion, since few entries change places from one instant
// to the next. It falls back to slices.SortFunc if the entries move far on average.
func (q *Queue) sort() {
	const meanMoves = 16 // places that entries may move on average in the insertion sort
	all := q.Entries
	for i, left := 1, meanMoves*len(all); i < len(all); i++ {
		e := all[i]
		if !e.before(&all[i-1]) {
			continue
		}
		k := search(all[:i], &e)
		copy(all[k+1:i+1], all[k:i])
		all[k] = e
		if left -= i - k; left < 0 {
			slices.SortFunc(all, func(a, b Entry) int {
				return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.Job, b.Job))
			})
			return
		}
	}
}

// Add inserts the waiting job j in order and returns its index.
func (q *Queue) Add(p *sim.Pass, j job.Index) int {
	r := p.Job(j)
	e := Entry{q.keyRule.key(p, r), r.Estimate, j, int32(r.Procs)}
	q.grow()
	if n := len(q.Entries); n == 0 || q.Entries[n-1].before(&e) {
		q.Entries = append(q.Entries, e)
		return n
	}
	i := search(q.Entries, &e)
	q.Entries = slices.Insert(q.Entries, i, e)
	return i
}

// grow makes space for one more entry behind the last one, if the array has no space there. If Pop
// has removed more entries than remain, grow moves the entries to the start of the array. Otherwise
// it allocates a larger array.
func (q *Queue) grow() {
	n := len(q.Entries)
	switch {
	case n < cap(q.Entries):
	case cap(q.buffer)-cap(q.Entries) > n:
		q.Entries = q.buffer[:copy(q.buffer[:n], q.Entries)]
	default:
		q.Entries = slices.Grow(q.Entries, max(64, n))
		q.buffer = q.Entries[:0]
	}
}

// Find returns the index of job j, which must be in the queue. If the order depends on the time,
// Resort must have been called in this pass.
func (q *Queue) Find(p *sim.Pass, j job.Index) int {
	return search(q.Entries, &Entry{key: q.keyRule.key(p, p.Job(j)), Job: j})
}

// Remove removes job j, which must be in the queue (see Find).
func (q *Queue) Remove(p *sim.Pass, j job.Index) {
	i := q.Find(p, j)
	q.Entries = slices.Delete(q.Entries, i, i+1)
}

// Pop removes the first n entries.
func (q *Queue) Pop(n int) { q.Entries = q.Entries[n:] }

// search returns the index of the first entry that does not come before e. The entries must be
// sorted.
func search(entries []Entry, e *Entry) int {
	lo, hi := 0, len(entries)
	for lo < hi {
		if mid := (lo + hi) / 2; entries[mid].before(e) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// AddSubmitted calls Resort and adds the jobs submitted at this instant.
func (q *Queue) AddSubmitted(p *sim.Pass) {
	q.Resort(p)
	for _, ev := range p.Events() {
		if ev.Kind == sim.Submitted {
			q.Add(p, ev.Job)
		}
	}
}
