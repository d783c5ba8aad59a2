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

// results holds metrics of a run, or facts about a workload, by name.
type results = map[string]float64

// batch is a set of runs that use the same jobs. The pool loads the jobs before the first run, and
// releases them after the last run. If all runs are stored, it does not load the jobs.
type batch struct {
	runs           int                                            // number of runs
	withoutResults func(run int) storedRun                        // returns the storedRun of a run, without its time and metrics
	load           func() (func(run int) (results, error), error) // loads the jobs and returns a function that executes a run

	toStart    []int                                          // numbers of the runs that no worker has started
	unfinished int                                            // number of runs that have not finished
	loaded     func() (func(run int) (results, error), error) // load, called at most once; nil after the last run
}

// runPool executes runs in parallel. It stores the results of each finished run, and does not
// repeat runs that are already stored.
type runPool struct {
	env     *env
	store   *runStore
	workers int // number of runs to execute in parallel
	batches []*batch

	mu             sync.Mutex    // protects the fields below, the store and the batches
	nextBatch      int           // index of the first batch that no worker has begun
	startedBatches []*batch      // batches that were begun and that have runs left to start
	failed         error         // errors of failed runs
	made, reused   int           // number of runs executed, and of runs that were already stored
	elapsed        time.Duration // time that the method run took
	longest        storedRun     // run that took the longest time
}

// run executes all runs that are not stored. After an interrupt, it only waits for the runs that
// have started.
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
			for b, i := p.nextRun(ctx, nil); b != nil; b, i = p.nextRun(ctx, b) {
				bar.update(p.makeRun(b, i))
			}
		})
	}
	wg.Wait()
	p.elapsed = time.Since(start)
	switch {
	case p.failed != nil:
		return errors.Join(p.failed, p.store.err)
	case p.store.err != nil:
		return fmt.Errorf("the stored runs could not be written (%w): %d of %d runs are stored. Run the same command again to continue", p.store.err, p.made+p.reused, total)
	case p.made+p.reused < total:
		return fmt.Errorf("interrupted: %d of %d runs are stored. Run the same command again to continue", p.made+p.reused, total)
	}
	return nil
}

// findMissing lists the runs of each batch that are not stored, and drops batches that have no such
// runs. It returns the number of all runs, stored or not, except those that only return facts about
// a workload.
func (p *runPool) findMissing() (total int) {
	for _, b := range p.batches {
		for i := range b.runs {
			line := b.withoutResults(i)
			if !line.isFacts() {
				total++
			}
			if !p.store.has(line) {
				b.toStart = append(b.toStart, i)
			} else if !line.isFacts() {
				p.reused++
			}
		}
		b.unfinished, b.loaded = len(b.toStart), sync.OnceValues(b.load)
	}
	p.batches = slices.DeleteFunc(p.batches, func(b *batch) bool { return len(b.toStart) == 0 })
	return total
}

// nextRun returns the next run for a worker. It prefers the batch b of the worker's last run, then
// a batch that no worker has begun, then any batch. This keeps few batches in memory, and lets all
// workers share the last batch. It returns nil if no run is left, or if an error or an interrupt
// has occurred.
func (p *runPool) nextRun(ctx context.Context, b *batch) (*batch, int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if ctx.Err() != nil || p.failed != nil || p.store.err != nil {
		return nil, 0
	}
	if b == nil || len(b.toStart) == 0 {
		p.startedBatches = slices.DeleteFunc(p.startedBatches, func(b *batch) bool { return len(b.toStart) == 0 })
		switch {
		case p.nextBatch < len(p.batches):
			b = p.batches[p.nextBatch]
			p.batches[p.nextBatch] = nil
			p.nextBatch++
			p.startedBatches = append(p.startedBatches, b)
		case len(p.startedBatches) > 0:
			b = p.startedBatches[0]
		default:
			return nil, 0
		}
	}
	run := b.toStart[0]
	b.toStart = b.toStart[1:]
	return b, run
}

// makeRun executes one run and stores its results. It returns the number of runs that are stored now.
func (p *runPool) makeRun(b *batch, run int) int {
	runOn, err := b.loaded()
	line, start := b.withoutResults(run), time.Now()
	if err == nil {
		line.Metrics, err = runOn(run)
	}
	line.Seconds = time.Since(start).Seconds()
	p.mu.Lock()
	defer p.mu.Unlock()
	if b.unfinished--; b.unfinished == 0 {
		b.load, b.loaded = nil, nil
	}
	switch {
	case err == nil:
		p.storeResults(line)
	case p.failed == nil || !errors.Is(p.failed, err): // several workers get the same error if jobs cannot be loaded
		p.failed = errors.Join(p.failed, err)
	}
	return p.made + p.reused
}

// storeResults stores the results of a run, and updates p.longest.
func (p *runPool) storeResults(line storedRun) {
	p.store.add(line)
	if p.store.err != nil || line.isFacts() {
		return
	}
	p.made++
	if line.Seconds > p.longest.Seconds {
		p.longest = line
	}
}
