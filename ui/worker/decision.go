package worker

import (
	"encoding/json"
	"fmt"

	"backfill-lab/core/decision"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/sim"
	"backfill-lab/ui/plot"
	"backfill-lab/ui/protocol"
)

// decisionPlaces returns the indexes of the log records of decisions. A decision is the selection of a set
// of jobs to start. decisionPlaces returns nil if the policy records none.
func (r *result) decisionPlaces() []int32 {
	if !r.decisionsRead {
		r.decisionsRead = true
		if r.reader = registry.DecisionReader(r.policy.Name, r.policy.Knobs); r.reader != nil {
			r.decisions = decision.ChoiceRecords(r.log)
		}
	}
	return r.decisions
}

// hasDecisionAt reports whether the policy chose a set of jobs at the given time.
func (r *result) hasDecisionAt(at job.Time) bool {
	places := r.decisionPlaces()
	return decision.CountUntil(r.log, places, at) > decision.CountUntil(r.log, places, at-1)
}

// decision answers with a description of a decision. If the log does not contain the details and
// the request asks for a rerun, a task simulates the policy again to record them.
func (s *Session) decision(m Message) error {
	q := &protocol.DecisionQuery{}
	if err := json.Unmarshal(m.Head, q); err != nil {
		return err
	}
	rs, r, err := s.current(q.Generation, q.Result)
	if err != nil {
		return err
	}
	places := r.decisionPlaces()
	n := min(q.Number, len(places))
	if q.Number == 0 {
		n = decision.CountUntil(r.log, places, q.At)
	}
	head := &protocol.DecisionAnswer{Generation: rs.generation, Result: q.Result, Number: n, Total: len(places), At: q.At}
	if n <= 0 {
		head.Summary = fmt.Sprintf("Up to %s, the policy has not tried any set of jobs.", rs.clock.At(q.At))
		s.host.Post("decided", m.ID, head, nil)
		return nil
	}
	place := int(places[n-1])
	head.At = r.log.Record(place).At
	d := r.rerun[place]
	if d == nil {
		d = r.reader(r.log, place)
	}
	d.SetClock(rs.clock)
	if q.Rerun && !d.Complete() {
		s.start(m.ID, func(t *task) error { return t.rerunDecision(rs, r, place, head, q) })
		return nil
	}
	s.host.Post("decided", m.ID, describeDecision(head, d, q), nil)
	return nil
}

// describeDecision adds the description of decision d to `head`, the head of an answer, and returns `head`. If the
// log does not contain the details, the answer has only a summary.
func describeDecision(head *protocol.DecisionAnswer, d decision.Description, q *protocol.DecisionQuery) *protocol.DecisionAnswer {
	head.Summary, head.NotRecorded = d.Summary(), !d.Complete()
	if head.NotRecorded {
		return head
	}
	head.Tables = d.Tables(&decision.Options{MaxRows: q.MaxRows, Toggled: q.Toggled})
	if g := d.Group(); g != nil {
		head.SVG = (&plot.Group{Names: g.Names, Group: g.Group}).SVG()
	}
	return head
}

// rerunDecision simulates the policy again, up to the decision in record `place` of the log of r. The log of the
// new simulation contains this decision in full detail.
func (t *task) rerunDecision(rs *results, r *result, place int, head *protocol.DecisionAnswer, q *protocol.DecisionQuery) error {
	c, err := rs.Config(q.Result, r.log.Level)
	if err != nil {
		return err
	}
	e, err := sim.New(c)
	if err != nil {
		return err
	}
	first, nth := instantBefore(r.log, place)
	t.phase(protocol.Progress{Phase: "running again, up to the decision", Total: int64(first), Unit: "records"})
	for l := e.Log(); l.Len() <= place; {
		if l.Len() >= first {
			l.Level = log.Full
		}
		if _, err := e.Step(); err != nil {
			return err
		}
		if err := t.step(int64(l.Len())); err != nil {
			return err
		}
	}
	places := decision.ChoiceRecords(e.Log())
	d := r.reader(e.Log(), int(places[decision.CountUntil(e.Log(), places, r.log.Record(place).At-1)+nth]))
	d.SetClock(rs.clock)
	return t.finish(func() {
		if r.rerun == nil {
			r.rerun = map[int]decision.Description{}
		}
		r.rerun[place] = d
		t.s.host.Post("decided", t.id, describeDecision(head, d, q), nil)
	})
}

// instantBefore returns the index of the first record at the time of a decision, and the number of
// earlier decisions at this time. place is the record index of the decision.
func instantBefore(l *log.Log, place int) (first, nth int) {
	at := l.Record(place).At
	for first = place; first > 0 && l.Record(first-1).At == at; first-- {
		if l.Record(first-1).Kind == log.Choice {
			nth++
		}
	}
	return first, nth
}
