package worker

import (
	"fmt"

	"backfill-lab/core/sim"
	"backfill-lab/ui/protocol"
)

// run gives up what is going on and starts a run. Faults of jobs, machine and
// policies are found before it begins; good jobs are held from then on.
func (s *Session) run(m Message, q protocol.Run) error {
	s.giveUp()
	h, err := s.brought(q, m.Bufs)
	if err != nil {
		return err
	}
	if h.jobs == nil && h.order != nil {
		s.begin(m.ID, func(t *task) error { return t.drawn(h, q) })
		return nil
	}
	o, err := prepare(h, q)
	if err != nil {
		return err
	}
	s.held = h
	s.begin(m.ID, o.all)
	return nil
}

// drawn draws the jobs of a run and runs it.
func (t *task) drawn(h *held, q protocol.Run) error {
	d, err := t.draw(h.order)
	if err != nil {
		return err
	}
	h.jobs = d.Jobs
	o, err := prepare(h, q)
	if err != nil {
		return err
	}
	if err := t.speak(func() { t.s.held = h }); err != nil {
		return err
	}
	return o.all(t)
}

// all runs every policy.
func (o *order) all(t *task) error {
	rs := &results{order: o}
	for i := range o.specs {
		r, err := o.one(t, i)
		if err != nil {
			return err
		}
		rs.list = append(rs.list, r)
	}
	var a *aside
	if err := t.speak(func() { a = t.s.aside }); err != nil {
		return err
	}
	if err := rs.set(t, a); err != nil {
		return err
	}
	return t.ran(rs)
}

// one runs policy i and reads what there is to know from its log. It returns the kept
// result of an earlier run if there is one, unless the run is to be fresh.
func (o *order) one(t *task, i int) (*result, error) {
	if !o.fresh {
		var known *result
		if err := t.speak(func() { known = t.s.known(o, i) }); known != nil || err != nil {
			return known, err
		}
	}
	c, err := o.Config(i, o.level)
	if err != nil {
		return nil, err
	}
	e, err := sim.New(c)
	if err != nil {
		return nil, err
	}
	begin := t.s.host.Now()
	if err := o.simulate(t, i, e); err != nil {
		return nil, err
	}
	took := t.s.host.Now() - begin
	r, err := o.judge(t, i, e.Log())
	if err == nil {
		r.millis = took
	}
	return r, err
}

// simulate runs an engine to its end.
func (o *order) simulate(t *task, i int, e *sim.Engine) error {
	t.phase(protocol.Progress{Phase: o.titles[i], Total: int64(len(o.Work.Jobs)), Unit: "jobs", Place: i, Of: len(o.specs)})
	if err := t.breathe(); err != nil {
		return err
	}
	return t.through(e, func(err error) error { return &inPolicy{i, fmt.Errorf("%s: %w", o.titles[i], err)} })
}

// through takes all steps of an engine; its faults become what fault says.
func (t *task) through(e *sim.Engine, fault func(error) error) error {
	for {
		more, err := e.Steps(max(t.left, 1))
		t.left = 0
		if err != nil {
			return fault(err)
		}
		if !more {
			return nil
		}
		if err := t.step(int64(e.Done())); err != nil {
			return err
		}
	}
}

// ran replaces the results, all at once.
func (t *task) ran(rs *results) error {
	return t.end(func() {
		t.s.generation++
		rs.generation = t.s.generation
		t.s.last = rs
		t.s.keep(rs)
		var bufs [][]byte
		if rs.rows != nil {
			bufs = [][]byte{protocol.Rows(rs.rows)}
		}
		t.s.host.Post("ran", t.id, rs.head(), bufs)
	})
}
