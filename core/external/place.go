package external

import (
	"sort"
	"strconv"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/schedule"
)

// event is the start or the end of a segment of a job.
type event struct {
	at   job.Time
	job  job.Index
	kind log.Kind
}

// events is a list of events that sorts by time, with ends first, then by job.
type events []event

func (e events) Len() int      { return len(e) }
func (e events) Swap(i, k int) { e[i], e[k] = e[k], e[i] }
func (e events) Less(i, k int) bool {
	a, b := &e[i], &e[k]
	if a.at != b.at {
		return a.at < b.at
	}
	if x, y := begins(a.kind), begins(b.kind); x != y {
		return y
	}
	return a.job < b.job
}

func begins(k log.Kind) bool { return k == log.Start || k == log.Resume }

// happened returns the events of all jobs. A job with segments out of order counts as never
// started: a chart could not show it, and the checker reports it.
func (f *matching) happened() events {
	list := make(events, 0, 2*len(f.out))
	for i := range f.out {
		r, j := &f.out[i], job.Index(i)
		if !inOrder(r) {
			continue
		}
		for n, g := range r.Segments {
			begin, end := log.Resume, log.Suspend
			if n == 0 {
				begin = log.Start
			}
			if n == len(r.Segments)-1 {
				end = log.Finish
			}
			list = append(list, event{g.From, j, begin})
			if g.To != job.Never {
				list = append(list, event{g.To, j, end})
			}
		}
	}
	sort.Sort(list)
	return list
}

// inOrder reports whether the segments of a row do not overlap and are not empty.
func inOrder(r *schedule.Row) bool {
	last := job.Time(-1)
	for i, g := range r.Segments {
		if g.From < 0 || g.From < last || g.To <= g.From || g.To == job.Never && i < len(r.Segments)-1 {
			return false
		}
		last = g.To
	}
	return len(r.Segments) > 0
}

// placed returns the log of the schedule. Jobs keep the slots that the file names, if they are
// valid. Other jobs get the lowest free slots from start to finish. If too few slots are free,
// they overlap other jobs.
func (f *matching) placed() *log.Log {
	l := log.New(f.m, f.ran, log.Spans)
	free := cluster.NewFree(f.m.Slots())
	taken := make([]cluster.Set, len(f.jobs)) // by job: the slots that it took from free
	unnamed, over := 0, 0
	for _, e := range f.happened() {
		r := &f.out[e.job]
		switch e.kind {
		case log.Start:
			s := r.Alloc
			if !f.named(r) {
				unnamed++
				if s = f.lowest(&free, r.Procs, &taken[e.job]); s.Count() > taken[e.job].Count() {
					over++
				}
			} else if free.Has(s) {
				free.Take(s)
				taken[e.job] = s
			}
			l.Place(e.job, s, log.Layout{Procs: int32(r.Procs)})
		case log.Finish:
			free.Put(taken[e.job])
		}
		l.Add(log.Record{Kind: e.kind, At: e.at, Job: e.job, Other: job.None})
	}
	f.notePlaces(unnamed, over)
	return l
}

func (f *matching) notePlaces(unnamed, over int) {
	if unnamed > 0 {
		f.note("The file does not name the processors on which %s; the chart shows the lowest free ones.", ran(unnamed))
	}
	if over > 0 {
		f.note("When %s, too few processors were free, so the chart draws over other jobs.", ran(over))
	}
}

// named reports whether a row names valid slots, as many as it has processors.
func (f *matching) named(r *schedule.Row) bool {
	last := int32(0)
	for _, g := range r.Alloc {
		if g.Lo < last || g.Hi <= g.Lo || int(g.Hi) > f.m.Slots() {
			return false
		}
		last = g.Hi
	}
	return len(r.Alloc) > 0 && r.Alloc.Count() == r.Procs
}

// lowest takes the lowest free slots for a job. If too few are free, it also takes the lowest
// occupied ones.
func (f *matching) lowest(free *cluster.Free, procs int, taken *cluster.Set) cluster.Set {
	n := min(procs, free.Count())
	*taken = free.Lowest(n, nil)
	if n == procs {
		return *taken
	}
	procs = min(procs, f.m.Slots())
	rest := cluster.Set{{Lo: 0, Hi: int32(f.m.Slots())}}.Without(*taken)
	return taken.Union(rest.Slice(0, procs-n))
}

func ran(n int) string {
	if n == 1 {
		return "1 job ran"
	}
	return strconv.Itoa(n) + " jobs ran"
}
