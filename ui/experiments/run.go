package experiments

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/core/policy/script"
	"backfill-lab/core/sweep"
	"backfill-lab/ui/browser"
)

// maxRuns is the largest number of runs that the page makes. The command backfill sweep accepts more.
const maxRuns = 20_000

// drawEvery is the time between two redraws during the runs.
const drawEvery = 400 * time.Millisecond

// runState holds the state of the runs in progress.
type runState struct {
	pool    *pool // nil if no runs are in progress or paused
	workers int   // number of workers that the user has set, 0 to use all cores but one
	cores   int   // number of cores of the device, 0 = not known yet
	failed  error // why the last runs failed, nil if they did not

	startedAt       int64   // time in ms at which the runs started, or continued after a pause
	doneAtStart     int     // number of runs that were done at startedAt
	perRun          float64 // mean time in ms from the end of a run to the next end of a run, in any worker; 0 = not known yet
	timed           string  // workloads and policies for which perRun was measured, as text
	drawing         bool    // a redraw is scheduled
	scrollToResults bool    // scroll to the results at the next render
	ticking         bool    // the next call of pool.tick is scheduled
}

// programStart is the time at which the program started.
var programStart = time.Now()

// now returns the time in ms since the program started.
func now() int64 { return time.Since(programStart).Milliseconds() }

// checkRunnable returns an error if the page cannot run a definition.
func checkRunnable(d *sweep.Definition) error {
	if n := d.Runs(); n > maxRuns {
		return fmt.Errorf("the page makes at most %s runs, but this experiment has %s: use the command backfill sweep", format.Whole(maxRuns), format.Whole(n))
	}
	if len(d.Workloads) == 0 {
		return errors.New("workloads: expected at least one workload, got none")
	}
	for _, w := range d.Workloads {
		if f := w.Scenario.Workload.File; f != nil {
			return fmt.Errorf("workloads, %s: expected jobs or a generator, got the name of a file, %s. An experiment in the page cannot read files by name. Open the file in the page, then add the current scenario", w.Name, f.Name)
		}
	}
	return nil
}

// busy reports whether runs are under way or paused.
func (c *Experiments) busy() bool { return c.runState.pool != nil }

// Running reports whether runs are under way and not paused.
func (c *Experiments) Running() bool { return c.busy() && !c.runState.pool.paused }

// Paused reports whether the runs are paused.
func (c *Experiments) Paused() bool { return c.busy() && c.runState.pool.paused }

// RunDisabled reports whether the Run button is disabled. If the definition is invalid, the button is
// enabled, because it moves the keyboard focus to the invalid field.
func (c *Experiments) RunDisabled() bool { return c.err == nil && !c.CanRun() }

// ShowResults scrolls to the results.
func (c *Experiments) ShowResults() { c.runState.scrollToResults = true }

// CanRun reports whether the user can start runs: the definition is valid, some runs are missing, and none are in
// progress.
func (c *Experiments) CanRun() bool {
	return !c.busy() && c.definition != nil && !c.unchecked && c.results.done < len(c.results.runs)
}

// Run starts the missing runs. If the definition is invalid, it moves the keyboard focus to the error instead.
func (c *Experiments) Run() {
	if c.err != nil {
		c.focusMistake()
	}
	if !c.CanRun() {
		return
	}
	c.runState.failed, c.runState.scrollToResults = nil, true
	c.message, c.undo = "Started "+format.Count(len(c.results.runs)-c.results.done, "run")+".", nil
	c.runState.startedAt, c.runState.doneAtStart = now(), c.results.done
	c.runState.pool = &pool{
		spawn: c.spawn, now: now, text: []byte(c.text), scripts: c.hasScript(), size: c.Workers(), record: c.record, ended: c.runsEnded,
		name: func(group int) string { return c.definition.Describe(c.definition.Group(group)) },
	}
	c.storeDefinition()
	c.runState.pool.start(c.missingGroups())
	c.tickSoon()
}

// hasScript reports whether a policy of the definition is a script.
func (c *Experiments) hasScript() bool {
	return slices.ContainsFunc(c.definition.Policies, func(p sweep.Policy) bool { return p.Name == script.Name })
}

// missingGroups returns the groups that have runs without results, in order.
func (c *Experiments) missingGroups() (out []*work) {
	n := len(c.definition.Policies)
	for g := range c.definition.Groups() {
		w := &work{group: g}
		for p := range n {
			if c.results.runs[g*n+p] == nil {
				w.policies = append(w.policies, p)
			}
		}
		if w.policies != nil {
			out = append(out, w)
		}
	}
	return out
}

// spawn starts a worker of the pool.
func (c *Experiments) spawn(name string, handle func(browser.Message)) (webWorker, error) {
	return browser.Spawn(name, func(m browser.Message) {
		c.Env.Lock()
		defer c.Env.UnlockOnly()
		handle(m)
		c.drawSoon()
	})
}

// record adds the results of a run to the results that the page shows, and soon stores them in the browser.
func (c *Experiments) record(group, policy int, v sweep.Values) {
	i := group*len(c.definition.Policies) + policy
	if c.results.runs[i] == nil {
		c.results.done++
	}
	key := c.definition.Key(c.definition.Group(group), policy)
	c.results.runs[i], c.results.known[key] = v, v
	c.store.add(key, v)
	c.store.saveSoon(c)
	if n := c.results.done - c.runState.doneAtStart; n > 0 {
		c.runState.perRun = float64(now()-c.runState.startedAt) / float64(n)
	}
}

// runsEnded records that all runs are finished, or the error that ended them.
func (c *Experiments) runsEnded(err error) {
	c.runState.pool, c.runState.failed = nil, err
	if err == nil {
		c.undo = nil
		c.message = "Done in " + strings.TrimPrefix(durationText(float64(now()-c.runState.startedAt)), "about ") + "."
	}
	c.storeDefinition()
	c.drawSoon()
}

// Pause pauses the runs. It keeps the results of finished runs.
func (c *Experiments) Pause() {
	if c.Running() {
		c.runState.pool.pause()
		c.message = "Paused."
		c.storeDefinition()
	}
}

// Continue continues after a pause.
func (c *Experiments) Continue() {
	if c.Paused() {
		c.runState.startedAt, c.runState.doneAtStart = now(), c.results.done
		c.message = ""
		c.runState.pool.resume()
		c.storeDefinition()
	}
}

// Cancel ends the runs and their workers. Finished runs are kept.
func (c *Experiments) Cancel() {
	if c.busy() {
		c.runState.pool.stop()
		c.runState.pool = nil
		c.message = "Cancelled. Finished runs are kept."
		c.storeDefinition()
	}
}

// tickSoon starts a timer that checks once per second whether the workers respond. The timer stops when the runs end.
func (c *Experiments) tickSoon() {
	if c.runState.ticking || c.Env == nil {
		return
	}
	c.runState.ticking = true
	time.AfterFunc(time.Second, func() {
		defer browser.Recover("experiment")
		c.Env.Lock()
		defer c.Env.UnlockOnly()
		c.runState.ticking = false
		if c.busy() {
			c.runState.pool.tick()
		}
		if c.busy() {
			c.tickSoon()
		}
	})
}

// drawSoon schedules a redraw of the page, unless one is scheduled already.
func (c *Experiments) drawSoon() {
	if c.runState.drawing || c.Env == nil {
		return
	}
	c.runState.drawing = true
	time.AfterFunc(drawEvery, func() {
		defer browser.Recover("experiment")
		c.Env.Lock()
		defer c.Env.UnlockRender()
		c.runState.drawing = false
	})
}

// Workers returns the number of workers to use: the number that the user has set, otherwise one less than the
// number of cores of the device, but at least 1.
func (c *Experiments) Workers() int {
	if c.runState.workers > 0 {
		return c.runState.workers
	}
	if c.runState.cores == 0 {
		c.runState.cores = 2
		if about, err := browser.Call("labAbout"); err == nil {
			if _, n, ok := strings.Cut(fmt.Sprint(about), " "); ok {
				c.runState.cores, _ = strconv.Atoi(n)
			}
		}
	}
	return max(1, c.runState.cores-1)
}

// maxWorkers is the largest number of workers.
const maxWorkers = 64

// SetWorkers sets the number of workers. It ignores a number that is invalid or above maxWorkers.
func (c *Experiments) SetWorkers(e vugu.DOMEvent) {
	n, err := strconv.Atoi(e.PropString("target", "value"))
	if err != nil || n < 1 || n > maxWorkers {
		return
	}
	c.runState.workers = n
	if c.busy() {
		c.runState.pool.resize(n)
	}
}

// Message returns the last message, which screen readers announce.
func (c *Experiments) Message() string { return c.message }

// Failure returns why the runs failed, or why their results could not be stored. It returns "" if there was no failure.
func (c *Experiments) Failure() string {
	if err := errors.Join(c.runState.failed, c.store.err); err != nil {
		return err.Error()
	}
	return ""
}

// WorkersText returns the number of workers as the text of its field.
func (c *Experiments) WorkersText() string { return strconv.Itoa(c.Workers()) }
