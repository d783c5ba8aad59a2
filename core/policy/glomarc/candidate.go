package glomarc

import (
	"cmp"
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/glomarc/gain"
	"backfill-lab/core/sim"
	"backfill-lab/core/speed"
)

// candidate holds a job that can be the primary or a matched job of a new group. The job waits or
// runs alone on its nodes.
type candidate struct {
	job         job.Index
	class       policy.Class // short, medium or long
	unit        *unit        // the unit of a running job; nil while the job waits
	gain.Member              // the job with its processes per node (PPN) in a group; pairWith sets Suffers and Causes
	alone       gain.Job     // of a waiting job: the job as it would run alone on its nodes, with the PPN of formula 11
	rate        float64      // progress per second alone on its nodes, with one process on each node
}

// newCandidate returns the waiting job j as a candidate.
func (g *Glomarc) newCandidate(p *sim.Pass, j job.Index) candidate {
	one := toGainJob(p, j, 1)
	return candidate{job: j, class: g.Class(p.Job(j)), rate: p.Rate(onePerNode(p, j), nil),
		Member: gain.Member{Job: one.WithPerNode(min(g.PerNodeInGroup(one), halfNode(p.Machine())))},
		alone:  one.WithPerNode(g.PerNode(one, p.Machine().SlotsPerNode()))}
}

// startedAlone returns the jobs of class c that run alone, have work left, and leave half of each node
// free. They are sorted by increasing delay, which is the predicted response time divided by R_est, the
// response time estimated at submission.
func (s *state) startedAlone(c policy.Class) (jobs []candidate) {
	delay := map[job.Index]float64{}
	for i := range s.running {
		u := s.running[i].unit
		j, perNode := u.primary.job, u.primary.perNode
		if !u.alone() || perNode > halfNode(s.p.Machine()) || s.g.Class(s.p.Job(j)) != c {
			continue
		}
		if in := toGainJob(s.p, j, perNode); in.Left > 0 {
			jobs = append(jobs, candidate{job: j, class: c, unit: u, rate: s.p.Rate(onePerNode(s.p, j), nil), Member: gain.Member{Job: in}})
			delay[j] = float64(s.responseTime(j, s.running[i].ends[0])) / s.g.rEst[j]
		}
	}
	slices.SortStableFunc(jobs, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(delay[a.job], delay[b.job]), cmp.Compare(a.job, b.job))
	})
	return jobs
}

// mayShare reports whether a job may share nodes. Short jobs never share. In the variant ssp, and on
// nodes with a single core, no job does.
func (s *state) mayShare(c *candidate) bool {
	return c.class != policy.Short && s.g.variant != ssp && halfNode(s.p.Machine()) > 0
}

// isSerial reports whether the job has a single process.
func isSerial(c *candidate) bool { return c.Procs == 1 }

// isParallel reports whether the job has several processes.
func isParallel(c *candidate) bool { return c.Procs > 1 }

// filter returns the candidates for which keep returns true.
func filter(jobs []candidate, keep func(*candidate) bool) (kept []candidate) {
	for i := range jobs {
		if keep(&jobs[i]) {
			kept = append(kept, jobs[i])
		}
	}
	return kept
}

// halfNode returns the number of cores that each of two jobs may use on a node that they share.
func halfNode(m *cluster.Machine) int { return m.SlotsPerNode() / 2 }

// hasStarted reports whether job j has started, so that it holds slots.
func hasStarted(p *sim.Pass, j job.Index) bool { return len(p.Slots(j)) > 0 }

// toGainJob returns job j with perNode processes on each node, for the formulas of package gain.
func toGainJob(p *sim.Pass, j job.Index, perNode int) gain.Job {
	in := gain.NewJob(p.Job(j)).WithPerNode(perNode)
	in.Left = workLeft(p, j)
	return in
}

// workLeft returns the remaining work of job j according to its estimate: how many seconds it still needs
// alone with one process on each node.
func workLeft(p *sim.Pass, j job.Index) float64 {
	if !hasStarted(p, j) {
		return float64(p.Runtime(j, p.Job(j).Procs))
	}
	left := p.WorkLeft(j)
	if p.Job(j).Speedup() != nil {
		left /= p.Rate(onePerNode(p, j), nil)
	}
	return left
}

// onePerNode returns job j, with one process on each node, in the form that the speed model needs.
func onePerNode(p *sim.Pass, j job.Index) speed.Job {
	q := p.Job(j)
	return speed.Job{Index: j, Request: q, Procs: q.Procs, PerNode: 1}
}

// slowdownNextTo returns SL_cos(i,j), the factor by which job i takes longer on nodes that it shares
// with job j, if each job has one process on each node.
func slowdownNextTo(p *sim.Pass, i, j job.Index) float64 {
	in := onePerNode(p, i)
	return p.Rate(in, nil) / p.Rate(in, []speed.Job{onePerNode(p, j)})
}

// pairWith returns the group of primary a and job c, which is valid until the next call. It also sets
// c.Suffers to SL_cos(c,a) and c.Causes to SL_cos(a,c). These are the slowdowns of c and of a on nodes
// that they share, with one process of each job on a node.
func (s *state) pairWith(a, c *candidate) *gain.Group {
	s.sharing = [2]speed.Job{onePerNode(s.p, a.job), onePerNode(s.p, c.job)}
	c.Suffers = c.rate / s.p.Rate(s.sharing[1], s.sharing[:1])
	c.Causes = a.rate / s.p.Rate(s.sharing[0], s.sharing[1:])
	s.pair.Primary, s.pair.Matched = a.Job, append(s.pair.Matched[:0], c.Member)
	return &s.pair
}

// timeAlone returns the time, in seconds, that the rest of a job takes alone on its nodes.
func timeAlone(j *gain.Job) job.Time { return job.RoundUp(j.Left * j.OwnSlowdown()) }
