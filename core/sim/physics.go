package sim

import (
	"math"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/speed"
)

// place puts the run on its slots and lets it make progress from now on.
func (e *Engine) place(r *run) {
	r.active, r.since, r.end = true, e.now, job.Never
	if e.nodes != nil {
		e.settle(r)
	}
	e.price(r, false)
	if e.nodes != nil {
		e.repriceBeside(r)
	}
}

// lift takes the run off its slots.
func (e *Engine) lift(r *run) {
	e.advance(r)
	r.active, r.end = false, job.Never
	e.free.Put(e.log.Alloc(r.job))
	for k := range e.used {
		e.used[k] -= e.jobs[r.job].Extra(k)
	}
	if e.nodes != nil {
		e.unsettle(r)
		e.repriceBeside(r)
	}
}

func (e *Engine) finish(j job.Index) {
	r := e.runs.of(j)
	e.lift(r)
	e.runs.remove(j)
	e.done++
	e.log.Add(log.Record{At: e.now, Kind: log.Finish, Job: j, Other: job.None})
}

// advance brings the work left of r to now.
func (e *Engine) advance(r *run) {
	if r.active && r.since < e.now {
		did := float64(r.rate * float64(e.now-r.since))
		r.work = max(0, r.work-did)
		r.planned = max(0, r.planned-did)
	}
	r.since = e.now
}

// price sets the rate of r from now on and posts its end. It reports the
// change of a running job to the next pass.
func (e *Engine) price(r *run, running bool) {
	rate := e.speed.Rate(e.asSpeed(r), e.beside(r))
	if running && rate == r.rate {
		return
	}
	if running {
		e.advance(r)
		if !slices.Contains(e.changed, r.job) {
			e.changed = append(e.changed, r.job)
		}
	}
	if running || rate != 1 {
		e.log.Add(log.Record{At: e.now, Kind: log.Reprice, Job: r.job, Other: job.None, X: int64(math.Float64bits(rate))})
	}
	r.rate = rate
	if at := e.now + speed.Seconds(r.work, rate); at != r.end {
		r.end = at
		e.ends.push(end{at, r.job})
	}
}

// predict returns the end of r by its estimate if nothing changes.
func (e *Engine) predict(r *run) job.Time {
	return r.since + speed.Seconds(r.planned, r.rate)
}

func (e *Engine) asSpeed(r *run) speed.Job {
	return speed.Job{Index: r.job, Request: &e.jobs[r.job].Request, Procs: r.procs, PerNode: r.perNode}
}

// settle enters r at the nodes it runs on.
func (e *Engine) settle(r *run) {
	for node := range e.nodesOf(r) {
		e.nodes[node] = append(e.nodes[node], r.job)
		if most := e.machine.JobsPerNode; most > 0 && len(e.nodes[node]) > most {
			e.violated(r.job, "node %d: expected at most %d jobs, got %d", node, most, len(e.nodes[node]))
		}
	}
}

func (e *Engine) unsettle(r *run) {
	for node := range e.nodesOf(r) {
		on := e.nodes[node]
		e.nodes[node] = slices.Delete(on, slices.Index(on, r.job), slices.Index(on, r.job)+1)
	}
}

func (e *Engine) nodesOf(r *run) func(func(int) bool) {
	return e.machine.NodesOf(e.log.Alloc(r.job))
}

// neighbours returns the running jobs that have a node in common with r, each once,
// by index.
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

func (e *Engine) beside(r *run) []speed.Job {
	if e.nodes == nil {
		return nil
	}
	var out []speed.Job
	for _, j := range e.neighbours(r) {
		out = append(out, e.asSpeed(e.runs.of(j)))
	}
	return out
}

// repriceBeside sets the rates of the neighbours of r, except those that end at
// this very moment: their work is done.
func (e *Engine) repriceBeside(r *run) {
	for _, j := range e.neighbours(r) {
		if n := e.runs.of(j); n.end > e.now {
			e.price(n, true)
		}
	}
}
