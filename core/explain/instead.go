package explain

import (
	"slices"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/timeline"
)

// WhyNotInstead explains why other waiting jobs did not start instead of the job in record r. It
// returns one sentence per waiting job, for at most o.MaxItems jobs. The argument m holds the state
// of the machine just before r, including the reservations. A sentence may say that the waiting job
// starts at the same time, does not fit before or after r, or would delay a reservation. It may
// also say that the job in r came first in the queue. If none of these applies, the sentence
// repeats a reason that was recorded before r.
func (x *Index) WhyNotInstead(m *Machine, r *log.Record, o Options) (l List) {
	j := r.Job
	for _, w := range m.Waiting {
		switch {
		case w == j:
		case len(l.Items) == o.MaxItems:
			l.More++
		default:
			l.Items = append(l.Items, x.whyNotText(m, r, w))
		}
	}
	return l
}

// whyNotText returns a sentence that says why a waiting job does not start instead of the job in
// record r.
func (x *Index) whyNotText(m *Machine, r *log.Record, waiting job.Index) Sentence {
	phrase, j := x.words.phrase, r.Job
	if s := x.startRecord(waiting); s != nil && s.At == m.At {
		return phrase("{j} also starts at t = {t}.", int64(waiting), m.At)
	}
	if len(x.slices) > 0 || x.log.Machine.SlotsPerNode() > 1 || x.sizesUnknown { // with time slices or multi-core nodes, a job cannot use every free processor
		return x.indexBefore(r).waitReason(waiting, m)
	}
	n, _ := x.demandAt(waiting, m.At)
	free := x.freeAt(m, m.At)
	if k := free.shortResource(n); k >= 0 {
		return phrase("{j} needs {n} "+x.words.unitWords(k)+" and {n} were free.", int64(waiting), demandFor(n, k), max(free[k], 0))
	}
	if x.log.Includes(log.Move) { // otherwise the reservations may have moved
		if s := x.delayText(m, r, waiting); s != nil {
			return s
		}
	}
	if s := x.startRecord(j); s != nil && s.At == m.At {
		free.subtract(x.demandWith(j, x.log.Alloc(j).Count()))
		if k := free.shortResource(n); k >= 0 {
			return phrase("{j} would have fit, but after the start of {j}, only {n} "+x.words.unitWords(k)+" remained free, and {j} needs {n}.", int64(waiting), int64(j), max(free[k], 0), int64(waiting), demandFor(n, k))
		}
	}
	end := x.At(m.At)
	free = x.freeAt(&end, m.At)
	if k := free.shortResource(n); k >= 0 {
		return phrase("{j} would have fit, but after all starts at t = {t}, it needed {n} more "+x.words.unitWords(k)+" than were free.", int64(waiting), m.At, demandFor(n, k)-free[k])
	}
	if r.Code == log.Head {
		return phrase("{j} would have fit too, but {j} came first in the queue.", int64(waiting), int64(j))
	}
	return x.indexBefore(r).waitReason(waiting, m)
}

// delayText returns a sentence about a third job whose reservation would be delayed if the waiting
// job started instead of the job in record r. It returns nil if there is no such job, or if the
// policy recorded another reason.
func (x *Index) delayText(m *Machine, r *log.Record, waiting job.Index) Sentence {
	b := x.indexBefore(r)
	hold := b.lastRecord(waiting, m.At, func(r *log.Record) bool { return r.Kind == log.Hold })
	if hold != nil && !isHeadReason[hold.Code] {
		return nil
	}
	plan := slices.DeleteFunc(slices.Clone(m.Planned), func(p timeline.Reservation) bool { return p.Job == r.Job })
	if s := b.blockingReservation(waiting, m, plan); s != nil {
		return append(x.words.phrase("{j}: ", int64(waiting)), s...)
	}
	return nil
}

// waitReason returns a sentence about why job j waits. The sentence begins with the name of the
// job. Of the sentences that addReason adds, waitReason takes the last one that is not about
// another job or about a change of the planned start.
func (x *Index) waitReason(j job.Index, m *Machine) Sentence {
	a := &Answer{Job: j, At: m.At}
	x.addReason(a, m)
	n := len(a.Sentences) - 1
	for p := &a.Sentences[n][0]; n > 0 && (p.Text == movedStart || p.Kind == JobName && p.Job != j); {
		n--
		p = &a.Sentences[n][0]
	}
	s := a.Sentences[n]
	if s[0].Kind == JobName {
		return s
	}
	s[0].Text = strings.ToLower(s[0].Text[:1]) + s[0].Text[1:]
	return append(x.words.phrase("{j}: ", int64(j)), s...)
}
