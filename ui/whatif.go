package ui

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

// supposing is what if: what is asked about the chosen job, and the answers.
type supposing struct {
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
func (s *supposing) settle(c *App) {
	w := c.why
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
func (s *supposing) renew(c *App) {
	s.said, s.found, s.foreseen, s.asking, s.fault = nil, nil, nil, 0, ""
	if row := s.row - 1; c.why != nil && row >= 0 && row < len(c.lab.places) && c.lab.places[row] >= 0 {
		c.why.Job = int(c.lab.places[row])
		s.job = c.why.Job
		_ = chart("select", fmt.Sprint(s.job))
	}
	s.row = 0
}

// ask sends a request, if nothing that counts is under way.
func (s *supposing) ask(c *App, kind string, head any) {
	if s.fault = ""; !c.fresh() || c.lab.task != 0 {
		s.fault = "Wait until the schedules are those of the scenario as it stands."
		return
	}
	s.asking, s.progress = c.lab.post(kind, head, browser.Message{}), protocol.Progress{}
}

// predict asks for the starts to be expected at the moment of the answer, if the run
// is small, the job waits and nothing else is asked.
func (s *supposing) predict(c *App) {
	if s.asking == 0 && c.lab.ran.Jobs <= mostForeseen && c.lab.task == 0 && c.fresh() && c.waits() && !s.foresees(c) {
		s.asking, s.progress = c.lab.post("predict", protocol.Predict{At: c.why.At}, browser.Message{}), protocol.Progress{}
	}
}

func (s *supposing) foresees(c *App) bool { return s.foreseen != nil && s.foreseen.At == c.why.At }

// waits reports whether the chosen job waits under some policy.
func (c *App) waits() bool {
	for _, a := range c.Answers() {
		if a.State == "waiting" {
			return true
		}
	}
	return false
}

func (s *supposing) cancel(c *App) {
	if s.asking != 0 && c.lab.worker != nil {
		_ = c.lab.worker.Post(browser.Message{Kind: "cancel", ID: s.asking, Head: []byte("{}")})
	}
	s.asking = 0
}

// answer takes what the worker says of a request that is still awaited.
func (s *supposing) answer(c *App, m browser.Message) (err error) {
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

// problem is what is wrong with a field, if anything is.
func (s *supposing) problem(field string) string {
	for _, begin := range []string{"", "job " + s.id + ", "} {
		if text, ok := strings.CutPrefix(s.fault, begin+field+": "); ok {
			return text
		}
	}
	return ""
}

// IfFields is the fields of what may be otherwise.
func (c *App) IfFields() []Field {
	out := make([]Field, len(ifFields))
	for i, x := range ifFields {
		f := &out[i]
		*f = Field{ID: "if-" + x.name, Name: x.name, Label: x.label, Place: i, Kind: policy.Integer, Text: c.ifs.texts[i]}
		f.fault(c.ifs.problem(x.name))
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
func (c *App) SetIf(e vugu.DOMEvent, f Field) {
	c.ifs.texts[f.Place], c.ifs.fault = e.PropString("target", "value"), ""
}

// TryIf tries what the fields say.
func (c *App) TryIf() {
	s := &c.ifs
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
	c.suppose(changes)
}

// suppose asks what changes would do; a fault of what was typed needs no worker.
func (c *App) suppose(changes []string) {
	for _, text := range changes {
		if _, err := whatif.Parse(text); err != nil {
			c.ifs.fault = err.Error()
			return
		}
	}
	c.ifs.lead = false
	c.ifs.ask(c, "whatif", protocol.WhatIf{Job: c.ifs.job, Changes: changes})
}

// If is a button of what may be otherwise: changes, or what would help under the
// policy of a result, or a prediction.
type If struct {
	ID, Text, Label string
	Changes         []string
	Result          int
}

// Ifs is those buttons.
func (c *App) Ifs() (out []If) {
	add := func(id, text string, changes ...string) { out = append(out, If{"if-" + id, text, text, changes, 0}) }
	if c.why.Estimate > c.why.Runtime {
		add("exact", "Exact estimate", "exact")
	}
	add("remove", "Without this job", "remove")
	add("node", "One more node", "nodes=1")
	if c.waits() && !c.ifs.foresees(c) && c.lab.ran.Jobs > mostForeseen {
		out = append(out, If{"if-predict", "Predict its start", "Predict its start", nil, ifPredict})
	}
	return out
}

// Helps is the buttons for what would have had the job start sooner.
func (c *App) Helps() (out []If) {
	for i, a := range c.why.Answers {
		out = append(out, If{fmt.Sprintf("if-sooner-%d", i), a.Title, "Try under " + a.Title + ": what would have started it sooner", nil, i})
	}
	return out
}

// Press does what one of the buttons is for.
func (c *App) Press(b If) {
	switch {
	case b.Changes != nil:
		c.suppose(b.Changes)
	case b.Result == ifPredict:
		c.ifs.ask(c, "predict", protocol.Predict{At: c.why.At})
		c.Focus = "if-title" // the button goes
	default:
		c.ifs.ask(c, "sooner", protocol.Sooner{Job: c.ifs.job, Result: b.Result})
	}
}

// CancelIf gives up what is being tried.
func (c *App) CancelIf() {
	c.ifs.cancel(c)
	c.ifs.fault, c.Focus = "Cancelled.", "if-title"
}

// MakeIf makes the change that was tried last, as an edit that can be undone.
func (c *App) MakeIf() {
	said := c.Supposed()
	if said == nil {
		return
	}
	l, row := &c.lab, said.Job
	if l.rows != nil {
		row = int(l.rows[row])
	}
	ran := &job.Job{ID: said.ID, Runtime: c.why.Runtime, Request: job.Request{Estimate: c.why.Estimate}}
	d := *c.Doc()
	for _, text := range said.Changes {
		x, err := whatif.Parse(text)
		if err == nil {
			d, err = d.Make(&x, row, ran)
		}
		if err != nil {
			c.ifs.fault = err.Error()
			return
		}
	}
	c.ifs.row = c.rowIn(&d, row, said.ID) + 1
	c.Focus = "if-title"
	if c.ifs.row == 0 {
		c.CloseWhy()
		c.Focus = "why-title"
	}
	c.do("", d)
	c.Notice = "Changed: " + said.Words + ". Undo takes it back."
}

// rowIn is where the job of a row is in a changed document, -1 if it is gone: another
// one may have gone before it.
func (c *App) rowIn(d *document.Doc, row int, name string) int {
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
