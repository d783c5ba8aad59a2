package explain

import (
	"math"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// group is jobs that share nodes, as they were matched at an instant.
type group struct {
	*log.Record             // the first of its records
	place       int         // of that in the log
	matched     []job.Index // with the primary, the other job of the record
}

// groupOf returns the last group of job j that was formed up to an instant, nil for none.
func (x *Index) groupOf(j job.Index, at job.Time) *group {
	for n := x.until(x.groups, at); n > 0; {
		last := x.log.Record(int(x.groups[n-1]))
		g := &group{}
		for ; n > 0; n-- {
			r := x.log.Record(int(x.groups[n-1]))
			if r.Other != last.Other || r.At != last.At {
				break
			}
			g.Record, g.place, g.matched = r, int(x.groups[n-1]), append(g.matched, r.Job)
		}
		if g.Other == j || slices.Contains(g.matched, j) {
			slices.Reverse(g.matched)
			return g
		}
	}
	return nil
}

// shared tells of the group that a job is or was in.
func (x *Index) shared(a *Answer) {
	g := x.groupOf(a.Job, a.At)
	if g == nil {
		return
	}
	say, is, over := x.words.say, "is", x.over(g)
	if over <= a.At {
		is = "was"
	}
	a.add(append(say("It "+is+" in the group of {t}, which gains {r}. ", g.At, g.X), x.words.derived(g.Other, log.Reason{Code: g.Code})...))
	for _, j := range append(g.matched, g.Other) {
		if x.State(j, a.At) == Running {
			a.add(say("{j} of the group does "+decimal(x.rate(j, a.At))+" s of its work a second.", int64(j)))
		} else {
			a.add(say("{j} of the group does not run.", int64(j)))
		}
	}
	if over <= a.At {
		a.add(say("The group ended at {t}, when its primary or all jobs matched with it had ended.", over))
	}
}

// over returns when a group ended, with its primary or the last of those beside it;
// job.Never if the log does not tell.
func (x *Index) over(g *group) (at job.Time) {
	for _, j := range g.matched {
		at = max(at, x.done(j))
	}
	return min(at, x.done(g.Other))
}

// done returns when job j ended, job.Never if it has not.
func (x *Index) done(j job.Index) job.Time {
	if f := x.finish(j); f != nil {
		return f.At
	}
	return job.Never
}

// rate returns the progress per second of the running job j.
func (x *Index) rate(j job.Index, at job.Time) float64 {
	r := x.last(j, at, func(r *log.Record) bool {
		return r.Kind == log.Reprice || r.Kind == log.Start || r.Kind == log.Resume
	})
	if r.Kind != log.Reprice {
		return 1
	}
	return math.Float64frombits(uint64(r.X))
}

// Step returns the sentence of a step in the formation of a group.
func Step(l *log.Log, r *log.Record) Sentence { return words{jobs: l.Jobs}.step(r) }

// steps is what steps of a kind say before their reasons, if anything.
var steps = [...]string{
	log.Group:  "{j} is matched with {o} in a group, which gains {x}.",
	log.Form:   "{j} is tried; free nodes: {n}. ",
	log.Member: "{j} is in set {s}.",
	log.Gains:  "Set {s} gains {y}. ",
	log.Purge:  "{j} is taken out of set {s}, which then gains {y}.",
	log.Judge:  "",
}

func (w words) step(r *log.Record) Sentence {
	s := w.fill(steps[r.Kind], func(name string) Part {
		switch name {
		case "j":
			return w.job(r.Job)
		case "o":
			return w.job(r.Other)
		case "s":
			return number(r.X)
		case "n":
			return number(r.Y)
		case "x":
			return w.argument(log.Ratio, r.X)
		}
		return w.argument(log.Ratio, r.Y)
	})
	if r.Code == log.NoReason || r.Kind == log.Group {
		return s
	}
	return append(s, w.reason(r)...)
}
