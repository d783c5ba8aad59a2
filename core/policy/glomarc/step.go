package glomarc

import (
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/glomarc/gain"
	"backfill-lab/core/profile"
	"backfill-lab/core/sim"
	"backfill-lab/core/speed"
)

// step is how things stand while the policy acts at an instant. All that is
// planned is counted in nodes.
type step struct {
	*Glomarc
	p     *sim.Pass
	now   job.Time
	cores int              // of a node
	queue []job.Index      // waiting jobs in index order
	pool  []candidate      // the same, found when it is asked for
	open  cluster.Set      // nodes free on the machine and bound to no job
	extra []int64          // free amounts of the extra resources
	sees  []forecast       // of each unit; nil: to be found anew
	after []job.Time       // by place in the queue: ends without a group; nil: to be found anew
	plan  *profile.Profile // in backfilling: what runs, and reservations
	guest *visit           // in the time of others: what they leave
	sets  int              // sets recorded so far
}

func (g *Glomarc) step(p *sim.Pass) *step {
	m := p.Machine()
	s := &step{Glomarc: g, p: p, now: p.Now(), cores: m.PerNode(), open: idleNodes(m, p.FreeSlots()).Common(g.unbound)}
	for k := range m.Resources {
		s.extra = append(s.extra, p.FreeExtra(k))
	}
	return s
}

// idleNodes returns the nodes of which all slots are free.
func idleNodes(m *cluster.Machine, free cluster.Set) (nodes cluster.Set) {
	n := int32(m.PerNode())
	for _, r := range free {
		if lo, hi := (r.Lo+n-1)/n, r.Hi/n; lo < hi {
			nodes = append(nodes, cluster.Range{Lo: lo, Hi: hi})
		}
	}
	return nodes
}

// room returns what is free now.
func (s *step) room() policy.Room { return policy.Room{Procs: s.open.Count(), Extra: s.extra} }

// changed forgets what was found before a job started.
func (s *step) changed() { s.sees, s.after = nil, nil }

// job returns job j with so many processes on a node, as groups see it.
func (s *step) job(j job.Index, perNode int) gain.Job {
	g := gain.Of(s.p.Job(j)).At(perNode)
	g.Left = s.left(j)
	return g
}

// left returns the work left of job j by its estimate, in seconds with one process on
// each node.
func (s *step) left(j job.Index) float64 {
	if !s.started(j) {
		return float64(s.p.Runtime(j, s.p.Job(j).Procs))
	}
	left := s.p.Left(j)
	if s.p.Job(j).Speedup() != nil {
		left /= s.p.Rate(s.spread(j), nil)
	}
	return left
}

func (s *step) started(j job.Index) bool { return len(s.p.Slots(j)) > 0 }

// spread returns job j with one process on each node, as the speed model sees it.
func (s *step) spread(j job.Index) speed.Job {
	q := s.p.Job(j)
	return speed.Job{Index: j, Request: q, Procs: q.Procs, PerNode: 1}
}

// cos returns SL_cos, the slowdown of job i next to job j.
func (s *step) cos(i, j job.Index) float64 {
	x := s.spread(i)
	return s.p.Rate(x, nil) / s.p.Rate(x, []speed.Job{s.spread(j)})
}

// spaced returns job j alone on its nodes, with the processes per node of formula 11.
func (s *step) spaced(j job.Index) gain.Job {
	a := s.job(j, 1)
	return a.At(s.PerNode(a, s.cores))
}

// duration returns how long the job runs alone.
func duration(a *gain.Job) job.Time { return job.Seconds(a.Left * a.Self()) }

// need returns what job j holds on so many nodes.
func (s *step) need(j job.Index, nodes int) job.Need { return policy.NeedOf(s.p, j, int32(nodes)) }

// class returns the type of job j.
func (s *step) class(j job.Index) policy.Class { return s.Class(s.p.Job(j)) }

// beyond is later than any end that can be told; sums of it do not overflow.
const beyond = 10_000_000_000_000

// response returns the response of job j if it ends at a moment on the clock of the pass.
func (s *step) response(j job.Index, end job.Time) job.Time {
	return min(s.p.Wall(end), beyond) - s.p.Job(j).Submit
}

// head tries to start the first waiting job, alone or in a group (spec 6.5), and
// reports whether anything has started.
func (s *step) head() bool {
	if len(s.queue) == 0 {
		return false
	}
	if s.roomy() {
		return s.scatter()
	}
	f := s.queue[0]
	if s.matches(f) {
		if s.p.Job(f).Procs == 1 && s.best(s.burst(f)) {
			return true
		}
		if s.either(s.dense(f), s.groups(f)) {
			return true
		}
	}
	return s.alone(f)
}

// matches reports whether a job may be in a group.
func (s *step) matches(j job.Index) bool {
	return s.class(j) != policy.Short && s.variant != ssp && s.half() > 0
}

// roomy reports whether all waiting jobs have room with one process on each node.
func (s *step) roomy() bool {
	sum := 0
	for _, j := range s.queue {
		sum += s.p.Job(j).Procs
	}
	return sum <= s.open.Count()
}

// scatter starts all jobs on nodes of their own.
func (s *step) scatter() (started bool) {
	for _, j := range slices.Clone(s.queue) {
		a := s.spaced(j)
		started = s.startAlone(j, &a) || started
	}
	return started
}

// alone starts job j on nodes of its own if it fits there (Cases 4 and 5). Space
// sharing and short jobs have no choice but the processes per node of formula 11.
func (s *step) alone(j job.Index) bool {
	a := s.spaced(j)
	if s.startAlone(j, &a) {
		return true
	}
	return s.matches(j) && s.sparser(j, a)
}

// sparser starts a job for which four processes per node do not fit (Case 5) with the
// fewer that formula 11 gives without them (Case 4): it needs more nodes, but for less
// time. Where one process per node does not fit either, two do if the job tolerates
// them (spec 6.5, step 5).
func (s *step) sparser(j job.Index, a gain.Job) bool {
	if a.PerNode == 4 {
		a.PerNode = s.Shared(a)
		if s.startAlone(j, &a) {
			return true
		}
	}
	if !s.packing || a.PerNode != 1 || !s.Packs(a, s.cores) {
		return false
	}
	a.PerNode = 2
	return s.startAlone(j, &a)
}

// startAlone starts job j on nodes of its own if there is room.
func (s *step) startAlone(j job.Index, a *gain.Job) bool {
	need, length := s.need(j, a.Nodes()), duration(a)
	if !s.fits(need, length) {
		return false
	}
	m := member{j, a.PerNode, s.open.Part(0, a.Nodes())}
	packed := int64(min(a.PerNode, a.Procs))
	why := log.Reason{Code: log.Alone, Other: job.None, X: packed, Y: int64(s.open.Count())}
	switch {
	case s.plan != nil:
		why = log.Reason{Code: log.AloneFilled, Other: job.None, X: packed, Y: s.now + length}
	case j != s.queue[0]:
		why = log.Reason{Code: log.FirstFit, Other: job.None, X: int64(s.p.Free())}
	}
	if !s.p.Start(j, s.claim(&m, nil), why) {
		return false
	}
	s.enter(&unit{primary: m}, nil)
	s.took(need, length)
	return true
}

// fits reports whether a need has room now, and in backfilling, for its whole
// length, beside what is planned.
func (s *step) fits(n job.Need, length job.Time) bool {
	room := s.room()
	return room.Has(n) && (s.plan == nil || s.plan.Fits(n, length, s.now)) && (s.guest == nil || s.guest.has(n, length))
}

// leaves reports whether job j has started and so has no planned start.
func (s *step) leaves(j job.Index) bool {
	if s.started(j) {
		s.planned[j] = job.Never
		return true
	}
	return false
}

// took takes in that jobs with this need have started.
func (s *step) took(n job.Need, length job.Time) {
	s.queue = slices.DeleteFunc(s.queue, s.leaves)
	s.open = s.open.Common(s.unbound)
	for k := range s.extra {
		s.extra[k] -= n.Of(k)
	}
	if s.plan != nil {
		s.plan.Reserve(n, s.now, s.now+length)
	}
	if s.guest != nil {
		s.guest.take(n, length)
	}
	s.changed()
}
