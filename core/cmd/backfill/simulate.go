package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"backfill-lab/core/log"
	"backfill-lab/core/scenario"
	"backfill-lab/core/sim"
)

// simulate runs policy i of a scenario until all jobs have ended, shows the progress, and returns
// the log.
func (e *env) simulate(setup *scenario.Setup, i int, level log.Level) (*log.Log, error) {
	c, err := setup.Config(i, level)
	if err != nil {
		return nil, err
	}
	engine, err := sim.New(c)
	if err != nil {
		return nil, err
	}
	p := e.newProgress(setup.Scenario.Policies[i].Name, len(c.Jobs))
	defer p.close()
	for n := 0; ; n++ {
		more, err := engine.Step()
		if err != nil {
			return nil, err
		}
		if !more {
			return engine.Log(), nil
		}
		if n%1024 == 0 {
			p.update(engine.FinishedJobs())
		}
	}
}

// progressInterval is the minimum time between two updates of the progress.
const progressInterval = 100 * time.Millisecond

// progress shows a progress bar after one second, if standard error is a terminal. With the flag
// -progress, it prints lines such as "3/30 runs" instead.
type progress struct {
	env   *env
	title string                   // text next to the bar, such as "runs"
	total int                      // number of steps
	since time.Time                // time at which newProgress was called
	bar   *progressbar.ProgressBar // nil until the bar is shown

	mu      sync.Mutex // protects printed
	printed time.Time  // time at which the last line was printed; zero if none was
}

// newProgress returns a progress bar for the given total number of steps. The bar is not shown yet.
func (e *env) newProgress(title string, total int) *progress {
	return &progress{env: e, title: title, total: total, since: time.Now()}
}

// update shows how many steps are done.
func (p *progress) update(done int) {
	if p.env.progressLines {
		p.mu.Lock()
		defer p.mu.Unlock()
		if done == p.total || time.Since(p.printed) >= progressInterval {
			p.printed = time.Now()
			fmt.Fprintf(p.env.err, "%d/%d %s\n", done, p.total, p.title)
		}
		return
	}
	if !p.env.errIsTerminal || p.env.quiet {
		return
	}
	if p.bar == nil && time.Since(p.since) > time.Second {
		p.bar = progressbar.NewOptions(p.total, progressbar.OptionSetWriter(p.env.progress),
			progressbar.OptionSetDescription(p.title), progressbar.OptionShowCount(),
			progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(progressInterval))
	}
	if p.bar != nil {
		_ = p.bar.Set(done) // an error while drawing the bar does no harm
	}
}

// close removes the progress bar from the terminal, if it is shown.
func (p *progress) close() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
