package sim

import (
	"fmt"
	"math"
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/speed"
)

// activate makes r run on its slots, after a start or a resumption. It also updates the rates of
// the jobs that share nodes with r.
func (e *Engine) activate(r *run) {
	r.active, r.since, r.end = true, e.now, job.Never
	if e.nodes != nil {
		e.enterNodes(r)
	}
	e.updateRate(r, false)
	if e.nodes != nil {
		e.updateNeighbourRates(r)
	}
}

// deactivate stops r, and frees its slots and extra resources. It also updates the rates of the jobs
// that shared nodes with r.
func (e *Engine) deactivate(r *run) {
	r.active, r.end = false, job.Never
	e.free += r.procs
	if e.slots != nil {
		e.slots.Put(e.log.Alloc(r.job))
	}
	for k := range e.used {
		e.used[k] -= e.jobs[r.job].Extra(k)
	}
	if e.nodes != nil {
		e.leaveNodes(r)
		e.updateNeighbourRates(r)
	}
}

// finish records the end of r and releases its resources.
func (e *Engine) finish(r *run) {
	e.deactivate(r)
	e.log.AddOutcome(log.Finish, e.now, r.job)
	e.runs.remove(r.job)
	e.done++
}

// advance updates the remaining work of r to the current time.
func (e *Engine) advance(r *run) {
	if r.active && r.since < e.now {
		done := float64(r.rate * float64(e.now-r.since))
		r.work = max(0, r.work-done)
		r.estimatedWork = max(0, r.estimatedWork-done)
	}
	r.since = e.now
}

// updateRate computes the current rate of r, and adds the resulting end to the heap. It records a
// change of the rate and, when r starts or resumes, a rate other than 1. If r was already running
// (wasRunning) and its rate changes, the next pass gets an EndChanged event.
func (e *Engine) updateRate(r *run, wasRunning bool) {
	rate := e.rateOf(r)
	if wasRunning && rate == r.rate {
		return
	}
	if wasRunning {
		e.advance(r)
		if !slices.Contains(e.changed, r.job) {
			e.changed = append(e.changed, r.job)
		}
	}
	if wasRunning || rate != 1 {
		e.log.Add(log.Record{At: e.now, Kind: log.RateChange, Job: r.job, Other: job.None, X: int64(math.Float64bits(rate))})
	}
	r.rate = rate
	if at := e.now + speed.Seconds(r.work, rate); at != r.end {
		r.end = at
		e.ends.push(end{at, r.job})
	}
}

// rateOf returns the current rate of r. Under speed.Rigid, the rate of a job without optional
// request fields (job.More) is 1.
func (e *Engine) rateOf(r *run) float64 {
	if e.rigid && e.jobs[r.job].More == nil {
		return 1
	}
	return e.speed.Rate(e.speedJob(r), e.coscheduled(r))
}

// predictedEnd returns the estimated end of r at its current rate.
func (e *Engine) predictedEnd(r *run) job.Time {
	return r.since + speed.Seconds(r.estimatedWork, r.rate)
}

// speedJob returns r in the form that the speed model uses.
func (e *Engine) speedJob(r *run) speed.Job {
	return speed.Job{Index: r.job, Request: &e.jobs[r.job].Request, Procs: r.procs, PerNode: r.perNode}
}

// enterNodes adds r to the job lists of its nodes. If a node then has more jobs than the machine
// allows, the run ends with a Violation.
func (e *Engine) enterNodes(r *run) {
	for node := range e.nodesOf(r) {
		e.nodes[node] = append(e.nodes[node], r.job)
		if most := e.machine.JobsPerNode; most > 0 && len(e.nodes[node]) > most {
			e.raiseViolation(r.job, "node %d: expected at most %d jobs, got %d", node, most, len(e.nodes[node]))
		}
	}
}

// leaveNodes removes r from the job lists of its nodes.
func (e *Engine) leaveNodes(r *run) {
	for node := range e.nodesOf(r) {
		i := slices.Index(e.nodes[node], r.job)
		e.nodes[node] = slices.Delete(e.nodes[node], i, i+1)
	}
}

// nodesOf yields the nodes of r.
func (e *Engine) nodesOf(r *run) func(func(int) bool) {
	return e.machine.NodesOf(e.log.Alloc(r.job))
}

// neighbours returns the running jobs that share a node with r, without repetition and in index
// order.
func (e *Engine) neighbours(r *run) []job.Index {
	var out []job.Index
	for node := range e.nodesOf(r) {
		for _, j := range e.nodes[node] {
			if j != r.job && !slices.Contains(out, j) {
				out = append(out, j)
			}
		}
	}
	slices.Sort(out)
	return out
}

// coscheduled returns the neighbours of r in the form that the speed model uses.
func (e *Engine) coscheduled(r *run) []speed.Job {
	if e.nodes == nil {
		return nil
	}
	var out []speed.Job
	for _, j := range e.neighbours(r) {
		out = append(out, e.speedJob(e.runs.find(j)))
	}
	return out
}

// updateNeighbourRates recomputes the rates of the neighbours of r. It skips jobs that end now,
// because their work is done.
func (e *Engine) updateNeighbourRates(r *run) {
	for _, j := range e.neighbours(r) {
		if n := e.runs.find(j); n.end > e.now {
			e.updateRate(n, true)
		}
	}
}

// applyOutageEdge starts or ends an outage, and records the change. A starting outage takes the
// highest free slots; if there are too few, the run ends with a Violation. An ending outage frees
// its slots.
func (e *Engine) applyOutageEdge(edge cluster.Edge) {
	r := log.Record{At: e.now, Kind: log.OutageEdge, Job: job.None, Other: job.None, Y: int64(edge.Outage)}
	o := &e.machine.Outages[edge.Outage]
	switch {
	case edge.Ends:
		e.free += o.Procs
		if e.slots != nil {
			e.slots.Put(e.log.OutageSlots(edge.Outage))
		}
	case e.free < o.Procs:
		panic(&Violation{At: e.now, Why: fmt.Sprintf("expected %d free slots for %q, got %d", o.Procs, o.Name(), e.free)})
	default:
		e.free -= o.Procs
		if e.slots != nil {
			e.log.RecordOutage(edge.Outage, e.slots.TakeHighest(o.Procs))
		}
		r.X = 1
	}
	e.log.Add(r)
}
