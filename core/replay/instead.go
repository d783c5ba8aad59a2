package replay

import (
	"backfill-lab/core/explain"
	"backfill-lab/core/log"
)

// Instead says, of a start or of a reason to wait, why each of the jobs that wait
// just before it was not started in its place; of other events nothing.
func (p *Replay) Instead(n, most int) explain.List {
	r := p.record(n)
	if r == nil || r.Kind != log.Start && r.Kind != log.Hold {
		return explain.List{}
	}
	s := p.State(n - 1)
	m := explain.Machine{At: r.At, Running: s.Running}
	for _, w := range s.Waiting {
		m.Waiting = append(m.Waiting, w.Job)
	}
	return p.index.Instead(&m, r, explain.Options{Most: most})
}
