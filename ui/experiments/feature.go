// Package experiments implements the view Experiments, which compares policies on many workloads, load factors and
// seeds, like the command backfill sweep. It lets the user edit the definition of an experiment, and performs the
// runs in several workers. It stores the results in the browser, and shows tables and plots of the means with their
// confidence intervals.
package experiments

import (
	"strconv"
	"strings"
	"time"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/core/sweep"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/session"
)

// Experiments holds the experiment that the user edits: its definition, its runs and the state of the view.
type Experiments struct {
	*session.Session

	visible bool // the page shows the experiment in place of the charts
	started bool // the view was opened since the page was loaded

	draft      *draft            // the definition as shown in the form, nil if the form cannot show it
	text       string            // the definition as JSON
	inField    string            // the text that the text field contains
	unchecked  bool              // the definition was edited and is not checked yet
	err        error             // why the definition is invalid, or why the page cannot run a valid one; nil if the page can run it
	mistakes   []mistake         // the invalid fields of the form
	definition *sweep.Definition // the parsed text, nil if err is not nil
	unfolded   map[string]bool   // parts of the form that are open, by the id of their button

	results  results
	runState runState
	store    resultStore
	view     viewOptions
	message  string                  // the last message to the user, "" if it was dismissed
	undo     func()                  // reverts the change that the last message reports, nil if it reports none
	replaced map[string]document.Doc // documents that the page showed before the user opened a run, by the key of their entry in the browser's history
}

// results holds the results of runs.
type results struct {
	known map[string]sweep.Values // all known results, also of earlier definitions, by the key of the run
	runs  []sweep.Values          // results of the runs of the definition, by index of the run; nil for a run that is not done
	done  int                     // number of runs that are done
}

// Page is the component of the whole view Experiments.
type Page struct{ Experiments *Experiments }

// Form is the component in which the user edits the definition.
type Form struct{ Experiments *Experiments }

// Results is the component with the plot and the table of the results.
type Results struct{ Experiments *Experiments }

// New returns the view Experiments of a session. The view has no definition until Open or SetText is called.
func New(s *session.Session) *Experiments {
	c := &Experiments{Session: s, unfolded: map[string]bool{}, replaced: map[string]document.Doc{}}
	c.results.known = map[string]sweep.Values{}
	c.view = viewOptions{kind: kindLine, wanted: "5", background: "white", runsRow: -1}
	return c
}

// Keys of the values that the page stores in the session storage of the browser.
const (
	openKey    = "experiment-open"
	textKey    = "experiment-text"
	runningKey = "experiment-running"
)

// Start opens the view if it was open when the page was reloaded, unless the user has followed a link. It also
// defines the functions that JavaScript calls to return to the experiment and to open a run.
func (c *Experiments) Start() {
	if _, was := browser.Session.Get(openKey); was && browser.OpenedByLink() {
		c.Close() // a link shows its own scenario
	} else if was {
		c.Open()
	}
	_ = browser.Expose("labExperimentBack", func(a []any) {
		c.Env.Lock()
		defer c.Env.UnlockRender()
		if key, ok := a[0].(string); ok {
			c.restore(key)
		}
		c.Open()
		c.ShowResults()
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

// Pressed returns the aria-pressed value of the button that opens the view.
func (c *Experiments) Pressed() string { return strconv.FormatBool(c.visible) }

// Toggle opens or closes the view.
func (c *Experiments) Toggle() {
	c.Menu, c.Drawer = "", ""
	if c.visible {
		c.Close()
	} else {
		c.Open()
	}
}

// Open shows the experiment. The first call restores the last experiment of this browser tab. If the tab had none, it
// restores the last experiment of this browser. If the browser had none, it creates a new one. The first call also
// continues runs that a reload of the page interrupted.
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
		c.handleEdit()
	}
	c.loadStored(own, interrupted)
}

// Close shows the charts again. Runs continue.
func (c *Experiments) Close() {
	c.visible, c.view.plotted, c.inField = false, "", ""
	browser.Session.Remove(openKey)
}

// handleEdit is called after an edit of the form. It dismisses the message, converts the draft to text, and checks this
// text.
func (c *Experiments) handleEdit() {
	c.Dismiss()
	c.text = c.draft.format()
	c.checkSoon()
}

// SetText replaces the definition with the given text, and shows it in the form if the form can show it.
func (c *Experiments) SetText(text string) {
	c.text = text
	x, err := readDraft([]byte(text))
	if c.draft = x; err != nil {
		c.draft = nil
	}
	c.checkSoon()
}

// TypeText replaces the definition by the text that the user typed.
func (c *Experiments) TypeText(e vugu.DOMEvent) {
	text := e.PropString("target", "value")
	c.inField = text
	c.Dismiss()
	c.SetText(text)
}

const (
	longText   = 200_000 // a definition with at least this number of bytes is checked only after a pause in typing, and the text field does not show it
	manyRuns   = 2000    // if the last checked definition has at least this number of runs, an edit of it is also checked only after a pause
	checkPause = 400 * time.Millisecond
)

// checkSoon checks the definition: at once if that is fast, otherwise after a pause in typing. It cancels the runs
// of the previous definition.
func (c *Experiments) checkSoon() {
	if c.busy() {
		c.Cancel()
		c.message = "The runs were cancelled, because the definition changed. Finished runs are kept."
	}
	if len(c.text) < longText && len(c.results.runs) < manyRuns || c.Env == nil {
		c.check()
		return
	}
	c.unchecked = true
	text := c.text
	time.AfterFunc(checkPause, func() {
		defer browser.Recover("experiment")
		c.Env.Lock()
		defer c.Env.UnlockRender()
		if text == c.text && c.unchecked {
			c.check()
		}
	})
}

// check parses the definition and stores its text. If the definition is valid, check looks up the results of
// runs that were made earlier. Otherwise it lists the invalid fields of the form.
func (c *Experiments) check() {
	c.unchecked = false
	c.definition, c.err = sweep.Parse([]byte(c.text))
	c.results.runs, c.results.done = nil, 0
	if c.err == nil {
		c.err = checkRunnable(c.definition)
	}
	if c.mistakes = nil; c.err == nil {
		c.findEarlierResults()
		c.dropOldEstimate()
	} else if c.definition = nil; c.draft != nil {
		c.mistakes = c.draft.mistakes()
		c.attributeErrorsToOffered()
	}
	c.view.adaptTo(c.definition)
	c.storeDefinition()
	if c.definition != nil && c.usesOfferedLoads() {
		c.offered()
		c.updateLoadFactors()
	}
}

// findEarlierResults stores the known results of the definition's runs in results.runs, and counts them in
// results.done.
func (c *Experiments) findEarlierResults() {
	c.results.runs, c.results.done = make([]sweep.Values, c.definition.Runs()), 0
	n := len(c.definition.Policies)
	for g := range c.definition.Groups() {
		group := c.definition.Group(g)
		for p := range n {
			if v, ok := c.results.known[c.definition.Key(group, p)]; ok {
				c.results.runs[g*n+p] = v
				c.results.done++
			}
		}
	}
}

// values returns the results of a run, or nil if it is not done.
func (c *Experiments) values(group, policy int) sweep.Values {
	return c.results.runs[group*len(c.definition.Policies)+policy]
}

// clock returns the format of times: with units or in seconds, depending on the user's setting.
func (c *Experiments) clock() format.Clock { return format.Clock{Units: !c.Seconds} }

// ToggleFold opens or closes a part of the form.
func (c *Experiments) ToggleFold(id string) { c.unfolded[id] = !c.unfolded[id] }

// Unfolded reports whether a part of the form is open.
func (c *Experiments) Unfolded(id string) bool { return c.unfolded[id] }

// Expanded returns the aria-expanded value of the button that opens a part of the form.
func (c *Experiments) Expanded(id string) string { return strconv.FormatBool(c.unfolded[id]) }

// Forget is called after the scenario has been anonymised. It cancels the runs and drops everything that may
// contain names of jobs: the workloads whose scenarios the form cannot show, the undo step, and the documents that
// the page showed before the user opened runs. If the form cannot show the definition, Forget replaces the whole
// definition by a new one.
func (c *Experiments) Forget() {
	if !c.started {
		return
	}
	c.Cancel()
	if c.draft == nil {
		c.draft = c.template()
	}
	generated := c.draft.Workloads[:0:0]
	for _, w := range c.draft.Workloads {
		if w.Model != nil {
			generated = append(generated, w)
		}
	}
	c.draft.Workloads = generated
	c.handleEdit()
	c.undo = nil
	clear(c.replaced)
}

// AfterRender updates the parts of the page that JavaScript manages instead of Vugu: the text field,
// the scroll position and the plot.
func (c *Experiments) AfterRender() {
	if !c.visible {
		return
	}
	if c.inField != c.text && c.TextFits() && c.Unfolded(textFold) {
		if browser.SetFieldValue(textID, c.text) == nil {
			c.inField = c.text
		}
	}
	if !c.Unfolded(textFold) {
		c.inField = ""
	}
	if c.runState.scrollToResults && c.HasResults() {
		c.runState.scrollToResults = false
		_, _ = browser.Call("labExperimentShow")
	}
	c.drawPlot()
}

// Ids of the text field and of the button that opens it.
const textID, textFold = "x-text", "x-text-fold"

// TextFits reports whether the definition is short enough for the text field.
func (c *Experiments) TextFits() bool { return len(c.text) < longText }

// Title returns the title of the experiment, for the heading and for names of files. It returns "Experiment" if the
// experiment has no title, or if the form cannot show the definition.
func (c *Experiments) Title() string {
	if c.draft != nil && strings.TrimSpace(c.draft.Title) != "" {
		return c.draft.Title
	}
	return "Experiment"
}

// ShowsText reports whether the form shows the definition as text.
func (c *Experiments) ShowsText() bool { return c.Unfolded(textFold) && c.TextFits() }

// TextTooLong reports whether the user has opened the text field, but the text is too long for it.
func (c *Experiments) TextTooLong() bool { return c.Unfolded(textFold) && !c.TextFits() }
