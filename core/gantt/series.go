package gantt

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// steps is the busy lanes and the waiting jobs as functions of time.
type steps struct {
	level
	waiting []int32 // from level.at on
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
			s.step(r.At, c.log.Alloc(r.Job).Count(), -1)
		case log.Resume:
			s.step(r.At, c.log.Alloc(r.Job).Count(), 0)
		case log.Finish, log.Suspend:
			s.step(r.At, -c.log.Alloc(r.Job).Count(), 0)
		}
		last = r.At
	}
	submit(last)
	if n := len(s.at); n > 0 && s.use[n-1] > 0 {
		s.step(c.End, -int(s.use[n-1]), 0)
	}
	s.most = tournament(s.waiting)
	return s
}

// step adds a change at a moment, which is not before the last one.
func (s *steps) step(at job.Time, busy int, waiting int32) {
	s.level.step(at, int64(busy))
	n := len(s.waiting)
	if len(s.at) == n {
		s.waiting[n-1] += waiting
		return
	}
	if n > 0 {
		waiting += s.waiting[n-1]
	}
	s.waiting = append(s.waiting, waiting)
}

func tournament(leaves []int32) []int32 {
	n := len(leaves)
	t := append(make([]int32, n), leaves...)
	for i := n - 1; i > 0; i-- {
		t[i] = max(t[2*i], t[2*i+1])
	}
	return t
}

// mostWaiting returns the largest number of waiting jobs of the steps [i,j).
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
	Busy    float64 // mean busy lanes, or mean amount of a resource in use
	Waiting int32   // most jobs that waited at once
}

// Series cuts [t0,t1) into columns of equal length and samples each.
func (c *Chart) Series(t0, t1 job.Time, columns int) []Sample {
	if t0 >= t1 || columns < 1 {
		return nil
	}
	out := make([]Sample, columns)
	c.steps.sample(t0, t1, columns, func(i int, mean float64, before, until int) {
		out[i] = Sample{mean, c.steps.mostWaiting(before, until)}
	})
	return out
}

// Use returns the same of extra resource k of the machine; nobody waits in it. It takes
// time in proportion to the records when it is first asked for.
func (c *Chart) Use(k int, t0, t1 job.Time, columns int) []Sample {
	if t0 >= t1 || columns < 1 || k < 0 || k >= len(c.log.Machine.Resources) {
		return nil
	}
	if c.use == nil {
		c.use = make([]level, len(c.log.Machine.Resources))
	}
	if l := &c.use[k]; l.at == nil {
		*l = readUse(c, k)
	}
	out := make([]Sample, columns)
	c.use[k].sample(t0, t1, columns, func(i int, mean float64, _, _ int) { out[i].Busy = mean })
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
