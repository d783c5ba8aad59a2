package decision

import (
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// host is the virtual machine in whose time the record at a place fell, 0 if it
// is the view itself or there are none.
func host(l *log.Log, place int, view uint8) (present uint8) {
	for i := place - 1; i >= 0; i-- {
		if r := l.Record(i); r.Kind == log.Slice {
			if r.X != 0 && r.View != view {
				present = r.View
			}
			return present
		}
	}
	return 0
}

// visit finds what sets can have in the time of the host: slots that no one is
// on and that no own job keeps, and what is left of the extra resources.
func (d *Decision) visit(place int, own []bool) {
	on := make([]bool, len(d.log.Jobs))
	kept := make([]bool, len(d.log.Jobs))
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
	taken := make([]bool, d.log.Machine.Slots())
	whole := Decision{Free: []int64{0}, log: d.log}
	for _, r := range d.log.Machine.Resources {
		whole.Free = append(whole.Free, r.Capacity)
	}
	for j := range on {
		if on[j] {
			whole.take(job.Index(j), 1)
		}
		if on[j] || kept[j] {
			for _, s := range d.log.Alloc(job.Index(j)) {
				for n := s.Lo; n < s.Hi; n++ {
					taken[n] = true
				}
			}
		}
	}
	for k := range d.Free {
		d.Free[k] = min(d.Free[k], whole.Free[k])
	}
	d.Free[0] = 0
	for _, t := range taken {
		if !t {
			d.Free[0]++
		}
	}
}
