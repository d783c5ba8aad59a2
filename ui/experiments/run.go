package experiments

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/core/sweep"
	"backfill-lab/ui/browser"
)

// maxRuns is the largest number of runs that the page makes. The command makes more.
const maxRuns = 20_000

// drawEvery is the time between two redraws during the runs.
const drawEvery = 400 * time.Millisecond

// runs holds the state of the runs under way.
type runs struct {
	pool    *pool // nil if no runs are under way
	workers int   // number of workers, 0 = all cores but one
	cores   int   // number of cores, 0 = not known yet
	failed  error // how the last runs ended

	since   int64 // time in ms at which the runs, or their last part after a pause, began
	first   int   // number of runs made before that
	perRun  float64
	drawing bool // a redraw is scheduled
	ticking bool
}

// begin is the time at which the program started.
var begin = time.Now()

// now returns the time in ms since the program started.
func now() int64 { return time.Since(begin).Milliseconds() }

// mayRun returns an error if the page does not make the runs of a definition.
func mayRun(d *sweep.Definition) error {
	if n := d.Runs(); n > maxRuns {
		return fmt.Errorf("the page makes at most %s runs, this experiment has %s: use the command backfill sweep", format.Whole(maxRuns), format.Whole(n))
	}
	if len(d.Workloads) == 0 {
		return errors.New("workloads: expected at least one workload, got none")
	}
	for _, w := range d.Workloads {
		if f := w.Scenario.Workload.File; f != nil {
			return fmt.Errorf("workloads, %s: expected jobs or a generator, got the file %s, which only the command finds: open it in the page, then add the current scenario", w.Name, f.Name)
		}
	}
	return nil
}

// busy reports whether runs are under way or paused.
func (c *Experiments) busy() bool { return c.making.pool != nil }

// Running reports whether runs are under way and not paused.
func (c *Experiments) Running() bool { return c.busy() && !c.making.pool.paused }

// Paused reports whether the runs are paused.
func (c *Experiments) Paused() bool { return c.busy() && c.making.pool.paused }

// CanRun reports whether there are runs to make.
func (c *Experiments) CanRun() bool {
	return !c.busy() && c.d != nil && !c.stale && c.found.made < len(c.found.runs)
}

// Run makes the runs that are missing.
func (c *Experiments) Run() {
	if !c.CanRun() {
		return
	}
	c.making.failed, c.said = nil, ""
	c.making.since, c.making.first = now(), c.found.made
	c.making.pool = &pool{
		spawn: c.spawn, now: now, text: []byte(c.text), size: c.Workers(), record: c.record, ended: c.ended,
		name: func(group int) string { return c.d.Describe(c.d.Group(group)) },
	}
	c.remember()
	c.making.pool.start(c.todo())
	c.tickSoon()
}

// todo lists the groups with missing runs, in order.
func (c *Experiments) todo() (out []*work) {
	n := len(c.d.Policies)
	for g := range c.d.Groups() {
		w := &work{group: g}
		for p := range n {
			if c.found.runs[g*n+p] == nil {
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

// record stores the results of a run.
func (c *Experiments) record(group, policy int, v sweep.Values) {
	i := group*len(c.d.Policies) + policy
	if c.found.runs[i] == nil {
		c.found.made++
	}
	key := c.d.Key(c.d.Group(group), policy)
	c.found.runs[i], c.found.known[key] = v, v
	c.keep.add(key, v)
	c.keep.saveSoon(c)
	if n := c.found.made - c.making.first; n > 0 {
		c.making.perRun = float64(now()-c.making.since) / float64(n)
	}
}

// ended takes note that all runs are made, or that one failed.
func (c *Experiments) ended(err error) {
	c.making.pool, c.making.failed = nil, err
	if err == nil {
		c.said = "Done in " + strings.TrimPrefix(leftText(float64(now()-c.making.since)), "about ") + "."
	}
	c.remember()
	c.drawSoon()
}

// Pause stops the runs for now. Finished runs count.
func (c *Experiments) Pause() {
	if c.Running() {
		c.making.pool.pause()
		c.said = "Paused."
		c.remember()
	}
}

// Continue continues after a pause.
func (c *Experiments) Continue() {
	if c.Paused() {
		c.making.since, c.making.first = now(), c.found.made
		c.said = ""
		c.making.pool.resume()
		c.remember()
	}
}

// Cancel ends the runs and their workers. Finished runs are kept.
func (c *Experiments) Cancel() {
	if c.busy() {
		c.making.pool.stop()
		c.making.pool = nil
		c.said = "Cancelled. Finished runs are kept."
		c.remember()
	}
}

// tickSoon watches the workers once per second while runs are under way.
func (c *Experiments) tickSoon() {
	if c.making.ticking || c.Env == nil {
		return
	}
	c.making.ticking = true
	time.AfterFunc(time.Second, func() {
		defer browser.Recover("experiment")
		c.Env.Lock()
		defer c.Env.UnlockOnly()
		c.making.ticking = false
		if c.busy() {
			c.making.pool.tick()
		}
		if c.busy() {
			c.tickSoon()
		}
	})
}

// drawSoon draws the page. Many calls cause few redraws.
func (c *Experiments) drawSoon() {
	if c.making.drawing || c.Env == nil {
		return
	}
	c.making.drawing = true
	time.AfterFunc(drawEvery, func() {
		defer browser.Recover("experiment")
		c.Env.Lock()
		defer c.Env.UnlockRender()
		c.making.drawing = false
	})
}

// Workers returns the number of workers to use.
func (c *Experiments) Workers() int {
	if c.making.workers > 0 {
		return c.making.workers
	}
	if c.making.cores == 0 {
		c.making.cores = 2
		if about, err := browser.Call("labAbout"); err == nil {
			if _, n, ok := strings.Cut(fmt.Sprint(about), " "); ok {
				c.making.cores, _ = strconv.Atoi(n)
			}
		}
	}
	return max(1, c.making.cores-1)
}

// maxWorkers is the largest number of workers.
const maxWorkers = 64

// SetWorkers sets the number of workers.
func (c *Experiments) SetWorkers(e vugu.DOMEvent) {
	n, err := strconv.Atoi(e.PropString("target", "value"))
	if err != nil || n < 1 || n > maxWorkers {
		return
	}
	c.making.workers = n
	if c.busy() {
		c.making.pool.resize(n)
	}
}

// Fraction returns the part of the runs that is made.
func (c *Experiments) Fraction() float64 {
	if len(c.found.runs) == 0 {
		return 0
	}
	return float64(c.found.made) / float64(len(c.found.runs))
}

// RunLabel returns the text of the button that starts the runs.
func (c *Experiments) RunLabel() string {
	n := len(c.found.runs) - c.found.made
	switch {
	case c.d == nil || n == 0:
		return "Run"
	case c.found.made > 0:
		return "Run the other " + format.Whole(n)
	}
	return "Run all " + format.Whole(n)
}

// Status says how many runs there are, how many are made, and how long the others take.
func (c *Experiments) Status() string {
	if c.d == nil {
		return ""
	}
	total, made := len(c.found.runs), c.found.made
	text := format.Count(total, "run")
	if made > 0 {
		text = format.Whole(made) + " of " + text
	} else if !c.busy() {
		text += c.product()
	}
	switch left := total - made; {
	case left == 0:
		return "All " + format.Count(total, "run") + " are done."
	case c.making.perRun > 0:
		text += ", " + leftText(c.making.perRun*float64(left)) + " left"
	case !c.busy():
		text += ". How long they take is known after the first few"
	}
	return text + "."
}

// product explains the number of runs, unless workloads differ in their seeds.
func (c *Experiments) product() string {
	if len(c.d.Workloads)*len(c.d.Loads)*max(1, len(c.d.Seeds))*len(c.d.Policies) != c.d.Runs() {
		return ""
	}
	return fmt.Sprintf(": %s × %s × %s × %s", format.Count(len(c.d.Workloads), "workload"), format.Count(len(c.d.Loads), "load"),
		format.Count(max(1, len(c.d.Seeds)), "seed"), plural(len(c.d.Policies), "policy", "policies"))
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return format.Whole(n) + " " + many
}

// leftText words a time in ms.
func leftText(ms float64) string {
	switch s := ms / 1000; {
	case s < 1.5:
		return "about 1 s"
	case s < 100:
		return fmt.Sprintf("about %.0f s", s)
	case s < 5400:
		return fmt.Sprintf("about %.0f min", s/60)
	default:
		return fmt.Sprintf("about %.0f h", s/3600)
	}
}

// Said returns the last message, for screen readers too.
func (c *Experiments) Said() string { return c.said }

// Failure returns why the runs or their storage failed, "" if they did not.
func (c *Experiments) Failure() string {
	if err := errors.Join(c.making.failed, c.keep.err); err != nil {
		return err.Error()
	}
	return ""
}

// WorkersText returns the number of workers for its field.
func (c *Experiments) WorkersText() string { return strconv.Itoa(c.Workers()) }
