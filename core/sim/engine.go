package sim

import (
	"fmt"
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/speed"
)

// MaxRecords and RecordsPerJob limit the log of a run. The limit is MaxRecords records, plus
// RecordsPerJob records per job. A run that exceeds the limit ends with an error, before the log
// fills the memory.
const (
	MaxRecords    = 20_000_000
	RecordsPerJob = 50
)

// Engine simulates a workload on a machine under a policy. It is deterministic: equal
// configurations give equal logs.
type Engine struct {
	machine cluster.Machine
	jobs    []job.Job
	policy  Policy
	speed   speed.Model // computes the rates of running jobs
	rigid   bool        // whether speed is speed.Rigid
	log     *log.Log

	now        job.Time       // time of the last step
	arrived    int            // jobs [0,arrived) have been submitted
	done       int            // number of finished jobs
	free       int            // number of slots that no running job and no outage holds
	slots      *cluster.Free  // the free slots; nil at log.Starts, where the engine only counts them
	used       []int64        // by extra resource: the amount held by running jobs
	edges      []cluster.Edge // future starts and ends of outages
	ends       endHeap        // ends of the running jobs at their current rates; may have outdated entries (see endingRun)
	events     []Event        // events of this instant
	wake       job.Time       // time requested by the policy with WakeAt, or job.Never
	waiting    jobList        // jobs that have been submitted but not started
	runs       runPool        // jobs that have started but not finished
	nodes      [][]job.Index  // by node: its running jobs; nil unless nodes can be shared
	changed    []job.Index    // jobs whose rate changed while they ran, since the events were last collected
	pass       *Pass          // the pass of the whole machine
	slotBuffer cluster.Set    // buffer that bind uses to collect the slots of a starting job
	err        error          // error that ended the run, or nil

	maxRecords    int  // maximum number of records in the log
	fullEstimates bool // whether every unfinished job runs for its full estimate
}

// New returns an engine that has not processed any event yet. It returns an error if the machine,
// the jobs or the log level are invalid.
func New(c Config) (*Engine, error) {
	if err := c.validate(); err != nil {
		return nil, err
	}
	e := &Engine{
		machine: c.Machine, jobs: c.Jobs, policy: c.Policy, speed: c.Speed,
		log:        log.New(c.Machine, c.Jobs, c.Level),
		free:       c.Machine.Slots(),
		used:       make([]int64, len(c.Machine.Resources)),
		wake:       job.Never,
		maxRecords: MaxRecords + RecordsPerJob*len(c.Jobs),
	}
	if c.Level > log.Starts {
		slots := cluster.NewFree(e.free)
		e.slots = &slots
	}
	if len(c.Machine.Outages) > 0 {
		e.edges = c.Machine.OutageEdges()
	}
	if e.speed == nil {
		e.speed = speed.Rigid{}
	}
	_, e.rigid = e.speed.(speed.Rigid)
	if e.speed.Shared() || c.Machine.JobsPerNode > 0 {
		e.nodes = make([][]job.Index, c.Machine.Nodes)
	}
	e.waiting = newJobList(len(c.Jobs))
	e.runs = newRunPool(len(c.Jobs))
	e.pass = &Pass{e: e}
	return e, nil
}

// Step advances to the next instant with an event, and calls the policy. It reports whether jobs
// remain. It returns false and an error if the policy takes an action that the machine does not
// allow, if jobs wait forever, or if the run exceeds a limit. Later calls return the same error.
func (e *Engine) Step() (more bool, err error) { return e.Steps(1) }

// Steps makes up to n steps and stops at the first error. It returns the results of the last step.
func (e *Engine) Steps(n int) (more bool, err error) {
	if e.err == nil {
		e.err = e.steps(n)
	}
	return e.err == nil && e.done < len(e.jobs), e.err
}

// Run makes steps until every job has finished, or until a step returns an error.
func (e *Engine) Run() error {
	for {
		if more, err := e.Steps(1 << 20); !more {
			return err
		}
	}
}

// steps implements Steps. It recovers a Violation and returns it as an error.
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
		t := e.NextEventTime()
		if t == job.Never {
			return fmt.Errorf("at %d: no event remains, with %d of %d jobs still waiting", e.now, e.waiting.count, len(e.jobs))
		}
		if t > job.MaxEndTime {
			return fmt.Errorf("at %d: expected a run to end by %d, got an event at %d", e.now, int64(job.MaxEndTime), t)
		}
		e.now = t
		e.gatherEvents()
		e.wake = job.Never
		e.policy.Schedule(e.pass)
		if e.log.Len() > e.maxRecords {
			return fmt.Errorf("at %d: expected a run of %d jobs to have at most %d records, got more when %d jobs had finished", e.now, len(e.jobs), e.maxRecords, e.done)
		}
		if e.done == len(e.jobs) {
			e.recordEffort()
		}
	}
	return nil
}

// recordEffort records the number of profile steps that the policy examined, if it counts them and
// examined any.
func (e *Engine) recordEffort() {
	if m, ok := e.policy.(StepCounter); ok && m.StepsExamined() > 0 {
		e.pass.record(log.Record{Kind: log.Effort, Job: job.None, Other: job.None, X: m.StepsExamined()})
	}
}

// Now returns the time of the last step.
func (e *Engine) Now() job.Time { return e.now }

// FinishedJobs returns the number of finished jobs.
func (e *Engine) FinishedJobs() int { return e.done }

// Log returns the log so far.
func (e *Engine) Log() *log.Log { return e.log }

// Policy returns the policy in its current state.
func (e *Engine) Policy() Policy { return e.policy }

// NextEventTime returns the time of the next event, or job.Never if there is none. It removes outdated ends
// from the heap.
func (e *Engine) NextEventTime() job.Time {
	t := e.wake
	if e.arrived < len(e.jobs) {
		t = min(t, e.jobs[e.arrived].Submit)
	}
	if len(e.edges) > 0 {
		t = min(t, e.edges[0].At)
	}
	for e.ends.count > 0 && e.ends.next().at < t {
		if e.endingRun(e.ends.next()) != nil {
			return e.ends.next().at
		}
		e.ends.pop()
	}
	return t
}

// endingRun returns the run that an entry of the heap describes, or nil if the entry is outdated.
// An entry becomes outdated when the rate of its job changes, or when the job is suspended.
func (e *Engine) endingRun(x end) *run {
	if r := e.runs.find(x.job); r != nil && r.active && r.end == x.at {
		return r
	}
	return nil
}

// gatherEvents collects the events of this instant, sorted by kind, and applies them to the engine.
func (e *Engine) gatherEvents() {
	e.events = e.events[:0]
	for e.ends.count > 0 && e.ends.next().at == e.now {
		x := e.ends.pop()
		if r := e.endingRun(x); r != nil {
			e.finish(r)
			e.events = append(e.events, Event{Finished, x.job})
		}
	}
	for len(e.edges) > 0 && e.edges[0].At == e.now {
		e.applyOutageEdge(e.edges[0])
		e.edges = e.edges[1:]
		e.events = append(e.events, Event{OutageChanged, job.None})
	}
	for _, j := range e.changed {
		if e.runs.find(j) != nil {
			e.events = append(e.events, Event{EndChanged, j})
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

// Clone returns an independent engine in the same state, with a clone of the policy and a fork of
// the log.
func (e *Engine) Clone() *Engine { return e.clone(len(e.jobs)) }

// clone returns a clone of e that has only the first n jobs of the workload.
func (e *Engine) clone(n int) *Engine {
	c := *e
	c.jobs = e.jobs[:n]
	c.pass, c.slotBuffer = &Pass{e: &c}, nil
	c.policy = e.policy.Clone()
	c.log = e.log.Fork(n)
	if e.slots != nil {
		slots := e.slots.Clone()
		c.slots = &slots
	}
	c.used = slices.Clone(e.used)
	c.ends = e.ends.clone()
	c.events = slices.Clone(e.events)
	c.changed = slices.Clone(e.changed)
	c.waiting = e.waiting.clone(n)
	c.runs = e.runs.clone(n)
	if e.nodes != nil {
		c.nodes = make([][]job.Index, len(e.nodes))
		for i, jobs := range e.nodes {
			c.nodes[i] = slices.Clone(jobs)
		}
	}
	return &c
}

// WithoutLaterJobs returns a clone that keeps only the jobs up to the given one and the jobs that
// have already been submitted. The clone shows what would happen without later jobs.
func (e *Engine) WithoutLaterJobs(last job.Index) *Engine {
	return e.clone(max(int(last)+1, e.arrived))
}

// UseFullEstimates makes every unfinished job run for its full estimate. The engine then shows the
// schedule that is expected without knowledge of actual runtimes.
func (e *Engine) UseFullEstimates() {
	e.fullEstimates = true
	for w := e.runs.runs[0].next; w != 0; w = e.runs.runs[w].next {
		r := &e.runs.runs[w]
		r.work = r.estimatedWork
		if predicted := e.predictedEnd(r); r.active && predicted != r.end {
			r.end = predicted
			e.ends.push(end{predicted, r.job})
		}
	}
}
