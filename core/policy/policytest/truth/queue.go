package truth

import (
	"math"
	"slices"

	"backfill-lab/core/formula/plain"
	"backfill-lab/core/job"
)

// sortKey returns the number by which job j is sorted. The order is given by its name or as a
// formula. If a formula has no finite value, the result is +Inf.
func (f *replay) sortKey(order string, j job.Index) float64 {
	request := &f.Log.Jobs[j].Request
	switch order {
	case "", "fifo":
		return 0
	case "sjf":
		return float64(request.Estimate)
	case "ljf":
		return -float64(request.Estimate)
	case "wjf":
		return -float64(request.Procs)
	case "njf":
		return float64(request.Procs)
	case "runtime": // estimated runtime of a moldable job with its planned size
		return float64(f.estimatedRuntime(j))
	}
	v := plain.Value(order, &f.Log.Machine, request, f.now)
	if v-v != 0 {
		return math.Inf(1)
	}
	return v
}

// queue returns the waiting jobs for which include returns true, sorted in the given order. Ties
// are in submission order.
func (f *replay) queue(order string, include func(job.Index) bool) []job.Index {
	out := f.waiting(include)
	slices.SortStableFunc(out, func(a, b job.Index) int {
		x, y := f.sortKey(order, a), f.sortKey(order, b)
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return int(a - b)
	})
	return out
}

// queueOrder returns the queue order that the policy and its knobs set.
func (f *replay) queueOrder() string {
	if f.Policy == "moldable" && f.Knobs.Text("select") == "sjf" {
		return "runtime"
	}
	if f.Policy == "fair-slack" || f.Policy == "glomarc-ts" || f.Policy == "conservative" && f.Knobs.Text("compress") != "replan" {
		return ""
	}
	return f.Knobs["order"]
}

// backfillOrder returns the order in which jobs are tried for backfilling.
func (f *replay) backfillOrder() string {
	if o, ok := f.Knobs["backfill-order"]; ok && o != "order" {
		return o
	}
	return f.queueOrder()
}

// head returns the first waiting job in the queue, or job.None.
func (f *replay) head() job.Index {
	if queue := f.queue(f.queueOrder(), f.isOfCurrentType); len(queue) > 0 {
		return queue[0]
	}
	return job.None
}

// jobsBefore returns the waiting jobs that come before job j in the given order.
func (f *replay) jobsBefore(order string, j job.Index) []job.Index {
	queue := f.queue(order, f.isOfCurrentType)
	return queue[:max(0, slices.Index(queue, j))]
}
