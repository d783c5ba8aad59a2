package external

import (
	"sort"

	"backfill-lab/core/cluster"
	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/schedule"
)

// event is the start or the end of a segment. A job runs without interruption during a segment.
type event struct {
	at   job.Time
	job  job.Index
	kind log.Kind // log.Start or log.Resume for a start, log.Suspend or log.Finish for an end
}

// events is a list of events that package sort can sort by time. At equal times, ends precede
// starts; remaining ties are in order of jobs.
type events []event

func (e events) Len() int      { return len(e) }
func (e events) Swap(i, k int) { e[i], e[k] = e[k], e[i] }
func (e events) Less(i, k int) bool {
	a, b := &e[i], &e[k]
	if a.at != b.at {
		return a.at < b.at
	}
	if x, y := isStart(a.kind), isStart(b.kind); x != y {
		return y
	}
	return a.job < b.job
}

// isStart reports whether an event starts a segment.
func isStart(k log.Kind) bool { return k == log.Start || k == log.Resume }

// events returns the starts and ends of all jobs, sorted. It omits jobs whose segments are out of
// order, because charts cannot show them. Function schedule.Check reports such jobs.
func (f *importer) events() events {
	list := make(events, 0, 2*len(f.out))
	for i := range f.out {
		r, j := &f.out[i], job.Index(i)
		if !inOrder(r) {
			continue
		}
		for n, g := range r.Segments {
			start, end := log.Resume, log.Suspend
			if n == 0 {
				start = log.Start
			}
			if n == len(r.Segments)-1 {
				end = log.Finish
			}
			list = append(list, event{g.From, j, start})
			if g.To != job.Never {
				list = append(list, event{g.To, j, end})
			}
		}
	}
	sort.Sort(list)
	return list
}

// inOrder reports whether the segments of a row are in order, are not empty and do not overlap.
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

// makeLog returns a log of the schedule. A job gets the slots that the file names, if they are
// valid. Otherwise, it gets the lowest slots that are free at its start, and keeps them until it
// finishes. Two jobs can have the same slot at the same time if too few slots are free, or if the
// file names slots that another job already has.
func (f *importer) makeLog() *log.Log {
	l := log.New(f.m, f.jobsAsRun, log.Spans)
	free := cluster.NewFree(f.m.Slots())
	taken := make([]cluster.Set, len(f.jobs)) // by job: the slots that the job removed from free
	unnamed, overlapping := 0, 0
	for _, e := range f.events() {
		r := &f.out[e.job]
		switch e.kind {
		case log.Start:
			s := r.Alloc
			if !f.hasSlots(r) {
				unnamed++
				if s = f.takeLowest(&free, r.Procs, &taken[e.job]); s.Count() > taken[e.job].Count() {
					overlapping++
				}
			} else if free.Has(s) {
				free.Take(s)
				taken[e.job] = s
			}
			l.RecordSlots(e.job, s, log.Layout{Procs: int32(r.Procs)})
		case log.Finish:
			free.Put(taken[e.job])
		}
		l.Add(log.Record{Kind: e.kind, At: e.at, Job: e.job, Other: job.None})
	}
	f.noteSlots(unnamed, overlapping)
	return l
}

// noteSlots adds notes about how many jobs have no slots in the file, and how many jobs got
// occupied slots because too few were free.
func (f *importer) noteSlots(unnamed, overlapping int) {
	if unnamed > 0 {
		f.note("The file does not name the processors of %s, so the chart shows the lowest free processors.", format.Count(unnamed, "job"))
	}
	if overlapping > 0 {
		f.note("Too few processors were free for %s, so bars overlap in the chart.", format.Count(overlapping, "job"))
	}
}

// hasSlots reports whether a row names valid slots, and as many slots as processors.
func (f *importer) hasSlots(r *schedule.Row) bool {
	last := int32(0)
	for _, g := range r.Alloc {
		if g.Lo < last || g.Hi <= g.Lo || int(g.Hi) > f.m.Slots() {
			return false
		}
		last = g.Hi
	}
	return len(r.Alloc) > 0 && r.Alloc.Count() == r.Procs
}

// takeLowest returns the lowest free slots for a job. It removes them from freeSlots and stores
// them in takenSlots. If too few slots are free, the result also contains the lowest occupied
// slots, but takenSlots does not.
func (f *importer) takeLowest(freeSlots *cluster.Free, procs int, takenSlots *cluster.Set) cluster.Set {
	n := min(procs, freeSlots.Count())
	*takenSlots = freeSlots.TakeLowest(n, nil)
	if n == procs {
		return *takenSlots
	}
	procs = min(procs, f.m.Slots())
	rest := cluster.Set{{Lo: 0, Hi: int32(f.m.Slots())}}.Without(*takenSlots)
	return takenSlots.Union(rest.Slice(0, procs-n))
}
