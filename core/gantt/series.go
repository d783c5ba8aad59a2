package gantt

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// usage holds the numbers of busy lanes and waiting jobs as functions of time.
type usage struct {
	stepFunction
	waiting []int32 // waiting[i] is the number of waiting jobs after times[i]
	maxTree []int32 // segment tree of maxima over waiting: maxTree[n+i] = waiting[i], maxTree[i] = max(maxTree[2i], maxTree[2i+1])
}

// readUsage reads the numbers of busy lanes and waiting jobs over time from the log of a chart.
func readUsage(c *Chart) usage {
	s := usage{}
	arrived, last := 0, job.Time(0)
	submit := func(until job.Time) {
		for ; arrived < len(c.log.Jobs) && c.log.Jobs[arrived].Submit <= until; arrived++ {
			s.addChange(c.log.Jobs[arrived].Submit, 0, 1)
		}
	}
	for r := range c.log.All() {
		submit(r.At)
		switch r.Kind {
		case log.Start:
			s.addChange(r.At, c.log.Alloc(r.Job).Count(), -1)
		case log.Resume:
			s.addChange(r.At, c.log.Alloc(r.Job).Count(), 0)
		case log.Finish, log.Suspend:
			s.addChange(r.At, -c.log.Alloc(r.Job).Count(), 0)
		}
		last = r.At
	}
	submit(last)
	if n := len(s.times); n > 0 && s.values[n-1] > 0 {
		s.addChange(c.End, -int(s.values[n-1]), 0)
	}
	s.maxTree = newMaxTree(s.waiting)
	return s
}

// addChange records by how much the number of busy lanes and the number of waiting jobs change at
// the given time. Changes must be added in order of time.
func (s *usage) addChange(at job.Time, busy int, waiting int32) {
	s.stepFunction.addChange(at, int64(busy))
	n := len(s.waiting)
	if len(s.times) == n {
		s.waiting[n-1] += waiting
		return
	}
	if n > 0 {
		waiting += s.waiting[n-1]
	}
	s.waiting = append(s.waiting, waiting)
}

// newMaxTree returns a segment tree of maxima over leaves, in the layout described at
// usage.maxTree.
func newMaxTree(leaves []int32) []int32 {
	n := len(leaves)
	t := append(make([]int32, n), leaves...)
	for i := n - 1; i > 0; i-- {
		t[i] = max(t[2*i], t[2*i+1])
	}
	return t
}

// maxWaiting returns the maximum number of waiting jobs after the changes with indexes from i to
// j-1.
func (s *usage) maxWaiting(i, j int) int32 {
	n, highest := len(s.times), int32(0)
	for i, j = i+n, j+n; i < j; i, j = i/2, j/2 {
		if i%2 == 1 {
			highest = max(highest, s.maxTree[i])
			i++
		}
		if j%2 == 1 {
			j--
			highest = max(highest, s.maxTree[j])
		}
	}
	return highest
}

// Sample holds how busy the machine is during one column of a time axis.
type Sample struct {
	Busy    float64 // mean number of busy lanes, or mean amount of a resource in use
	Waiting int32   // maximum number of waiting jobs
}

// Series divides [t0,t1) into columns of equal length, and returns a sample of each column.
func (c *Chart) Series(t0, t1 job.Time, columns int) []Sample {
	if t0 >= t1 || columns < 1 {
		return nil
	}
	out := make([]Sample, columns)
	c.usage.sample(t0, t1, columns, func(i int, mean float64, before, until int) {
		out[i] = Sample{mean, c.usage.maxWaiting(before, until)}
	})
	return out
}

// ResourceSeries returns samples of how much of extra resource k is in use. It leaves Waiting at 0.
// The first call for a resource reads the whole log.
func (c *Chart) ResourceSeries(k int, t0, t1 job.Time, columns int) []Sample {
	if t0 >= t1 || columns < 1 || k < 0 || k >= len(c.log.Machine.Resources) {
		return nil
	}
	if c.resourceUse == nil {
		c.resourceUse = make([]stepFunction, len(c.log.Machine.Resources))
	}
	if l := &c.resourceUse[k]; l.times == nil {
		*l = readResourceUse(c, k)
	}
	out := make([]Sample, columns)
	c.resourceUse[k].sample(t0, t1, columns, func(i int, mean float64, _, _ int) { out[i].Busy = mean })
	return out
}

// EncodeSeries appends samples to dst, as two little-endian float64 each: Busy and Waiting.
func EncodeSeries(samples []Sample, dst []byte) []byte {
	for _, x := range samples {
		dst = appendNumbers(dst, x.Busy, float64(x.Waiting))
	}
	return dst
}
