package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"backfill-lab/core/cluster"
	"backfill-lab/core/experiment"
	"backfill-lab/core/version"
	"backfill-lab/core/workload"
)

// trace is a file of jobs, read when it is needed and forgotten when all its
// runs are done.
type trace struct {
	file  string
	rules workload.Rules
	key   string // of its content and the rules
	facts experiment.Trace
	work  *workload.Workload
	left  int // runs to be made
}

// read reads the file and the facts about it.
func (t *trace) read(e *env) error {
	data, err := os.ReadFile(t.file)
	if err != nil {
		return fmt.Errorf("%s: expected a file that can be read, got %s", t.file, fileWords(err))
	}
	procs, err := headerProcs(data)
	if err == nil && procs == 0 {
		err = errors.New("expected a header with MaxProcs or MaxNodes, got none")
	}
	if err != nil {
		return placed(t.file, err)
	}
	quiet := &env{err: e.err, quiet: true}
	if t.work, err = quiet.parse("swf", data, cluster.Flat(procs), t.rules); err != nil {
		return placed(t.file, err)
	}
	t.facts = experiment.About(traceName(t.file), t.work)
	sum := sha256.Sum256(data)
	t.key = fmt.Sprintf("%s %s overrun=%v size=%v filter=%v limit=%d", version.Program, hex.EncodeToString(sum[:8]),
		t.rules.Overrun, t.rules.Size, t.rules.Filter, t.rules.Limit)
	return nil
}

// runner makes the runs of studies, several at a time.
type runner struct {
	env     *env
	kept    *cells
	traces  []*trace
	workers int

	mu        sync.Mutex // of what follows, and of kept
	failed    error
	made, old int
	took      time.Duration
	longest   cellLine
}

// task is a case on a trace.
type task struct {
	trace *trace
	which *experiment.Case
}

// run makes every case on every trace that is not kept from before. It goes
// through the traces one by one, so that few of them are in memory.
func (r *runner) run(cases []*experiment.Case) error {
	begin := time.Now()
	defer func() { r.took = time.Since(begin) }()
	p := r.env.progress("runs", len(cases)*len(r.traces))
	defer p.close()
	tasks := make(chan task)
	var wg sync.WaitGroup
	for range r.workers {
		wg.Go(func() {
			for t := range tasks {
				line, err := r.one(t)
				p.at(r.note(t, line, err))
			}
		})
	}
	for _, t := range r.traces {
		if err := r.hand(t, cases, tasks); err != nil || r.stopped() {
			r.stop(err)
			break
		}
	}
	close(tasks)
	wg.Wait()
	return r.failed
}

// hand hands out what is to be done on a trace, until something fails.
func (r *runner) hand(t *trace, cases []*experiment.Case, tasks chan<- task) error {
	if err := t.read(r.env); err != nil {
		return err
	}
	todo := r.missing(t, cases)
	for _, c := range todo {
		if r.stopped() {
			return nil
		}
		tasks <- task{t, c}
	}
	return nil
}

// missing is the cases that are not kept from before.
func (r *runner) missing(t *trace, cases []*experiment.Case) (todo []*experiment.Case) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range cases {
		if !r.kept.has(t.key, c) {
			todo = append(todo, c)
		}
	}
	r.old += len(cases) - len(todo)
	if t.left = len(todo); t.left == 0 {
		t.work = nil
	}
	return todo
}

func (r *runner) stop(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = errors.Join(r.failed, err)
}

func (r *runner) stopped() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed != nil
}

func (r *runner) one(t task) (cellLine, error) {
	begin := time.Now()
	cell, err := experiment.Run(t.trace.work, t.which)
	if err != nil {
		return cellLine{}, fmt.Errorf("%s: %w", t.trace.file, err)
	}
	return cellLine{Key: t.trace.key, Trace: t.trace.facts.Name, Case: t.which.String(), Seconds: time.Since(begin).Seconds(), Metrics: cell},
		nil
}

// note keeps a run, forgets the jobs of a trace after its last one, and returns
// how many runs are there.
func (r *runner) note(t task, line cellLine, err error) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed = errors.Join(r.failed, err); err == nil {
		r.made++
		if line.Seconds > r.longest.Seconds {
			r.longest = line
		}
		r.kept.add(line)
	}
	if t.trace.left--; t.trace.left == 0 {
		t.trace.work = nil
	}
	return r.made + r.old
}

// table makes the table of a study from what is kept.
func (r *runner) table(s *experiment.Study) *experiment.Table {
	var facts []experiment.Trace
	for _, t := range r.traces {
		facts = append(facts, t.facts)
	}
	return s.Tabled(facts, func(i int, c *experiment.Case) experiment.Cell { return r.kept.of(r.traces[i].key, c) })
}
