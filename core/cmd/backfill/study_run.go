package main

import (
	"errors"
	"fmt"
	"sync"
	"time"

	"backfill-lab/core/experiment"
)

// facts is the case under which the facts of a workload are kept.
var facts = &experiment.Case{Policy: "facts"}

// load is a workload and what is to run on it. It is made when the first run
// needs it and forgotten after the last.
type load struct {
	source experiment.Source
	cases  []*experiment.Case
	met    map[string]bool // of the cases
	made   *experiment.Load
	left   int // runs to be made
}

// runner makes the runs of studies, several at a time.
type runner struct {
	env     *env
	kept    *cells
	workers int
	loads   []*load
	byKey   map[string]*load

	mu        sync.Mutex // of what follows, and of kept
	failed    error
	runs, old int
	took      time.Duration
	longest   cellLine
}

// need enters a case on a workload, once.
func (r *runner) need(s experiment.Source, c *experiment.Case) {
	l := r.byKey[s.Key()]
	if l == nil {
		l = &load{source: s, met: map[string]bool{}}
		r.byKey[s.Key()] = l
		r.loads = append(r.loads, l)
	}
	if name := c.String(); !l.met[name] {
		l.met[name] = true
		l.cases = append(l.cases, c)
	}
}

// task is a case on a workload.
type task struct {
	load  *load
	which *experiment.Case
}

// run makes every run that is not kept from before. It goes through the
// workloads one by one, so that few of them are in memory.
func (r *runner) run() error {
	begin := time.Now()
	defer func() { r.took = time.Since(begin) }()
	n := 0
	for _, l := range r.loads {
		n += len(l.cases)
	}
	p := r.env.progress("runs", n)
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
	for _, l := range r.loads {
		if err := r.hand(l, tasks); err != nil || r.stopped() {
			r.stop(err)
			break
		}
	}
	close(tasks)
	wg.Wait()
	return r.failed
}

// hand hands out what is to be done on a workload, until something fails.
func (r *runner) hand(l *load, tasks chan<- task) error {
	todo, known := r.missing(l)
	if len(todo) == 0 && known {
		return nil
	}
	made, about, err := l.source.Load()
	if err != nil {
		return err
	}
	l.made = made
	r.mu.Lock()
	r.kept.add(cellLine{Key: r.kept.keyOf(l.source), Case: facts.String(), Metrics: about})
	r.mu.Unlock()
	for _, c := range todo {
		if r.stopped() {
			return nil
		}
		tasks <- task{l, c}
	}
	return nil
}

// missing returns the cases that are not kept from before, and whether the facts
// are.
func (r *runner) missing(l *load) (todo []*experiment.Case, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := r.kept.keyOf(l.source)
	for _, c := range l.cases {
		if !r.kept.has(key, c) {
			todo = append(todo, c)
		}
	}
	r.old += len(l.cases) - len(todo)
	l.left = len(todo)
	return todo, r.kept.has(key, facts)
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
	cell, err := experiment.Run(t.load.made, t.which)
	if err != nil {
		return cellLine{}, fmt.Errorf("%s: %w", t.load.source, err)
	}
	return cellLine{Key: r.kept.keyOf(t.load.source), Load: t.load.source.String(), Case: t.which.String(), Seconds: time.Since(begin).Seconds(), Metrics: cell}, nil
}

// note keeps a run, forgets the jobs after their last one, and returns how many
// runs are there.
func (r *runner) note(t task, line cellLine, err error) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed = errors.Join(r.failed, err); err == nil {
		r.runs++
		if line.Seconds > r.longest.Seconds {
			r.longest = line
		}
		r.kept.add(line)
	}
	if t.load.left--; t.load.left == 0 {
		t.load.made = nil
	}
	return r.runs + r.old
}

// of returns what a case gave on a workload.
func (r *runner) of(s experiment.Source, c *experiment.Case) experiment.Cell {
	return r.kept.of(r.kept.keyOf(s), c)
}
