package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"
	"time"

	"backfill-lab/core/cluster"
	"backfill-lab/core/experiment"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/sacct"
)

// factsCase is the name under which the store holds the facts about a workload. It is not a run.
var factsCase = &experiment.Case{Policy: "facts"}

// pendingWorkload is a workload with the cases to run on it. Its jobs are loaded before the first run and
// released after the last one.
type pendingWorkload struct {
	source    experiment.Source
	cases     []*experiment.Case
	known     map[string]bool      // names of the cases
	workload  *experiment.Workload // nil before the first and after the last run
	remaining int                  // number of runs still to make
}

// studyRunner makes the runs of studies, several runs in parallel.
type studyRunner struct {
	env     *env
	store   *cellStore
	workers int
	loads   []*pendingWorkload
	byKey   map[string]*pendingWorkload

	mu           sync.Mutex    // protects the fields below and the store
	failed       error         // errors of runs
	runs, reused int           // number of runs made, and number of runs found in the store
	elapsed      time.Duration // time that all runs took together
	longest      cellLine      // the run that took longest
}

// add adds a run of a case on a workload, unless it was added before.
func (r *studyRunner) add(s experiment.Source, c *experiment.Case) {
	l := r.byKey[s.Key()]
	if l == nil {
		l = &pendingWorkload{source: s, known: map[string]bool{}}
		r.byKey[s.Key()] = l
		r.loads = append(r.loads, l)
	}
	if name := c.String(); !l.known[name] {
		l.known[name] = true
		l.cases = append(l.cases, c)
	}
}

// task is a case on a workload.
type task struct {
	load    *pendingWorkload
	runCase *experiment.Case
}

// run makes every run that is not in the store. It loads workloads one after another, so that few
// workloads are in memory at the same time.
func (r *studyRunner) run() error {
	start := time.Now()
	defer func() { r.elapsed = time.Since(start) }()
	n := 0
	for _, l := range r.loads {
		n += len(l.cases)
	}
	p := r.env.newProgress("runs", n)
	defer p.close()
	tasks := make(chan task)
	var wg sync.WaitGroup
	for range r.workers {
		wg.Go(func() {
			for t := range tasks {
				line, err := r.runTask(t)
				p.update(r.record(t, line, err))
			}
		})
	}
	for _, l := range r.loads {
		if err := r.sendTasks(l, tasks); err != nil || r.stopped() {
			r.stop(err)
			break
		}
	}
	close(tasks)
	wg.Wait()
	return r.failed
}

// sendTasks loads a workload and sends the runs that the store does not hold to tasks. It stops if a run
// fails.
func (r *studyRunner) sendTasks(l *pendingWorkload, tasks chan<- task) error {
	todo, known := r.missingCases(l)
	if len(todo) == 0 && known {
		return nil
	}
	loaded, facts, err := l.source.Load()
	if err != nil {
		return err
	}
	l.workload = loaded
	r.mu.Lock()
	r.store.add(cellLine{Key: r.store.keyOf(l.source), Case: factsCase.String(), Metrics: facts})
	r.mu.Unlock()
	for _, c := range todo {
		if r.stopped() {
			return nil
		}
		tasks <- task{l, c}
	}
	return nil
}

// missingCases returns the cases of a workload whose results are not in the store. Known reports whether the
// store holds the facts about the workload.
func (r *studyRunner) missingCases(l *pendingWorkload) (todo []*experiment.Case, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := r.store.keyOf(l.source)
	for _, c := range l.cases {
		if !r.store.has(key, c) {
			todo = append(todo, c)
		}
	}
	r.reused += len(l.cases) - len(todo)
	l.remaining = len(todo)
	return todo, r.store.has(key, factsCase)
}

// stop records an error, after which no more runs start.
func (r *studyRunner) stop(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = errors.Join(r.failed, err)
}

// stopped reports whether an error was recorded.
func (r *studyRunner) stopped() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed != nil
}

// runTask makes a run and returns its results.
func (r *studyRunner) runTask(t task) (cellLine, error) {
	start := time.Now()
	cell, err := experiment.Run(t.load.workload, t.runCase)
	if err != nil {
		return cellLine{}, fmt.Errorf("%s: %w", t.load.source, err)
	}
	return cellLine{Key: r.store.keyOf(t.load.source), Load: t.load.source.String(), Case: t.runCase.String(), Seconds: time.Since(start).Seconds(), Metrics: cell}, nil
}

// record stores the results of a run, or its error, and releases the workload after its last run. It
// returns the number of finished runs.
func (r *studyRunner) record(t task, line cellLine, err error) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed = errors.Join(r.failed, err); err == nil {
		r.runs++
		if line.Seconds > r.longest.Seconds {
			r.longest = line
		}
		r.store.add(line)
	}
	if t.load.remaining--; t.load.remaining == 0 {
		t.load.workload = nil
	}
	return r.runs + r.reused
}

// result returns the results of a case on a workload.
func (r *studyRunner) result(s experiment.Source, c *experiment.Case) experiment.Results {
	return r.store.get(r.store.keyOf(s), c)
}

// trace is a trace file that is a workload of a study.
type trace struct {
	env   *env
	file  string
	rules workload.Rules
	procs int    // number of processors of the machine
	key   string // hash of the content, and the rules
}

// openTrace reads the header of a trace and computes the hash of the file. Load reads the jobs.
func openTrace(e *env, file string, rules workload.Rules) (*trace, error) {
	data, err := readFile(file)
	if err != nil {
		return nil, err
	}
	procs, err := headerProcs(data)
	if err == nil && procs == 0 {
		err = errors.New("expected a header with MaxProcs or MaxNodes, got none")
	}
	if err != nil {
		return nil, withFile(file, err)
	}
	sum := sha256.Sum256(data)
	key := fmt.Sprintf("%s overrun=%v size=%v filter=%v limit=%d", hex.EncodeToString(sum[:8]), rules.Overrun, rules.Size, rules.Filter, rules.Limit)
	return &trace{&env{err: e.err, quiet: true}, file, rules, procs, key}, nil
}

func (t *trace) Key() string    { return t.key }
func (t *trace) String() string { return traceName(t.file) }

// Load reads the jobs of the trace and returns them with facts about them.
func (t *trace) Load() (*experiment.Workload, experiment.Results, error) {
	data, err := readFile(t.file)
	if err != nil {
		return nil, nil, err
	}
	w, err := t.env.parseJobs("swf", data, cluster.Flat(t.procs), t.rules, sacct.Choice{})
	if err != nil {
		return nil, nil, withFile(t.file, err)
	}
	return experiment.FromTrace(w), experiment.TraceFacts(w), nil
}
