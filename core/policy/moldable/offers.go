package moldable

import (
	"math"
	"slices"

	"backfill-lab/core/job"
)

// offer is one more processor for a job.
type offer struct {
	revenue float64 // seconds that it takes off the runtime, in billionths: rounded, so that equal ones are equal
	runtime float64 // with it
	job     job.Index
	size    int32 // without it
	from    int32 // place in the heap of all offers of a job that has one processor, else -1
}

// rounded returns a revenue in billionths of a second.
func rounded(revenue float64) float64 { return math.Round(revenue / epsilon) }

func (a *offer) before(b *offer) bool {
	return a.revenue > b.revenue || a.revenue == b.revenue && a.job < b.job
}

// offers is a heap of offers, the highest revenue on top, of equal ones that of
// the earlier job.
type offers struct {
	list  []offer
	where []int32 // by job: place of its offer + 1, 0 if it has none; nil where nobody asks
	steps int64   // levels gone up or down
}

func (o *offers) clone() offers {
	return offers{slices.Clone(o.list), slices.Clone(o.where), o.steps}
}

// find returns the place of the offer for job j, -1 if there is none.
func (o *offers) find(j job.Index) int {
	if o.where == nil {
		return -1
	}
	return int(o.where[j]) - 1
}

func (o *offers) push(x offer) {
	o.list = append(o.list, x)
	o.up(len(o.list) - 1)
}

func (o *offers) remove(at int) {
	last := len(o.list) - 1
	x, gone := o.list[last], o.list[at]
	o.list = o.list[:last]
	if o.where != nil {
		o.where[gone.job] = 0
	}
	if at < last {
		o.put(at, x)
		o.up(at)
		o.down(at)
	}
}

func (o *offers) put(at int, x offer) {
	o.list[at] = x
	if o.where != nil {
		o.where[x.job] = int32(at) + 1
	}
}

func (o *offers) up(at int) {
	x := o.list[at]
	for at > 0 {
		o.steps++
		parent := (at - 1) / 2
		if !x.before(&o.list[parent]) {
			break
		}
		o.put(at, o.list[parent])
		at = parent
	}
	o.put(at, x)
}

func (o *offers) down(at int) {
	x := o.list[at]
	for child := 2*at + 1; child < len(o.list); child = 2*at + 1 {
		o.steps++
		if right := child + 1; right < len(o.list) && o.list[right].before(&o.list[child]) {
			child = right
		}
		if !o.list[child].before(&x) {
			break
		}
		o.put(at, o.list[child])
		at = child
	}
	o.put(at, x)
}
