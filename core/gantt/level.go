package gantt

import (
	"sort"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// level is an amount that is in use as a function of time, constant from one
// change to the next: lanes, or an extra resource of the machine.
type level struct {
	at  []job.Time
	use []int64   // from at on
	sum []float64 // times seconds, until at
}

// readUse walks the records of a chart's log for what running jobs hold of extra
// resource k.
func readUse(c *Chart, k int) level {
	l := level{}
	for r := range c.log.All() {
		switch r.Kind {
		case log.Start, log.Resume:
			l.step(r.At, c.log.Jobs[r.Job].Extra(k))
		case log.Finish, log.Suspend:
			l.step(r.At, -c.log.Jobs[r.Job].Extra(k))
		}
	}
	if n := len(l.at); n > 0 && l.use[n-1] > 0 {
		l.step(c.End, -l.use[n-1])
	}
	return l
}

// step adds a change at a moment, which is not before the last one.
func (l *level) step(at job.Time, by int64) {
	n := len(l.at)
	if n > 0 && l.at[n-1] == at {
		l.use[n-1] += by
		return
	}
	sum := 0.0
	if n > 0 {
		by += l.use[n-1]
		sum = l.sum[n-1] + float64(float64(l.use[n-1])*float64(at-l.at[n-1]))
	}
	l.at, l.use, l.sum = append(l.at, at), append(l.use, by), append(l.sum, sum)
}

// before returns the number of changes at or before t, which is not negative.
func (l *level) before(t float64) int {
	return sort.Search(len(l.at), func(i int) bool { return float64(l.at[i]) > t })
}

// integral returns the amount in use times seconds until t; k is before(t).
func (l *level) integral(t float64, k int) float64 {
	if k == 0 {
		return 0
	}
	return l.sum[k-1] + float64(float64(l.use[k-1])*(t-float64(l.at[k-1])))
}

// sample cuts [t0,t1) into columns of equal length and tells of each the mean in
// use; to says which changes lie in it.
func (l *level) sample(t0, t1 job.Time, columns int, to func(column int, mean float64, before, until int)) {
	edge := func(i int) float64 {
		return float64(t0) + float64(float64(t1-t0)*float64(i))/float64(columns)
	}
	a := edge(0)
	ka := l.before(a)
	ia := l.integral(a, ka)
	for i := range columns {
		b := edge(i + 1)
		kb := l.before(b)
		ib := l.integral(b, kb)
		inside := kb
		if kb > 0 && float64(l.at[kb-1]) == b {
			inside-- // the change at b belongs to the next column
		}
		to(i, (ib-ia)/(b-a), max(ka-1, 0), max(inside, ka))
		a, ka, ia = b, kb, ib
	}
}
