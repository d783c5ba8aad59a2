package explain

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/whatif"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// mostForeseen is how many jobs a run may have for starts to be predicted unasked.
const mostForeseen = 300

// ifFields is what of a job can be tried otherwise, by the names of changes; the
// last is chosen, not typed.
var ifFields = [...]struct{ name, label string }{
	{"procs", "Processors"},
	{"submit", "Submitted, s"},
	{"estimate", "Estimate, s"},
	{"policy", "Policy"},
}

const (
	ifPolicy  = len(ifFields) - 1
	ifAsItIs  = "those shown"
	ifPredict = -1 // in the place of a result
)

// trial is what if: what is asked about the chosen job, and the answers.
type trial struct {
	job   int // of the texts
	id    string
	was   [ifPolicy]int64 // what they were at first
	texts [len(ifFields)]string
	fault string

	asking   int // id of the request that has no answer yet, 0 if none
	progress protocol.Progress
	said     *protocol.Supposed
	found    *protocol.Found
	foreseen *protocol.Predicted
	lead     bool // the keyboard goes to the next answer
	row      int  // of the job of a change just made, behind 0; 0: none was
}

// settle takes in the answer about a job. What was typed about the same one stays.
func (s *trial) settle(c *Explainer) {
	w := c.Why
	now := [ifPolicy]int64{int64(w.Procs), w.Submit, w.Estimate}
	if s.job != w.Job {
		s.cancel(c)
		s.said, s.found, s.fault, s.texts, s.was = nil, nil, "", [len(ifFields)]string{}, [ifPolicy]int64{}
	}
	for i, v := range now {
		if text := &s.texts[i]; *text == "" || *text == strconv.FormatInt(s.was[i], 10) {
			*text = strconv.FormatInt(v, 10)
		}
	}
	s.job, s.id, s.was = w.Job, w.ID, now
	s.predict(c)
}

// renew forgets what was said of the results before. The job of a change that was
// made is found again, wherever it is in the order of submission now.
func (s *trial) renew(c *Explainer) {
	s.said, s.found, s.foreseen, s.asking, s.fault = nil, nil, nil, 0, ""
	if row := s.row - 1; c.Why != nil && row >= 0 && row < len(c.Places) && c.Places[row] >= 0 {
		c.Why.Job = int(c.Places[row])
		s.job = c.Why.Job
		_ = session.Chart("select", fmt.Sprint(s.job))
	}
	s.row = 0
}

// ask sends a request, if nothing that counts is under way.
func (s *trial) ask(c *Explainer, kind string, head any) {
	if s.fault = ""; !c.Fresh() || c.Task != 0 {
		s.fault = "Wait until the schedules are those of the scenario as it stands."
		return
	}
	s.asking, s.progress = c.Post(kind, head, browser.Message{}), protocol.Progress{}
}

// predict asks for the starts to be expected at the moment of the answer, if the run
// is small, the job waits and nothing else is asked.
func (s *trial) predict(c *Explainer) {
	if s.asking == 0 && c.Ran.Jobs <= mostForeseen && c.Task == 0 && c.Fresh() && c.waits() && !s.foresees(c) {
		s.asking, s.progress = c.Post("predict", protocol.Predict{At: c.Why.At}, browser.Message{}), protocol.Progress{}
	}
}

func (s *trial) foresees(c *Explainer) bool {
	return s.foreseen != nil && s.foreseen.At == c.Why.At
}

// waits reports whether the chosen job waits under some policy.
func (c *Explainer) waits() bool {
	for _, a := range c.Answers() {
		if a.State == "waiting" {
			return true
		}
	}
	return false
}

func (s *trial) cancel(c *Explainer) {
	c.CancelRequest(s.asking)
	s.asking = 0
}

// answer takes what the worker says of a request that is still awaited.
func (s *trial) answer(c *Explainer, m browser.Message) (err error) {
	if m.Kind == "progress" {
		return json.Unmarshal(m.Head, &s.progress)
	}
	s.asking = 0
	switch m.Kind {
	case "supposed":
		if s.said = (&protocol.Supposed{}); s.lead {
			c.Focus = "if-said-title"
		}
		err = json.Unmarshal(m.Head, s.said)
	case "found":
		s.found = &protocol.Found{}
		err = json.Unmarshal(m.Head, s.found)
	case "predicted":
		s.foreseen = &protocol.Predicted{}
		err = json.Unmarshal(m.Head, s.foreseen)
	case "error":
		var f protocol.Fault
		err = json.Unmarshal(m.Head, &f)
		s.fault = f.Text
		return err
	}
	if err == nil && m.Kind != "cancelled" {
		s.predict(c) // the cursor may have moved meanwhile
	}
	return err
}

// problem returns what is wrong with a field, if anything is.
func (s *trial) problem(field string) string {
	for _, begin := range []string{"", "job " + s.id + ", "} {
		if text, ok := strings.CutPrefix(s.fault, begin+field+": "); ok {
			return text
		}
	}
	return ""
}

// IfFields returns the fields of what may be otherwise.
func (c *Explainer) IfFields() []widgets.Field {
	out := make([]widgets.Field, len(ifFields))
	for i, x := range ifFields {
		f := &out[i]
		*f = widgets.Field{ID: "if-" + x.name, Name: x.name, Label: x.label, Place: i, Kind: policy.Integer, Text: c.trial.texts[i]}
		f.SetProblem(c.trial.problem(x.name))
	}
	p := &out[ifPolicy]
	p.Kind, p.Options = policy.Choice, []string{ifAsItIs}
	for _, s := range registry.All {
		p.Options = append(p.Options, s.Name)
	}
	for i := range registry.Presets {
		p.Options = append(p.Options, registry.Presets[i].Name)
	}
	return out
}

// SetIf takes what was typed or chosen.
func (c *Explainer) SetIf(e vugu.DOMEvent, f widgets.Field) {
	c.trial.texts[f.Place], c.trial.fault = e.PropString("target", "value"), ""
}

// TryIf tries what the fields say.
func (c *Explainer) TryIf() {
	s := &c.trial
	var changes []string
	for i, x := range ifFields {
		text := strings.TrimSpace(s.texts[i])
		switch {
		case i == ifPolicy && (text == "" || text == ifAsItIs), i < ifPolicy && text == strconv.FormatInt(s.was[i], 10):
			continue
		}
		changes = append(changes, x.name+"="+text)
	}
	if changes == nil {
		s.fault = "Nothing here differs from the job as it is."
		return
	}
	c.try(changes)
}

// try asks what changes would do; a fault of what was typed needs no worker.
func (c *Explainer) try(changes []string) {
	for _, text := range changes {
		if _, err := whatif.Parse(text); err != nil {
			c.trial.fault = err.Error()
			return
		}
	}
	c.trial.lead = false
	c.trial.ask(c, "whatif", protocol.WhatIf{Job: c.trial.job, Changes: changes})
}

// If is a button of what may be otherwise: changes, or what would help under the
// policy of a result, or a prediction.
type If struct {
	ID, Text, Label string
	Changes         []string
	Result          int
}

// Ifs returns those buttons.
func (c *Explainer) Ifs() (out []If) {
	add := func(id, text string, changes ...string) { out = append(out, If{"if-" + id, text, text, changes, 0}) }
	if c.Why.Estimate > c.Why.Runtime {
		add("exact", "Exact estimate", "exact")
	}
	add("remove", "Without this job", "remove")
	add("node", "One more node", "nodes=1")
	if c.waits() && !c.trial.foresees(c) && c.Ran.Jobs > mostForeseen {
		out = append(out, If{"if-predict", "Predict its start", "Predict its start", nil, ifPredict})
	}
	return out
}

// Helps returns the buttons for what would have had the job start sooner.
func (c *Explainer) Helps() (out []If) {
	for i, a := range c.Why.Answers {
		out = append(out, If{fmt.Sprintf("if-sooner-%d", i), a.Title, "Try under " + a.Title + ": what would have started it earlier", nil, i})
	}
	return out
}

// Press does what one of the buttons is for.
func (c *Explainer) Press(b If) {
	switch {
	case b.Changes != nil:
		c.try(b.Changes)
	case b.Result == ifPredict:
		c.trial.ask(c, "predict", protocol.Predict{At: c.Why.At})
		c.Focus = "if-title" // the button goes
	default:
		c.trial.ask(c, "sooner", protocol.Sooner{Job: c.trial.job, Result: b.Result})
	}
}

// CancelIf gives up what is being tried.
func (c *Explainer) CancelIf() {
	c.trial.cancel(c)
	c.trial.fault, c.Focus = "Cancelled.", "if-title"
}

// MakeIf makes the change that was tried last, as an edit that can be undone.
func (c *Explainer) MakeIf() {
	said := c.Outcome()
	if said == nil {
		return
	}
	row := c.RowAt(said.Job)
	ran := &job.Job{ID: said.ID, Runtime: c.Why.Runtime, Request: job.Request{Estimate: c.Why.Estimate}}
	d := *c.Doc()
	for _, text := range said.Changes {
		x, err := whatif.Parse(text)
		if err == nil {
			d, err = d.Make(&x, row, ran)
		}
		if err != nil {
			c.trial.fault = err.Error()
			return
		}
	}
	c.trial.row = c.rowIn(&d, row, said.ID) + 1
	c.Focus = "if-title"
	if c.trial.row == 0 {
		c.CloseWhy()
		c.Focus = "why-title"
	}
	c.Do("", d)
	c.Notice = "Applied: " + said.Words + ". Undo reverts it."
}

// rowIn is where the job of a row is in a changed document, -1 if it is gone: another
// one may have gone before it.
func (c *Explainer) rowIn(d *document.Doc, row int, name string) int {
	if gone := c.Doc().Rows.Len() - d.Rows.Len(); gone == 0 {
		return row
	}
	for _, at := range []int{row, row - 1} {
		if at >= 0 && at < d.Rows.Len() && d.Rows.At(at).Name == name {
			return at
		}
	}
	return -1
}
