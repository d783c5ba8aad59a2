package schedule

import (
	"fmt"
	"math"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// CheckLog checks the log of a finished run. It checks the schedule with Check, and the records
// against the rules for logs. If promises is set, jobs must start no later than promised, and a
// promised start must never become later.
func CheckLog(l *log.Log, promises bool) []Finding {
	return CheckLogWith(l, Options{Promises: promises})
}

// CheckLogWith is like CheckLog, but takes all options.
func CheckLogWith(l *log.Log, o Options) []Finding { return CheckRun(l, FromLog(l), o) }

// CheckRun is like CheckLogWith, for callers that already have s, the result of FromLog(l).
func CheckRun(l *log.Log, s *Schedule, o Options) []Finding {
	w := &logChecker{report: newReport(o.Limit), l: l, o: o, jobs: make([]state, len(l.Jobs)), outages: make([]bool, len(l.Machine.Outages))}
	last := job.Time(0)
	for r := range l.All() {
		if r.At < last {
			w.add(TimeOrder, "", r.At, "a record at %d follows one at %d", r.At, last)
		}
		last = max(last, r.At)
		if w.checkNames(r) {
			w.checkRecord(r)
		}
	}
	return append(w.findings, Check(s, l.Machine, o)...)
}

// phase is the phase of a job: waiting, running, suspended or finished.
type phase uint8

const (
	waiting phase = iota
	running
	suspended
	done
)

func (p phase) String() string {
	return [...]string{"waiting", "running", "suspended", "finished"}[p]
}

// state holds the state of a job according to the records read so far.
type state struct {
	phase    phase
	planned  bool     // whether plan is valid
	rated    bool     // whether the job is moldable, or a record set its rate
	plan     job.Time // planned start
	since    job.Time // time up to which workDone is added up
	rate     float64  // work done per second since then
	workDone float64  // work done, in seconds at rate 1
	size     int64    // last planned number of processors of a moldable job; 0 = unknown
}

// logChecker checks the records of a log one after the other.
type logChecker struct {
	*report
	l     *log.Log
	o     Options
	jobs  []state   // by job
	views [256]bool // by virtual machine: whether one of its time slices is active

	outages []bool // by outage: whether it is active
}

// checkNames checks that the kind, the reason and the jobs of a record exist. It reports whether
// all of them exist.
func (w *logChecker) checkNames(r *log.Record) bool {
	if int(r.Kind) >= len(log.Kinds) || int(r.Code) >= len(log.Codes) {
		w.add(NoSuchCode, "", r.At, "a record at %d has kind %d and reason %d", r.At, r.Kind, r.Code)
		return false
	}
	n := len(w.l.Jobs)
	ok := r.Job >= 0 || isAboutNoJob(r.Kind)
	if !ok || r.Job < job.None || int(r.Job) >= n || r.Other < job.None || int(r.Other) >= n {
		w.add(NoSuchJob, "", r.At, "a record at %d (%s) names jobs number %d and %d of %d", r.At, log.Kinds[r.Kind].Name, r.Job, r.Other, n)
		return false
	}
	return true
}

// checkRecord checks a record against the state of its job, virtual machine or outage, and updates
// this state.
func (w *logChecker) checkRecord(r *log.Record) {
	if isAboutNoJob(r.Kind) {
		switch r.Kind {
		case log.Slice:
			w.checkSlice(r)
		case log.OutageEdge:
			w.checkOutage(r)
		}
		return
	}
	j := &w.jobs[r.Job]
	if !allowed(r.Kind, j.phase) {
		w.add(Sequence, w.id(r), r.At, "at %d, a record of kind %s names job %q, which is %s", r.At, log.Kinds[r.Kind].Name, w.id(r), j.phase)
		return
	}
	switch r.Kind {
	case log.Start, log.Resume:
		w.checkStartSize(r, j)
		j.phase, j.since, j.rate = running, r.At, 1
		j.rated = j.rated || w.l.Jobs[r.Job].Speedup() != nil
	case log.Suspend:
		j.advance(r.At)
		j.phase = suspended
	case log.Finish:
		j.advance(r.At)
		j.phase = done
		w.checkWork(r, j)
	case log.RateChange:
		w.checkRate(r, j)
	case log.Promise:
		w.checkPromise(r, j)
	case log.Move:
		w.checkMove(r, j)
	case log.Resize:
		w.checkResize(r, j)
	case log.Size:
		w.checkSize(r, j)
	}
}

// allowed reports whether a log may contain a record of kind k about a job in phase p.
func allowed(k log.Kind, p phase) bool {
	switch k {
	case log.Start:
		return p == waiting
	case log.Resume:
		return p == suspended
	case log.Suspend, log.Finish:
		return p == running
	}
	return p != done
}

// id returns the ID of the job of a record.
func (w *logChecker) id(r *log.Record) string { return w.l.Jobs[r.Job].ID }

// checkSlice checks that the time slices of a virtual machine alternately start and end.
func (w *logChecker) checkSlice(r *log.Record) {
	if on := r.X != 0; w.views[r.View] == on {
		w.add(SliceTurn, "", r.At, "at %d, a time slice of virtual machine %d starts twice or ends twice in a row", r.At, r.View)
	}
	w.views[r.View] = r.X != 0
}

// checkRate checks the new rate of a job, and stores it in the state j of the job.
func (w *logChecker) checkRate(r *log.Record, j *state) {
	rate := math.Float64frombits(uint64(r.X))
	if j.phase != running || !(rate > 0) || math.IsInf(rate, 0) {
		w.add(BadRate, w.id(r), r.At, "at %d, job %q, %s, gets the rate %g", r.At, w.id(r), j.phase, rate)
		return
	}
	if s := w.l.Jobs[r.Job].Speedup(); s != nil && !w.o.Rates && rate != s.At(int(w.l.Layout(r.Job).Procs)) {
		w.add(BadRate, w.id(r), r.At, "at %d, job %q gets the rate %g, but its speedup is %g", r.At, w.id(r), rate, s.At(int(w.l.Layout(r.Job).Procs)))
	}
	j.advance(r.At)
	j.rate, j.rated = rate, true
}

// advance adds the work that the job has done up to the given time. A job runs at rate 1 from its
// start or resumption until a record sets another rate.
func (j *state) advance(at job.Time) {
	j.workDone += float64(j.rate * float64(at-j.since))
	j.since = at
}

// checkWork checks that a finished job did all its work at the recorded rates. Because its end is
// rounded up to a whole second, the job may do up to one more second of work at the last rate. The
// tolerance is 2e-6 s at the last rate, plus 1e-9 times the work.
func (w *logChecker) checkWork(r *log.Record, j *state) {
	if !j.rated && !w.o.Rates {
		return // the job has no rates, so Check compares its runtime in whole seconds
	}
	need := float64(w.l.Jobs[r.Job].Runtime)
	if s := w.l.Jobs[r.Job].Speedup(); s != nil {
		need = s.Work()
	}
	slack := float64(2e-6*j.rate) + float64(1e-9*need)
	if j.workDone < need-slack || j.workDone >= need+j.rate+slack {
		w.add(RatedWork, w.id(r), r.At, "job %q has %g s of work, but did %g s by its end at %d (last rate %g)", w.id(r), need, j.workDone, r.At, j.rate)
	}
}

// checkPromise checks that a promise is made to a waiting job, for a time that has not passed. If
// Options.Promises is set, the promised start must not be later than the current planned start of
// the job, if there is one. checkPromise stores the promised start as the planned start.
func (w *logChecker) checkPromise(r *log.Record, j *state) {
	if r.X < r.At || j.phase != waiting {
		w.add(PromiseInPast, w.id(r), r.At, "at %d, job %q, %s, is promised to start by %d", r.At, w.id(r), j.phase, r.X)
	}
	w.reportLater(r, j, r.X)
	j.plan, j.planned = r.X, true
}

// checkMove checks that a record of kind Move names the current planned start, if the job has a
// promise. If Options.Promises is set, the new start must not be later than the current one.
// checkMove stores the new start.
func (w *logChecker) checkMove(r *log.Record, j *state) {
	if j.planned && r.X != j.plan {
		w.add(WrongOldStart, w.id(r), r.At, "at %d, the planned start of job %q moves from %d, but it was %d", r.At, w.id(r), r.X, j.plan)
	}
	w.reportLater(r, j, r.Y)
	if j.planned {
		j.plan = r.Y
	}
}

// reportLater adds a finding if newStart is later than the current planned start of a job with a
// promise. If Options.Promises is not set, it does nothing.
func (w *logChecker) reportLater(r *log.Record, j *state, newStart job.Time) {
	if w.o.Promises && j.planned && newStart > j.plan {
		w.add(MovedLater, w.id(r), r.At, "at %d, the planned start of job %q moves later, from %d to %d", r.At, w.id(r), j.plan, newStart)
	}
}

// isAboutNoJob reports whether records of kind k describe the machine or the policy, not a job.
func isAboutNoJob(k log.Kind) bool {
	return k == log.Slice || k == log.Effort || k == log.Scored || k == log.Choice || k == log.OutageEdge
}

// addOutageRows adds a row for each outage of the machine, so that method sweep treats outages like
// jobs. The row has the slots of the outage if they are known.
func (c *checker) addOutageRows() {
	if len(c.m.Outages) == 0 {
		return
	}
	s := *c.s
	s.Rows = slices.Clone(s.Rows)
	for i, b := range c.m.Outages {
		phrase := "an outage"
		if b.Label != "" {
			phrase = fmt.Sprintf("outage %q", b.Label)
		}
		r := Row{outage: phrase, Procs: b.Procs, Start: b.From, Finish: b.To, Segments: []Segment{{b.From, b.To}}}
		if i < len(s.OutageSlots) {
			r.Alloc = s.OutageSlots[i]
		}
		s.Rows = append(s.Rows, r)
		c.ordered = append(c.ordered, true)
		c.placed = append(c.placed, len(r.Alloc) > 0 && c.checkAlloc(&r))
	}
	c.s = &s
}

// checkOutage checks a record of kind OutageEdge. The record must start or end an outage at the time that
// the machine states. A record that starts an outage must take as many slots as the outage has
// processors.
func (w *logChecker) checkOutage(r *log.Record) {
	if r.Y < 0 || r.Y >= int64(len(w.l.Machine.Outages)) {
		w.add(OutageEdge, "", r.At, "at %d, a record names outage %d of %d", r.At, r.Y+1, len(w.l.Machine.Outages))
		return
	}
	b, on := &w.l.Machine.Outages[r.Y], r.X != 0
	at := b.To
	if on {
		at = b.From
	}
	if r.At != at || w.outages[r.Y] == on {
		w.add(OutageEdge, "", r.At, "at %d, a record starts or ends outage %d, which lasts from %d to %d", r.At, r.Y+1, b.From, b.To)
	}
	w.outages[r.Y] = on
	if n := w.l.OutageSlots(int(r.Y)).Count(); on && n != b.Procs {
		w.add(OutageEdge, "", r.At, "at %d, outage %d takes %d slots, but has %d processors", r.At, r.Y+1, n, b.Procs)
	}
}

// checkResize checks a record of kind Resize. The job must be moldable and waiting, and the old
// size must be the last size recorded.
func (w *logChecker) checkResize(r *log.Record, j *state) {
	if w.l.Jobs[r.Job].Speedup() == nil || j.phase != waiting || r.X != j.size || r.Y < 1 || r.Y > int64(w.l.Machine.Slots()) {
		w.add(BadSize, w.id(r), r.At, "at %d, the size of job %q, %s, changes from %d to %d, but it was %d", r.At, w.id(r), j.phase, r.X, r.Y, j.size)
	}
	j.size = r.Y
}

// checkStartSize checks that a moldable job starts with the last size planned for it.
func (w *logChecker) checkStartSize(r *log.Record, j *state) {
	if n := int64(w.l.Layout(r.Job).Procs); r.Kind == log.Start && j.size != 0 && j.size != n {
		w.add(BadSize, w.id(r), r.At, "at %d, job %q starts on %d processors, but its size was %d", r.At, w.id(r), n, j.size)
	}
}

// checkSize checks a record of kind Size, which says how much time the last processor of a job
// saves and how much one more processor would save. The job must be moldable and running, and both
// times must follow from its speedup.
func (w *logChecker) checkSize(r *log.Record, j *state) {
	s, n := w.l.Jobs[r.Job].Speedup(), int(w.l.Layout(r.Job).Procs)
	if s == nil || j.phase != running {
		w.add(BadSize, w.id(r), r.At, "at %d, a record explains the size of job %q, %s, which is not a running moldable job", r.At, w.id(r), j.phase)
		return
	}
	saved, next := 0.0, s.Runtime(n)-s.Runtime(n+1)
	if n > 1 {
		saved = s.Runtime(n-1) - s.Runtime(n)
	}
	if math.Abs(float64(saved*1e6)-float64(r.X)) > 1 || math.Abs(float64(next*1e6)-float64(r.Y)) > 1 {
		w.add(BadSize, w.id(r), r.At, "at %d, a record says that the last of the %d processors of job %q saves %d us and one more would save %d us; its speedup gives %g s and %g s",
			r.At, n, w.id(r), r.X, r.Y, saved, next)
	}
}
