package worker

import (
	"errors"
	"fmt"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
	"backfill-lab/core/scenario"
	"backfill-lab/core/schedule"
	"backfill-lab/core/sim"
	"backfill-lab/core/whatif"
	"backfill-lab/ui/protocol"
)

// startWhatIf starts a what-if task and cancels the what-if in progress, if any. If a task of another
// kind, such as a run, is in progress, it cancels the new what-if at once instead.
func (s *Session) startWhatIf(id int, work func(*task) error) {
	if s.task != nil && !s.task.whatIf {
		s.host.Post("cancelled", id, nil, nil)
		return
	}
	s.start(id, work)
	s.task.whatIf = true
}

// whatIfJob returns the current results, result i and job j for a what-if request. It returns an error if
// there is no such result or job.
func (s *Session) whatIfJob(generation, i, j int) (*results, *result, job.Index, error) {
	rs, r, err := s.current(generation, i)
	if err == nil && (j < 0 || j >= len(rs.Work.Jobs)) {
		err = fmt.Errorf("what if: expected a job from 0 to %d, got %d", len(rs.Work.Jobs)-1, j)
	}
	return rs, r, job.Index(j), err
}

// whatif starts a task that answers with the effects of changes.
func (s *Session) whatif(m Message, q protocol.WhatIf) error {
	rs, j, err := s.whatIfSubject(&q)
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
	for _, r := range rs.simulated() {
		before = append(before, r.outcomes())
	}
	head := &protocol.WhatIfAnswer{Generation: rs.generation, Job: q.Job, Changes: q.Changes}
	if j == job.None {
		head.Words = whatif.Words(nil, changes, rs.clock)
	} else {
		x := &rs.Work.Jobs[j]
		head.ID, head.Words = x.ID, whatif.Words(x, changes, rs.clock)
	}
	s.startWhatIf(m.ID, func(t *task) error {
		next, err := whatif.Apply(rs.Setup, j, changes...)
		if err != nil {
			return err
		}
		if err := t.yield(); err != nil {
			return err
		}
		head.Scenario, head.Note, head.LessWork = scenario.Hash(next.Scenario), strings.Join(next.Notes, " "), next.LessWork
		if err := t.runChanged(rs, next, j, before, head); err != nil {
			return err
		}
		return t.finish(func() { t.s.host.Post("supposed", t.id, head, nil) })
	})
	return nil
}

// whatIfSubject returns the current results and the job that the changes are about. The job is
// job.None if the changes are about the machine or all jobs.
func (s *Session) whatIfSubject(q *protocol.WhatIf) (*results, job.Index, error) {
	if q.Job == -1 {
		rs, _, err := s.current(q.Generation, 0)
		return rs, job.None, err
	}
	rs, _, j, err := s.whatIfJob(q.Generation, 0, q.Job)
	return rs, j, err
}

// runChanged simulates the changed scenario under each policy and adds the effects to head. If the
// changes are not about a job (j is job.None), it also adds metrics. It skips external schedules,
// which have no policy to run.
func (t *task) runChanged(rs *results, next *whatif.Changed, j job.Index, before [][]log.Outcome, head *protocol.WhatIfAnswer) error {
	lastPlace, level := -1, log.Spans
	if j == job.None {
		level = log.Decisions
	}
	var after *log.Log
	for i := range rs.simulated() {
		if place := next.PolicyIndex(i); place != lastPlace {
			lastPlace = place
			var err error
			if after, err = t.runPolicy(next.Setup, place, level); err != nil {
				return err
			}
		}
		e := protocolEffect(rs, next, i, whatif.EffectOf(rs.Setup, next, j, before[i], after.Outcomes()))
		if j == job.None {
			e.Metrics = metricsOf(metrics.Compute(schedule.FromLog(after), after.Machine, rs.Scenario.MetricOptions()))
		}
		head.Effects = append(head.Effects, e)
	}
	return nil
}

// runPolicy runs policy i of a setup and returns its log.
func (t *task) runPolicy(up *scenario.Setup, i int, level log.Level) (*log.Log, error) {
	c, err := up.Config(i, level)
	if err != nil {
		return nil, err
	}
	e, err := sim.New(c)
	if err != nil {
		return nil, err
	}
	t.phase(protocol.Progress{Phase: "What if, " + up.Scenario.Titles()[i], Total: int64(len(up.Work.Jobs)), Unit: "jobs"})
	if err := t.yield(); err != nil {
		return nil, err
	}
	err = t.runToEnd(e, func(err error) error { return fmt.Errorf("%s: %w", up.Scenario.Titles()[i], err) })
	return e.Log(), err
}

// protocolEffect converts x, the effect of the changes under policy i, to the form that the page receives.
func protocolEffect(rs *results, next *whatif.Changed, i int, x *whatif.Effect) protocol.Effect {
	e := protocol.Effect{Title: rs.titles[i], Before: x.Before.Start, After: timeOrNil(x.After.Start), StartsText: x.JobText(rs.clock), OthersText: x.OthersText(rs.clock)}
	if k := next.PolicyIndex(i); next.Scenario.Policies[k].String() != rs.Scenario.Policies[i].String() {
		e.NewTitle = next.Scenario.Titles()[k]
	}
	for _, s := range x.MostEarlier {
		e.MostEarlier = append(e.MostEarlier, protocol.MovedJob{Job: int(s.Job), ID: rs.Work.Jobs[s.Job].ID, By: -s.Start})
	}
	for _, s := range x.MostDelayed {
		e.MostDelayed = append(e.MostDelayed, protocol.MovedJob{Job: int(s.Job), ID: rs.Work.Jobs[s.Job].ID, By: s.Start})
	}
	return e
}

// startEarlier starts a task that simulates possible changes. It answers with the changes under which a job
// starts earlier, and describes the other changes in sentences.
func (s *Session) startEarlier(m Message, q protocol.StartEarlier) error {
	rs, r, j, err := s.whatIfJob(q.Generation, q.Result, q.Job)
	if err != nil {
		return err
	}
	if r.isExternal {
		return errors.New("what if: expected the result of a policy, got an external schedule")
	}
	ends := r.outcomes()
	x := &rs.Work.Jobs[j]
	head := &protocol.StartEarlierAnswer{Generation: rs.generation, Job: q.Job, Title: r.title, Start: ends[j].Start, Improvements: []protocol.Improvement{}}
	trials := whatif.Trials(rs.Setup, q.Result, ends, j)
	s.startWhatIf(m.ID, func(t *task) error {
		if err := t.runTrials(rs, q.Result, j, trials); err != nil {
			return err
		}
		better, rest := whatif.Summary(x, trials, head.Start, rs.clock)
		head.Rest = rest
		for _, b := range better {
			head.Improvements = append(head.Improvements, protocol.Improvement{Changes: b.Texts(), Words: whatif.Words(x, b.Changes, rs.clock), Start: b.Start})
		}
		return t.finish(func() { t.s.host.Post("found", t.id, head, nil) })
	})
	return nil
}

// runTrials runs the trials one after the other. It skips trials whose changes cannot be applied.
func (t *task) runTrials(rs *results, i int, j job.Index, trials []*whatif.Trial) error {
	t.phase(protocol.Progress{Phase: "Trying", Total: int64(len(trials)), Unit: "changes"})
	for n, x := range trials {
		if err := t.yield(); err != nil {
			return err
		}
		if x.Prepare(rs.Setup, i, j) != nil {
			continue
		}
		for x.Steps(max(t.stepsLeft, 1)) {
			t.stepsLeft = 0
			if err := t.step(int64(n)); err != nil {
				return err
			}
		}
		t.stepsLeft = 0
	}
	return nil
}

// predict starts a task that answers with the expected starts of the jobs that wait at a given
// time.
func (s *Session) predict(m Message, q protocol.Predict) error {
	rs, _, err := s.current(q.Generation, 0)
	if err != nil {
		return err
	}
	s.startWhatIf(m.ID, func(t *task) error {
		head := &protocol.Predicted{Generation: rs.generation, At: q.At}
		for i := range rs.simulated() {
			x, err := t.predictStarts(rs, i, q.At)
			if err != nil {
				return err
			}
			head.Results = append(head.Results, x)
		}
		return t.finish(func() { t.s.host.Post("predicted", t.id, head, nil) })
	})
	return nil
}

// predictStarts predicts, under policy i, when the jobs that wait at a time will start.
func (t *task) predictStarts(rs *results, i int, at job.Time) (protocol.ExpectedStarts, error) {
	out := protocol.ExpectedStarts{Jobs: []int{}, Starts: []int64{}}
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

// Limits on the jobs and log records of a run for which the player predicts starts. The player
// makes a prediction at every event that it shows, so predictions must be fast.
const (
	maxPredictedJobs    = 500
	maxPredictedRecords = 10_000
)

// prediction caches, for the jobs that wait at a given time, when they are expected to start under a policy.
type prediction struct {
	at     job.Time               // the given time
	starts map[job.Index]job.Time // nil if not computed yet
}

// addExpectedStarts adds predicted starts to the waiting jobs for which the log has no planned
// start. It adds none for an external schedule, or for a run that exceeds the limits.
func (rs *results) addExpectedStarts(head *protocol.Played) {
	r := rs.list[head.Result]
	if head.Result >= len(rs.Scenario.Policies) { // an external schedule has no policy
		return
	}
	if len(r.log.Jobs) > maxPredictedJobs || r.log.Len() > maxPredictedRecords {
		return
	}
	for i := range head.Waiting {
		if q := &head.Waiting[i]; q.At == nil {
			if start, ok := rs.predictedStarts(head.Result, head.At)[job.Index(q.Job)]; ok {
				q.Expected = timeOrNil(start)
			}
		}
	}
}

// predictedStarts returns the predicted starts, under policy i, of the jobs that wait at the given time. It uses the
// cache if possible. The map is empty if a prediction is impossible.
func (rs *results) predictedStarts(i int, at job.Time) map[job.Index]job.Time {
	f := &rs.list[i].prediction
	if f.starts != nil && f.at == at {
		return f.starts
	}
	*f = prediction{at, map[job.Index]job.Time{}}
	c, err := rs.Config(i, log.Spans)
	if err != nil {
		return f.starts
	}
	if p, err := whatif.Predict(c, at); err == nil {
		for k, start := range p.Starts() {
			f.starts[p.Jobs[k]] = start
		}
	}
	return f.starts
}
