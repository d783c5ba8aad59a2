package decision

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// host returns the virtual machine in whose time the record at a place fell, 0 if it
// is the view itself or there are none.
func host(l *log.Log, place int, view uint8) uint8 {
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

// visit finds what sets can have in the time of the host: what no one is on, and
// of that, for jobs that have not started, what no own job keeps.
func (d *Decision) visit(place int, own []bool) {
	on, kept := make([]bool, len(own)), make([]bool, len(own))
	for i := range place {
		switch r := d.log.Record(i); r.Kind {
		case log.Start, log.Resume:
			on[r.Job], kept[r.Job] = true, own[r.Job]
		case log.Suspend:
			on[r.Job] = false
		case log.Finish:
			on[r.Job], kept[r.Job] = false, false
		}
	}
	whole := Decision{log: d.log, Free: d.whole()}
	for j := range on {
		if on[j] {
			whole.take(job.Index(j), 1)
		}
	}
	if d.recalls(place, kept) {
		d.Free = whole.Free
		return
	}
	for k := range d.Free {
		d.Free[k] = min(d.Free[k], whole.Free[k])
	}
	d.Free[0] = d.idle(on, kept)
}

// recalls reports whether sets are of preempted jobs. Where the log does not hold
// the sets, what goes on tells.
func (d *Decision) recalls(place int, kept []bool) bool {
	r := d.log.Record(place)
	if r.Kind == log.Node {
		return kept[r.Job]
	}
	return place+1 < d.log.Len() && d.log.Record(place+1).Kind == log.Resume
}

// idle returns how many slots no job is on or keeps.
func (d *Decision) idle(on, kept []bool) (n int64) {
	taken := make([]bool, d.log.Machine.Slots())
	for j := range on {
		if !on[j] && !kept[j] {
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
