package glomarc

import (
	"cmp"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/glomarc/gain"
)

// groups returns the groups that could start with the first waiting job: with waiting
// jobs, with running ones, or beside one that runs (spec 6.5, step 4).
func (s *step) groups(f job.Index) []match {
	c := s.class(f)
	all := s.leads(f, s.waiting()[1:])
	runners := s.runners(c, anySize)
	all = append(all, s.form(ask{code: log.CaseRunning, primary: f, of: s.homes(runners), which: anySize, must: job.None})...)
	return append(all, s.joins(f, runners, anySize)...)
}

// leads returns the groups of a waiting job with waiting jobs.
func (s *step) leads(j job.Index, of []candidate) []match {
	return s.form(ask{code: log.CaseWaiting, primary: j, of: of, which: anySize, must: job.None})
}

// burst returns the groups of serial jobs, of which f is the first waiting one, with the
// first parallel job that waits or beside a parallel one that runs (step 3).
func (s *step) burst(f job.Index) (all []match) {
	c := s.class(f)
	if a := s.firstParallel(s.waiting(), c); a != job.None {
		all = s.burstOf(a, f)
	}
	return append(all, s.joins(f, s.runners(c, s.parallel), s.serial)...)
}

// burstOf returns the groups of the waiting parallel job a with waiting serial jobs,
// f among them. Serial jobs before f in the queue stay out: they have a reservation.
func (s *step) burstOf(a, f job.Index) []match {
	return s.form(ask{code: log.CaseWaiting, primary: a, of: s.waiting()[slices.Index(s.queue, f):], which: s.serial, must: f})
}

// firstParallel returns the first parallel job of a type, job.None if there is none.
func (s *step) firstParallel(of []candidate, c policy.Class) job.Index {
	for i := range of {
		if j := of[i].job; of[i].class == c && s.parallel(j) {
			return j
		}
	}
	return job.None
}

// joins returns the groups of waiting jobs, with f, beside one of the running jobs that
// are delayed least.
func (s *step) joins(f job.Index, runners []*unit, which func(job.Index) bool) (all []match) {
	for _, u := range runners[:min(len(runners), s.primaries)] {
		all = append(all, s.form(ask{code: log.CaseJoin, primary: u.primary.job, home: u, of: s.waiting(), which: which, must: f})...)
	}
	return all
}

// dense returns job f alone with as many processes on a node as formula 11 allows at
// most, if it does (Case 5).
func (s *step) dense(f job.Index) []match {
	a := s.job(f, 4)
	if s.PerNode(a, s.cores) != 4 {
		return nil
	}
	m := match{code: log.CaseAlone, primary: f, gain: a.Space()}
	m.group.Primary = a
	s.noteSet(&m, log.CaseAlone)
	return []match{m}
}

func anySize(job.Index) bool              { return true }
func (s *step) serial(j job.Index) bool   { return s.p.Job(j).Procs == 1 }
func (s *step) parallel(j job.Index) bool { return s.p.Job(j).Procs > 1 }

// waiting returns the waiting jobs as candidates, in the order of the queue.
func (s *step) waiting() []candidate {
	if len(s.pool) != len(s.queue) {
		s.pool = s.pool[:0]
		for _, j := range s.queue {
			s.pool = append(s.pool, candidate{job: j, class: s.class(j), Member: gain.Member{Job: s.shared(j)}})
		}
	}
	return s.pool
}

// runners returns the jobs of a type and a kind that run alone and leave room for
// another on their nodes, the least delayed first.
func (s *step) runners(c policy.Class, which func(job.Index) bool) []*unit {
	type runner struct {
		*unit
		delay float64
	}
	var all []runner
	for i, u := range s.units {
		j := u.primary.job
		if u.alone() && u.primary.perNode <= s.half() && s.class(j) == c && which(j) && s.left(j) > 0 {
			all = append(all, runner{u, float64(s.response(j, s.see()[i].ends[0])) / s.usual[j]})
		}
	}
	slices.SortFunc(all, func(a, b runner) int {
		return cmp.Or(cmp.Compare(a.delay, b.delay), cmp.Compare(a.primary.job, b.primary.job))
	})
	var out []*unit
	for _, r := range all {
		out = append(out, r.unit)
	}
	return out
}

// homes returns running jobs as candidates.
func (s *step) homes(runners []*unit) (out []candidate) {
	for _, u := range runners {
		m := u.primary
		out = append(out, candidate{job: m.job, home: u, class: s.class(m.job), Member: gain.Member{Job: s.job(m.job, m.perNode)}})
	}
	return out
}
