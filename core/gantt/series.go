package gantt

import (
	"sort"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// steps is the busy lanes and the waiting jobs as functions of time: constant
// from one change to the next.
type steps struct {
	at      []job.Time
	busy    []int32
	waiting []int32
	sum     []int64 // lane-seconds until at
	most    []int32 // tournament over waiting: most[n+i] = waiting[i], most[i] = larger of its two children
}

// readSteps walks the records of a chart's log, which are in order of time,
// beside the submissions.
func readSteps(c *Chart) steps {
	s := steps{}
	arrived, last := 0, job.Time(0)
	submit := func(until job.Time) {
		for ; arrived < len(c.log.Jobs) && c.log.Jobs[arrived].Submit <= until; arrived++ {
			s.step(c.log.Jobs[arrived].Submit, 0, 1)
		}
	}
	for r := range c.log.All() {
		submit(r.At)
		switch r.Kind {
		case log.Start:
			s.step(r.At, int32(c.log.Alloc(r.Job).Count()), -1)
		case log.Resume:
			s.step(r.At, int32(c.log.Alloc(r.Job).Count()), 0)
		case log.Finish, log.Suspend:
			s.step(r.At, -int32(c.log.Alloc(r.Job).Count()), 0)
		}
		last = r.At
	}
	submit(last)
	if n := len(s.at); n > 0 && s.busy[n-1] > 0 {
		s.step(c.End, -s.busy[n-1], 0)
	}
	s.most = tournament(s.waiting)
	return s
}

// step adds a change at a moment, which is not before the last one.
func (s *steps) step(at job.Time, busy, waiting int32) {
	n := len(s.at)
	if n > 0 && s.at[n-1] == at {
		s.busy[n-1] += busy
		s.waiting[n-1] += waiting
		return
	}
	sum := int64(0)
	if n > 0 {
		busy, waiting = busy+s.busy[n-1], waiting+s.waiting[n-1]
		sum = s.sum[n-1] + int64(s.busy[n-1])*(at-s.at[n-1])
	}
	s.at, s.sum = append(s.at, at), append(s.sum, sum)
	s.busy, s.waiting = append(s.busy, busy), append(s.waiting, waiting)
}

func tournament(leaves []int32) []int32 {
	n := len(leaves)
	t := append(make([]int32, n), leaves...)
	for i := n - 1; i > 0; i-- {
		t[i] = max(t[2*i], t[2*i+1])
	}
	return t
}

// before is the number of steps at or before t, which is not negative.
func (s *steps) before(t float64) int {
	return sort.Search(len(s.at), func(i int) bool { return float64(s.at[i]) > t })
}

// integral is the busy lane-seconds until t; k is before(t).
func (s *steps) integral(t float64, k int) float64 {
	if k == 0 {
		return 0
	}
	return float64(s.sum[k-1]) + float64(float64(s.busy[k-1])*(t-float64(s.at[k-1])))
}

// mostWaiting is the largest number of waiting jobs of the steps [i,j).
func (s *steps) mostWaiting(i, j int) int32 {
	n, most := len(s.at), int32(0)
	for i, j = i+n, j+n; i < j; i, j = i/2, j/2 {
		if i%2 == 1 {
			most = max(most, s.most[i])
			i++
		}
		if j%2 == 1 {
			j--
			most = max(most, s.most[j])
		}
	}
	return most
}

// Sample is what a column of time shows.
type Sample struct {
	Busy    float64 // mean busy lanes
	Waiting int32   // most jobs that waited at once
}

// Series cuts [t0,t1) into columns of equal length and samples each.
func (c *Chart) Series(t0, t1 job.Time, columns int) []Sample {
	if t0 >= t1 || columns < 1 {
		return nil
	}
	s, out := &c.steps, make([]Sample, columns)
	edge := func(i int) float64 {
		return float64(t0) + float64(float64(t1-t0)*float64(i))/float64(columns)
	}
	a := edge(0)
	ka := s.before(a)
	ia := s.integral(a, ka)
	for i := range out {
		b := edge(i + 1)
		kb := s.before(b)
		ib := s.integral(b, kb)
		inside := kb
		if kb > 0 && float64(s.at[kb-1]) == b {
			inside-- // the step at b belongs to the next column
		}
		out[i] = Sample{(ib - ia) / (b - a), s.mostWaiting(max(ka-1, 0), max(inside, ka))}
		a, ka, ia = b, kb, ib
	}
	return out
}

// EncodeSeries appends samples to dst as little-endian float64, two each: mean
// busy lanes, most waiting jobs.
func EncodeSeries(samples []Sample, dst []byte) []byte {
	for _, x := range samples {
		dst = numbers(dst, x.Busy, float64(x.Waiting))
	}
	return dst
}
