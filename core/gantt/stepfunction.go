package gantt

import (
	"sort"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// stepFunction is a function of time that is constant between its changes, such as the number of
// busy lanes.
type stepFunction struct {
	times     []job.Time // times of the changes
	values    []int64    // values[i] is the amount after times[i]
	integrals []float64  // integrals[i] is the integral of the amount from times[0] to times[i]
}

// readResourceUse returns how much of extra resource k is in use over time.
func readResourceUse(c *Chart, k int) stepFunction {
	l := stepFunction{}
	for r := range c.log.All() {
		switch r.Kind {
		case log.Start, log.Resume:
			l.addChange(r.At, c.log.Jobs[r.Job].Extra(k))
		case log.Finish, log.Suspend:
			l.addChange(r.At, -c.log.Jobs[r.Job].Extra(k))
		}
	}
	if n := len(l.times); n > 0 && l.values[n-1] > 0 {
		l.addChange(c.End, -l.values[n-1])
	}
	return l
}

// addChange records that the amount changes by delta at the given time. Changes must be added in
// order of time.
func (l *stepFunction) addChange(at job.Time, delta int64) {
	n := len(l.times)
	if n > 0 && l.times[n-1] == at {
		l.values[n-1] += delta
		return
	}
	sum := 0.0
	if n > 0 {
		delta += l.values[n-1]
		sum = l.integrals[n-1] + float64(float64(l.values[n-1])*float64(at-l.times[n-1]))
	}
	l.times, l.values, l.integrals = append(l.times, at), append(l.values, delta), append(l.integrals, sum)
}

// countUntil returns the number of changes at or before t. The argument t must not be negative.
func (l *stepFunction) countUntil(t float64) int {
	return sort.Search(len(l.times), func(i int) bool { return float64(l.times[i]) > t })
}

// integralAt returns the integral of the amount from the first change to t. The argument k must be
// countUntil(t).
func (l *stepFunction) integralAt(t float64, k int) float64 {
	if k == 0 {
		return 0
	}
	return l.integrals[k-1] + float64(float64(l.values[k-1])*(t-float64(l.times[k-1])))
}

// sample divides [t0,t1) into columns of equal length and calls yield for each column. It passes
// the mean amount in the column, and two indexes: the elements l.values[before:until] are the
// amounts that occur in the column.
func (l *stepFunction) sample(t0, t1 job.Time, columns int, yield func(column int, mean float64, before, until int)) {
	edge := func(i int) float64 {
		return float64(t0) + float64(float64(t1-t0)*float64(i))/float64(columns)
	}
	a := edge(0)
	ka := l.countUntil(a)
	ia := l.integralAt(a, ka)
	for i := range columns {
		b := edge(i + 1)
		kb := l.countUntil(b)
		ib := l.integralAt(b, kb)
		inside := kb
		if kb > 0 && float64(l.times[kb-1]) == b {
			inside-- // the change at the end of this column belongs to the next one
		}
		yield(i, (ib-ia)/(b-a), max(ka-1, 0), max(inside, ka))
		a, ka, ia = b, kb, ib
	}
}
