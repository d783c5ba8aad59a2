package timeline

import (
	"cmp"
	"slices"
	"sort"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// namesStart marks the reasons to wait whose X is a planned start. A job with the reason Blocked is
// first in its queue and has the only reservation. It loses the reservation when another job
// becomes first.
var namesStart = [256]bool{log.Blocked: true, log.Reserved: true}

// NamesStart reports whether X of a reason to wait is a planned start.
func NamesStart(c log.Code) bool { return namesStart[c] }

// Plans finds the reservations of the waiting jobs at any time. The log records them as
// promises, moves, and reasons to wait that name a start.
type Plans struct {
	timeline *Timeline
	starts   jobValues    // planned starts
	sizes    jobValues    // planned processors of waiting moldable jobs
	blocked  [256][]int32 // by virtual machine: indexes of records with reason Blocked, in time order
}

// NewPlans reads the reservations of a timeline's log.
func NewPlans(t *Timeline) *Plans {
	p := &Plans{timeline: t}
	p.starts = collectValues(t.log, func(r *log.Record) (job.Time, bool) {
		if r.Kind == log.Move {
			return r.Y, true
		}
		return r.X, r.Kind == log.Promise || r.Kind == log.Hold && namesStart[r.Code]
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

// PlannedSize returns the processors and seconds that a waiting job is planned to use, as of a
// time: the size chosen for a moldable job, otherwise the size that the job requests.
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
	Length job.Time // estimated seconds
	Procs  int
	View   uint8 // virtual machine of the plan, 0 for the machine itself
}

// Reservations returns the reservations of the jobs that wait at a time, earliest start first.
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

// isCurrent reports whether the reservation of job j is still valid at a time. In a queue with a
// single reservation, only the last blocked job has it.
func (p *Plans) isCurrent(j job.Index, view uint8, at job.Time) bool {
	l, blocked := p.timeline.log, p.blocked[view]
	n := sort.Search(len(blocked), func(k int) bool { return l.Record(int(blocked[k])).At > at })
	return n == 0 || l.Record(int(blocked[n-1])).Job == j
}

// RunningJob is a running job and its estimated end.
type RunningJob struct {
	Job   job.Index
	Until job.Time
}

// Running returns the jobs that run at a time, with their estimated ends, in the order in which
// their spans start.
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
