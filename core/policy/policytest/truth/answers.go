package truth

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"backfill-lab/core/explain"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// answer is a sentence of an answer that is judged.
type answer struct {
	*judge
	about job.Index
	at    job.Time
	said  []string // the sentence and its parts, as the pattern has them
}

func (a *answer) n(i int) int64 {
	n, _ := strconv.ParseInt(a.said[i], 10, 64)
	return n
}

// job is the job that a part names.
func (a *answer) job(i int) job.Index {
	for k := range a.log.Jobs {
		if a.log.Jobs[k].ID == a.said[i] {
			return job.Index(k)
		}
	}
	return job.None
}

// resource is the resource that a part names.
func (a *answer) resource(i int) int {
	for k, r := range a.log.Machine.Resources {
		if a.said[i] == "of "+r.Name {
			return k + 1
		}
	}
	return 0
}

// Sentences that explain derives, as plain patterns, and what is to be true of them.
// In them processors stands for one as well.
var derived = []struct {
	pattern *regexp.Regexp
	judge   func(a *answer) bool
}{
	{says("It needs N R and N is free."), func(a *answer) bool { return a.lacks(a.about, 1) }},
	{says("Job J needs N R and N is free."), func(a *answer) bool { return a.head() == a.job(1) && a.lacks(a.job(1), 2) }},
	{says("Job J does not fit the N free processor."), func(a *answer) bool {
		return a.job(1) == a.about && a.n(2) == a.free()[0] && a.n(2) < a.asks(a.about)[0]
	}},
	{says("Job J waits behind job J, which is first in the queue and does not fit."), func(a *answer) bool {
		return a.head() == a.job(2) && !a.fits(a.job(2)) && a.job(1) == a.about
	}},
	{says("Job J waits behind job J, which is first in the queue."), func(a *answer) bool {
		return a.head() == a.job(2) && a.job(1) == a.about
	}},
	{says("Job J waits behind job J, which is first in the queue and is to start at N by the estimates."), func(a *answer) bool {
		at, _ := a.shadow(a.job(2))
		return a.head() == a.job(2) && a.job(1) == a.about && at == a.n(3)
	}},
	{says("Its processor is free, but by its estimate it would end at N, after N, and it needs N R where N is to spare then."), func(a *answer) bool {
		at, spare := a.shadow(a.head())
		k := a.resource(4)
		return a.fits(a.about) && a.n(1) == a.at+a.length(a.about) && a.n(2) == at && a.n(1) > at &&
			a.n(3) == a.asks(a.about)[k] && a.n(5) == max(0, spare[k]) && a.n(3) > a.n(5)
	}},
	{says("Job J holds N processor until N by its estimate."), func(a *answer) bool {
		k := a.job(1)
		return a.jobs[k].on && a.n(2) == a.asks(k)[0] && a.n(3) == a.end(k)
	}},
	{says("Job J holds N processor and N R until N by its estimate."), func(a *answer) bool {
		k := a.job(1)
		return a.jobs[k].on && a.n(2) == a.asks(k)[0] && a.n(3) == a.asks(k)[a.resource(4)] && a.n(5) == a.end(k)
	}},
	{says("Job J holds a reservation from N."), func(a *answer) bool { return a.job(1) == a.about && a.jobs[a.about].planned == a.n(2) }},
	{says("Job J holds a reservation from N: when it was submitted, the earliest time that delayed no earlier job."), func(a *answer) bool {
		return a.job(1) == a.about && a.jobs[a.about].planned == a.n(2) && a.jobs[a.about].move.At == unplanned
	}},
	{says("N R is free now, but not for all of its N s: job J holds a reservation of N R from N."), (*answer).inTheWay},
	{says("Job J started at N, N s after its submission."), func(a *answer) bool {
		return a.job(1) == a.about && a.n(2) == a.began[a.about] && a.n(3) == a.n(2)-a.log.Jobs[a.about].Submit
	}},
	{says("Job J is not submitted until N."), func(a *answer) bool { return a.n(2) == a.log.Jobs[a.about].Submit && a.n(2) > a.at }},
	{says("Job J waits."), func(a *answer) bool { return a.submitted(a.about) && !a.jobs[a.about].started }},
	{says("N processor is free, enough for it; the log does not say why it was not started."), func(a *answer) bool {
		return a.n(1) == a.free()[0] && a.fits(a.about)
	}},
	{says("Job J started at N, at once."), func(a *answer) bool {
		return a.job(1) == a.about && a.n(2) == a.began[a.about] && a.n(2) == a.log.Jobs[a.about].Submit
	}},
	{says("It was promised N and started N s sooner."), func(a *answer) bool { return a.n(1) == a.promised() && a.n(1)-a.n(2) == a.began[a.about] }},
	{says("It was promised N, and that was kept."), func(a *answer) bool { return a.n(1) == a.promised() && a.n(1) == a.began[a.about] }},
	{says("Job J ended at N, N s before its estimate, and left N processor."), func(a *answer) bool {
		l := &a.jobs[a.job(1)]
		return l.done && l.finish == a.n(2) && l.due-l.finish == a.n(3) && int64(l.procs) == a.n(4)
	}},
	{says("At the same moment the planned start of job J went from N to N."), func(a *answer) bool { return a.moves(a.job(1), a.n(2), a.n(3)) }},
	{says("By its estimate it ends at N."), func(a *answer) bool { return a.jobs[a.about].on && a.n(1) == a.end(a.about) }},
	{says("It ended at N, N s before its estimate."), func(a *answer) bool {
		l := &a.jobs[a.about]
		return l.done && l.finish == a.n(1) && l.due-l.finish == a.n(2)
	}},
	{says("It ended at N, as estimated."), func(a *answer) bool { return a.jobs[a.about].finish == a.n(1) && a.jobs[a.about].due == a.n(1) }},
	{says("Job J is moldable; for now it is to have N processor, on which it runs N s."), func(a *answer) bool {
		return int64(a.jobs[a.about].procs) == a.n(2) && a.length(a.about) == a.n(3)
	}},
}

// says is the pattern of a sentence in which J is a job, N a number and R a resource.
func says(sentence string) *regexp.Regexp {
	p := regexp.QuoteMeta(sentence)
	p = regexp.MustCompile(`\bN\b`).ReplaceAllString(p, `(-?\d+)`)
	p = regexp.MustCompile(`\bJ\b`).ReplaceAllString(p, `(\S+?)`)
	p = regexp.MustCompile(`\bR\b`).ReplaceAllString(p, `(processor|of \S+)`)
	return regexp.MustCompile("^" + p + "$")
}

// one is a text in which what is said of several is said of one.
var one = strings.NewReplacer("processors were", "processor is", "processor was", "processor is", "processors are", "processor is",
	"processors stay", "processor stays", "processors", "processor", " are free", " is free", " are to spare", " is to spare",
	" were free", " is free", " was free", " is free", "processes", "process", "nodes", "node")

// lacks: a job needs so much of a resource, of which less is free.
func (a *answer) lacks(k job.Index, i int) bool {
	r := a.resource(i + 1)
	return a.n(i) == a.asks(k)[r] && a.n(i+2) == a.free()[r] && a.n(i) > a.n(i+2)
}

// inTheWay: so much is free now, but a reservation leaves too little of it before
// the job would end.
func (a *answer) inTheWay() bool {
	k, other, from := a.resource(2), a.job(4), a.n(7)
	p := a.runningPlan()
	for i := range a.jobs {
		if o := job.Index(i); o != a.about && a.submitted(o) && !a.jobs[i].started && a.jobs[i].planned != unplanned && a.jobs[i].planned <= from {
			p.hold(a.asks(o), a.jobs[i].planned, a.jobs[i].planned+a.length(o))
		}
	}
	return a.n(1) == a.free()[k] && a.n(3) == a.length(a.about) && a.fits(a.about) && a.jobs[other].planned == from &&
		a.n(5) == a.asks(other)[k] && from < a.at+a.length(a.about) && p.free(from)[k] < a.asks(a.about)[k]
}

// promised is what the job was promised.
func (a *answer) promised() job.Time {
	for r := range a.log.All() {
		if r.Kind == log.Promise && r.Job == a.about {
			return r.X
		}
	}
	return unplanned
}

// moves reports whether the planned start of a job moved so when the one asked about
// started.
func (a *answer) moves(k job.Index, from, to job.Time) bool {
	for r := range a.log.All() {
		if r.Kind == log.Move && r.Job == k && r.At == a.began[a.about] && r.X == from && r.Y == to {
			return true
		}
	}
	return false
}

// recorded is the sentences of the reasons on record up to a moment.
func (j *judge) recorded(at job.Time) map[string]bool {
	out := map[string]bool{}
	for r := range j.log.All() {
		if r.At > at || r.Job == job.None || r.Code == log.NoReason {
			continue
		}
		c := &log.Codes[r.Code]
		text := strings.NewReplacer("{job}", "job "+j.id(r.Job), "{other}", "job "+j.id(r.Other), "{x}", j.argument(c.X, r.X, r.X), "{y}", j.argument(c.Y, r.Y, r.X)).Replace(c.Sentence)
		out[one.Replace(strings.ToUpper(text[:1])+text[1:])] = true
	}
	return out
}

func (j *judge) argument(kind log.Arg, x, resource int64) string {
	switch kind {
	case log.Ratio:
		return strconv.FormatFloat(float64(x)/1e6, 'f', 3, 64)
	case log.Duration:
		return fmt.Sprint(x) + " s"
	case log.Resource:
		if x == 0 {
			return "the processors"
		}
		return j.log.Machine.Resources[x-1].Name
	}
	return fmt.Sprint(x)
}

// CheckAnswer says which sentences of an answer of explain are untrue, and which it
// cannot judge; it counts those that it judged, by their patterns.
func (c *Case) CheckAnswer(x *explain.Answer, seen map[string]int) (untrue []string) {
	j := &judge{facts: newFacts(inside(c)), seen: Counts{}, usual: map[job.Index]float64{}}
	for r := range c.Log.All() {
		if r.At > x.At {
			break
		}
		if r.At > j.now {
			j.begin(r.At)
		}
		j.take(r)
	}
	j.begin(x.At)
	known := j.recorded(job.Never)
	for _, s := range append(append(x.Sentences[:len(x.Sentences):len(x.Sentences)], x.Holders.Items...), x.Overtakers.Items...) {
		text := s.Text()
		if !j.says(x, one.Replace(text), known, seen) {
			untrue = append(untrue, fmt.Sprintf("job %s at %d: %s", j.id(x.Job), x.At, text))
		}
	}
	return untrue
}

// moved is the begin of what is told of a move, before its reason.
var moved = regexp.MustCompile(`^Its planned start moved up from (\d+) to (\d+) at (\d+)`)

// says judges a sentence.
func (j *judge) says(x *explain.Answer, text string, known map[string]bool, seen map[string]int) bool {
	for _, d := range derived {
		if m := d.pattern.FindStringSubmatch(text); m != nil {
			seen[d.pattern.String()]++
			return d.judge(&answer{j, x.Job, x.At, m})
		}
	}
	if _, rest, ok := strings.Cut(text, ": job "); ok && strings.HasPrefix(text, "At ") { // one that overtook
		text = "Job " + rest
	}
	if known[text] {
		seen["recorded"]++
		return true
	}
	if m := moved.FindStringSubmatch(text); m != nil {
		a, l := &answer{j, x.Job, x.At, m}, &j.jobs[x.Job]
		return l.move.X == a.n(1) && l.move.Y == a.n(2) && l.move.At == a.n(3)
	}
	return strings.HasPrefix(text, "It runs on") // numbers of a record of its size
}
