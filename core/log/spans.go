package log

import "backfill-lab/core/job"

// Span is an interval [From,To) in which a job runs without interruption.
type Span struct {
	Job      job.Index
	From, To job.Time
}

// Outcome holds the key times of a job. Times are job.Never until they are known.
type Outcome struct {
	Start    job.Time // first start
	Finish   job.Time
	Promised job.Time // latest promised start; job.Never if there was no promise
}

// Outcomes returns the outcome of every job, by index.
func (l *Log) Outcomes() []Outcome {
	out := make([]Outcome, len(l.Jobs))
	for i := range out {
		out[i] = Outcome{job.Never, job.Never, job.Never}
	}
	for r := range l.All() {
		if r.Job == job.None {
			continue
		}
		switch o := &out[r.Job]; r.Kind {
		case Start:
			o.Start = r.At
		case Finish:
			o.Finish = r.At
		case Promise:
			if o.Promised == job.Never {
				o.Promised = r.X
			}
		}
	}
	return out
}

// Spans returns the intervals in which jobs ran, sorted by their starts.
// A job that still runs at the end of the log has To = job.Never.
func (l *Log) Spans() []Span {
	spans := make([]Span, 0, len(l.Jobs))
	open := make([]int32, len(l.Jobs)) // index of the job's open span + 1
	for r := range l.All() {
		switch r.Kind {
		case Start, Resume:
			spans = append(spans, Span{r.Job, r.At, job.Never})
			open[r.Job] = int32(len(spans))
		case Finish, Suspend:
			spans[open[r.Job]-1].To = r.At
			open[r.Job] = 0
		}
	}
	return spans
}
