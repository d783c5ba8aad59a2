package gantt

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// occupancy tracks which jobs are on each node while readPaces reads a log. From these jobs, its
// methods determine the speed of each job over time, and the times at which two or more jobs share
// a node.
type occupancy struct {
	*Chart
	now       job.Time      // time of the current record
	jobsOn    [][]job.Index // by node: the jobs on it
	openShare []int32       // by node: index in Chart.shares of the current share; valid only while two or more jobs are on the node
	states    []jobState    // by job
	calls     int32         // how often openPhase was called
	changed   []job.Index   // jobs that started, stopped or changed their rate at time now
	nodes     []int32       // buffer for the result of nodesOf
}

// jobState is the state of a job at time occupancy.now.
type jobState struct {
	rate       float64  // speed, as a fraction of full speed, see Pace.Rate
	leftAt     job.Time // time at which the job last stopped
	phase      int32    // index in paces.all of its current phase, or -1 if the job does not run, or has just started or resumed
	span       int32    // its current or next span, or -1 after its last span
	lastCall   int32    // number of the last call of openPhase that counted this job
	running    bool
	sharedNode bool // whether the job has shared a node at any time
}

// share records that two or more jobs are on a node during [from,to).
type share struct {
	from, to job.Time
	node     int32
}

// readPaces reads from the log of a chart how fast jobs run and when they share nodes. The shares
// are in order of start. A chart of single-core nodes gets no paces and no shares.
func readPaces(c *Chart) {
	m := &c.log.Machine
	if m.SlotsPerNode() == 1 {
		return
	}
	c.paces.firstPhase = make([]int32, len(c.Jobs))
	w := occupancy{Chart: c, jobsOn: make([][]job.Index, m.Nodes), openShare: make([]int32, m.Nodes), states: make([]jobState, len(c.log.Jobs))}
	for j := range w.states {
		w.states[j].phase, w.states[j].span = -1, c.First[j]
	}
	for i := range c.log.Len() {
		r := c.log.Record(i)
		if r.At > w.now {
			w.openPhases()
			w.now = r.At
		}
		switch r.Kind {
		case log.Start, log.Resume, log.Finish, log.Suspend:
			w.updateNodes(r.Job, r.Kind == log.Start || r.Kind == log.Resume)
		case log.RateChange:
			w.states[r.Job].rate = relativeRate(c.log, r)
			w.changed = append(w.changed, r.Job)
		}
	}
	w.openPhases()
	for j := range w.states {
		if w.states[j].sharedNode {
			c.paces.sharingJobs++
		}
	}
}

// updateNodes adds job j to its nodes if it starts or resumes, and otherwise removes it from them.
func (w *occupancy) updateNodes(j job.Index, starts bool) {
	w.changed = append(w.changed, j)
	state := &w.states[j]
	if state.running = starts; starts {
		state.rate = 1
	} else if state.phase = -1; state.span >= 0 && w.From[state.span] < w.now {
		state.span, state.leftAt = w.NextSpan(state.span), w.now
	}
	for _, n := range w.nodesOf(j) {
		jobs := w.jobsOn[n]
		switch {
		case starts && len(jobs) == 1:
			w.openShare[n] = int32(len(w.shares))
			w.shares = append(w.shares, share{w.now, w.End, n})
		case !starts && len(jobs) == 2:
			w.shares[w.openShare[n]].to = w.now
		}
		if starts {
			jobs = append(jobs, j)
		} else {
			last := len(jobs) - 1
			jobs[slices.Index(jobs, j)] = jobs[last]
			jobs = jobs[:last]
		}
		w.jobsOn[n] = jobs
	}
}

// nodesOf returns the nodes on which job j has slots. The result is valid until the next call.
func (w *occupancy) nodesOf(j job.Index) []int32 {
	w.nodes = w.nodes[:0]
	w.log.Machine.NodesOf(w.log.Alloc(j))(func(n int) bool {
		w.nodes = append(w.nodes, int32(n))
		return true
	})
	return w.nodes
}

// openPhases starts a new phase for each job that started, resumed or changed its rate at time now.
// Call it after all events at that time.
func (w *occupancy) openPhases() {
	for _, j := range w.changed {
		if g := &w.states[j]; g.running && (g.phase < 0 || w.paces.all[g.phase].Rate != g.rate) {
			w.openPhase(j)
		}
	}
	w.changed = w.changed[:0]
}

// openPhase starts a phase of job j. If j has just started or resumed, openPhase also counts j in
// the current phases of the other jobs on its nodes. It leaves out phases that start or end now. It
// also leaves out phases that started before j last stopped. These have counted j already, because
// a suspended job resumes on the same nodes.
func (w *occupancy) openPhase(j job.Index) {
	state, next := &w.states[j], phase{w.now, -1, Pace{Rate: w.states[j].rate}}
	w.calls++
	state.lastCall = w.calls
	for _, n := range w.nodesOf(j) {
		for _, k := range w.jobsOn[n] {
			other := &w.states[k]
			if other.lastCall == w.calls {
				continue
			}
			other.lastCall, other.sharedNode, state.sharedNode = w.calls, true, true
			next.addOther(k)
			if state.phase < 0 && other.phase >= 0 {
				if otherPhase := &w.paces.all[other.phase]; otherPhase.from < w.now && otherPhase.from >= state.leftAt && otherPhase.Rate == other.rate {
					otherPhase.addOther(j)
				}
			}
		}
	}
	last := &w.paces.firstPhase[state.span]
	if state.phase >= 0 {
		last = &w.paces.all[state.phase].nextPhase
	}
	*last = int32(len(w.paces.all))
	state.phase = *last
	w.paces.all = append(w.paces.all, next)
}

// addOther counts job j as one of the other jobs on the nodes of the phase's own job.
func (p *phase) addOther(j job.Index) {
	if p.Others++; p.Others == 1 {
		p.FirstOther = j
	}
}

// sharesIn returns the shares in a window as pieces that cover all lanes of a node. It merges
// neighbouring nodes that are shared at the same times. It omits pieces shorter than minTime, and
// doubles minTime until at most q.MaxPieces/4 pieces remain.
func (c *Chart) sharesIn(q Query, minTime job.Time) (out []Piece) {
	per := int32(q.perNode)
	for k := range c.shares {
		share := &c.shares[k]
		p := Piece{From: share.from, To: share.to, Lane0: per * share.node, Lane1: per * (share.node + 1)}
		if p.From >= q.T1 {
			break
		}
		if p.To <= q.T0 || p.To-p.From < max(minTime, 1) || int(p.Lane0) >= q.Lanes1 || int(p.Lane1) <= q.Lanes0 {
			continue
		}
		if n := len(out) - 1; n >= 0 && out[n].Lane1 == p.Lane0 && out[n].From == p.From && out[n].To == p.To {
			out[n].Lane1 = p.Lane1
		} else if out = append(out, p); len(out) > q.MaxPieces/4 {
			return c.sharesIn(q, max(2*minTime, 1))
		}
	}
	return out
}
