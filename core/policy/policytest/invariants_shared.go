package policytest

import (
	"fmt"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/speed"
)

// SoundShared returns invariants 1, 2 and 11 on nodes that jobs share: no core is used
// twice, no node has more than two jobs, no job starts before its submission or has
// other cores than those of its processes, and each does its work: at least its
// runtime alone, and less than that of one more second at the last rate. Rates are
// found anew, second by second, from who is on the nodes.
func SoundShared(l *log.Log, cos func(i, j job.Index) float64) error {
	on := map[[2]int64][]job.Index{} // by node and second
	if err := onCores(l, on); err != nil {
		return err
	}
	for i := range l.Jobs {
		if err := packedRight(l, job.Index(i)); err != nil {
			return err
		}
	}
	return worked(l, on, cos)
}

// onCores returns invariant 1, and notes who is on which node.
func onCores(l *log.Log, on map[[2]int64][]job.Index) error {
	user := map[[2]int64]job.Index{} // by core and second
	for _, s := range l.Spans() {
		j := &l.Jobs[s.Job]
		if s.From < j.Submit || s.To == job.Never {
			return fmt.Errorf("job %s, submitted at %d, runs from %d to %d", j.ID, j.Submit, s.From, s.To)
		}
		for t := s.From; t < s.To; t++ {
			for core := range slots(l, s.Job) {
				if other, taken := user[[2]int64{core, t}]; taken {
					return fmt.Errorf("at %d: core %d has jobs %s and %s", t, core, l.Jobs[other].ID, j.ID)
				}
				user[[2]int64{core, t}] = s.Job
			}
			for node := range l.Machine.NodesOf(l.Alloc(s.Job)) {
				at := [2]int64{int64(node), t}
				if on[at] = append(on[at], s.Job); len(on[at]) > 2 {
					return fmt.Errorf("at %d: node %d has %d jobs", t, node, len(on[at]))
				}
			}
		}
	}
	return nil
}

// packedRight says that a job has a core for each process, and on no node more than
// its layout says.
func packedRight(l *log.Log, j job.Index) error {
	count, most := map[int]int{}, int(l.Layout(j).PerNode)
	for slot := range slots(l, j) {
		node := l.Machine.Node(int(slot))
		if count[node]++; most > 0 && count[node] > most {
			return fmt.Errorf("job %s has %d processes on node %d, its layout says %d", l.Jobs[j].ID, count[node], node, most)
		}
	}
	if n := l.Alloc(j).Count(); n != l.Jobs[j].Procs {
		return fmt.Errorf("job %s of %d processes has %d cores", l.Jobs[j].ID, l.Jobs[j].Procs, n)
	}
	return nil
}

// worked returns invariant 11, where on tells who is on a node in a second.
func worked(l *log.Log, on map[[2]int64][]job.Index, cos func(i, j job.Index) float64) error {
	did, last := make([]float64, len(l.Jobs)), make([]float64, len(l.Jobs))
	for _, s := range l.Spans() {
		q := &l.Jobs[s.Job].Request
		self := speed.Self(speed.Job{Index: s.Job, Request: q, Procs: q.Procs, PerNode: int(l.Layout(s.Job).PerNode)})
		for t := s.From; t < s.To; t++ {
			worst := 0.0
			for node := range l.Machine.NodesOf(l.Alloc(s.Job)) {
				for _, other := range on[[2]int64{int64(node), t}] {
					if other != s.Job {
						worst = max(worst, cos(s.Job, other))
					}
				}
			}
			if last[s.Job] = 1 / self; worst > 0 {
				last[s.Job] = 1 / (worst * self)
			}
			did[s.Job] += last[s.Job]
		}
	}
	for i := range l.Jobs {
		work := float64(l.Jobs[i].Runtime)
		if did[i] < work-1e-5 || did[i] >= work+last[i]+1e-5 {
			return fmt.Errorf("job %s has %g s of work and did %g s, at last %g a second", l.Jobs[i].ID, work, did[i], last[i])
		}
	}
	return nil
}

// union is a group of a log.
type union struct {
	primary job.Index
	matched []job.Index
	at      job.Time
}

// lives reports whether the primary and any matched job run on after a moment.
func (u *union) lives(out []log.Outcome, at job.Time) bool {
	for _, m := range u.matched {
		if out[m].Finish > at && out[u.primary].Finish > at {
			return true
		}
	}
	return false
}

// has reports whether job j is a member that runs on after a moment.
func (u *union) has(out []log.Outcome, j job.Index, at job.Time) bool {
	return out[j].Finish > at && (u.primary == j || slices.Contains(u.matched, j))
}

// Grouped returns invariant 11 and claim Z4 of groups: each gains at least as much as it
// has to, in millionths, and no member of a group that lives is in another one.
func Grouped(l *log.Log, least int64) error {
	out := l.Outcomes()
	var all []union
	for r := range l.All() {
		if r.Kind != log.Group {
			continue
		}
		if r.X < least-1 {
			return fmt.Errorf("at %d: job %s is matched with %s for a gain of %d millionths, below %d", r.At, l.Jobs[r.Job].ID, l.Jobs[r.Other].ID, r.X, least)
		}
		last := len(all) - 1
		if last < 0 || all[last].primary != r.Other || all[last].at != r.At {
			all = append(all, union{r.Other, nil, r.At})
			last++
		}
		all[last].matched = append(all[last].matched, r.Job)
		for _, u := range all[:last] {
			for _, j := range []job.Index{r.Other, r.Job} {
				if u.lives(out, r.At) && u.has(out, j, r.At) {
					return fmt.Errorf("at %d: job %s is in a group already", r.At, l.Jobs[j].ID)
				}
			}
		}
	}
	return nil
}
