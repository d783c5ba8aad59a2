package truth

import (
	"math"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// unset marks a time that does not exist, such as the planned start of a job that is not planned.
// In the At field of a record, it means that there is no such record.
const unset job.Time = -1

// jobState holds the state of a job after the records so far.
type jobState struct {
	started, running, done bool       // started stays true after the end; running is false while suspended
	workLeft               float64    // work left when last updated, according to the estimate; in seconds at rate 1
	rate                   float64    // work done per second
	updated                job.Time   // time of the last update of workLeft
	end                    job.Time   // when the job ended
	estimatedEnd           job.Time   // when the finished job would have ended according to its estimate
	plannedStart           job.Time   // promised start after all moves so far; unset if there is none
	lastMove               log.Record // last move of the planned start
	lastUnmatched          log.Record // last hold record with the reason unmatched
	lastHold               log.Record // last hold record with any reason
	policyHold             log.Code   // reason of the last hold record written by the policy, not by the time slices
	fairStart              job.Time   // fair start time, or unset
	procs                  int        // processors requested (moldable jobs: planned), or held once started
	sizeRecorded           bool       // for a moldable job: whether its planned size was recorded
	sizeExplained          bool       // for a moldable job: whether the reason for its final size was recorded
}

// replay holds the state of the machine and of all jobs after the records so far.
type replay struct {
	*Case
	now                 job.Time
	jobs                []jobState
	ended               []job.Index           // jobs that ended at this instant, in record order
	policyActed         bool                  // whether the policy has recorded an action at this instant
	waitingBeforePolicy []job.Index           // jobs that waited when the policy began to act at this instant
	backfillsGroup      bool                  // whether the group that starts now is backfilled
	typeClocks          [4]job.Time           // by type: its clock when its last slice started or ended
	eventOccurred       bool                  // whether a job was submitted or ended, a slice started, or an outage started or ended at this instant
	currentType         int                   // with time slices: type of the record's job; 0 otherwise
	startOrder          []job.Index           // started jobs, in the order of their starts
	units               []*unit               // groups and single jobs on the machine; the unit that changed last comes last
	firstStart          []job.Time            // time of the first start, by job
	lastSlice           log.Record            // record of the last start or end of a slice; At is unset before the first slice
	previousSliceType   int                   // type of the slice just before this instant; 0 if there was none
	shortSlices         map[job.Time]job.Time // length of the slice for short jobs, by the start of its interval
}

// newReplay returns the state before the first record.
func newReplay(c *Case) *replay {
	f := &replay{Case: c, now: -1, jobs: make([]jobState, len(c.Log.Jobs)), firstStart: make([]job.Time, len(c.Log.Jobs)), shortSlices: map[job.Time]job.Time{}}
	f.lastSlice.At = unset
	for i := range f.jobs {
		f.jobs[i] = jobState{plannedStart: unset, fairStart: unset, procs: c.Log.Jobs[i].Procs, rate: 1,
			lastMove: log.Record{At: unset}, lastUnmatched: log.Record{At: unset}, lastHold: log.Record{At: unset}}
	}
	return f
}

// startInstant advances the clock to the given time and resets the facts about the current instant.
func (f *replay) startInstant(at job.Time) {
	f.now, f.ended, f.policyActed, f.previousSliceType = at, nil, false, f.currentSliceType()
	f.eventOccurred = slices.ContainsFunc(f.Log.Jobs, func(j job.Job) bool { return j.Submit == at })
}

// isPolicyAction reports whether a record describes an action of the policy. The other records
// describe events: a job ends or changes its rate, or an outage starts or ends.
func isPolicyAction(r *log.Record) bool {
	return r.Kind != log.Finish && r.Kind != log.RateChange && r.Kind != log.OutageEdge
}

// apply updates the state with a record.
func (f *replay) apply(r *log.Record) {
	if isPolicyAction(r) && !f.policyActed {
		f.policyActed = true
		f.waitingBeforePolicy = f.waiting(anyJob)
	}
	if r.Kind == log.Slice {
		f.typeClocks[r.View] = f.typeClock(int(r.View))
		f.lastSlice = *r
	}
	f.eventOccurred = f.eventOccurred || r.Kind == log.Finish || r.Kind == log.OutageEdge || r.Kind == log.Slice && r.X == 1
	if r.Job == job.None || isAttempt(r) {
		return
	}
	s, request := &f.jobs[r.Job], &f.Log.Jobs[r.Job]
	switch r.Kind {
	case log.Start:
		s.started, s.running, s.updated, s.workLeft = true, true, r.At, float64(request.Estimate)
		f.addSingle(r.Job)
		f.startOrder = append(f.startOrder, r.Job)
		s.procs, f.firstStart[r.Job] = f.Log.Alloc(r.Job).Count(), r.At
		if speedup := request.Speedup(); speedup != nil {
			s.workLeft = speedup.Work()
		}
	case log.Resume:
		s.running, s.updated, s.rate = true, r.At, 1
	case log.Suspend:
		f.updateWork(s)
		s.running = false
	case log.Finish:
		s.estimatedEnd = f.estimatedEnd(r.Job)
		f.updateWork(s)
		s.running, s.done, s.end = false, true, r.At
		f.ended = append(f.ended, r.Job)
		f.removeFromUnit(r.Job)
	case log.RateChange:
		f.updateWork(s)
		s.rate = math.Float64frombits(uint64(r.X))
	case log.Group:
		f.addToGroup(r.Other, r.Job)
		if f.backfillsGroup && r.Code == log.CaseWaiting {
			f.units[len(f.units)-1].backfilledAt = r.At
		}
	case log.Promise:
		s.plannedStart = r.X
	case log.Move:
		s.plannedStart, s.lastMove = r.Y, *r
	case log.Hold:
		if r.Code == log.Unmatched {
			s.lastUnmatched = *r
		}
		if s.lastHold = *r; !recordedBySlices[r.Code] {
			s.policyHold = r.Code
		}
	case log.Fair:
		s.fairStart = r.X
	case log.Size:
		s.sizeExplained = true
	case log.Resize:
		s.procs, s.sizeRecorded = int(r.Y), true
	}
}

// updateWork updates the work left of a job to the current time.
func (f *replay) updateWork(s *jobState) {
	if s.running {
		s.workLeft = max(0, s.workLeft-float64(s.rate*float64(f.now-s.updated)))
	}
	s.updated = f.now
}

// wholeSeconds rounds a duration up to whole seconds, at least 1. It ignores rounding errors
// below 1e-6 s.
func wholeSeconds(duration float64) job.Time { return max(1, job.Time(math.Ceil(duration-1e-6))) }

// estimatedEnd returns when the started job j ends according to its estimate, at its current rate.
func (f *replay) estimatedEnd(j job.Index) job.Time {
	s := &f.jobs[j]
	return s.updated + wholeSeconds(s.workLeft/s.rate)
}

// remainingTime returns how many seconds the started job j still needs according to its estimate,
// at its current rate.
func (f *replay) remainingTime(j job.Index) job.Time {
	s := f.jobs[j]
	f.updateWork(&s)
	return wholeSeconds(s.workLeft / s.rate)
}

// estimatedRuntime returns the runtime of the waiting job j according to its estimate, in seconds.
// For a moldable job, this is the runtime with its planned size.
func (f *replay) estimatedRuntime(j job.Index) job.Time {
	request := &f.Log.Jobs[j]
	if speedup := request.Speedup(); speedup != nil {
		return wholeSeconds(speedup.Work() / speedup.At(f.jobs[j].procs))
	}
	return request.Estimate
}

// anyJob returns true. It is passed to the methods waiting and running to select all jobs.
func anyJob(job.Index) bool { return true }

// submitted reports whether job j has been submitted.
func (f *replay) submitted(j job.Index) bool { return f.Log.Jobs[j].Submit <= f.now }

// waiting returns the submitted jobs that have not started and for which include returns true.
func (f *replay) waiting(include func(job.Index) bool) (out []job.Index) {
	for i := range f.jobs {
		if j := job.Index(i); f.submitted(j) && !f.jobs[j].started && include(j) {
			out = append(out, j)
		}
	}
	return out
}

// running returns the jobs that run now and for which include returns true.
func (f *replay) running(include func(job.Index) bool) (out []job.Index) {
	for i := range f.jobs {
		if j := job.Index(i); f.jobs[j].running && include(j) {
			out = append(out, j)
		}
	}
	return out
}

// amount holds a quantity of each resource: the processors first, then the extra resources
// of the machine.
type amount []int64

// capacity returns the capacity of the whole machine.
func (f *replay) capacity() amount {
	capacity := amount{int64(f.Log.Machine.Slots())}
	for _, r := range f.Log.Machine.Resources {
		capacity = append(capacity, r.Capacity)
	}
	return capacity
}

// demand returns the resources that job j requests, or holds once it has started.
func (f *replay) demand(j job.Index) amount {
	demand := amount{int64(f.jobs[j].procs)}
	for k := range f.Log.Machine.Resources {
		demand = append(demand, f.Log.Jobs[j].Extra(k))
	}
	return demand
}

// free returns the resources that are not taken by a running job or an outage now.
func (f *replay) free() amount {
	free := f.capacity()
	for _, outage := range f.Log.Machine.Outages {
		if outage.From <= f.now && f.now < outage.To {
			free[0] -= int64(outage.Procs)
		}
	}
	for _, j := range f.running(anyJob) {
		free = free.minus(f.demand(j))
	}
	return free
}

// minus returns a - b, resource by resource.
func (a amount) minus(b amount) amount {
	out := make(amount, len(a))
	for k := range a {
		out[k] = a[k] - b[k]
	}
	return out
}

// firstLacking returns the index of the first resource whose amount in a is smaller than in b, or -1.
func (a amount) firstLacking(b amount) int {
	for k := range a {
		if a[k] < b[k] {
			return k
		}
	}
	return -1
}

// covers reports whether a has at least b of every resource.
func (a amount) covers(b amount) bool { return a.firstLacking(b) < 0 }
