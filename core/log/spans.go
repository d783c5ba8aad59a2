package log

import "backfill-lab/core/job"

// Span is one stretch of a job on its slots: [From,To).
type Span struct {
	Job      job.Index
	From, To job.Time
}

// Outcome is what became of a job. Times are job.Never until they are known.
type Outcome struct {
	Start    job.Time // first start
	Finish   job.Time
	Promised job.Time // latest start promised, job.Never where none was
}

// Outcomes reads what became of every job.
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

// Spans reads the stretches in which jobs ran, in the order of their begins.
// A job that still runs at the end of the log has To = job.Never.
func (l *Log) Spans() []Span {
	spans := make([]Span, 0, len(l.Jobs))
	open := make([]int32, len(l.Jobs)) // place of the job's open span + 1
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
