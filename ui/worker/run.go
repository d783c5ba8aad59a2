package worker

import (
	"fmt"
	"slices"

	"backfill-lab/core/policy/script"
	"backfill-lab/core/sim"
	"backfill-lab/ui/protocol"
)

// run cancels the current task and starts a run. If the jobs, the machine or a policy are invalid, it
// returns an error at once. Otherwise the jobs become the loaded jobs. If the generator has not drawn
// the jobs yet, the task draws them first and makes these checks afterwards.
func (s *Session) run(m Message, q protocol.Run) error {
	s.cancelTask()
	h, err := s.runJobs(q, m.Bufs)
	if err != nil {
		return err
	}
	if h.jobs == nil && h.settings != nil {
		s.start(m.ID, func(t *task) error { return t.drawAndRun(h, q) })
		return nil
	}
	o, err := prepare(h, q)
	if err != nil {
		return err
	}
	s.loaded = h
	s.start(m.ID, o.runAll)
	return nil
}

// drawAndRun draws the jobs of the generator, makes them the loaded jobs, and then runs all
// policies.
func (t *task) drawAndRun(h *loaded, q protocol.Run) error {
	d, err := t.draw(h.settings)
	if err != nil {
		return err
	}
	h.jobs = d.Jobs
	o, err := prepare(h, q)
	if err != nil {
		return err
	}
	if err := t.withLock(func() { t.s.loaded = h }); err != nil {
		return err
	}
	return o.runAll(t)
}

// runAll gets the result of every policy, from the cache or by simulation. Then it adds the external schedule
// and publishes the results. If this takes long, it also publishes partial results, even while a policy is
// running.
func (o *preparedRun) runAll(t *task) error {
	rs := &results{preparedRun: o}
	published, last := 0, t.s.host.Now() // number of results that the page has, and time at which it got the last one
	t.onYield = func() error {
		now := t.s.host.Now()
		if len(rs.list) == published || now-last < partialAfter {
			return nil
		}
		published, last = len(rs.list), now
		return t.publishPartial(rs)
	}
	defer func() { t.onYield = nil }()
	for i := range o.specs {
		r, err := o.runOne(t, i)
		if err != nil {
			return err
		}
		if rs.list = append(rs.list, r); i+1 < len(o.specs) {
			if err := t.onYield(); err != nil {
				return err
			}
		}
	}
	var a *externalSchedule
	if err := t.withLock(func() { a = t.s.external }); err != nil {
		return err
	}
	if err := rs.addExternal(t, a); err != nil {
		return err
	}
	return t.publish(rs)
}

// runOne returns the result of policy i: a cached result if the run allows it, otherwise the result
// of a simulation.
func (o *preparedRun) runOne(t *task, i int) (*result, error) {
	if !o.fresh {
		var cached *result
		if err := t.withLock(func() { cached = t.s.cachedResult(o, i) }); cached != nil || err != nil {
			return cached, err
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
	r, err := o.evaluate(t, i, e.Log())
	if err == nil {
		r.millis = took
		if p, ok := c.Policy.(script.Policy); ok {
			r.printed, r.droppedLines = p.Printed()
		}
	}
	return r, err
}

// simulate runs an engine to its end and reports progress.
func (o *preparedRun) simulate(t *task, i int, e *sim.Engine) error {
	t.phase(protocol.Progress{Phase: o.titles[i], Total: int64(len(o.Work.Jobs)), Unit: "jobs", PolicyIndex: i, PolicyCount: len(o.specs)})
	if err := t.yield(); err != nil {
		return err
	}
	return t.runToEnd(e, func(err error) error {
		return &policyError{i, fmt.Errorf("%s: %s", o.titles[i], timedText(err, o.clock))}
	})
}

// runToEnd runs an engine to its end. It calls wrap to convert an error of the engine.
func (t *task) runToEnd(e *sim.Engine, wrap func(error) error) error {
	for {
		more, err := e.Steps(max(t.stepsLeft, 1))
		t.stepsLeft = 0
		if err != nil {
			return wrap(err)
		}
		if !more {
			return nil
		}
		if err := t.step(int64(e.FinishedJobs())); err != nil {
			return err
		}
	}
}

// partialAfter is the minimum time in ms between two messages in which a run sends partial results to the
// page.
const partialAfter = 1000

// publishPartial makes the results that are available so far the current results, and sends them to
// the page. The task then continues.
func (t *task) publishPartial(rs *results) error {
	part := &results{preparedRun: rs.preparedRun, list: slices.Clone(rs.list)}
	return t.withLock(func() { t.s.show("partial", t.id, part) })
}

// show makes rs the current results, caches them, and posts them to the page in a message of the given
// kind. The caller holds the lock.
func (s *Session) show(kind string, id int, rs *results) {
	s.generation++
	rs.generation = s.generation
	s.last = rs
	s.cacheResults(rs)
	var bufs [][]byte
	if rs.rows != nil {
		bufs = [][]byte{protocol.EncodeRows(rs.rows)}
	}
	s.host.Post(kind, id, rs.head(), bufs)
}

// publish makes rs the current results, sends them to the page and ends the task.
func (t *task) publish(rs *results) error {
	return t.finish(func() { t.s.show("ran", t.id, rs) })
}
