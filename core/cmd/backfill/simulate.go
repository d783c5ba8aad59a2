package main

import (
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
	p := e.progress(up.Scenario.Policies[i].Name, len(c.Jobs))
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
			p.at(engine.Done())
		}
	}
}

// progress is a bar that appears on a terminal after a second.
type progress struct {
	env   *env
	title string
	total int
	since time.Time
	bar   *progressbar.ProgressBar
}

func (e *env) progress(title string, total int) *progress {
	return &progress{env: e, title: title, total: total, since: time.Now()}
}

func (p *progress) at(done int) {
	if !p.env.terminal || p.env.quiet {
		return
	}
	if p.bar == nil && time.Since(p.since) > time.Second {
		p.bar = progressbar.NewOptions(p.total, progressbar.OptionSetWriter(p.env.bar),
			progressbar.OptionSetDescription(p.title), progressbar.OptionShowCount(),
			progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100*time.Millisecond))
	}
	if p.bar != nil {
		_ = p.bar.Set(done) // a bar that cannot be drawn is no failure
	}
}

func (p *progress) close() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
