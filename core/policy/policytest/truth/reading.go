package truth

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// reading is a sentence of an answer that is judged.
type reading struct {
	*Reader
	*judge
	about job.Index
	at    job.Time
	said  []string // the sentence and its parts, as the pattern has them
}

func (a *reading) n(i int) int64 {
	n, _ := strconv.ParseInt(a.said[i], 10, 64)
	return n
}

// job returns the job that a part names.
func (a *reading) job(i int) job.Index {
	if k, known := a.ids[a.said[i]]; known {
		return k
	}
	return job.None
}

// resource returns the resource that a part names.
func (a *reading) resource(i int) int {
	for k, r := range a.log.Machine.Resources {
		if a.said[i] == "of "+r.Name {
			return k + 1
		}
	}
	return 0
}

// The sentences of an answer, as plain patterns, and what is to be true of them at the
// time asked about. In them processors stands for one as well.
var patterns = []struct {
	pattern *regexp.Regexp
	judge   func(a *reading) bool
}{
	// Of a job that waits.
	{says("Job J is not submitted yet."), func(a *reading) bool { return a.job(1) == a.about && !a.submitted(a.about) }},
	{says("Job J waits."), func(a *reading) bool { return a.waitsAbout(1) }},
	{says("Job J is moldable; for now it is to have N processor, on which it runs N s."), func(a *reading) bool {
		return a.waitsAbout(1) && int64(a.jobs[a.about].procs) == a.n(2) && a.length(a.about) == a.n(3)
	}},
	{says("It needs N R and N is free."), func(a *reading) bool { return a.state() == "waiting" && a.lacking(a.about, 1) }},
	{says("Job J needs N R and N is free."), func(a *reading) bool { return a.first() == a.job(1) && a.lacking(a.job(1), 2) }},
	{says("Job J does not fit the N free processor."), func(a *reading) bool {
		return a.waitsAbout(1) && a.n(2) == a.free()[0] && a.n(2) < a.asks(a.about)[0]
	}},
	{says("Job J fits what is free, but may still run at N, when an outage takes processor that it needs."), func(a *reading) bool {
		return a.waitingNow(a.job(1)) && (a.job(1) == a.about || a.job(1) == a.first()) && a.outage(a.job(1), a.n(2))
	}},
	{says("Job J waits behind job J, which is first in the queue and does not fit."), func(a *reading) bool {
		return a.waitsAbout(1) && a.first() == a.job(2) && a.job(2) != a.about && !a.fits(a.job(2))
	}},
	{says("Job J waits behind job J, which is first in the queue."), func(a *reading) bool {
		return a.waitsAbout(1) && a.first() == a.job(2) && a.job(2) != a.about
	}},
	{says("Job J waits behind job J, which is first in the queue and is to start at N by the estimates."), func(a *reading) bool {
		at, _ := a.shadow(a.job(2))
		return a.waitsAbout(1) && a.first() == a.job(2) && a.job(2) != a.about && at == a.n(3)
	}},
	{says("Job J waits behind job J, which is first in the queue of its type."), func(a *reading) bool {
		return a.waitsAbout(1) && a.sliced && a.first() == a.job(2) && a.job(2) != a.about
	}},
	{says("Its processor is free, but by its estimate it would end at N, after N, and it needs N R where N is to spare then."), func(a *reading) bool {
		at, spare := a.shadow(a.first())
		k := a.resource(4)
		return a.fits(a.about) && a.n(1) == a.at+a.length(a.about) && a.n(2) == at && a.n(1) > at &&
			a.n(3) == a.asks(a.about)[k] && a.n(5) == max(0, spare[k]) && a.n(3) > a.n(5)
	}},
	{says("N processor is free, enough for it without delaying job J; the log does not say why it was not started."), func(a *reading) bool {
		at, spare := a.shadow(a.first())
		return a.n(1) == a.free()[0] && a.first() == a.job(2) && a.fits(a.about) && (a.at+a.length(a.about) <= at || spare.has(a.asks(a.about)))
	}},
	{says("N processor is free, enough for it; the log does not say why it was not started."), func(a *reading) bool {
		return a.n(1) == a.free()[0] && a.free().has(a.asks(a.about)) && a.state() == "waiting"
	}},
	{says("Job J holds a reservation from N."), func(a *reading) bool { return a.waitsAbout(1) && a.jobs[a.about].planned == a.n(2) }},
	{says("Job J holds a reservation from N: when it was submitted, the earliest time that delayed no earlier job."), func(a *reading) bool {
		return a.waitsAbout(1) && a.jobs[a.about].planned == a.n(2) && a.jobs[a.about].move.At == unplanned
	}},
	{says("N R is free now, but not for all of its N s: job J holds a reservation of N R from N."), (*reading).inTheWay},
	{says("Job J waits for a time slice of its type, or for processor that one of another type leaves idle."), func(a *reading) bool {
		return a.waitsAbout(1) && a.sliced && a.present() != a.class(a.about)
	}},
	{says("Job J waits; job J, submitted before it, is held up."), func(a *reading) bool {
		return a.waitsAbout(1) && a.sliced && a.job(2) < a.about && a.class(a.job(2)) == a.class(a.about) && a.waitingNow(a.job(2))
	}},

	// Of a job that has started.
	{says("Job J started at N, N s after its submission."), func(a *reading) bool {
		return a.job(1) == a.about && a.jobs[a.about].started && a.n(2) == a.began[a.about] && a.n(3) > 0 && a.n(3) == a.n(2)-a.log.Jobs[a.about].Submit
	}},
	{says("Job J started at N, at once."), func(a *reading) bool {
		return a.job(1) == a.about && a.jobs[a.about].started && a.n(2) == a.began[a.about] && a.n(2) == a.log.Jobs[a.about].Submit
	}},
	{says("It was promised N and started N s sooner."), func(a *reading) bool {
		return a.n(1) == a.promise() && a.n(2) > 0 && a.n(1)-a.n(2) == a.began[a.about]
	}},
	{says("It was promised N and started N s too late."), func(a *reading) bool {
		return a.n(1) == a.promise() && a.n(2) > 0 && a.n(1)+a.n(2) == a.began[a.about]
	}},
	{says("It was promised N, and that was kept."), func(a *reading) bool { return a.n(1) == a.promise() && a.n(1) == a.began[a.about] }},
	{says("Job J ended at N, N s before its estimate, and left N processor."), func(a *reading) bool {
		l := &a.jobs[a.job(1)]
		return l.done && l.finish == a.n(2) && l.due-l.finish == a.n(3) && int64(l.procs) == a.n(4) && a.starts[a.about].Other == a.job(1)
	}},
	{says("Also at t = N, the planned start of job J went from N to N."), func(a *reading) bool {
		return a.n(1) == a.began[a.about] && slices.ContainsFunc(a.byTime[a.n(1)], func(r *log.Record) bool {
			return r.Kind == log.Move && r.Job == a.job(2) && r.Job != a.about && r.X == a.n(3) && r.Y == a.n(4)
		})
	}},
	{says("By its estimate it ends at N."), func(a *reading) bool {
		return a.jobs[a.about].on && a.n(1) == a.end(a.about) && (!a.sliced || a.n(1) <= a.turnEnd())
	}},
	{says("By its estimate it needs N s more; the time slice ends at N."), func(a *reading) bool {
		return a.jobs[a.about].on && a.n(1) == a.end(a.about)-a.at && a.n(2) == a.turnEnd() && a.end(a.about) > a.n(2)
	}},
	{says("It was taken off the machine at N and keeps its place on the same processor."), func(a *reading) bool {
		r := a.lastOf(a.about, log.Suspend)
		return a.state() == "suspended" && r != nil && r.At == a.n(1)
	}},

	// Of a group of jobs that share nodes.
	{says("Job J of the group does F s of its work a second."), func(a *reading) bool {
		l := &a.jobs[a.job(1)]
		return a.mates(a.job(1)) && l.on && a.said[2] == digits(l.rate)
	}},
	{says("Job J of the group does not run."), func(a *reading) bool { return a.mates(a.job(1)) && !a.jobs[a.job(1)].on }},
	{says("The group ended at N, when its primary or all jobs matched with it had ended."), func(a *reading) bool {
		primary, matched, _ := a.group()
		return len(matched) > 0 && a.over(primary, matched) == a.n(1) && a.n(1) <= a.at
	}},
}

// sentences judges each sentence of the answer about the job itself.
func (x *Reader) sentences() {
	if len(x.answer.Lines) == 0 {
		x.wrong("the answer says nothing")
	}
	for _, line := range x.answer.Lines {
		text := one.Replace(line.Text)
		of, ok := x.says(text)
		if x.seen[of]++; !ok {
			x.wrong("%s (%s)", line.Text, of)
		}
	}
}

// says judges a sentence; of is its pattern.
func (x *Reader) says(text string) (of string, ok bool) {
	a := &reading{Reader: x, judge: x.judge, about: x.answer.Job, at: x.answer.At}
	for _, p := range patterns {
		if m := p.pattern.FindStringSubmatch(text); m != nil {
			a.said = m
			return p.pattern.String(), p.judge(a)
		}
	}
	for _, known := range []func(*reading, string) string{(*reading).quoted, (*reading).waits, (*reading).isLacking, (*reading).moved, (*reading).grouped, (*reading).looked} {
		if of := known(a, text); of != "" {
			return of, true
		}
	}
	return "unknown, or not so", false
}

// quoted returns a sentence of what the job did: of the reasons of its start, of its size, of
// its last suspension or resumption, and of its end.
func (a *reading) quoted(text string) string {
	l := &a.jobs[a.about]
	if !l.started {
		return ""
	}
	start, state := a.starts[a.about], a.state()
	suspend, resume := a.lastOf(a.about, log.Suspend), a.lastOf(a.about, log.Resume)
	switch {
	case text == a.reason(start):
		return "start: " + log.Codes[start.Code].Name
	case state == "suspended" && suspend.Code != log.NoReason && text == a.reason(suspend):
		return "suspended: " + log.Codes[suspend.Code].Name
	case state == "running" && resume != nil && text == strings.TrimSuffix(fmt.Sprintf("It went on at %d. It", resume.At)+strings.TrimPrefix(a.reason(resume), "Job "+a.id(a.about)), " It"):
		return "resumed: " + log.Codes[resume.Code].Name
	case state == "done" && text == fmt.Sprintf("It ended at %d", l.finish)+a.ended(a.about):
		return "ended"
	}
	if r := a.lastOf(a.about, log.Size); r != nil && text == one.Replace("It runs on"+a.sized(r)) {
		return "size: " + log.Codes[r.Code].Name
	}
	return ""
}

// waits returns a reason to wait on record, with the time of the record: the last one of the
// job or, of a job before it, what holds that up.
func (a *reading) waits(text string) string {
	if !a.waitingNow(a.about) {
		return ""
	}
	for k := range a.jobs {
		r := a.hold(job.Index(k), job.Index(k) == a.about)
		if r == nil || !a.waitingNow(job.Index(k)) {
			continue
		}
		said := a.attributed(r)
		own := job.Index(k) == a.about && (a.sliced || r.Code != log.Blocked || a.first() == a.about && a.standing(r))
		ofType := a.sliced && a.lastHeadWait(job.Index(k)) != nil && a.first() == job.Index(k)
		if ofType && text == a.attributed(a.lastHeadWait(job.Index(k))) {
			return "waits: " + log.Codes[a.lastHeadWait(job.Index(k)).Code].Name
		}
		head := r.Code == log.HeldByOther && job.Index(k) < a.about && a.class(job.Index(k)) == a.class(a.about)
		if text == said && (own || head) {
			return "waits: " + log.Codes[r.Code].Name
		}
	}
	return ""
}

// attributed returns the reason of a record with the time of the record.
func (a *reading) attributed(r *log.Record) string {
	if contains(sentences[r.Code], "{at}") {
		return a.reason(r)
	}
	return fmt.Sprintf("At t = %d: ", r.At) + small(a.reason(r))
}

// lastHeadWait returns the last reason to wait of a job as the first of its queue.
func (a *reading) lastHeadWait(k job.Index) (last *log.Record) {
	for _, r := range a.byJob[k] {
		if r.Kind == log.Hold && r.At <= a.at && (r.Code == log.Blocked || r.Code == log.NoRoom || r.Code == log.Lacks) {
			last = r
		}
	}
	return last
}

// standing reports whether the start of the first job of the queue is what it was.
func (a *reading) standing(r *log.Record) bool {
	at, _ := a.shadow(r.Job)
	return at == r.X
}

// hold returns the last reason to wait of a job up to the time asked about; without that of a
// slice that has come, if so wanted.
func (a *reading) hold(k job.Index, without bool) *log.Record {
	all := a.byJob[k]
	for i := len(all) - 1; i >= 0; i-- {
		if r := all[i]; r.Kind == log.Hold && r.At <= a.at && !(without && r.Code == log.AwaitsSlice && r.X <= a.at) {
			return r
		}
	}
	return nil
}

// lastOf returns the last record of a kind of a job up to the time asked about.
func (a *reading) lastOf(k job.Index, kind log.Kind) *log.Record {
	all := a.byJob[k]
	for i := len(all) - 1; i >= 0; i-- {
		if r := all[i]; r.Kind == kind && r.At <= a.at {
			return r
		}
	}
	return nil
}

// isLacking: the job needs more of a resource than is free.
func (a *reading) isLacking(text string) string {
	k := a.free().lacks(a.asks(a.about))
	if k > 0 && a.waitingNow(a.about) && text == fmt.Sprintf("Job %s does not fit: it needs more of %s than the %d that is free.", a.id(a.about), a.log.Machine.Resources[k-1].Name, a.free()[k]) {
		return "lacks"
	}
	return ""
}

// moved is how the planned start of the waiting job moved last.
func (a *reading) moved(text string) string {
	if r := a.lastOf(a.about, log.Move); r != nil && a.waitingNow(a.about) && text == "Its planned start"+a.move(r, fmt.Sprintf(" at t = %d", r.At)) {
		return "moved: " + log.Codes[r.Code].Name
	}
	return ""
}

// waitingNow reports whether a job waits at the time asked about.
func (a *reading) waitingNow(k job.Index) bool {
	return k != job.None && a.submitted(k) && !a.jobs[k].started
}

// waitsAbout reports whether part i names the job asked about, and that waits.
func (a *reading) waitsAbout(i int) bool { return a.job(i) == a.about && a.waitingNow(a.about) }

// first returns the first job of the queue, as it was sorted when the policy acted last.
func (a *reading) first() job.Index {
	defer func(now job.Time) { a.now = now }(a.now)
	a.now = a.lastInstant()
	return a.head()
}

// lastInstant returns the last time, up to that asked about, at which something happened.
func (a *reading) lastInstant() job.Time {
	last := job.Time(0)
	for k := range a.log.Jobs {
		if s := a.log.Jobs[k].Submit; s <= a.at {
			last = max(last, s)
		}
		if l := &a.jobs[k]; l.done {
			last = max(last, l.finish)
		}
	}
	for _, b := range a.log.Machine.Outages {
		for _, t := range []job.Time{b.From, b.To} {
			if t <= a.at {
				last = max(last, t)
			}
		}
	}
	return last
}

// outage reports whether a job fits what is free, but not at a time at which an outage
// begins, before it would end.
func (a *reading) outage(k job.Index, from job.Time) bool {
	begins := slices.ContainsFunc(a.log.Machine.Outages, func(b cluster.Outage) bool { return b.From == from })
	return begins && a.fits(k) && from > a.at && from < a.at+a.length(k) && !a.runningPlan().free(from).has(a.asks(k))
}

// lacking: a job needs so much of a resource, of which less is free.
func (a *reading) lacking(k job.Index, i int) bool {
	r := a.resource(i + 1)
	return a.n(i) == a.asks(k)[r] && a.n(i+2) == a.free()[r] && a.n(i) > a.n(i+2)
}

// turnEnd returns when the slice that is on ends; job.Never if none is.
func (a *reading) turnEnd() job.Time {
	if a.turn.X == 1 && a.turn.Y > a.at {
		return a.turn.Y
	}
	return job.Never
}

// inTheWay: so much is free now, but a reservation that was there before the job got its
// own, and others that were, leave too little of it before the job would end.
func (a *reading) inTheWay() bool {
	k, other, from := a.resource(2), a.job(4), a.n(7)
	place := map[job.Index]int{}
	for i := range a.Reader.place {
		if r := a.log.Record(i); r.Kind == log.Promise || r.Kind == log.Move {
			place[r.Job] = i
		}
	}
	p := a.runningPlan()
	for i := range a.jobs {
		if o := job.Index(i); o != a.about && a.waitingNow(o) && a.jobs[i].planned != unplanned && a.jobs[i].planned <= from && place[o] < place[a.about] {
			p.hold(a.asks(o), a.jobs[i].planned, a.jobs[i].planned+a.length(o))
		}
	}
	return a.n(1) == a.free()[k] && a.n(3) == a.length(a.about) && a.fits(a.about) && other != a.about && a.waitingNow(other) && a.jobs[other].planned == from &&
		place[other] < place[a.about] && a.n(5) == a.asks(other)[k] && a.resource(6) == k && from < a.at+a.length(a.about) && p.free(from)[k] < a.asks(a.about)[k]
}

// group returns the last group that the job was matched into, or is the primary of: those
// matched at one time with one primary.
func (a *reading) group() (primary job.Index, matched []job.Index, r *log.Record) {
	for i := a.Reader.place - 1; i >= 0; i-- {
		g := a.log.Record(i)
		if g.Kind != log.Group || r == nil && g.Job != a.about && g.Other != a.about {
			continue
		}
		if r == nil {
			r = g
		}
	}
	if r == nil {
		return job.None, nil, nil
	}
	for _, g := range a.byTime[r.At] {
		if g.Kind == log.Group && g.Other == r.Other {
			matched = append(matched, g.Job)
			r = g
		}
	}
	return r.Other, matched, r
}

// mates reports whether a job is of the group of the job asked about.
func (a *reading) mates(k job.Index) bool {
	primary, matched, r := a.group()
	return r != nil && (k == primary || slices.Contains(matched, k))
}

// over returns when a group ended: with its primary, or the last of those matched with it.
func (a *reading) over(primary job.Index, matched []job.Index) (at job.Time) {
	end := func(k job.Index) job.Time {
		if !a.final[k].done {
			return job.Never
		}
		return a.final[k].finish
	}
	for _, k := range matched {
		at = max(at, end(k))
	}
	return min(at, end(primary))
}

// grouped: the job is or was in a group that gains so much, of that case.
func (a *reading) grouped(text string) string {
	primary, matched, r := a.group()
	if r == nil {
		return ""
	}
	is := "is"
	if a.over(primary, matched) <= a.at {
		is = "was"
	}
	own := log.Record{Job: primary, Other: job.None, Code: r.Code}
	if text == fmt.Sprintf("It %s in the group of %d, which gains %.3f. ", is, r.At, float64(r.X)/1e6)+a.reason(&own) {
		return "group: " + log.Codes[r.Code].Name
	}
	return ""
}

// looked: at a time, the job or its set was looked at for a group, and this was found.
func (a *reading) looked(text string) string {
	m := lookedAt.FindStringSubmatch(text)
	if m == nil || !a.waitingNow(a.about) {
		return ""
	}
	at, _ := strconv.ParseInt(m[1], 10, 64)
	if at > a.at {
		return ""
	}
	sets := map[int64]bool{} // those that have the job
	for _, r := range a.byTime[at] {
		own := r.Job == a.about
		switch r.Kind {
		case log.Choice:
			clear(sets)
		case log.Member:
			sets[r.X] = sets[r.X] || own
		case log.Candidate:
			if own && m[2] == small(a.reason(r)) {
				return "candidate: " + log.Codes[r.Code].Name
			}
		case log.Judge:
			if (own || sets[r.X]) && m[2] == a.reason(r) {
				return "set: " + log.Codes[r.Code].Name
			}
		case log.Gains:
			gain := strconv.FormatFloat(float64(r.Y)/1e6, 'f', 3, 64)
			if (own || sets[r.X]) && m[2] == fmt.Sprintf("Set %d gains %s. ", r.X, gain)+a.reason(r) {
				return "set: " + log.Codes[r.Code].Name
			}
		}
	}
	return ""
}

var lookedAt = regexp.MustCompile(`^At (\d+): (.*)$`)
