package policy

import (
	"cmp"
	"slices"

	"backfill-lab/core/formula"
	"backfill-lab/core/job"
	"backfill-lab/core/sim"
)

// Order is a priority order of waiting jobs, one of the words below or a formula
// of which the smallest value goes first; ties go to the earlier job.
type Order string

const (
	FIFO Order = "fifo" // submit
	SJF  Order = "sjf"  // estimate, shortest first
	LJF  Order = "ljf"  // estimate, longest first
	WJF  Order = "wjf"  // processors, widest first
	NJF  Order = "njf"  // processors, narrowest first
)

// Orders is the words for orders.
var Orders = []string{string(FIFO), string(SJF), string(LJF), string(WJF), string(NJF)}

// Formula returns the formula that says what the word says.
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

// OrderKnob returns the knob by which policies offer an order.
func OrderKnob(name, help string) Knob {
	return Knob{Name: name, Kind: ByOrder, Default: string(FIFO), Choices: Orders, Help: help}
}

// rank is an order made ready to give each job its key.
type rank struct {
	word    Order
	formula *formula.Formula // nil: word
}

// key returns what the jobs are sorted by. A job waits by the clock on the wall.
func (r *rank) key(p *sim.Pass, q *job.Request) int64 {
	if r.formula != nil {
		return r.formula.Key(p.Machine(), q, p.Clock())
	}
	switch r.word {
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

// Queue holds waiting jobs in an order, that of submission if none is given.
type Queue struct {
	Entries []Entry

	rank rank
	at   job.Time // moment of the keys, where they change
	room []Entry  // what Entries lies in, from its begin: Pop leaves space there
	keys *keys    // nil until they change
}

// keys is room to find the keys of all entries anew.
type keys struct {
	*formula.Keys
	jobs [formula.Width]*job.Request
	list [formula.Width]int64
}

// NewQueue returns an empty queue in an order that a knob has taken.
func NewQueue(o Order) Queue {
	if slices.Contains(Orders, string(o)) {
		return Queue{rank: rank{word: o}}
	}
	f, err := formula.Parse(string(o))
	if err != nil {
		panic(err) // knobs take no such text
	}
	return Queue{rank: rank{formula: f}}
}

// Clone returns a copy that shares nothing.
func (q *Queue) Clone() Queue { return Queue{Entries: slices.Clone(q.Entries), rank: q.rank, at: q.at} }

// Like makes q an empty queue in the order of another one.
func (q *Queue) Like(o *Queue) { *q = Queue{Entries: q.Entries[:0], rank: o.rank} }

// Renew puts the entries in their order at this instant. Policies call it, or
// AddSubmitted, at each pass before they use the queue; it costs something only
// where the order changes as time passes.
func (q *Queue) Renew(p *sim.Pass) {
	if f := q.rank.formula; f == nil || !f.Changes() || q.at == p.Clock() {
		return
	}
	q.at = p.Clock()
	if q.keys == nil && len(q.Entries) > 0 {
		q.keys = &keys{Keys: formula.NewKeys(q.rank.formula)}
	}
	for all := q.Entries; len(all) > 0; {
		some := all[:min(formula.Width, len(all))]
		q.keys.renew(p, some)
		all = all[len(some):]
	}
	q.sort()
}

// renew finds the keys of some entries anew.
func (k *keys) renew(p *sim.Pass, some []Entry) {
	for i := range some {
		k.jobs[i] = p.Job(some[i].Job)
	}
	k.Of(p.Machine(), k.jobs[:len(some)], p.Clock(), k.list[:])
	for i := range some {
		some[i].key = k.list[i]
	}
}

// sort puts the entries in their order. From one instant to the next few change
// places, which are moved one by one; where many do, all are sorted.
func (q *Queue) sort() {
	const far = 16 // places that an entry may move on average
	all := q.Entries
	for i, left := 1, far*len(all); i < len(all); i++ {
		e := all[i]
		if !e.before(&all[i-1]) {
			continue
		}
		k := q.among(&e, i)
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

// Add enters the waiting job j at its place, which it returns.
func (q *Queue) Add(p *sim.Pass, j job.Index) int {
	r := p.Job(j)
	e := Entry{q.rank.key(p, r), r.Estimate, j, int32(r.Procs)}
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

// Find returns the place of an entry of this queue.
func (q *Queue) Find(p *sim.Pass, j job.Index) int {
	return q.place(&Entry{key: q.rank.key(p, p.Job(j)), Job: j})
}

// Remove takes out an entry of this queue or of another one.
func (q *Queue) Remove(p *sim.Pass, j job.Index) {
	i := q.Find(p, j)
	q.Entries = slices.Delete(q.Entries, i, i+1)
}

// Pop takes out the first n entries.
func (q *Queue) Pop(n int) { q.Entries = q.Entries[n:] }

// place returns the index of the first entry that does not come before e.
func (q *Queue) place(e *Entry) int { return q.among(e, len(q.Entries)) }

// among returns place among the first n entries.
func (q *Queue) among(e *Entry, n int) int {
	lo, hi := 0, n
	for lo < hi {
		if mid := (lo + hi) / 2; q.Entries[mid].before(e) {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// AddSubmitted renews the queue and enters the jobs submitted at this instant.
func (q *Queue) AddSubmitted(p *sim.Pass) {
	q.Renew(p)
	for _, ev := range p.Events() {
		if ev.Kind == sim.Submitted {
			q.Add(p, ev.Job)
		}
	}
}
