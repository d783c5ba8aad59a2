package moldable

import (
	"math"
	"slices"

	"backfill-lab/core/job"
)

// offer describes a possible next step of an allocation: to give one more processor to a job.
type offer struct {
	revenue   float64 // time that the processor saves, in whole nanoseconds, so that rounding errors do not decide ties
	runtime   float64 // runtime of the job with the offered processor, in seconds
	job       job.Index
	size      int32 // number of processors of the job without the offered one
	heapIndex int32 // index in hrf.secondOffers if the offer comes from there, else -1
}

// roundToNanos converts a revenue from seconds to whole nanoseconds.
func roundToNanos(revenue float64) float64 { return math.Round(revenue / epsilon) }

// before reports whether a has a higher revenue than b, or the same revenue and a lower job index.
func (a *offer) before(b *offer) bool {
	return a.revenue > b.revenue || a.revenue == b.revenue && a.job < b.job
}

// offers is a binary heap of offers, sorted by the method before.
type offers struct {
	list     []offer // the heap
	position []int32 // by job: index of its offer plus 1, 0 if it has none; nil if find is not needed
	steps    int64   // number of levels that the heap operations compared, for tests
}

func (o *offers) clone() offers {
	return offers{slices.Clone(o.list), slices.Clone(o.position), o.steps}
}

// find returns the index of the offer for job j, or -1.
func (o *offers) find(j job.Index) int {
	if o.position == nil {
		return -1
	}
	return int(o.position[j]) - 1
}

// push adds an offer.
func (o *offers) push(x offer) {
	o.list = append(o.list, x)
	o.moveUp(len(o.list) - 1)
}

// remove removes the offer at index i.
func (o *offers) remove(i int) {
	last := len(o.list) - 1
	x, removed := o.list[last], o.list[i]
	o.list = o.list[:last]
	if o.position != nil {
		o.position[removed.job] = 0
	}
	if i < last {
		o.store(i, x)
		o.moveUp(i)
		o.moveDown(i)
	}
}

// store stores the offer x at index i, and records this index in position.
func (o *offers) store(i int, x offer) {
	o.list[i] = x
	if o.position != nil {
		o.position[x.job] = int32(i) + 1
	}
}

// moveUp moves the offer at index i towards the top of the heap.
func (o *offers) moveUp(i int) {
	x := o.list[i]
	for i > 0 {
		o.steps++
		parent := (i - 1) / 2
		if !x.before(&o.list[parent]) {
			break
		}
		o.store(i, o.list[parent])
		i = parent
	}
	o.store(i, x)
}

// moveDown moves the offer at index i towards the bottom of the heap.
func (o *offers) moveDown(i int) {
	x := o.list[i]
	for child := 2*i + 1; child < len(o.list); child = 2*i + 1 {
		o.steps++
		if right := child + 1; right < len(o.list) && o.list[right].before(&o.list[child]) {
			child = right
		}
		if !o.list[child].before(&x) {
			break
		}
		o.store(i, o.list[child])
		i = child
	}
	o.store(i, x)
}
