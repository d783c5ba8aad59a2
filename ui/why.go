package ui

import (
	"encoding/json"
	"fmt"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
)

func sortedKeys(m map[string]string) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// chart calls a method of the charts (public/js/chart.js) with an argument in
// JSON.
func chart(method, argument string) error {
	_, err := browser.Call("labChartCall", method, "["+argument+"]")
	return err
}

// point selects a job in the charts; they report back, and the page asks why.
func (c *App) point(index int) {
	_ = chart("select", fmt.Sprint(index))
	c.ask(index, -1)
}

// present shows a new answer in the charts and to those who listen.
func (c *App) present() {
	l, w := &c.lab, c.why
	if l.tell {
		quoted, _ := json.Marshal(spoken(w))
		_ = chart("say", string(quoted))
	}
	if l.reveal && len(w.Answers) > 0 && w.Answers[0].Start != nil && w.Answers[0].Finish != nil {
		_ = chart("reveal", fmt.Sprintf("%d,%d", *w.Answers[0].Start, *w.Answers[0].Finish))
	}
	l.tell, l.reveal = false, false
}

// spoken is the first sentence of each policy.
func spoken(w *protocol.Answers) string {
	text := "Job " + w.ID + "."
	for _, a := range w.Answers {
		text += " " + a.Title + ": "
		if len(a.Lines) > 0 {
			for _, p := range a.Lines[0].Parts {
				text += p.Text
			}
		}
	}
	return text
}

// chosen asks why of the job chosen in a chart, in sight: on a narrow screen the
// answer is a drawer.
func (c *App) chosen(index int, at int64) {
	c.ask(index, at)
	if c.Drawer == "why" {
		c.Drawer = ""
	}
	if index >= 0 {
		c.Drawer = "why"
	}
}

// lead selects a job and brings it into sight.
func (c *App) lead(index int) {
	c.chosen(index, -1)
	_ = chart("select", fmt.Sprint(index))
	c.lab.reveal = true
}

// WhyTitle is the heading of the answer.
func (c *App) WhyTitle() string {
	if c.why == nil {
		return "Why?"
	}
	return fmt.Sprintf("Why? Job %s at t = %d", c.why.ID, c.why.At)
}

// HasWhy reports whether there is an answer.
func (c *App) HasWhy() bool { return c.why != nil }

// WhyFacts is what is known of the job.
func (c *App) WhyFacts() []Fact {
	w := c.why
	if w == nil {
		return nil
	}
	started, ended := "", true
	for i, a := range w.Answers {
		if i > 0 {
			started += " · "
		}
		started += fmt.Sprintf("%s (%s)", begun(a.Start, w.At), a.Title)
		ended = ended && a.Finish != nil && *a.Finish <= w.At
	}
	runs := fmt.Sprintf("%d s", w.Runtime)
	if !ended {
		runs += " (known only when it ends)"
	}
	facts := []Fact{
		{Name: "submitted", Value: since(w.Submit, w.At)},
		{Name: "asks for", Value: fmt.Sprintf("%s for %d s", count(w.Procs, "processor"), w.Estimate)},
	}
	for k, r := range w.Machine.Resources {
		q := job.Request{More: w.More}
		facts = append(facts, Fact{Name: r.Name, Value: fmt.Sprintf("%d of %d", q.Extra(k), r.Capacity)})
	}
	if k := c.curve(); k != nil {
		facts = append(facts, Fact{Name: "moldable", Value: k.model()}, Fact{Name: "runs on", Value: k.sizes()})
	} else {
		facts = append(facts, Fact{Name: "runs", Value: runs})
	}
	return append(facts, Fact{Name: "started", Value: started})
}

// begun is when a job started, as known at a time; a later start is marked as such.
func begun(start *int64, at int64) string {
	if start == nil {
		return "not yet"
	}
	if *start > at {
		return fmt.Sprintf("not yet; later, at t = %d", *start)
	}
	return fmt.Sprint(*start)
}

// since is a time of the job, which is marked if it is after the time asked about.
func since(t, at int64) string {
	if t > at {
		return fmt.Sprintf("later, at t = %d", t)
	}
	return fmt.Sprint(t)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Answers is why, a policy each.
func (c *App) Answers() []protocol.Answer {
	if c.why == nil {
		return nil
	}
	return c.why.Answers
}

// Word is a part of a sentence as rendered: text, or a link to a job or a moment.
type Word struct {
	Text, Class string
	Job         int
	At          int64
	Link        bool
}

// Words is a sentence as rendered.
func (c *App) Words(parts []protocol.Part) (out []Word) {
	for _, p := range parts {
		w := Word{Text: p.Text, Job: -1, At: -1}
		if p.Job != nil {
			w.Job, w.Link = *p.Job, true
		}
		if p.At != nil {
			w.At, w.Link = *p.At, true
		}
		out = append(out, w)
	}
	return out
}

// Follow goes where a link leads: to a job, or to a moment of the same job.
func (c *App) Follow(w Word) {
	c.Focus = "why-title" // the link itself may be gone with the next answer
	switch {
	case w.Job >= 0:
		at := c.why.At
		_ = chart("select", fmt.Sprint(w.Job))
		c.ask(w.Job, at)
		c.lab.reveal = true
	case w.At >= 0:
		_ = chart("cursor", fmt.Sprint(w.At))
		c.ask(c.why.Job, w.At)
	}
}

// When is the moment of a line of the history.
func (c *App) When(l protocol.Line) string {
	if l.At == nil {
		return ""
	}
	return fmt.Sprint(*l.At)
}

// Mark is the class of a line of the history: whether it is the present one.
func (c *App) Mark(l protocol.Line) string {
	if l.At != nil && *l.At == c.why.At {
		return "now"
	}
	return "then"
}

// CloseWhy closes the answer.
func (c *App) CloseWhy() {
	c.why, c.Drawer = nil, ""
	_ = chart("select", "null")
}
