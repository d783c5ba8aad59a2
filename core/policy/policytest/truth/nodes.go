package truth

import (
	"math"
	"slices"

	"backfill-lab/core/job"
)

// union is jobs that have nodes together: a primary, and those matched with it, or
// none.
type union struct {
	primary job.Index
	matched []job.Index
	filled  job.Time // when it started in backfilling, to hold all its nodes to its end; or unplanned
}

func (u *union) members() []job.Index { return append([]job.Index{u.primary}, u.matched...) }

func (u *union) has(k job.Index) bool { return slices.Contains(u.members(), k) }

// unions returns the units of the type of the record.
func (f *facts) unions() (out []*union) {
	for _, u := range f.units {
		if f.member(u.primary) {
			out = append(out, u)
		}
	}
	return out
}

// alone enters a job that has started by itself.
func (f *facts) alone(k job.Index) { f.units = append(f.units, &union{k, nil, unplanned}) }

// match enters that job k is matched with a primary.
func (f *facts) match(primary, k job.Index) {
	var u *union
	for _, x := range f.units {
		if x.primary == primary {
			u = x
		}
	}
	f.units = slices.DeleteFunc(f.units, func(x *union) bool { return x == u || x.primary == k })
	f.units = append(f.units, &union{u.primary, append(slices.Clone(u.matched), k), unplanned})
}

// part takes a job that has ended out of its unit: with its primary a group ends.
func (f *facts) part(k job.Index) {
	for i, u := range f.units {
		if !u.has(k) {
			continue
		}
		f.units = slices.Delete(f.units, i, i+1)
		if u.primary == k {
			for _, m := range u.matched {
				f.alone(m)
			}
			return
		}
		f.units = append(f.units, &union{u.primary, slices.DeleteFunc(slices.Clone(u.matched), func(m job.Index) bool { return m == k }), u.filled})
		return
	}
}

// cores returns the cores of a node.
func (f *facts) cores() int { return f.log.Machine.PerNode() }

// own returns how much a job with up to so many processes on a node slows itself down.
func (f *facts) own(k job.Index, perNode int) float64 {
	return f.slow(k, min(perNode, f.log.Jobs[k].Procs))
}

// slow returns how much so many processes on a node slow a job down.
func (f *facts) slow(k job.Index, perNode int) float64 {
	q, slow := &f.log.Jobs[k], 1.0
	if q.More == nil {
		return 1
	}
	if perNode > 1 && q.More.SLnos > 0 {
		slow = q.More.SLnos
	}
	if perNode > 2 && q.More.SLcrs > 0 {
		slow = float64(slow * q.More.SLcrs)
	}
	return slow
}

// inGroup returns the processes of a job on each node in a group.
func (j *judge) inGroup(k job.Index) int {
	if j.jobs[k].started {
		return int(j.log.Layout(k).PerNode)
	}
	if j.log.Jobs[k].Procs > 1 && j.cores()/2 > 1 && j.own(k, 2) <= j.knob("self-slowdown-2") {
		return 2
	}
	return 1
}

// spaced returns the processes of a job on each node alone.
func (j *judge) spaced(k job.Index) int {
	procs := j.log.Jobs[k].Procs
	switch {
	case procs > 1 && j.cores() >= 4 && j.slow(k, 4) <= j.knob("max-slowdown"):
		return 4
	case procs > 1 && j.cores() >= 2 && j.own(k, 2) <= j.knob("self-slowdown-2"):
		return 2
	}
	return 1
}

// nodesWith returns the nodes that a job needs with so many processes on each.
func (j *judge) nodesWith(k job.Index, perNode int) int {
	return (j.log.Jobs[k].Procs + perNode - 1) / perNode
}

// apart returns how a waiting job is planned: alone, on so many nodes for so long.
func (j *judge) apart(k job.Index) (what amount, length job.Time) {
	n := j.spaced(k)
	return j.onNodes(k, j.nodesWith(k, n)), whole(j.left(k) * j.own(k, n))
}

// onNodes returns what a job holds on so many nodes.
func (j *judge) onNodes(k job.Index, nodes int) amount {
	a := j.asks(k)
	a[0] = int64(nodes)
	return a
}

// left returns the work left of a job by its estimate.
func (j *judge) left(k job.Index) float64 {
	if !j.jobs[k].started {
		return float64(j.log.Jobs[k].Estimate)
	}
	l := j.jobs[k]
	j.advance(&l)
	return l.left
}

// nodesOf returns the nodes that a job is on.
func (f *facts) nodesOf(k job.Index) (out []int) {
	for n := range f.log.Machine.NodesOf(f.log.Alloc(k)) {
		out = append(out, n)
	}
	return out
}

// openNodes returns how many nodes no job is on and, in time slices, none of the type keeps.
func (f *facts) openNodes() int {
	taken := map[int]bool{}
	for i := range f.jobs {
		if k, l := job.Index(i), &f.jobs[i]; l.on || l.started && !l.done && f.member(k) {
			for _, n := range f.nodesOf(k) {
				taken[n] = true
			}
		}
	}
	return f.log.Machine.Nodes - len(taken)
}

// beside returns how much job a is slowed down next to job b, apart from its own
// processes.
func (j *judge) beside(a, b job.Index) float64 { return 1 / (1 / j.Cos(a, b)) }

// life returns how a group goes on from now: when each ends, in seconds from now, and
// what it makes of its nodes until the primary or the last matched job ends.
func (j *judge) life(primary job.Index, matched []job.Index) (ends map[job.Index]float64, gain float64) {
	all := append([]job.Index{primary}, matched...)
	left, per, ends := map[job.Index]float64{}, map[job.Index]int{}, map[job.Index]float64{}
	for _, k := range all {
		left[k], per[k] = j.left(k), j.inGroup(k)
	}
	now, saved, used := 0.0, 0.0, 0.0
	for len(ends) < len(all) {
		slow, length := map[job.Index]float64{}, math.Inf(1)
		with := false // the primary runs and another
		for _, k := range matched {
			if _, over := ends[k]; !over {
				slow[k] = j.own(k, per[k])
				if _, over := ends[primary]; !over {
					with = true
					slow[k] *= j.beside(k, primary)
					slow[primary] = max(slow[primary], j.beside(primary, k)*j.own(primary, per[primary]))
				}
			}
		}
		if _, over := ends[primary]; !over && !with {
			slow[primary] = j.own(primary, per[primary])
		}
		for k, s := range slow {
			length = min(length, left[k]*s)
		}
		now += length
		for _, k := range all {
			if s, runs := slow[k]; runs {
				did := length / s
				if with {
					saved += did * float64(j.log.Jobs[k].Procs)
				}
				if left[k] -= did; left[k] <= 1e-9 {
					ends[k] = now
				}
			}
		}
		if with {
			used = now * float64(j.log.Jobs[primary].Procs) / float64(min(per[primary], j.log.Jobs[primary].Procs))
		}
	}
	return ends, (saved - used) / used
}

// ends returns when the jobs of a unit end.
func (j *judge) ends(u *union) map[job.Index]job.Time {
	out := map[job.Index]job.Time{}
	if len(u.matched) == 0 {
		k := u.primary
		out[k] = j.now + whole(j.left(k)*j.own(k, j.perNodeOf(k)))
		return out
	}
	ends, _ := j.life(u.primary, u.matched)
	for k, t := range ends {
		out[k] = j.now + whole(t)
	}
	return out
}

// perNodeOf returns the processes of a started job on each of its nodes.
func (j *judge) perNodeOf(k job.Index) int { return int(j.log.Layout(k).PerNode) }

// nodePlan returns what runs, in nodes: each until the last job on it has ended.
func (j *judge) nodePlan(but ...*union) *plan {
	p := &plan{all: j.all()}
	p.all[0] = int64(j.log.Machine.Nodes)
	for _, u := range j.unions() {
		if slices.Contains(but, u) {
			continue
		}
		j.holdUnion(p, u)
	}
	return p
}
