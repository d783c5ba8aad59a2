package worker

import (
	"fmt"

	"backfill-lab/core/scenario"
	"backfill-lab/core/sim"
	"backfill-lab/core/sweep"
	"backfill-lab/ui/protocol"
)

// startSweep stores the definition of an experiment for the group requests that follow.
func (s *Session) startSweep(m Message) error {
	if len(m.Bufs) != 1 {
		return fmt.Errorf("sweep: expected one buffer, with the definition, got %d", len(m.Bufs))
	}
	d, err := sweep.Parse(m.Bufs[0])
	if err != nil {
		return err
	}
	s.sweep = d
	s.host.Post("sweeping", m.ID, nil, nil)
	return nil
}

// sweepGroup starts the requested runs of a group. All runs of a group use the same jobs.
func (s *Session) sweepGroup(m Message, q protocol.SweepGroup) error {
	d := s.sweep
	if d == nil {
		return fmt.Errorf("group: expected the definition of an experiment first, got none")
	}
	if n := d.Groups(); q.Group < 0 || q.Group >= n {
		return fmt.Errorf("group: expected a group from 0 to %d, got %d", n-1, q.Group)
	}
	for _, p := range q.Policies {
		if p < 0 || p >= len(d.Policies) {
			return fmt.Errorf("group: expected policies from 0 to %d, got %d", len(d.Policies)-1, p)
		}
	}
	s.start(m.ID, func(t *task) error { return t.runGroup(d, q) })
	return nil
}

// runGroup prepares the jobs of a group and runs the policies on them. It posts the result of each
// policy.
func (t *task) runGroup(d *sweep.Definition, q protocol.SweepGroup) error {
	t.phase(protocol.Progress{Phase: "preparing", Unit: "jobs"})
	if err := t.yield(); err != nil {
		return err
	}
	jobs, err := d.Prepare(d.Group(q.Group), loadInWorker)
	if err != nil {
		return err
	}
	for _, policy := range q.Policies {
		t.phase(protocol.Progress{Phase: d.Titles()[policy], Total: int64(jobs.Count()), Unit: "jobs"})
		if err := t.yield(); err != nil {
			return err
		}
		v, err := jobs.RunWith(policy, func(e *sim.Engine) error {
			return t.runToEnd(e, func(err error) error { return err })
		})
		if err != nil {
			return err
		}
		done := protocol.SweptRun{Group: q.Group, Policy: policy, Values: v}
		if err := t.withLock(func() { t.s.host.Post("swept", t.id, done, nil) }); err != nil {
			return err
		}
	}
	return t.finish(func() { t.s.host.Post("group-done", t.id, nil, nil) })
}

// loadInWorker prepares the jobs of a scenario. It returns an error if the scenario names a file,
// which a worker cannot open.
func loadInWorker(x *scenario.Scenario) (*scenario.Setup, error) {
	if f := x.Workload.File; f != nil {
		return nil, fmt.Errorf("expected jobs in the definition, got the file %s, which the page cannot open by itself: open it in the page, then add the current scenario", f.Name)
	}
	return x.Setup()
}
