package decision

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// hostView returns the virtual machine in whose time slice the record with index place was written.
// It returns 0 if this is the given virtual machine, or if no time slice is active. Each virtual
// machine runs one type of job in its own time slices.
func hostView(l *log.Log, place int, view uint8) uint8 {
	for i := place - 1; i >= 0; i-- {
		if r := l.Record(i); r.Kind == log.Slice {
			if r.X == 0 || r.View == view {
				return 0
			}
			return r.View
		}
	}
	return 0
}

// readHostCapacity stores in d.Free how much of each resource the tried sets of jobs can use. These
// jobs belong to one virtual machine (ownJobs), and want to run in the time slice of another one, the
// host. Sets of preempted jobs can resume on all resources that no running job uses. Sets of new jobs
// must also leave free what preempted jobs of their own virtual machine hold.
func (d *Decision) readHostCapacity(place int, ownJobs []bool) {
	onProcessors, preempted := make([]bool, len(ownJobs)), make([]bool, len(ownJobs))
	for i := range place {
		switch r := d.log.Record(i); r.Kind {
		case log.Start, log.Resume:
			onProcessors[r.Job], preempted[r.Job] = true, ownJobs[r.Job]
		case log.Suspend:
			onProcessors[r.Job] = false
		case log.Finish:
			onProcessors[r.Job], preempted[r.Job] = false, false
		}
	}
	machine := Decision{log: d.log, Free: d.capacity()}
	for j := range onProcessors {
		if onProcessors[j] {
			machine.subtractDemand(job.Index(j), 1)
		}
	}
	if d.resumesPreempted(place, preempted) {
		d.Free = machine.Free
		return
	}
	for k := range d.Free {
		d.Free[k] = min(d.Free[k], machine.Free[k])
	}
	d.Free[0] = d.idleSlots(onProcessors, preempted)
}

// resumesPreempted reports whether the sets that were tried consist of preempted jobs instead of
// waiting jobs. If the log does not record the sets, it looks at the record after the choice, in
// which a job resumes or starts.
func (d *Decision) resumesPreempted(place int, preempted []bool) bool {
	r := d.log.Record(place)
	if r.Kind == log.SetTried {
		return preempted[r.Job]
	}
	return place+1 < d.log.Len() && d.log.Record(place+1).Kind == log.Resume
}

// idleSlots returns the number of slots that neither a running job nor one of the given preempted
// jobs holds.
func (d *Decision) idleSlots(onProcessors, preempted []bool) (n int64) {
	taken := make([]bool, d.log.Machine.Slots())
	for j := range onProcessors {
		if !onProcessors[j] && !preempted[j] {
			continue
		}
		for _, s := range d.log.Alloc(job.Index(j)) {
			for k := s.Lo; k < s.Hi; k++ {
				taken[k] = true
			}
		}
	}
	for _, t := range taken {
		if !t {
			n++
		}
	}
	return n
}
