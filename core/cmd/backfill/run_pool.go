package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"
)

// results holds the metrics of a run, or facts about a workload, by name.
type results = map[string]float64

// batch is a set of runs on the same jobs. The pool loads the jobs before the first run that is not
// stored, and releases them after the last one.
type batch struct {
	runs int                                            // number of runs
	line func(run int) storedRun                        // key and names of a run, without its results
	load func() (func(run int) (results, error), error) // loads the jobs, and returns what makes a run

	todo   []int // runs that no worker has started
	left   int   // number of runs that have not finished
	loaded func() (func(run int) (results, error), error)
}

// runPool makes runs in parallel, and stores each when it finishes. It makes only the runs that the
// store does not hold.
type runPool struct {
	env     *env
	store   *runStore
	workers int
	batches []*batch

	mu           sync.Mutex // protects the fields below, the store and the batches
	fresh        int        // index of the first batch that no worker has begun
	begun        []*batch   // batches that workers have begun and that still have runs to start
	failed       error      // errors of runs
	made, reused int        // number of runs made, and number of runs found in the store
	elapsed      time.Duration
	longest      storedRun // the run that took longest
}

// run makes the missing runs. After an interrupt, it lets the runs under way finish.
func (p *runPool) run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	start := time.Now()
	total := p.findMissing()
	bar := p.env.newProgress("runs", total)
	defer bar.close()
	var wg sync.WaitGroup
	for range p.workers {
		wg.Go(func() {
			for b, i := p.next(ctx, nil); b != nil; b, i = p.next(ctx, b) {
				bar.update(p.make(b, i))
			}
		})
	}
	wg.Wait()
	p.elapsed = time.Since(start)
	switch {
	case p.failed != nil:
		return p.failed
	case p.store.err != nil:
		return fmt.Errorf("the stored runs could not be written (%w): %d of %d runs are stored. The same command continues", p.store.err, p.made+p.reused, total)
	case p.made+p.reused < total:
		return fmt.Errorf("interrupted: %d of %d runs are stored. The same command continues", p.made+p.reused, total)
	}
	return nil
}

// findMissing lists the runs of each batch that the store does not hold. It returns the number of all
// runs, without the facts about workloads.
func (p *runPool) findMissing() (total int) {
	for _, b := range p.batches {
		for i := range b.runs {
			line := b.line(i)
			if !line.isFacts() {
				total++
			}
			if !p.store.has(line) {
				b.todo = append(b.todo, i)
			} else if !line.isFacts() {
				p.reused++
			}
		}
		b.left, b.loaded = len(b.todo), sync.OnceValues(b.load)
	}
	p.batches = slices.DeleteFunc(p.batches, func(b *batch) bool { return len(b.todo) == 0 })
	return total
}

// next returns the next run for a worker: of the batch of its last run, else of a batch that no
// worker has begun, else of any batch. So few batches are in memory at the same time, and all workers
// share the last one. It returns nil at the end, after an error, and after an interrupt.
func (p *runPool) next(ctx context.Context, b *batch) (*batch, int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if ctx.Err() != nil || p.failed != nil || p.store.err != nil {
		return nil, 0
	}
	if b == nil || len(b.todo) == 0 {
		p.begun = slices.DeleteFunc(p.begun, func(b *batch) bool { return len(b.todo) == 0 })
		switch {
		case p.fresh < len(p.batches):
			b = p.batches[p.fresh]
			p.batches[p.fresh] = nil
			p.fresh++
			p.begun = append(p.begun, b)
		case len(p.begun) > 0:
			b = p.begun[0]
		default:
			return nil, 0
		}
	}
	run := b.todo[0]
	b.todo = b.todo[1:]
	return b, run
}

// make makes a run and stores it. It returns the number of runs that are stored.
func (p *runPool) make(b *batch, run int) int {
	runOn, err := b.loaded()
	line, start := b.line(run), time.Now()
	if err == nil {
		line.Metrics, err = runOn(run)
	}
	line.Seconds = time.Since(start).Seconds()
	p.mu.Lock()
	defer p.mu.Unlock()
	if b.left--; b.left == 0 {
		b.load, b.loaded = nil, nil
	}
	switch {
	case err == nil:
		p.keep(line)
	case p.failed == nil || !errors.Is(p.failed, err): // several workers share the error of a load
		p.failed = errors.Join(p.failed, err)
	}
	return p.made + p.reused
}

// keep stores the results of a run.
func (p *runPool) keep(line storedRun) {
	p.store.add(line)
	if p.store.err != nil || line.isFacts() {
		return
	}
	p.made++
	if line.Seconds > p.longest.Seconds {
		p.longest = line
	}
}
