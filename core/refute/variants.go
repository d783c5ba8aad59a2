package refute

import (
	"slices"
	"strconv"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// candidates returns smaller variants of a workload. The largest simplifications come first.
func candidates(w *workload) []*workload {
	l := &variants{from: w, size: size(w)}
	l.removeJobs()
	l.simplifyResources()
	l.simplifyOutages()
	l.simplifyCurves()
	l.changeProcs()
	l.changeTimes()
	return l.list
}

// variants collects smaller variants of a workload.
type variants struct {
	from *workload // workload to make smaller
	size [5]int64  // numbers that size(from) returned
	list []*workload
}

// add calls change with a copy of the workload. It adds the changed copy to the list if the copy is
// valid and smaller than the workload.
func (l *variants) add(change func(*workload)) {
	w := l.from.clone()
	change(w)
	w.makeConsistent()
	if s := size(w); w.valid() && slices.Compare(s[:], l.size[:]) < 0 {
		l.list = append(l.list, w)
	}
}

// clone returns a deep copy.
func (w *workload) clone() *workload {
	c := &workload{w.machine, slices.Clone(w.jobs)}
	c.machine.Resources, c.machine.Outages = slices.Clone(w.machine.Resources), slices.Clone(w.machine.Outages)
	for i := range c.jobs {
		if m := c.jobs[i].More; m != nil {
			more := &job.More{Extra: slices.Clone(m.Extra)}
			if m.Speedup != nil {
				more.Speedup = &job.Speedup{Table: slices.Clone(m.Speedup.Table)}
			}
			c.jobs[i].More = more
		}
	}
	return c
}

// makeConsistent corrects a changed workload. It numbers the jobs and takes the runtimes of
// moldable jobs from their tables. If a job requests 0 of every extra resource, makeConsistent
// drops its list of amounts.
func (w *workload) makeConsistent() {
	for i := range w.jobs {
		j := &w.jobs[i]
		j.ID = strconv.Itoa(i + 1)
		if j.More == nil {
			continue
		}
		if !slices.ContainsFunc(j.More.Extra, func(n int64) bool { return n > 0 }) {
			j.More.Extra = nil
		}
		if s := j.More.Speedup; s != nil {
			j.Procs, j.Estimate, j.Runtime = 1, s.Table[0], s.Table[0]
		} else if j.More.Extra == nil {
			j.More = nil
		}
	}
}

// valid reports whether the machine and the jobs are valid, and the jobs are in order of
// submission.
func (w *workload) valid() bool {
	if len(w.jobs) == 0 || w.machine.Validate() != nil {
		return false
	}
	for i := range w.jobs {
		j := &w.jobs[i]
		if j.Validate(i, w.machine.Slots()) != nil || i > 0 && j.Submit < w.jobs[i-1].Submit {
			return false
		}
		for k, r := range w.machine.Resources {
			if j.Extra(k) > r.Capacity {
				return false
			}
		}
	}
	return true
}

// removeJobs adds variants that lack one or two jobs.
func (l *variants) removeJobs() {
	remove := func(i, k int) {
		l.add(func(w *workload) {
			w.jobs = slices.Delete(w.jobs, k, k+1)
			if i < k {
				w.jobs = slices.Delete(w.jobs, i, i+1)
			}
		})
	}
	for k := range l.from.jobs {
		remove(k, k)
	}
	for k := range l.from.jobs {
		for i := range k {
			remove(i, k)
		}
	}
}

// simplifyResources adds variants that lack an extra resource or use smaller amounts.
func (l *variants) simplifyResources() {
	for k, r := range l.from.machine.Resources {
		l.add(func(w *workload) {
			w.machine.Resources = slices.Delete(w.machine.Resources, k, k+1)
			for i := range w.jobs {
				if m := w.jobs[i].More; m != nil && m.Extra != nil {
					m.Extra = slices.Delete(m.Extra, k, k+1)
				}
			}
		})
		for _, n := range smallerValues(r.Capacity, 0) {
			l.add(func(w *workload) {
				w.machine.Resources[k].Capacity = n
				for i := range w.jobs {
					if m := w.jobs[i].More; m != nil && m.Extra != nil {
						m.Extra[k] = min(m.Extra[k], n)
					}
				}
			})
		}
		for i := range l.from.jobs {
			for _, n := range smallerValues(l.from.jobs[i].Extra(k), 0) {
				l.add(func(w *workload) { w.jobs[i].More.Extra[k] = n })
			}
		}
	}
}

// simplifyOutages adds variants that lack an outage, or in which an outage is smaller, earlier or
// shorter.
func (l *variants) simplifyOutages() {
	for k, b := range l.from.machine.Outages {
		l.add(func(w *workload) { w.machine.Outages = slices.Delete(w.machine.Outages, k, k+1) })
		change := func(f func(*cluster.Outage)) {
			l.add(func(w *workload) { f(&w.machine.Outages[k]) })
		}
		for _, n := range smallerValues(int64(b.Procs), 1) {
			change(func(b *cluster.Outage) { b.Procs = int(n) })
		}
		for _, t := range smallerValues(b.From, 0) {
			change(func(b *cluster.Outage) { b.From, b.To = t, b.To-b.From+t })
		}
		for _, t := range smallerValues(b.To, b.From+1) {
			change(func(b *cluster.Outage) { b.To = t })
		}
	}
}

// simplifyCurves adds variants in which a moldable job becomes rigid, or has a shorter table of
// runtimes, or smaller runtimes in its table.
func (l *variants) simplifyCurves() {
	for i := range l.from.jobs {
		curve := l.from.jobs[i].Speedup()
		if curve == nil {
			continue
		}
		l.add(func(w *workload) { w.jobs[i].More.Speedup = nil })
		change := func(f func(*job.Speedup)) {
			l.add(func(w *workload) { f(w.jobs[i].More.Speedup) })
		}
		if last := len(curve.Table) - 1; last > 0 {
			change(func(s *job.Speedup) { s.Table = s.Table[:last] })
		}
		for k, t := range curve.Table {
			for _, t := range smallerValues(t, 1) {
				change(func(s *job.Speedup) { s.Table[k] = t })
				change(func(s *job.Speedup) {
					for x := range s.Table {
						s.Table[x] = max(1, s.Table[x]-curve.Table[k]+t)
					}
				})
			}
		}
	}
}

// smallerValues returns the values to try instead of v: the lowest allowed value, half of v, the
// nearest round number below, and v - 1. It also returns the nearest round number above v, which
// can have a lower digit cost than v.
func smallerValues(v, lowest int64) (list []int64) {
	round := int64(1)
	for v/round >= 10 {
		round *= 10
	}
	above := v
	if round > 1 {
		above = (v/round + 1) * round
	}
	for _, n := range []int64{lowest, v / 2, v / round * round, above, v - 1} {
		if n >= lowest && n != v && !slices.Contains(list, n) {
			list = append(list, n)
		}
	}
	return list
}

// changeProcs adds variants with fewer processors in the machine or in jobs.
func (l *variants) changeProcs() {
	slots := l.from.machine.Slots()
	for _, n := range smallerValues(int64(slots), 1) {
		machine := func(w *workload, narrowed func(i int) bool) {
			w.machine.Nodes = int(n)
			for i := range w.jobs {
				j := &w.jobs[i]
				if narrowed(i) {
					j.Procs -= slots - int(n)
				}
				j.Procs = min(j.Procs, int(n))
			}
		}
		l.add(func(w *workload) {
			machine(w, func(int) bool { return false })
			for i := range w.jobs {
				w.jobs[i].Procs = max(1, (l.from.jobs[i].Procs*int(n)+slots-1)/slots)
			}
		})
		l.add(func(w *workload) { machine(w, func(int) bool { return false }) })
		for k := range l.from.jobs {
			for i := range k + 1 {
				l.add(func(w *workload) { machine(w, func(x int) bool { return x == i || x == k }) })
			}
		}
	}
	for i := range l.from.jobs {
		for _, n := range smallerValues(int64(l.from.jobs[i].Procs), 1) {
			l.add(func(w *workload) { w.jobs[i].Procs = int(n) })
		}
	}
}

// changeTimes adds variants in which times are smaller or rounder.
func (l *variants) changeTimes() {
	for _, d := range []job.Time{600, 60, 10, 2} {
		l.add(func(w *workload) { w.divideTimes(d) })
	}
	for i := range l.from.jobs {
		j := &l.from.jobs[i]
		before := job.Time(0)
		if i > 0 {
			before = l.from.jobs[i-1].Submit
		}
		for _, t := range smallerValues(j.Submit, before) {
			l.add(func(w *workload) { w.jobs[i].Submit = t })
			l.add(func(w *workload) {
				for k := range w.jobs[i:] {
					w.jobs[i+k].Submit += t - j.Submit
				}
			})
		}
		for _, t := range smallerValues(j.Estimate, 1) {
			l.add(func(w *workload) { w.jobs[i].Estimate, w.jobs[i].Runtime = t, min(t, j.Runtime) })
			l.add(func(w *workload) { w.jobs[i].Estimate, w.jobs[i].Runtime = t, t })
			l.add(func(w *workload) { w.jobs[i].Estimate, w.jobs[i].Runtime = t, j.Runtime-j.Estimate+t })
		}
		l.add(func(w *workload) { w.jobs[i].Runtime = j.Estimate })
		for _, t := range smallerValues(j.Runtime, 1) {
			l.add(func(w *workload) { w.jobs[i].Runtime = t })
		}
		for k := range i {
			l.add(func(w *workload) { w.shortenPair(i, k) })
		}
	}
}

// divideTimes divides all times of the jobs by d. It rounds submit times down and the other times
// up.
func (w *workload) divideTimes(d job.Time) {
	for i := range w.jobs {
		j := &w.jobs[i]
		j.Submit, j.Estimate, j.Runtime = j.Submit/d, (j.Estimate+d-1)/d, (j.Runtime+d-1)/d
		if s := j.Speedup(); s != nil {
			for k := range s.Table {
				s.Table[k] = (s.Table[k] + d - 1) / d
			}
		}
	}
}

// shortenPair makes jobs i and k one second shorter.
func (w *workload) shortenPair(i, k int) {
	for _, j := range []*job.Job{&w.jobs[i], &w.jobs[k]} {
		j.Estimate--
		j.Runtime = max(1, j.Runtime-1)
	}
}
