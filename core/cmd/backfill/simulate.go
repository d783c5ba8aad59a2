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

// simulate runs policy i of a scenario to its end.
func (e *env) simulate(up *scenario.Setup, i int, level log.Level) (*log.Log, error) {
	c, err := up.Config(i, level)
	if err != nil {
		return nil, err
	}
	engine, err := sim.New(c)
	if err != nil {
		return nil, err
	}
	p := e.newProgress(up.Scenario.Policies[i].Name, len(c.Jobs))
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
			p.update(engine.Done())
		}
	}
}

// progressInterval is the shortest time between two updates of the progress.
const progressInterval = 100 * time.Millisecond

// progress is a progress bar. It appears after a second if standard error is a terminal. With the flag
// -progress, lines such as "3/30 runs" replace it.
type progress struct {
	env   *env
	title string
	total int                      // number of steps
	since time.Time                // time of creation
	bar   *progressbar.ProgressBar // nil until the bar appears

	mu      sync.Mutex // protects printed
	printed time.Time  // time of the last line; zero if there is none
}

// newProgress returns a progress bar for a number of steps. It does not appear yet.
func (e *env) newProgress(title string, total int) *progress {
	return &progress{env: e, title: title, total: total, since: time.Now()}
}

// update shows the number of steps that are done.
func (p *progress) update(done int) {
	if p.env.countLines {
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
		_ = p.bar.Set(done) // an error in drawing the bar is harmless
	}
}

// close removes the progress bar from the terminal.
func (p *progress) close() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
