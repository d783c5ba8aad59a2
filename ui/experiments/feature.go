// Package experiments compares policies on many workloads, loads and seeds, as the command sweep
// does. It edits the definition of an experiment, makes its runs in several workers, keeps their
// results in the browser, and shows means with intervals, tables and plots.
package experiments

import (
	"strconv"
	"strings"
	"time"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/core/sweep"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/session"
)

// Experiments holds the experiment of the page.
type Experiments struct {
	*session.Session

	visible bool // the page shows the experiment in place of the charts
	started bool // the tab was opened since the page was loaded

	draft    *draft // nil while the form cannot show the text
	text     string // the definition
	inField  string // the text that the text field holds
	stale    bool   // the definition was edited and is not checked yet
	err      error  // why the definition is invalid
	d        *sweep.Definition
	unfolded map[string]bool // parts of the form that are open, by the id of their button

	found  results
	making runs
	keep   keeper
	show   shown
	said   string // the last message about the runs
}

// results holds the results of the runs of the definition.
type results struct {
	known map[string]sweep.Values // all results, by the key of the run
	runs  []sweep.Values          // by run of the definition; nil if it is missing
	made  int                     // number of runs that are not missing
}

// Page is the component of the whole tab.
type Page struct{ Experiments *Experiments }

// Form is the component of the definition.
type Form struct{ Experiments *Experiments }

// Results is the component of the runs and their results.
type Results struct{ Experiments *Experiments }

// New returns the experiments of a session.
func New(s *session.Session) *Experiments {
	c := &Experiments{Session: s, unfolded: map[string]bool{}}
	c.found.known = map[string]sweep.Values{}
	c.show = shown{kind: kindLine, wanted: "5", unfolded: -1}
	return c
}

// Keys of what the tab remembers in the session store of the browser.
const (
	openKey    = "experiment-open"
	textKey    = "experiment-text"
	runningKey = "experiment-running"
)

// Start opens the tab if it was open when the page was reloaded.
func (c *Experiments) Start() {
	if _, was := browser.Session.Get(openKey); was {
		c.Open()
	}
	_ = browser.Expose("labExperimentBack", func([]any) {
		c.Env.Lock()
		defer c.Env.UnlockRender()
		c.Open()
	})
	_ = browser.Expose("labExperimentRun", func(a []any) {
		if run, ok := a[0].(float64); ok {
			c.Env.Lock()
			defer c.Env.UnlockRender()
			c.OpenRun(int(run))
		}
	})
}

// IsOpen reports whether the page shows the experiment.
func (c *Experiments) IsOpen() bool { return c.visible }

// Pressed returns the aria-pressed value of the button of the tab.
func (c *Experiments) Pressed() string { return strconv.FormatBool(c.visible) }

// Toggle opens or closes the tab.
func (c *Experiments) Toggle() {
	c.Menu, c.Drawer = "", ""
	if c.visible {
		c.Close()
	} else {
		c.Open()
	}
}

// Open shows the experiment. The first call restores what the tab or the browser remembers.
func (c *Experiments) Open() {
	c.visible = true
	browser.Session.Set(openKey, "true")
	if c.started {
		return
	}
	c.started = true
	text, own := browser.Session.Get(textKey)
	_, interrupted := browser.Session.Get(runningKey)
	if own {
		c.SetText(text)
	} else {
		c.draft = c.template()
		c.edited()
	}
	c.load(own, interrupted)
}

// Close shows the charts again. Runs continue.
func (c *Experiments) Close() {
	c.visible, c.show.plotted = false, ""
	browser.Session.Remove(openKey)
}

// edited takes over an edit of the form.
func (c *Experiments) edited() {
	c.text = c.draft.format()
	c.checkSoon()
}

// SetText takes over an edit of the text.
func (c *Experiments) SetText(text string) {
	c.text = text
	x, err := readDraft([]byte(text))
	if c.draft = x; err != nil {
		c.draft = nil
	}
	c.checkSoon()
}

// TypeText handles an input into the text field.
func (c *Experiments) TypeText(e vugu.DOMEvent) {
	text := e.PropString("target", "value")
	c.inField = text
	c.SetText(text)
}

const (
	longText   = 200_000 // bytes of a definition from which it is checked only after a pause
	manyRuns   = 2000    // number of runs from which the same holds
	checkPause = 400 * time.Millisecond
)

// checkSoon checks the definition: at once, or after a pause in typing if that takes long.
func (c *Experiments) checkSoon() {
	if c.busy() {
		c.Cancel()
		c.said = "The runs were cancelled, because the definition changed. Finished runs are kept."
	}
	if len(c.text) < longText && len(c.found.runs) < manyRuns || c.Env == nil {
		c.check()
		return
	}
	c.stale = true
	text := c.text
	time.AfterFunc(checkPause, func() {
		defer browser.Recover("experiment")
		c.Env.Lock()
		defer c.Env.UnlockRender()
		if text == c.text && c.stale {
			c.check()
		}
	})
}

// check parses the definition, and finds the results that are known already.
func (c *Experiments) check() {
	c.stale = false
	c.d, c.err = sweep.Parse([]byte(c.text))
	c.found.runs, c.found.made = nil, 0
	if c.err == nil {
		c.err = mayRun(c.d)
	}
	if c.err != nil {
		c.d = nil
	} else {
		c.findKnown()
	}
	c.show.settle(c.d)
	c.remember()
}

// findKnown fills in the results of the runs that were made earlier.
func (c *Experiments) findKnown() {
	c.found.runs, c.found.made = make([]sweep.Values, c.d.Runs()), 0
	n := len(c.d.Policies)
	for g := range c.d.Groups() {
		group := c.d.Group(g)
		for p := range n {
			if v, ok := c.found.known[c.d.Key(group, p)]; ok {
				c.found.runs[g*n+p] = v
				c.found.made++
			}
		}
	}
}

// values returns the results of a run, nil if it is missing.
func (c *Experiments) values(group, policy int) sweep.Values {
	return c.found.runs[group*len(c.d.Policies)+policy]
}

// Problem returns what is wrong with the definition, "" if nothing is.
func (c *Experiments) Problem() string {
	if c.err == nil {
		return ""
	}
	return c.err.Error()
}

// clock returns the format of times.
func (c *Experiments) clock() format.Clock { return format.Clock{Units: !c.Seconds} }

// Fold opens or closes a part of the form.
func (c *Experiments) Fold(id string) { c.unfolded[id] = !c.unfolded[id] }

// Unfolded reports whether a part of the form is open.
func (c *Experiments) Unfolded(id string) bool { return c.unfolded[id] }

// Expanded returns the aria-expanded value of the button that opens a part of the form.
func (c *Experiments) Expanded(id string) string { return strconv.FormatBool(c.unfolded[id]) }

// Forget drops what may contain names of jobs, after the scenario was anonymised: workloads that
// list their jobs, and the results of the current definition.
func (c *Experiments) Forget() {
	if !c.started {
		return
	}
	c.Cancel()
	if c.draft == nil {
		c.draft = c.template()
	}
	kept := c.draft.Workloads[:0:0]
	for _, w := range c.draft.Workloads {
		if w.Model != nil {
			kept = append(kept, w)
		}
	}
	c.draft.Workloads = kept
	c.edited()
}

// AfterRender updates the parts that scripts draw: the text field, and the plot.
func (c *Experiments) AfterRender() {
	if !c.visible {
		return
	}
	if c.inField != c.text && c.TextFits() && c.Unfolded(textFold) {
		if browser.SetText(textID, c.text) == nil {
			c.inField = c.text
		}
	}
	if !c.Unfolded(textFold) {
		c.inField = ""
	}
	c.drawPlot()
}

// Ids of the text field and of the button that opens it.
const textID, textFold = "x-text", "x-text-fold"

// TextFits reports whether the definition is short enough for the text field.
func (c *Experiments) TextFits() bool { return len(c.text) < longText }

// Title returns the title of the experiment, for the heading and for names of files.
func (c *Experiments) Title() string {
	if c.draft != nil && strings.TrimSpace(c.draft.Title) != "" {
		return c.draft.Title
	}
	return "Experiment"
}

// ShowsText reports whether the form shows the definition as text.
func (c *Experiments) ShowsText() bool { return c.Unfolded(textFold) && c.TextFits() }

// TextTooLong reports whether the text is asked for, but too long to show.
func (c *Experiments) TextTooLong() bool { return c.Unfolded(textFold) && !c.TextFits() }
