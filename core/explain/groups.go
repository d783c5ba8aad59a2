package explain

import (
	"math"
	"slices"
	"sort"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// group holds jobs that share nodes: a primary job, and the jobs that the policy matched with it at
// the same time.
type group struct {
	*log.Record             // first record of the group; its field Other is the primary job
	index       int         // index of this record in the log
	matched     []job.Index // jobs matched with the primary job
}

// groupOf returns the last group that contains job j and was formed at or before the given time. It
// returns nil if there is none.
func (x *Index) groupOf(j job.Index, at job.Time) *group {
	for n := x.countUntil(x.groups, at); n > 0; {
		last := x.log.Record(int(x.groups[n-1]))
		g := &group{}
		for ; n > 0; n-- {
			r := x.log.Record(int(x.groups[n-1]))
			if r.Other != last.Other || r.At != last.At {
				break
			}
			g.Record, g.index, g.matched = r, int(x.groups[n-1]), append(g.matched, r.Job)
		}
		if g.Other == j || slices.Contains(g.matched, j) {
			slices.Reverse(g.matched)
			return g
		}
	}
	return nil
}

// addGroup adds sentences about the last group of which the job was a member at or before the time
// of the answer, if there is one. The group may have ended by then.
func (x *Index) addGroup(a *Answer) {
	g := x.groupOf(a.Job, a.At)
	if g == nil {
		return
	}
	phrase, verb, end := x.words.phrase, "is", x.groupEnd(g)
	if end <= a.At {
		verb = "was"
	}
	a.add(append(phrase("It "+verb+" in the group formed at {t}, which has a gain of {r}. ", g.At, g.X), x.words.reasonWithoutTime(g.Other, log.Reason{Code: g.Code})...))
	for _, j := range append(g.matched, g.Other) {
		if x.State(j, a.At) == Running {
			a.add(phrase("{j} of the group runs at "+decimal(x.rateAt(j, a.At))+" s of work per second.", int64(j)))
		} else {
			a.add(phrase("{j} of the group is not running.", int64(j)))
		}
	}
	if end <= a.At {
		a.add(phrase("The group ended at {t}: by then, its primary job or all its other jobs had ended.", end))
	}
}

// groupEnd returns the time at which a group ends: when its primary job ends or when all matched
// jobs have ended, whichever comes first. It returns job.Never if the log ends earlier.
func (x *Index) groupEnd(g *group) (at job.Time) {
	for _, j := range g.matched {
		at = max(at, x.finishTime(j))
	}
	return min(at, x.finishTime(g.Other))
}

// finishTime returns the time at which job j ends, or job.Never if it does not end.
func (x *Index) finishTime(j job.Index) job.Time {
	if f := x.finishRecord(j); f != nil {
		return f.At
	}
	return job.Never
}

// rateAt returns how fast the running job j progresses at the given time, in seconds of work per
// second.
func (x *Index) rateAt(j job.Index, at job.Time) float64 {
	r := x.lastRecord(j, at, func(r *log.Record) bool {
		return r.Kind == log.RateChange || r.Kind == log.Start || r.Kind == log.Resume
	})
	if r.Kind != log.RateChange {
		return 1
	}
	return math.Float64frombits(uint64(r.X))
}

// StepText returns a sentence about a record that describes one step in forming a group.
func StepText(l *log.Log, r *log.Record) Sentence {
	return phrases{jobs: l.Jobs, text: l.Text}.stepSentence(r)
}

// stepTemplates holds, by kind of record, the template of the sentence about a step. For some
// kinds, stepSentence appends the sentence with the reason. The placeholders are: {j} for the job,
// {o} for the other job, {s} for the number of a set, {n} for a number of nodes, and {x} and {y}
// for gains.
var stepTemplates = [...]string{
	log.Group:        "{j} is matched with {o} in a group with a gain of {x}.",
	log.PrimaryTried: "{j} is tried as the primary of a group; free nodes: {n}.", // see primaryTriedTemplates
	log.Member:       "{j} is in set {s}.",
	log.Gains:        "Set {s} has a gain of {y}. ",
	log.Purge:        "{j} is removed from set {s}, which then has a gain of {y}.",
	log.GroupVerdict: "",
}

// primaryTriedTemplates holds, by code of a record of kind PrimaryTried, the template of the
// sentence about a job that is tried as the primary of a group. The code says which jobs of the
// group already run.
var primaryTriedTemplates = map[log.Code]string{
	log.CaseWaiting: "{j} is tried as the primary of a group whose other jobs are waiting; free nodes: {n}.",
	log.CaseRunning: "{j} is tried as the primary of a group whose other jobs are running; free nodes: {n}.",
	log.CaseJoin:    "{j}, which is running, is tried as the primary of a group whose other jobs are waiting; free nodes: {n}.",
}

// stepSentence returns the sentence about a record that describes one step in forming a group.
func (w phrases) stepSentence(r *log.Record) Sentence {
	template := stepTemplates[r.Kind]
	if t, ok := primaryTriedTemplates[r.Code]; ok && r.Kind == log.PrimaryTried {
		template = t
	}
	s := w.fillTemplate(template, func(name string) Part {
		switch name {
		case "j":
			return w.jobPart(r.Job)
		case "o":
			return w.jobPart(r.Other)
		case "s":
			return numberPart(r.X)
		case "n":
			return numberPart(r.Y)
		case "x":
			return w.argumentPart(log.Ratio, r.X)
		}
		return w.argumentPart(log.Ratio, r.Y)
	})
	if r.Code == log.NoReason || r.Kind == log.Group || r.Kind == log.PrimaryTried {
		return s
	}
	return append(s, w.reason(r)...)
}

// addRejections explains why the policy's last attempt to put a waiting job into a group failed. It
// adds nothing if the log does not record such an attempt. It lists the primary jobs with which the
// policy tried the job, and says why the policy rejected the sets that contain the job. It adds at
// most maxAttempts sentences.
func (x *Index) addRejections(a *Answer) {
	const maxAttempts = 6
	var sets []int64 // numbers of the sets that contain the job
	count := 0
	first, end := x.lastAttempts(a.Job, a.At)
	for i := first; i < end && count < maxAttempts; i++ {
		r := x.log.Record(i)
		isJob := r.Job == a.Job
		switch {
		case r.Kind == log.Choice:
			sets = sets[:0]
		case r.Kind == log.Member && isJob:
			sets = append(sets, r.X)
		case r.Kind == log.Candidate && isJob, (r.Kind == log.GroupVerdict || r.Code == log.TooLittleGain) && (isJob || slices.Contains(sets, r.X)):
			a.add(append(x.words.phrase("At {t}: ", r.At), lowerFirst(x.words.stepSentence(r))...))
			count++
		}
	}
}

// lastAttempts finds the last time, up to a given time, at which the policy tried job j as primary
// job or as candidate. It returns the indexes of the records at that time, from first to end-1. If
// there is no such time among the last maxRecords records, first equals end.
func (x *Index) lastAttempts(j job.Index, at job.Time) (first, end int) {
	const maxRecords = 1 << 16
	countUntil := func(at job.Time) int {
		return sort.Search(x.log.Len(), func(i int) bool { return x.log.Record(i).At > at })
	}
	n := countUntil(at)
	for i := n - 1; i >= max(0, n-maxRecords); i-- {
		if r := x.log.Record(i); r.Job == j && (r.Kind == log.Candidate || r.Kind == log.Gains) {
			return countUntil(r.At - 1), countUntil(r.At)
		}
	}
	return 0, 0
}
