package sim

import (
	"fmt"
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/speed"
)

// A run may have MaxRecords records, and RecordsPerJob more for each job, so that it
// ends with an error before it fills the memory.
const (
	MaxRecords    = 20_000_000
	RecordsPerJob = 50
)

// Config is what an engine runs.
type Config struct {
	Machine cluster.Machine
	Jobs    []job.Job // in index order, see job.Sort
	Policy  Policy
	Speed   speed.Model // nil: speed.Rigid
	Level   log.Level
}

// Engine runs a workload on a machine under a policy. It is deterministic:
// equal configurations give equal logs.
type Engine struct {
	machine cluster.Machine
	jobs    []job.Job
	policy  Policy
	speed   speed.Model
	log     *log.Log

	now     job.Time
	arrived int // jobs [0,arrived) are submitted
	done    int
	free    cluster.Free
	used    []int64        // of each extra resource
	edges   []cluster.Edge // of blocks, that are to come
	ends    ends
	events  []Event
	wake    job.Time // moment the policy asked for, job.Never if none
	waiting list     // submitted, never started, in index order
	runs    pool     // started and unfinished
	nodes   [][]job.Index
	changed []job.Index // repriced since the last pass
	top     *Pass
	lowest  cluster.Set // room for the slots of the job that starts
	err     error
	most    int // records

	foresees bool // jobs run as long as their estimates
}

// New returns an engine at the moment before the first event. It refuses a
// machine or a job that breaks a rule.
func New(c Config) (*Engine, error) {
	if err := c.Machine.Validate(); err != nil {
		return nil, err
	}
	if err := check(&c); err != nil {
		return nil, err
	}
	e := &Engine{
		machine: c.Machine, jobs: c.Jobs, policy: c.Policy, speed: c.Speed,
		log:  log.New(c.Machine, c.Jobs, c.Level),
		free: cluster.NewFree(c.Machine.Slots()),
		used: make([]int64, len(c.Machine.Resources)),
		wake: job.Never,
		most: MaxRecords + RecordsPerJob*len(c.Jobs),
	}
	if len(c.Machine.Outages) > 0 {
		e.edges = c.Machine.OutageEdges()
	}
	if e.speed == nil {
		e.speed = speed.Rigid{}
	}
	if e.speed.Shared() || c.Machine.JobsPerNode > 0 {
		e.nodes = make([][]job.Index, c.Machine.Nodes)
	}
	e.waiting = newList(len(c.Jobs))
	e.runs = newPool(len(c.Jobs))
	e.top = &Pass{e: e}
	return e, nil
}

func check(c *Config) error {
	if !slices.IsSortedFunc(c.Jobs, func(a, b job.Job) int { return int(min(max(a.Submit-b.Submit, -1), 1)) }) {
		return fmt.Errorf("jobs: expected in the order of their submit times")
	}
	for i := range c.Jobs {
		j := &c.Jobs[i]
		if err := j.Validate(i, c.Machine.Slots()); err != nil {
			return err
		}
		if j.More != nil && len(j.More.Extra) > len(c.Machine.Resources) {
			return &job.Invalid{Row: i, ID: j.ID, Field: "extra resources",
				Expected: fmt.Sprintf("at most the machine's %d", len(c.Machine.Resources)), Got: fmt.Sprint(len(j.More.Extra))}
		}
		for k, r := range c.Machine.Resources {
			if a := j.Extra(k); a < 0 || a > r.Capacity {
				return &job.Invalid{Row: i, ID: j.ID, Field: "resource " + r.Name,
					Expected: fmt.Sprintf("0 to the machine's %d", r.Capacity), Got: fmt.Sprint(a)}
			}
		}
	}
	return nil
}

// Step lets time pass to the next instant with an event and calls the policy.
// It reports false when every job has finished, or with an error when the
// policy broke a rule of the machine or left jobs waiting for ever.
func (e *Engine) Step() (more bool, err error) { return e.Steps(1) }

// Steps takes up to n steps.
func (e *Engine) Steps(n int) (more bool, err error) {
	if e.err == nil {
		e.err = e.steps(n)
	}
	return e.err == nil && e.done < len(e.jobs), e.err
}

// Run steps until every job has finished.
func (e *Engine) Run() error {
	for {
		if more, err := e.Steps(1 << 20); !more {
			return err
		}
	}
}

// steps turns a rule that the policy broke into an error.
func (e *Engine) steps(n int) (err error) {
	defer func() {
		if r := recover(); r != nil {
			v, ok := r.(*Violation)
			if !ok {
				panic(r)
			}
			err = v
		}
	}()
	for ; n > 0 && e.done < len(e.jobs); n-- {
		t := e.Next()
		if t == job.Never {
			return fmt.Errorf("at %d: %d jobs wait and nothing will happen any more", e.now, e.waiting.count)
		}
		if t > job.MaxRunTime {
			return fmt.Errorf("at %d: expected a run to end by %d, got an event at %d", e.now, int64(job.MaxRunTime), t)
		}
		e.now = t
		e.gather()
		e.wake = job.Never
		e.policy.Schedule(e.top)
		if e.log.Len() > e.most {
			return fmt.Errorf("at %d: expected a run of %d jobs to have at most %d records, got more when %d jobs had finished", e.now, len(e.jobs), e.most, e.done)
		}
		if e.done == len(e.jobs) {
			e.conclude()
		}
	}
	return nil
}

// conclude records what the policy has to say about itself.
func (e *Engine) conclude() {
	if m, ok := e.policy.(Meter); ok && m.Looked() > 0 {
		e.top.record(log.Record{Kind: log.Effort, Job: job.None, Other: job.None, X: m.Looked()})
	}
}

// Now returns the moment of the last instant.
func (e *Engine) Now() job.Time { return e.now }

// Done returns the number of finished jobs.
func (e *Engine) Done() int { return e.done }

// Log returns the record so far.
func (e *Engine) Log() *log.Log { return e.log }

// Policy returns the policy in its present state.
func (e *Engine) Policy() Policy { return e.policy }

// Next returns the moment of the next instant, job.Never if nothing will happen any
// more.
func (e *Engine) Next() job.Time {
	t := e.wake
	if e.arrived < len(e.jobs) {
		t = min(t, e.jobs[e.arrived].Submit)
	}
	for e.ends.count > 0 && !e.valid(e.ends.next()) {
		e.ends.pop()
	}
	if e.ends.count > 0 {
		t = min(t, e.ends.next().at)
	}
	if len(e.edges) > 0 {
		t = min(t, e.edges[0].At)
	}
	return t
}

// valid reports whether a posted end still stands: repricing and suspension
// leave outdated ones in the heap.
func (e *Engine) valid(x end) bool {
	r := e.runs.of(x.job)
	return r != nil && r.active && r.end == x.at
}

// gather collects the events of this instant in their order.
func (e *Engine) gather() {
	e.events = e.events[:0]
	for e.ends.count > 0 && e.ends.next().at == e.now {
		if x := e.ends.pop(); e.valid(x) {
			e.finish(x.job)
			e.events = append(e.events, Event{Finished, x.job})
		}
	}
	for len(e.edges) > 0 && e.edges[0].At == e.now {
		e.turn(e.edges[0])
		e.edges = e.edges[1:]
		e.events = append(e.events, Event{Blocked, job.None})
	}
	for _, j := range e.changed {
		if e.runs.of(j) != nil {
			e.events = append(e.events, Event{Repriced, j})
		}
	}
	e.changed = e.changed[:0]
	if e.wake <= e.now {
		e.events = append(e.events, Event{Woke, job.None})
		e.wake = job.Never
	}
	for e.arrived < len(e.jobs) && e.jobs[e.arrived].Submit == e.now {
		j := job.Index(e.arrived)
		e.arrived++
		e.waiting.push(j)
		e.events = append(e.events, Event{Submitted, j})
	}
}

// Clone returns an engine in the same state, with a clone of the policy and a
// fork of the log; both go their own way.
func (e *Engine) Clone() *Engine { return e.clone(len(e.jobs)) }

// clone returns a clone for the first jobs of the workload only.
func (e *Engine) clone(jobs int) *Engine {
	c := *e
	c.jobs = e.jobs[:jobs]
	c.top, c.lowest = &Pass{e: &c}, nil
	c.policy = e.policy.Clone()
	c.log = e.log.Fork(jobs)
	c.free = e.free.Clone()
	c.used = slices.Clone(e.used)
	c.ends = e.ends.clone()
	c.events = slices.Clone(e.events)
	c.changed = slices.Clone(e.changed)
	c.waiting = e.waiting.clone(jobs)
	c.runs = e.runs.clone(jobs)
	if e.nodes != nil {
		c.nodes = make([][]job.Index, len(e.nodes))
		for i, n := range e.nodes {
			c.nodes[i] = slices.Clone(n)
		}
	}
	return &c
}

// Without returns a clone that never receives the jobs after last: the engine
// of the question "what if no one had come later".
func (e *Engine) Without(last job.Index) *Engine {
	return e.clone(max(int(last)+1, e.arrived))
}

// Foresee lets every job that has not ended run as long as its estimate: the
// engine of the question "what is to be expected", which no runtime answers.
func (e *Engine) Foresee() {
	e.foresees = true
	for w := e.runs.runs[0].next; w != 0; w = e.runs.runs[w].next {
		r := &e.runs.runs[w]
		r.work = r.planned
		if at := e.predict(r); r.active && at != r.end {
			r.end = at
			e.ends.push(end{at, r.job})
		}
	}
}
