package timeline

import (
	"cmp"
	"slices"
	"sort"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// xIsPlannedStart says for each reason to wait whether field X of a record with this reason is the
// planned start of the job. A job with reason Blocked is first in its queue and has the only
// reservation. It loses the reservation when another job becomes first.
var xIsPlannedStart = [256]bool{log.Blocked: true, log.Reserved: true}

// XIsPlannedStart reports whether field X of a record with reason c is a planned start.
func XIsPlannedStart(c log.Code) bool { return xIsPlannedStart[c] }

// Plans finds the reservations of waiting jobs at any time. A log records reservations in promises, in
// changes of planned starts, and in reasons to wait.
type Plans struct {
	timeline *Timeline
	starts   jobValues    // planned starts
	sizes    jobValues    // planned numbers of processors of waiting moldable jobs
	blocked  [256][]int32 // by virtual machine (see log.Record.View): indexes of records with reason Blocked, in time order
}

// NewPlans reads the reservations from the log of a timeline.
func NewPlans(t *Timeline) *Plans {
	p := &Plans{timeline: t}
	p.starts = collectValues(t.log, func(r *log.Record) (job.Time, bool) {
		if r.Kind == log.Move {
			return r.Y, true
		}
		return r.X, r.Kind == log.Promise || r.Kind == log.Hold && xIsPlannedStart[r.Code]
	})
	p.sizes = collectValues(t.log, func(r *log.Record) (int64, bool) { return r.Y, r.Kind == log.Resize })
	i := int32(0)
	for r := range t.log.All() {
		if r.Kind == log.Hold && r.Code == log.Blocked {
			p.blocked[r.View] = append(p.blocked[r.View], i)
		}
		i++
	}
	return p
}

// PlannedSize returns the number of processors that the policy last planned for job j at or before
// the given time. It also returns the estimated runtime of the job on them in seconds. If the
// policy had not planned a size by then, it returns the number of processors that the job requests
// and the estimate of the job.
func (p *Plans) PlannedSize(j job.Index, at job.Time) (procs int, length job.Time) {
	q := &p.timeline.log.Jobs[j]
	if n := p.sizes.last(j, at); n != nil {
		return int(n.value), q.Speedup().Seconds(int(n.value))
	}
	return q.Procs, q.Estimate
}

// Reservation is the planned start of a waiting job.
type Reservation struct {
	Job    job.Index
	Start  job.Time
	Length job.Time // estimated runtime in seconds
	Procs  int
	View   uint8 // virtual machine in whose plan the reservation is; 0 for the machine itself
}

// Reservations returns the reservations of the jobs that wait at the given time, sorted by start.
// If a planned start is before this time, the reservation starts at this time instead.
func (p *Plans) Reservations(at job.Time) []Reservation {
	var out []Reservation
	for i := range p.timeline.waits.At(at) {
		j := job.Index(i)
		if n := p.starts.last(j, at); n != nil && p.isCurrent(j, n.view, at) {
			procs, length := p.PlannedSize(j, at)
			out = append(out, Reservation{j, max(n.value, at), length, procs, n.view})
		}
	}
	slices.SortStableFunc(out, CompareStarts)
	return out
}

// isCurrent reports whether the reservation of job j is still valid at the given time. If the
// policy reserves only for the head of the queue, only the job of the last Blocked record has a
// valid reservation. Without Blocked records, every reservation is valid.
func (p *Plans) isCurrent(j job.Index, view uint8, at job.Time) bool {
	l, blocked := p.timeline.log, p.blocked[view]
	n := sort.Search(len(blocked), func(k int) bool { return l.Record(int(blocked[k])).At > at })
	return n == 0 || l.Record(int(blocked[n-1])).Job == j
}

// RunningJob holds a running job and its estimated end.
type RunningJob struct {
	Job   job.Index
	Until job.Time // estimated end
}

// Running returns the jobs that run at the given time and their estimated ends, in the order in
// which their current spans started.
func (p *Plans) Running(at job.Time) (out []RunningJob) {
	t := p.timeline
	for i := range t.Spans.At(at) {
		left := t.log.Estimate(t.Jobs[i])
		for k := t.First[t.Jobs[i]]; int(k) != i; k = t.Next[k] {
			left -= t.To[k] - t.From[k]
		}
		out = append(out, RunningJob{t.Jobs[i], t.From[i] + left})
	}
	return out
}

// CompareStarts compares reservations by their starts.
func CompareStarts(a, b Reservation) int { return cmp.Compare(a.Start, b.Start) }
