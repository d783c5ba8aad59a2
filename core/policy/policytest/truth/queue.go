package truth

import (
	"math"
	"slices"

	"backfill-lab/core/formula/plain"
	"backfill-lab/core/job"
)

// key returns what a job is sorted by: a word for an order, or a formula.
func (f *facts) key(order string, j job.Index) float64 {
	q := &f.log.Jobs[j].Request
	switch order {
	case "", "fifo":
		return 0
	case "sjf":
		return float64(q.Estimate)
	case "ljf":
		return -float64(q.Estimate)
	case "wjf":
		return -float64(q.Procs)
	case "njf":
		return float64(q.Procs)
	case "runtime": // of moldable jobs as wide as they are to be
		return float64(f.length(j))
	}
	v := plain.Value(order, &f.log.Machine, q, f.now)
	if v-v != 0 {
		return math.Inf(1)
	}
	return v
}

// queue returns waiting jobs in an order; of equals the one submitted first comes first.
func (f *facts) queue(order string, of func(job.Index) bool) []job.Index {
	out := f.waiting(of)
	slices.SortStableFunc(out, func(a, b job.Index) int {
		x, y := f.key(order, a), f.key(order, b)
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

// order returns the order of the queue, as the knobs say.
func (f *facts) order() string {
	if f.Policy == "moldable" && f.Knobs.Text("select") == "sjf" {
		return "runtime"
	}
	if f.Policy == "fair-slack" || f.Policy == "glomarc-ts" || f.Policy == "conservative" && f.Knobs.Text("compress") != "replan" {
		return ""
	}
	return f.Knobs["order"]
}

// trials returns the order in which jobs are tried for backfilling.
func (f *facts) trials() string {
	if o, ok := f.Knobs["backfill-order"]; ok && o != "order" {
		return o
	}
	return f.order()
}

// head returns the first waiting job of the queue, job.None if there is none.
func (f *facts) head() job.Index {
	if q := f.queue(f.order(), f.member); len(q) > 0 {
		return q[0]
	}
	return job.None
}

// before returns the waiting jobs before job j in an order.
func (f *facts) before(order string, j job.Index) []job.Index {
	q := f.queue(order, f.member)
	return q[:max(0, slices.Index(q, j))]
}
