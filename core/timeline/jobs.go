package timeline

import (
	"iter"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Waiting yields, in index order, the jobs that wait at the given time. These jobs were submitted
// at or before this time, and start later or never.
func (t *Timeline) Waiting(at job.Time) iter.Seq[job.Index] {
	return func(yield func(job.Index) bool) {
		for i := range t.waits.At(at) {
			if !yield(job.Index(i)) {
				return
			}
		}
	}
}

// Started yields the jobs that start in [t0,t1) and their start times, in order of time.
func (t *Timeline) Started(t0, t1 job.Time) iter.Seq2[job.Index, job.Time] {
	return func(yield func(job.Index, job.Time) bool) {
		for i := t.Spans.CountBefore(t0); i < len(t.Jobs) && t.From[i] < t1; i++ {
			if int(t.First[t.Jobs[i]]) == i && !yield(t.Jobs[i], t.From[i]) {
				return
			}
		}
	}
}

// Running yields the jobs that run at the given time, in the order in which their current spans
// started.
func (t *Timeline) Running(at job.Time) iter.Seq[job.Index] {
	return func(yield func(job.Index) bool) {
		for i := range t.Spans.At(at) {
			if !yield(t.Jobs[i]) {
				return
			}
		}
	}
}

// JobSpans returns the spans of job j in order of time.
func (t *Timeline) JobSpans(j job.Index) []log.Span {
	var out []log.Span
	for i := t.First[j]; i >= 0; i = t.NextSpan(i) {
		out = append(out, log.Span{Job: j, From: t.From[i], To: t.To[i]})
	}
	return out
}

// TotalRuntime returns the total time that job j runs, in seconds.
func (t *Timeline) TotalRuntime(j job.Index) (sum job.Time) {
	for i := t.First[j]; i >= 0; i = t.NextSpan(i) {
		sum += t.To[i] - t.From[i]
	}
	return sum
}

// NextSpan returns the next span of the same job after span i, or -1 if there is none.
func (t *Timeline) NextSpan(i int32) int32 {
	if t.Next == nil {
		return -1
	}
	return t.Next[i]
}
