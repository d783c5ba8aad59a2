package truth

import (
	"fmt"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// jobStatus returns the state of the job at the time asked about, in the words of the answer.
func (ac *AnswerChecker) jobStatus() string {
	state := &ac.checker.jobs[ac.answer.Job]
	switch {
	case !ac.checker.submitted(ac.answer.Job):
		return "not submitted"
	case !state.started:
		return "waiting"
	case state.done:
		return "done"
	case state.running:
		return "running"
	}
	return "suspended"
}

// requestText returns the text with which an answer describes the request of a job.
func (ac *AnswerChecker) requestText(q *job.Job) string {
	s := fmt.Sprintf("%d processors (estimate %d s", q.Procs, q.Estimate)
	if q.Speedup() != nil {
		s += "; moldable: the scheduler may choose more or fewer processors"
	}
	return s + ")"
}

// factLines returns the expected facts of the job. Facts after the time asked about appear
// only in the line "later".
func (ac *AnswerChecker) factLines() []Line {
	k, at := ac.answer.Job, ac.answer.At
	request := &ac.runCase.Log.Jobs[k]
	out := []Line{{"state", ac.jobStatus()}}
	var later []string
	event := func(name string, t job.Time) {
		if t > at {
			later = append(later, fmt.Sprintf("%s at t = %d", name, t))
		} else {
			out = append(out, Line{name, fmt.Sprint(t)})
		}
	}
	event("submitted", request.Submit)
	out = append(out, Line{"requests", ac.requestText(request)})
	for i, r := range ac.runCase.Log.Machine.Resources {
		if n := request.Extra(i); n > 0 {
			out = append(out, Line{r.Name, fmt.Sprint(n)})
		}
	}
	if p := ac.firstPromise(); p != unset {
		out = append(out, Line{"promised", fmt.Sprint(p)})
	}
	if r := ac.starts[k]; r != nil {
		event("started", r.At)
		if procs := ac.runCase.Log.Alloc(k).Count(); r.At <= at {
			out = append(out, Line{"waited", fmt.Sprintf("%d s", r.At-request.Submit)})
			if width := int(ac.runCase.Log.Layout(k).Procs); request.Speedup() != nil {
				out = append(out, Line{"runs on", fmt.Sprintf("%d processors", procs)})
			} else if width != request.Procs {
				out = append(out, Line{"runs on", fmt.Sprintf("%d processors", width)})
			}
		}
	}
	if ac.finalStates[k].done {
		event("ended", ac.finalStates[k].end)
	}
	if later != nil {
		out = append(out, Line{"later", strings.Join(later, ", ")})
	}
	return out
}

// firstPromise returns the first promised start of the job up to the time asked about, or
// unset.
func (ac *AnswerChecker) firstPromise() job.Time {
	for _, r := range ac.byJob[ac.answer.Job] {
		if r.Kind == log.Promise && r.At <= ac.answer.At {
			return r.X
		}
	}
	return unset
}
