package policytest

import (
	"fmt"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/speed"
)

// CheckSharedRuns checks the runs of a log in which jobs share nodes. No core has two jobs at a
// time, no node has more than two, and no job starts before its submission. Each job has one core
// per process, and completes its work in the last second of its run. It calls slowdown(i, j) for
// the slowdown of job i when it shares a node with job j. CheckSharedRuns computes the rates
// itself, second by second.
func CheckSharedRuns(l *log.Log, slowdown func(i, j job.Index) float64) error {
	jobsOn := map[[2]int64][]job.Index{} // jobs by node and second
	if err := checkCores(l, jobsOn); err != nil {
		return err
	}
	for i := range l.Jobs {
		if err := checkLayout(l, job.Index(i)); err != nil {
			return err
		}
	}
	return checkWork(l, jobsOn, slowdown)
}

// checkCores checks that no core and no node has too many jobs, that no job starts before its
// submission, and that every job ends. It fills jobsOn with the jobs on each node in each second.
func checkCores(l *log.Log, jobsOn map[[2]int64][]job.Index) error {
	coreOwner := map[[2]int64]job.Index{} // by core and second
	for _, s := range l.Spans() {
		j := &l.Jobs[s.Job]
		if s.From < j.Submit || s.To == job.Never {
			return fmt.Errorf("job %s, submitted at %d, runs from %d to %d", j.ID, j.Submit, s.From, s.To)
		}
		for t := s.From; t < s.To; t++ {
			for core := range slots(l, s.Job) {
				if other, taken := coreOwner[[2]int64{core, t}]; taken {
					return fmt.Errorf("at %d: core %d has jobs %s and %s", t, core, l.Jobs[other].ID, j.ID)
				}
				coreOwner[[2]int64{core, t}] = s.Job
			}
			for node := range l.Machine.NodesOf(l.Alloc(s.Job)) {
				key := [2]int64{int64(node), t}
				if jobsOn[key] = append(jobsOn[key], s.Job); len(jobsOn[key]) > 2 {
					return fmt.Errorf("at %d: node %d has %d jobs", t, node, len(jobsOn[key]))
				}
			}
		}
	}
	return nil
}

// checkLayout checks that job j has one core per process, and no more processes on a node
// than its layout allows.
func checkLayout(l *log.Log, j job.Index) error {
	count, limit := map[int]int{}, int(l.Layout(j).PerNode)
	for slot := range slots(l, j) {
		node := l.Machine.Node(int(slot))
		if count[node]++; limit > 0 && count[node] > limit {
			return fmt.Errorf("job %s has %d processes on node %d, its layout allows %d", l.Jobs[j].ID, count[node], node, limit)
		}
	}
	if n := l.Alloc(j).Count(); n != l.Jobs[j].Procs {
		return fmt.Errorf("job %s: expected %d cores, one for each process, got %d", l.Jobs[j].ID, l.Jobs[j].Procs, n)
	}
	return nil
}

// checkWork checks that the progress of each job adds up to its work. The map jobsOn holds the jobs
// by node and second.
func checkWork(l *log.Log, jobsOn map[[2]int64][]job.Index, slowdown func(i, j job.Index) float64) error {
	done, last := make([]float64, len(l.Jobs)), make([]float64, len(l.Jobs))
	for _, s := range l.Spans() {
		q := &l.Jobs[s.Job].Request
		self := speed.SelfSlowdown(speed.Job{Index: s.Job, Request: q, Procs: q.Procs, PerNode: int(l.Layout(s.Job).PerNode)})
		for t := s.From; t < s.To; t++ {
			worst := 0.0
			for node := range l.Machine.NodesOf(l.Alloc(s.Job)) {
				for _, other := range jobsOn[[2]int64{int64(node), t}] {
					if other != s.Job {
						worst = max(worst, slowdown(s.Job, other))
					}
				}
			}
			if last[s.Job] = 1 / self; worst > 0 {
				last[s.Job] = 1 / (worst * self)
			}
			done[s.Job] += last[s.Job]
		}
	}
	for i := range l.Jobs {
		work := float64(l.Jobs[i].Runtime)
		if done[i] < work-1e-5 || done[i] >= work+last[i]+1e-5 {
			return fmt.Errorf("job %s has %g s of work and did %g s of it, in the end at the rate %g", l.Jobs[i].ID, work, done[i], last[i])
		}
	}
	return nil
}

// group holds a group of jobs that share nodes, as a log records it.
type group struct {
	primary job.Index
	matched []job.Index
	formed  job.Time // time at which the group was formed
}

// active reports whether the group still exists after time t. It exists while its primary and at
// least one matched job run.
func (g *group) active(out []log.Outcome, t job.Time) bool {
	for _, m := range g.matched {
		if out[m].Finish > t && out[g.primary].Finish > t {
			return true
		}
	}
	return false
}

// contains reports whether job j is in the group and still runs after time t.
func (g *group) contains(out []log.Outcome, j job.Index, t job.Time) bool {
	return out[j].Finish > t && (g.primary == j || slices.Contains(g.matched, j))
}

// CheckGroups checks the groups of a log. Each group has a utilization gain of at least minGain, in
// millionths. No job joins a group while it is in another active group.
func CheckGroups(l *log.Log, minGain int64) error {
	out := l.Outcomes()
	var groups []group
	for r := range l.All() {
		if r.Kind != log.Group {
			continue
		}
		if r.X < minGain-1 {
			return fmt.Errorf("at %d: job %s is matched with %s for a gain of %d millionths, below %d", r.At, l.Jobs[r.Job].ID, l.Jobs[r.Other].ID, r.X, minGain)
		}
		last := len(groups) - 1
		if last < 0 || groups[last].primary != r.Other || groups[last].formed != r.At {
			groups = append(groups, group{r.Other, nil, r.At})
			last++
		}
		groups[last].matched = append(groups[last].matched, r.Job)
		for _, g := range groups[:last] {
			for _, j := range []job.Index{r.Other, r.Job} {
				if g.active(out, r.At) && g.contains(out, j, r.At) {
					return fmt.Errorf("at %d: job %s is already in a group", r.At, l.Jobs[j].ID)
				}
			}
		}
	}
	return nil
}
