package textbook

import (
	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// without returns the amounts minus the processors that are unavailable at t.
func (a amounts) without(m *cluster.Machine, t job.Time) amounts {
	out := append(amounts(nil), a...)
	for _, b := range m.Outages {
		if b.From <= t && t < b.To {
			out[0] -= int64(b.Procs)
		}
	}
	return out
}

// block subtracts the unavailable processors of every outage from the plan.
func (p *plan) block(m *cluster.Machine) {
	for _, b := range m.Outages {
		for t := p.now; t < b.To; t++ {
			for int(t-p.now) >= len(p.free) {
				p.free = append(p.free, p.whole)
			}
		}
	}
	for i := range p.free {
		p.free[i] = p.free[i].without(m, p.now+job.Time(i))
	}
}

// stays reports whether job j fits from now until its estimated end despite outages.
// On a machine without outages it always returns true.
func (w *world) stays(j int) bool {
	return len(w.machine.Outages) == 0 || w.plan().fits(&w.jobs[j], w.now)
}

// turns reports whether an outage begins or ends now.
func (w *world) turns() bool {
	for _, b := range w.machine.Outages {
		if b.From == w.now || b.To == w.now {
			return true
		}
	}
	return false
}
