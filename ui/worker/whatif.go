package worker

import (
	"fmt"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/scenario"
	"backfill-lab/core/sim"
	"backfill-lab/core/whatif"
	"backfill-lab/ui/protocol"
)

// suppose starts a what-if unless something that counts is under way.
func (s *Session) suppose(id int, work func(*task) error) {
	if s.task != nil && !s.task.what {
		s.host.Post("cancelled", id, nil, nil)
		return
	}
	s.begin(id, work)
	s.task.what = true
}

// about finds the job of a what-if among the present results.
func (s *Session) about(generation, result, at int) (*results, *result, job.Index, error) {
	rs, r, err := s.present(generation, result)
	if err == nil && (at < 0 || at >= len(rs.Work.Jobs)) {
		err = fmt.Errorf("what if: expected a job from 0 to %d, got %d", len(rs.Work.Jobs)-1, at)
	}
	return rs, r, job.Index(at), err
}

func (s *Session) whatif(m Message, q protocol.WhatIf) error {
	rs, _, j, err := s.about(q.Generation, 0, q.Job)
	if err != nil {
		return err
	}
	changes := make([]whatif.Change, len(q.Changes))
	for i, text := range q.Changes {
		if changes[i], err = whatif.Parse(text); err != nil {
			return err
		}
	}
	var before [][]log.Outcome
	for _, r := range rs.list {
		before = append(before, r.became())
	}
	x := &rs.Work.Jobs[j]
	head := &protocol.Supposed{Generation: rs.generation, Job: q.Job, ID: x.ID, Changes: q.Changes, Words: whatif.Words(x, changes)}
	s.suppose(m.ID, func(t *task) error {
		next, err := whatif.Apply(rs.Setup, j, changes...)
		if err != nil {
			return err
		}
		if err := t.breathe(); err != nil {
			return err
		}
		head.Scenario = scenario.Hash(next.Scenario)
		if err := t.supposed(rs, next, j, before, head); err != nil {
			return err
		}
		return t.end(func() { t.s.host.Post("supposed", t.id, head, nil) })
	})
	return nil
}

// supposed runs the changed scenario, each of its policies once.
func (t *task) supposed(rs *results, next *whatif.Changed, j job.Index, before [][]log.Outcome, head *protocol.Supposed) error {
	ran, after := -1, []log.Outcome(nil)
	for i := range rs.list {
		if place := next.Place(i); place != ran {
			ran = place
			var err error
			if after, err = t.outcomes(next.Setup, place); err != nil {
				return err
			}
		}
		head.Effects = append(head.Effects, effect(rs, next, i, whatif.EffectOf(rs.Setup, next, j, before[i], after)))
	}
	return nil
}

// outcomes runs a policy of a setup for what becomes of the jobs alone.
func (t *task) outcomes(up *scenario.Setup, i int) ([]log.Outcome, error) {
	c, err := up.Config(i, log.Spans)
	if err != nil {
		return nil, err
	}
	e, err := sim.New(c)
	if err != nil {
		return nil, err
	}
	t.phase(protocol.Progress{Phase: "What if, " + policyTitle(up, i), Total: int64(len(up.Work.Jobs)), Unit: "jobs"})
	if err := t.breathe(); err != nil {
		return nil, err
	}
	err = t.through(e, func(err error) error { return fmt.Errorf("%s: %w", policyTitle(up, i), err) })
	return e.Log().Outcomes(), err
}

func policyTitle(up *scenario.Setup, i int) string {
	p := &up.Scenario.Policies[i]
	spec, err := registry.Find(p.Name)
	if err != nil {
		return p.Name
	}
	return title(spec, p.Knobs)
}

func effect(rs *results, next *whatif.Changed, i int, x *whatif.Effect) protocol.Effect {
	e := protocol.Effect{Title: rs.titles[i], Before: x.Before.Start, After: known(x.After.Start), Starts: x.Starts(), Says: x.Says()}
	if then := policyTitle(next.Setup, next.Place(i)); then != e.Title {
		e.Then = then
	}
	for _, s := range x.Gainers {
		e.Gainers = append(e.Gainers, protocol.Moved{Job: int(s.Job), ID: rs.Work.Jobs[s.Job].ID, By: -s.Start})
	}
	for _, s := range x.Payers {
		e.Payers = append(e.Payers, protocol.Moved{Job: int(s.Job), ID: rs.Work.Jobs[s.Job].ID, By: s.Start})
	}
	return e
}

func (s *Session) sooner(m Message, q protocol.Sooner) error {
	rs, r, j, err := s.about(q.Generation, q.Result, q.Job)
	if err != nil {
		return err
	}
	ends := r.became()
	x := &rs.Work.Jobs[j]
	head := &protocol.Found{Generation: rs.generation, Job: q.Job, Title: r.title, Start: ends[j].Start, Tries: []protocol.Try{}}
	trials := whatif.Trials(rs.Setup, q.Result, ends, j)
	s.suppose(m.ID, func(t *task) error {
		if err := t.tries(rs, q.Result, j, trials); err != nil {
			return err
		}
		better, rest := whatif.Found(x, trials, head.Start)
		head.Rest = rest
		for _, b := range better {
			head.Tries = append(head.Tries, protocol.Try{Changes: b.Texts(), Words: whatif.Words(x, b.Changes), Start: b.Start})
		}
		return t.end(func() { t.s.host.Post("found", t.id, head, nil) })
	})
	return nil
}

// tries makes trials, one after the other.
func (t *task) tries(rs *results, i int, j job.Index, trials []*whatif.Trial) error {
	t.phase(protocol.Progress{Phase: "Trying", Total: int64(len(trials)), Unit: "changes"})
	for n, x := range trials {
		if err := t.breathe(); err != nil {
			return err
		}
		if x.Begin(rs.Setup, i, j) != nil {
			continue
		}
		for x.Steps(max(t.left, 1)) {
			t.left = 0
			if err := t.step(int64(n)); err != nil {
				return err
			}
		}
		t.left = 0
	}
	return nil
}

func (s *Session) predict(m Message, q protocol.Predict) error {
	rs, _, err := s.present(q.Generation, 0)
	if err != nil {
		return err
	}
	s.suppose(m.ID, func(t *task) error {
		head := &protocol.Predicted{Generation: rs.generation, At: q.At}
		for i := range rs.list {
			x, err := t.foresees(rs, i, q.At)
			if err != nil {
				return err
			}
			head.Results = append(head.Results, x)
		}
		return t.end(func() { t.s.host.Post("predicted", t.id, head, nil) })
	})
	return nil
}

// foresees finds the starts to be expected under policy i.
func (t *task) foresees(rs *results, i int, at job.Time) (protocol.Foreseen, error) {
	out := protocol.Foreseen{Jobs: []int{}, Starts: []int64{}}
	c, err := rs.Config(i, log.Spans)
	if err != nil {
		return out, err
	}
	p, err := whatif.NewPrediction(c, at)
	if err != nil {
		return out, err
	}
	t.phase(protocol.Progress{Phase: "Predicting, " + rs.titles[i], Total: int64(len(rs.Work.Jobs)), Unit: "jobs"})
	for more := true; more; {
		if more, err = p.Step(); err == nil {
			err = t.step(int64(p.Done()))
		}
		if err != nil {
			return out, err
		}
	}
	for k, start := range p.Starts() {
		out.Jobs, out.Starts = append(out.Jobs, int(p.Jobs[k])), append(out.Starts, start)
	}
	return out, nil
}
