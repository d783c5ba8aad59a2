package explain

import (
	"sort"
	"strconv"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// addStart explains when and why a job started, and whether it still runs, is suspended or has
// ended at the time of the answer.
func (x *Index) addStart(a *Answer) {
	j, phrase := a.Job, x.words.phrase
	s := x.startRecord(j)
	q := &x.log.Jobs[j]
	if wait := s.At - q.Submit; wait > 0 {
		before := x.At(s.At - 1)
		a.add(phrase("{j} started at {t}, {d} after its submission.", int64(j), s.At, wait))
		x.addWait(a, s.At)
		a.add(x.whyHeldBack(j, &before))
		if ended := x.endedJobsText(&before, s.Other); ended != nil {
			a.add(ended)
		}
	} else {
		a.add(phrase("{j} started at {t}, as soon as it was submitted.", int64(j), s.At))
	}
	a.add(x.words.reason(s))
	if z := x.sizeRecord(j); z != nil {
		a.add(x.sizeText("It runs on", z))
	}
	x.addGroup(a)
	startedByMove := log.Codes[s.Code].Moved != ""
	if startedByMove {
		x.addEarlyEnd(a, s.Other)
	}
	if p := x.firstPromise(j); p != nil {
		x.addPromise(a, p.X, s.At)
	}
	if startedByMove {
		x.addOtherMoves(a, s.At)
	} else if r := x.lastRecord(j, s.At, func(r *log.Record) bool { return r.Kind == log.Move }); r != nil {
		a.add(x.moveText(phrase(movedStart), r, phrase(" at t = {t}", r.At)))
	}
	switch a.State {
	case Running:
		x.addRunning(a)
	case Suspended:
		x.addSuspended(a)
	case Done:
		x.addEnd(a)
	}
}

// addWait adds sentences that count the jobs that started before this job. One is about earlier
// jobs: it says how many still waited when this job was submitted, and how many of these started
// before it. The other one is about jobs submitted later. A sentence is omitted if no such job
// started before this job.
func (x *Index) addWait(a *Answer, start job.Time) {
	var waited, earlier, later int64
	submit := x.log.Jobs[a.Job].Submit
	for k := range x.timeline.Waiting(submit) {
		if k < a.Job {
			waited++
		}
	}
	for k, at := range x.timeline.Started(submit, start) {
		switch {
		case k > a.Job:
			later++
		case at > submit: // a job that started when this one was submitted did not wait any more
			earlier++
		}
	}
	switch {
	case earlier > 0 && waited == 1:
		a.add(x.words.phrase("When it was submitted, 1 earlier job was still waiting. That job started before it."))
	case earlier > 0:
		a.add(x.words.phrase("When it was submitted, {n} earlier jobs were still waiting; {n} of them started before it.", waited, earlier))
	}
	if later > 0 {
		a.add(x.words.phrase("{n} jobs submitted later started before it.", later))
	}
}

// whyHeldBack returns a paragraph that explains why job j had to wait at the time of m, the state of
// the machine shortly before the job started.
func (x *Index) whyHeldBack(j job.Index, m *Machine) Sentence {
	a := &Answer{Job: j, At: m.At}
	x.addReason(a, m)
	var out Sentence
	for i, s := range a.Sentences {
		if s[0].Text == movedStart || i == 0 && len(a.Sentences) > 1 && (s[len(s)-1].Text == bareWait || s[len(s)-1].Text == bareDuration) {
			continue
		}
		out = append(out.withText(" "), s...)
	}
	out[1].Text = strings.ToLower(out[1].Text[:1]) + out[1].Text[1:]
	return append(x.words.phrase("What held it back, at t = {t}:", m.At), out...)
}

// endedJobsText returns a sentence about the jobs that ended one second after the machine was in
// state m. It leaves out the job exceptedJob. The sentence says how many processors the first
// maxJobs jobs released. endedJobsText returns nil if no other job ended.
func (x *Index) endedJobsText(m *Machine, exceptedJob job.Index) (s Sentence) {
	const maxJobs = 3
	at, ended := m.At+1, 0
	for _, h := range m.Running {
		f := x.finishRecord(h.Job)
		if f == nil || f.At != at || h.Job == exceptedJob {
			continue
		}
		switch ended++; {
		case ended == 1:
			s = x.words.phrase("At {t}, {j} ended and released {n} processors", at, int64(h.Job), int64(h.Slots))
		case ended <= maxJobs:
			s = append(s, x.words.phrase("; {j} ended and released {n} processors", int64(h.Job), int64(h.Slots))...)
		}
	}
	switch {
	case ended == 0:
		return nil
	case ended > maxJobs:
		s = append(s, x.words.phrase("; {n} more jobs ended", int64(ended-maxJobs))...)
	}
	return s.withText(".")
}

// addRunning adds a sentence about the estimated end of a running job. If the job was suspended
// before, addRunning also says when and why the job resumed.
func (x *Index) addRunning(a *Answer) {
	phrase := x.words.phrase
	if r := x.lastRecord(a.Job, a.At, func(r *log.Record) bool { return r.Kind == log.Resume }); r != nil {
		a.add(x.withReason(phrase("It resumed at {t}.", r.At), r))
	}
	end, until := x.EstimatedEnd(a.Job, a.At), x.sliceEnd(a.At)
	if end > until {
		a.add(phrase("According to its estimate, it needs {d} more; the time slice ends at {t}.", end-a.At, until))
		return
	}
	a.add(phrase("According to its estimate, it ends at {t}.", end))
}

// addEarlyEnd adds a sentence if job j ended earlier than estimated and thereby released processors
// for other jobs. It adds nothing if j is job.None.
func (x *Index) addEarlyEnd(a *Answer, j job.Index) {
	if j == job.None {
		return
	}
	f := x.finishRecord(j)
	if f == nil {
		return
	}
	early := x.EstimatedEnd(j, f.At-1) - f.At
	if early > 0 {
		a.add(x.words.phrase("{j} ended at {t}, {d} before its estimate, and released {n} processors.",
			int64(j), f.At, early, int64(x.log.Alloc(j).Count())))
	}
}

// finishRecord returns the record about the end of job j, or nil if the job does not end.
func (x *Index) finishRecord(j job.Index) *log.Record {
	return x.lastRecord(j, job.Never, func(r *log.Record) bool { return r.Kind == log.Finish })
}

// addPromise adds a sentence that compares the start with the promised start.
func (x *Index) addPromise(a *Answer, promised, start job.Time) {
	switch d := promised - start; {
	case d > 0:
		a.add(x.words.phrase("Its promised start was {t}; it started {d} early.", promised, d))
	case d < 0:
		a.add(x.words.phrase("Its promised start was {t}; it started {d} late.", promised, -d))
	default:
		a.add(x.words.phrase("Its promised start was {t}; it started on time.", promised))
	}
}

// addSuspended explains why a job is suspended.
func (x *Index) addSuspended(a *Answer) {
	r := x.lastRecord(a.Job, a.At, func(r *log.Record) bool { return r.Kind == log.Suspend })
	a.add(x.words.phrase("It was suspended at {t} and will resume on the same processors.", r.At))
	if r.Code != log.NoReason {
		a.add(x.words.reason(r))
	}
}

// addEnd adds a sentence about when the job ended.
func (x *Index) addEnd(a *Answer) {
	at := x.finishRecord(a.Job).At
	s := x.words.phrase("It ended at {t}", at)
	a.add(append(s, x.endText("", a.Job, at)...))
}

// endText returns prefix, followed by a phrase that compares the end of job j with its estimate.
func (x *Index) endText(prefix string, j job.Index, at job.Time) Sentence {
	early := x.EstimatedEnd(j, at-1) - at
	switch {
	case x.log.Jobs[j].Killed:
		return x.words.phrase(prefix + ": it was killed at the end of its estimate.")
	case early > 0:
		return x.words.phrase(prefix+", {d} before its estimate.", early)
	}
	return x.words.phrase(prefix + ", as estimated.")
}

// addOtherMoves adds sentences about other jobs whose planned start moved at the given time, when
// this job started. It adds at most maxMoves sentences, and leaves out jobs whose new planned start
// is that same time.
func (x *Index) addOtherMoves(a *Answer, at job.Time) {
	const maxMoves = 3
	n := x.log.Len()
	i := sort.Search(n, func(i int) bool { return x.log.Record(i).At >= at })
	count := 0
	for ; i < n && count < maxMoves; i++ {
		r := x.log.Record(i)
		if r.At != at {
			return
		}
		if r.Kind == log.Move && r.Job != a.Job && r.Y != at {
			a.add(x.words.phrase("Also at t = {t}, the planned start of {j} moved from {t} to {t}.", at, int64(r.Job), r.X, r.Y))
			count++
		}
	}
}

// addOvertakers lists jobs that were submitted after this job and started before it. If this job
// still waits, it lists all jobs that were submitted later and have started.
func (x *Index) addOvertakers(a *Answer, o Options) {
	until := a.At + 1
	if s := x.startRecord(a.Job); s != nil {
		until = min(until, s.At)
	}
	for k, at := range x.timeline.Started(x.log.Jobs[a.Job].Submit, until) {
		if k < a.Job {
			continue
		}
		if len(a.Overtakers.Items) == o.MaxItems {
			a.Overtakers.More++
			continue
		}
		text := x.words.phrase("At {t}: ", at)
		a.Overtakers.Items = append(a.Overtakers.Items, append(text, lowerFirst(x.words.reason(x.startRecord(k)))...))
	}
}

// lowerFirst changes "Job" at the beginning of a sentence to "job", so that the sentence can follow
// a colon.
func lowerFirst(s Sentence) Sentence {
	if len(s) > 0 && s[0].Kind == JobName {
		s[0].Text = "j" + s[0].Text[1:]
	}
	return s
}

// sizeRecord returns the record that explains the number of processors of the moldable job j, or
// nil if there is none.
func (x *Index) sizeRecord(j job.Index) *log.Record {
	return x.lastRecord(j, job.Never, func(r *log.Record) bool { return r.Kind == log.Size })
}

// addMoldableSize adds a sentence about the planned number of processors of a waiting moldable job.
// It adds nothing if the log records no such plan.
func (x *Index) addMoldableSize(a *Answer) {
	if x.lastRecord(a.Job, a.At, func(r *log.Record) bool { return r.Kind == log.Resize }) != nil {
		procs, length := x.plans.PlannedSize(a.Job, a.At)
		a.add(x.words.phrase("{j} is moldable; as currently planned, it will run on {n} processors for {d}.", int64(a.Job), int64(procs), length))
	}
}

// sizeText returns sentences about the number of processors of a moldable job, beginning with
// prefix. They say how much the last processor shortens the runtime, how much one more processor
// would shorten it, and why the job does not get more.
func (x *Index) sizeText(prefix string, r *log.Record) Sentence {
	n := x.log.Layout(r.Job).Procs
	s := x.words.phrase(prefix+" {n} processors", int64(n))
	if n > 1 {
		s = s.withText("; the last one shortens its runtime by " + secondsText(r.X))
	}
	if r.Y > 0 {
		s = s.withText("; one more would shorten its runtime by " + secondsText(r.Y))
	}
	return x.withReason(s.withText("."), r)
}

// resizeText returns prefix, followed by a phrase about the new planned number of processors of a
// waiting job.
func (x *Index) resizeText(prefix Sentence, r *log.Record) Sentence {
	if r.X == 0 {
		return append(prefix, x.words.phrase(" is {n} processors", r.Y)...)
	}
	return append(prefix, x.words.phrase(" changes from {n} to {n} processors", r.X, r.Y)...)
}

// secondsText formats a number of microseconds in seconds, such as "1.25 s".
func secondsText(micros int64) string {
	text := strconv.FormatFloat(float64(micros)/1e6, 'f', 3, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + " s"
}
