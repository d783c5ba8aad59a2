package explain

import (
	"strings"

	"backfill-lab/core/job"
)

// Instead says of each of the jobs that wait on a machine, but for the job j, why
// not it: what it needs, what was free before j started there and after, and what
// kept it once all had happened at that moment. Of a moment at which j has not
// started it is said beside j.
func (x *Index) Instead(m *Machine, j job.Index, o Options) (l List) {
	for _, w := range m.Waiting {
		switch {
		case w == j:
		case len(l.Items) == o.Most:
			l.More++
		default:
			l.Items = append(l.Items, x.notYet(m, j, w))
		}
	}
	return l
}

// notYet says why job w waits on while j starts, if it does.
func (x *Index) notYet(m *Machine, j, w job.Index) Sentence {
	say := x.words.say
	if s := x.start(w); s != nil && s.At == m.At {
		return say("{j} starts at the same moment.", int64(w))
	}
	if len(x.turns) > 0 || x.log.Machine.PerNode() > 1 { // what is free is not for all
		return x.waits(w, m.At)
	}
	n, _ := x.needsAt(w, m.At)
	free := x.roomAt(m, m.At)
	if k := free.lacks(n); k >= 0 {
		return say("{j} needs {n} "+x.words.units(k)+" and {n} were free.", int64(w), asks(n, k), free[k])
	}
	if s := x.start(j); s != nil && s.At == m.At {
		free.take(x.holds(j, x.log.Alloc(j).Count()))
		if k := free.lacks(n); k >= 0 {
			return say("{j} would have fit, but {j} left {n} "+x.words.units(k)+" of the {n} that it needs.", int64(w), int64(j), free[k], asks(n, k))
		}
	}
	end := x.At(m.At)
	free = x.roomAt(&end, m.At)
	if k := free.lacks(n); k >= 0 {
		return say("{j} would have fit, but once all had started that did at this moment, it lacked {n} "+x.words.units(k)+".", int64(w), asks(n, k)-free[k])
	}
	return x.waits(w, m.At)
}

// waits is the last word on why job j waits at a moment.
func (x *Index) waits(j job.Index, at job.Time) Sentence {
	a, m := &Answer{Job: j, At: at}, x.At(at)
	x.why(a, &m)
	n := len(a.Sentences) - 1
	for p := &a.Sentences[n][0]; n > 0 && (p.Text == movedStart || p.Kind == JobName && p.Job != j); { // of when, or of another job
		n--
		p = &a.Sentences[n][0]
	}
	s := a.Sentences[n]
	if s[0].Kind == JobName {
		return s
	}
	s[0].Text = strings.ToLower(s[0].Text[:1]) + s[0].Text[1:]
	return append(x.words.say("{j}: ", int64(j)), s...)
}
