package glomarc

import (
	"slices"

	"backfill-lab/core/job"
)

// backfill plans the waiting jobs in their order: the first booked ones of the
// queue, which could not start, and then each other, unless it can start now, alone
// or as the primary of a group, and delays none before it (spec 6.5, step 5).
func (s *step) backfill(booked int) {
	s.plan = s.running()
	groups := s.guest == nil || !s.roomy()
	for i, j := range slices.Clone(s.queue) {
		if s.started(j) {
			continue
		}
		if i >= booked && s.open.Count() > 0 {
			if groups && s.matches(j) && s.match(j) {
				continue
			}
			if s.alone(j) {
				continue
			}
		}
		s.planned[j], _ = s.book(s.plan, j)
	}
}

// match starts job j in the best match of Cases 1 and 5. If serial jobs are
// backfilled in bursts, a serial job is tried first as a matched job of the first
// parallel job behind it.
func (s *step) match(j job.Index) bool {
	if s.bursts && s.serial(j) {
		if a := s.firstParallel(s.behind(j), s.class(j)); a != job.None && s.best(s.burstOf(a, j)) {
			return true
		}
	}
	return s.either(s.dense(j), s.leads(j, s.behind(j)))
}

// behind returns the waiting jobs after job j.
func (s *step) behind(j job.Index) []candidate {
	return s.waiting()[slices.Index(s.queue, j)+1:]
}
