package worker

import (
	"fmt"

	"backfill-lab/core/explain"
	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/ui/protocol"
)

// why answers, for each result, why a job waits or runs at a time. A negative time stands for the start of the job in
// the first result, or for its submission if it never starts there.
func (s *Session) why(m Message, q protocol.Why) error {
	rs, _, err := s.current(q.Generation, 0)
	if err != nil {
		return err
	}
	if q.Job < 0 || q.Job >= len(rs.Work.Jobs) {
		return fmt.Errorf("why: expected a job from 0 to %d, got %d", len(rs.Work.Jobs)-1, q.Job)
	}
	j := &rs.Work.Jobs[q.Job]
	if q.At < 0 {
		q.At = rs.list[0].startOrSubmit(job.Index(q.Job))
	}
	head := protocol.Answers{Generation: rs.generation, Job: q.Job, ID: j.ID, At: q.At,
		Submit: j.Submit, Procs: j.Procs, Estimate: j.Estimate, Runtime: j.Runtime}
	head.More, head.Machine = j.More, protocolMachine(&rs.Scenario.Machine.Machine)
	for _, r := range rs.list {
		head.Answers = append(head.Answers, r.answer(job.Index(q.Job), q.At, rs.clock))
	}
	s.host.Post("why", m.ID, head, nil)
	return nil
}

// startOrSubmit returns the start of a job, or its submit time if the job never started.
func (r *result) startOrSubmit(j job.Index) job.Time {
	if o := r.outcomes()[j]; o.Start != job.Never {
		return o.Start
	}
	return r.log.Jobs[j].Submit
}

// answer explains what a job did at the given time in this result.
func (r *result) answer(j job.Index, at job.Time, clock format.Clock) protocol.Answer {
	a := r.explainIndex().WithClock(clock).Why(j, at, explain.Options{})
	o := r.outcomes()[j]
	out := protocol.Answer{Title: r.title, State: a.State.String() + r.pieceText(j, at, a.State), Start: timeOrNil(o.Start), Finish: timeOrNil(o.Finish), Promise: timeOrNil(o.Promised),
		Lines: sentenceLines(a.Sentences), Facts: []protocol.Fact{},
		Holders: protocolList(a.Holders), Overtakers: protocolList(a.Overtakers)}
	if o.Start <= at {
		out.Procs = int(r.log.Layout(j).Procs)
	}
	for _, t := range []job.Time{at, o.Start} {
		if out.Decided == nil && r.hasDecisionAt(t) {
			out.Decided = &t
		}
	}
	out.History, out.Later = eventLines(a.History), eventLines(a.Later)
	for _, f := range a.Facts {
		out.Facts = append(out.Facts, protocol.Fact{Name: f.Name, Parts: sentenceParts(f.Value)})
	}
	return out
}

// timeOrNil returns a pointer to t, or nil if t is job.Never.
func timeOrNil(t job.Time) *int64 {
	if t == job.Never {
		return nil
	}
	return &t
}

// eventLines converts the history of a job to the form that the page receives.
func eventLines(all []explain.Event) []protocol.Line {
	out := []protocol.Line{}
	for _, e := range all {
		out = append(out, protocol.Line{At: timeOrNil(e.At), Parts: sentenceParts(e.Text)})
	}
	return out
}

// protocolList converts a list of sentences to the form that the page receives.
func protocolList(l explain.List) protocol.List {
	return protocol.List{Lines: sentenceLines(l.Items), More: l.More}
}

// sentenceLines converts sentences to lines without times.
func sentenceLines(all []explain.Sentence) []protocol.Line {
	out := []protocol.Line{}
	for _, s := range all {
		out = append(out, protocol.Line{Parts: sentenceParts(s)})
	}
	return out
}

// sentenceParts converts a sentence to the form that the page receives: texts, and links to jobs and times.
func sentenceParts(s explain.Sentence) []protocol.Part {
	out := make([]protocol.Part, len(s))
	for i, p := range s {
		out[i].Text = p.Text
		switch p.Kind {
		case explain.JobName:
			j := int(p.Job)
			out[i].Job = &j
		case explain.Instant:
			out[i].At = timeOrNil(p.Time)
		}
	}
	return out
}
