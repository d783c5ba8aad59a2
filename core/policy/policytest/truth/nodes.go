package truth

import (
	"math"
	"slices"

	"backfill-lab/core/job"
)

// unit holds a primary and the jobs matched with it, which share nodes. A job that runs alone is a
// unit without matched jobs.
type unit struct {
	primary      job.Index
	matched      []job.Index
	backfilledAt job.Time // for a backfilled group: its start time; otherwise unset
}

// members returns all jobs of the unit, the primary first.
func (u *unit) members() []job.Index { return append([]job.Index{u.primary}, u.matched...) }

// contains reports whether job k is in the unit.
func (u *unit) contains(k job.Index) bool { return slices.Contains(u.members(), k) }

// unitsOfCurrentType returns the units of the current type.
func (f *replay) unitsOfCurrentType() (out []*unit) {
	for _, u := range f.units {
		if f.isOfCurrentType(u.primary) {
			out = append(out, u)
		}
	}
	return out
}

// addSingle adds a unit for a single job.
func (f *replay) addSingle(k job.Index) { f.units = append(f.units, &unit{k, nil, unset}) }

// addToGroup adds job k to the unit of a primary. It removes the unit of k, if there is one.
func (f *replay) addToGroup(primary, k job.Index) {
	var group *unit
	for _, old := range f.units {
		if old.primary == primary {
			group = old
		}
	}
	f.units = slices.DeleteFunc(f.units, func(old *unit) bool { return old == group || old.primary == k })
	f.units = append(f.units, &unit{group.primary, append(slices.Clone(group.matched), k), unset})
}

// removeFromUnit removes a job that has ended from its unit. If it is the primary, the group
// ends and its matched jobs become single.
func (f *replay) removeFromUnit(k job.Index) {
	for i, u := range f.units {
		if !u.contains(k) {
			continue
		}
		f.units = slices.Delete(f.units, i, i+1)
		if u.primary == k {
			for _, m := range u.matched {
				f.addSingle(m)
			}
			return
		}
		f.units = append(f.units, &unit{u.primary, slices.DeleteFunc(slices.Clone(u.matched), func(m job.Index) bool { return m == k }), u.backfilledAt})
		return
	}
}

// coresPerNode returns the number of cores on a node.
func (f *replay) coresPerNode() int { return f.Log.Machine.SlotsPerNode() }

// ownSlowdown returns the factor by which a job slows itself down with up to perNode
// processes on a node.
func (f *replay) ownSlowdown(k job.Index, perNode int) float64 {
	return f.slowdownWith(k, min(perNode, f.Log.Jobs[k].Procs))
}

// slowdownWith is like ownSlowdown, but it assumes perNode processes on a node even if the job has
// fewer processes.
func (f *replay) slowdownWith(k job.Index, perNode int) float64 {
	request, slow := &f.Log.Jobs[k], 1.0
	if request.More == nil {
		return 1
	}
	if perNode > 1 && request.More.SLnos > 0 {
		slow = request.More.SLnos
	}
	if perNode > 2 && request.More.SLcrs > 0 {
		slow = float64(slow * request.More.SLcrs)
	}
	return slow
}

// groupPerNode returns how many processes of a job run on each node in a group.
func (c *checker) groupPerNode(k job.Index) int {
	if c.jobs[k].started {
		return int(c.Log.Layout(k).PerNode)
	}
	if c.Log.Jobs[k].Procs > 1 && c.coresPerNode()/2 > 1 && c.ownSlowdown(k, 2) <= c.knob("self-slowdown-2") {
		return 2
	}
	return 1
}

// alonePerNode returns how many processes of a job run on each node if the job runs alone on its
// nodes.
func (c *checker) alonePerNode(k job.Index) int {
	procs := c.Log.Jobs[k].Procs
	switch {
	case procs > 1 && c.coresPerNode() >= 4 && c.slowdownWith(k, 4) <= c.knob("max-slowdown"):
		return 4
	case procs > 1 && c.coresPerNode() >= 2 && c.ownSlowdown(k, 2) <= c.knob("self-slowdown-2"):
		return 2
	}
	return 1
}

// nodesFor returns how many nodes a job needs with perNode processes on each.
func (c *checker) nodesFor(k job.Index, perNode int) int {
	return (c.Log.Jobs[k].Procs + perNode - 1) / perNode
}

// aloneDemand returns the nodes and other resources that a plan reserves for a waiting job, and for
// how many seconds. Plans assume that the job runs alone on its nodes.
func (c *checker) aloneDemand(k job.Index) (demand amount, length job.Time) {
	perNode := c.alonePerNode(k)
	return c.demandOnNodes(k, c.nodesFor(k, perNode)), wholeSeconds(c.workLeft(k) * c.ownSlowdown(k, perNode))
}

// demandOnNodes returns the demand of a job that gets the given number of nodes. Its first amount
// counts nodes, not processors.
func (c *checker) demandOnNodes(k job.Index, nodes int) amount {
	demand := c.demand(k)
	demand[0] = int64(nodes)
	return demand
}

// workLeft returns the work that a job has left according to its estimate, in seconds at full
// speed.
func (c *checker) workLeft(k job.Index) float64 {
	if !c.jobs[k].started {
		return float64(c.Log.Jobs[k].Estimate)
	}
	state := c.jobs[k]
	c.updateWork(&state)
	return state.workLeft
}

// nodesOf returns the numbers of the nodes on which a job runs.
func (f *replay) nodesOf(k job.Index) (out []int) {
	for n := range f.Log.Machine.NodesOf(f.Log.Alloc(k)) {
		out = append(out, n)
	}
	return out
}

// usableNodeCount returns the number of nodes on which no job runs. With time slices, it excludes the
// nodes that preempted jobs of the current type keep.
func (f *replay) usableNodeCount() int {
	taken := map[int]bool{}
	for i := range f.jobs {
		if k, s := job.Index(i), &f.jobs[i]; s.running || s.started && !s.done && f.isOfCurrentType(k) {
			for _, n := range f.nodesOf(k) {
				taken[n] = true
			}
		}
	}
	return f.Log.Machine.Nodes - len(taken)
}

// slowdownNextTo returns the factor by which job b slows job a down on shared nodes. It does
// not include the slowdown by a's own processes. The two divisions cause the same rounding error as
// in the policy, which divides rates.
func (c *checker) slowdownNextTo(a, b job.Index) float64 { return 1 / (1 / c.Slowdown(a, b)) }

// simulateGroup simulates a group from now on. It returns the end of each job, in seconds from now,
// and the gain. The gain says how much more work the nodes do than with one process per node at
// full speed. It is the work in process-seconds per node-second, minus 1. Only the time in which
// the primary and a matched job run counts.
func (c *checker) simulateGroup(primary job.Index, matched []job.Index) (ends map[job.Index]float64, gain float64) {
	members := append([]job.Index{primary}, matched...)
	workLeft, perNode, ends := map[job.Index]float64{}, map[job.Index]int{}, map[job.Index]float64{}
	for _, k := range members {
		workLeft[k], perNode[k] = c.workLeft(k), c.groupPerNode(k)
	}
	elapsed, workDone, nodeTime := 0.0, 0.0, 0.0
	for len(ends) < len(members) {
		slowdown, length := map[job.Index]float64{}, math.Inf(1)
		overlap := false // the primary and a matched job run
		for _, k := range matched {
			if _, isOver := ends[k]; !isOver {
				slowdown[k] = c.ownSlowdown(k, perNode[k])
				if _, isOver := ends[primary]; !isOver {
					overlap = true
					slowdown[k] *= c.slowdownNextTo(k, primary)
					slowdown[primary] = max(slowdown[primary], c.slowdownNextTo(primary, k)*c.ownSlowdown(primary, perNode[primary]))
				}
			}
		}
		if _, isOver := ends[primary]; !isOver && !overlap {
			slowdown[primary] = c.ownSlowdown(primary, perNode[primary])
		}
		for k, factor := range slowdown {
			length = min(length, workLeft[k]*factor)
		}
		elapsed += length
		for _, k := range members {
			if factor, isRunning := slowdown[k]; isRunning {
				work := length / factor
				if overlap {
					workDone += work * float64(c.Log.Jobs[k].Procs)
				}
				if workLeft[k] -= work; workLeft[k] <= 1e-9 {
					ends[k] = elapsed
				}
			}
		}
		if overlap {
			nodeTime = elapsed * float64(c.Log.Jobs[primary].Procs) / float64(min(perNode[primary], c.Log.Jobs[primary].Procs))
		}
	}
	return ends, (workDone - nodeTime) / nodeTime
}

// unitEnds returns the estimated ends of the jobs of a unit.
func (c *checker) unitEnds(u *unit) map[job.Index]job.Time {
	out := map[job.Index]job.Time{}
	if len(u.matched) == 0 {
		k := u.primary
		out[k] = c.now + wholeSeconds(c.workLeft(k)*c.ownSlowdown(k, c.perNode(k)))
		return out
	}
	ends, _ := c.simulateGroup(u.primary, u.matched)
	for k, t := range ends {
		out[k] = c.now + wholeSeconds(t)
	}
	return out
}

// perNode returns how many processes of a started job run on each of its nodes.
func (c *checker) perNode(k job.Index) int { return int(c.Log.Layout(k).PerNode) }

// nodePlan returns a plan of the nodes, instead of the processors. It contains the units of the
// current type, except the given units. The function allocateUnit determines until when each node
// is held.
func (c *checker) nodePlan(except ...*unit) *plan {
	p := &plan{capacity: c.capacity()}
	p.capacity[0] = int64(c.Log.Machine.Nodes)
	for _, u := range c.unitsOfCurrentType() {
		if slices.Contains(except, u) {
			continue
		}
		c.allocateUnit(p, u)
	}
	return p
}
