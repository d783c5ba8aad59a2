package explain

import (
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Instead says of each job that waits on the machine as it is just before a record,
// but for the job of the record, why it does not start instead: what it needs, what is free
// before that job starts and after, and what keeps it waiting by the records so far.
func (x *Index) Instead(m *Machine, r *log.Record, o Options) (l List) {
	j := r.Job
	for _, w := range m.Waiting {
		switch {
		case w == j:
		case len(l.Items) == o.Most:
			l.More++
		default:
			l.Items = append(l.Items, x.notYet(m, r, w))
		}
	}
	return l
}

// notYet says why job w waits on while the job of the record r starts, if it does.
func (x *Index) notYet(m *Machine, r *log.Record, w job.Index) Sentence {
	say, j := x.words.say, r.Job
	if s := x.start(w); s != nil && s.At == m.At {
		return say("{j} also starts at t = {t}.", int64(w), m.At)
	}
	if len(x.turns) > 0 || x.log.Machine.PerNode() > 1 { // what is free is not for all
		return x.before(r).waits(w, m)
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
		return say("{j} would have fit, but once all jobs had started that did at t = {t}, it lacked {n} "+x.words.units(k)+".", int64(w), m.At, asks(n, k)-free[k])
	}
	if r.Code == log.Head {
		return say("{j} would have fit as well, but {j} came first in the queue.", int64(w), int64(j))
	}
	return x.before(r).waits(w, m)
}

// waits returns the last word on why job j waits on the machine m.
func (x *Index) waits(j job.Index, m *Machine) Sentence {
	a := &Answer{Job: j, At: m.At}
	x.why(a, m)
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
