package explain

import (
	"fmt"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// WhyTitle returns the heading of the panel.
func (c *Explainer) WhyTitle() string {
	if !c.HasWhy() {
		return "Why?"
	}
	return fmt.Sprintf("Why? Job %s at %s", c.Why.ID, c.Clock().At(c.Why.At))
}

// HasWhy reports whether the panel shows an explanation. While a brief lesson (see lesson.Lesson) hides panels, the
// Why? panel stays empty if the user selected the job only by editing its row.
func (c *Explainer) HasWhy() bool { return c.Why != nil && (c.Asked || !c.Events.Folded()) }

// WhyHelp says how to get an explanation.
func (c *Explainer) WhyHelp() string {
	if c.Events.Folded() {
		return "Select a job in a chart to see why it started when it did."
	}
	return "Select a job in a chart or in the table to see why it started when it did."
}

// WhyFacts returns the facts about the job: submission, request, runtime or speedup curve, and starts.
func (c *Explainer) WhyFacts() []widgets.Fact {
	w := c.Why
	if w == nil {
		return nil
	}
	started, ended := "", true
	for i, a := range c.Answers() {
		if i > 0 {
			started += "\n"
		}
		started += fmt.Sprintf("%s (%s)", c.startText(a.Start), a.Title)
		ended = ended && a.Finish != nil && *a.Finish <= w.At
	}
	runs := c.Clock().Duration(w.Runtime)
	if !ended {
		runs += " (known only when the job ends)"
	}
	facts := []widgets.Fact{
		{Name: "submitted", Value: c.timeText(w.Submit, w.At)},
		{Name: "requests", Value: format.Count(w.Procs, "processor") + " (estimate " + c.Clock().Duration(w.Estimate) + ")"},
	}
	for k, r := range w.Machine.Resources {
		q := job.Request{More: w.More}
		facts = append(facts, widgets.Fact{Name: r.Name, Value: format.Whole(q.Extra(k)) + " of " + format.Whole(r.Capacity)})
	}
	if k := c.curve(); k != nil {
		facts = append(facts, widgets.Fact{Name: "moldable", Value: k.parametersText()}, widgets.Fact{Name: "runs on", Value: k.sizesText()})
	} else {
		facts = append(facts, widgets.Fact{Name: "runs", Value: runs})
	}
	return append(facts, widgets.Fact{Name: "started", Value: started})
}

// startText says when the job started, and how long it waited. If start is nil or after the time that the page
// shows, the text says "not yet". It also gives the later start, unless the open lesson hides it.
func (c *Explainer) startText(start *int64) string {
	w := c.Why
	switch later := start != nil && *start > w.At; {
	case start == nil, later && c.Events.HidesLaterEvents():
		return "not yet"
	case later:
		return fmt.Sprintf("not yet; starts at %s, wait %s", c.Clock().At(*start), c.Clock().Duration(*start-w.Submit))
	default:
		return fmt.Sprintf("%s, wait %s", c.Clock().Instant(*start), c.Clock().Duration(*start-w.Submit))
	}
}

// timeText returns the time t as text. If t is after at, the time that the page shows, the text says so.
func (c *Explainer) timeText(t, at int64) string {
	if t > at {
		return "later, at " + c.Clock().At(t)
	}
	return c.Clock().Instant(t)
}

// ShowsLater reports whether the panel shows what happened to the job after the shown time.
func (c *Explainer) ShowsLater(a Explanation) bool {
	return len(a.Later) > 0 && !c.Events.HidesLaterEvents()
}

// Explanation is the explanation of a job under the policy of a result.
type Explanation struct {
	*protocol.Answer
	Result int // index of the result
}

// Answers returns the explanations, one for each policy. It begins with the policy in whose chart the
// job was selected.
func (c *Explainer) Answers() (out []Explanation) {
	for _, i := range c.AnswerOrder() {
		out = append(out, Explanation{&c.Why.Answers[i], i})
	}
	return out
}

// FollowLink opens a link in a sentence. The link selects another job, or explains the same job at another time.
func (c *Explainer) FollowLink(w widgets.SentencePart) {
	c.Focus = "why-title" // the link may disappear with the next explanation
	switch {
	case w.Job >= 0:
		at := c.Why.At
		_ = session.CallCharts("select", fmt.Sprint(w.Job))
		c.AskWhy(w.Job, at)
		c.Reveal = true
	case w.At >= 0:
		_ = session.CallCharts("cursor", fmt.Sprint(w.At))
		c.AskWhy(c.Why.Job, w.At)
	}
}

// LineTime returns the time of a line of the history, "" if it has none.
func (c *Explainer) LineTime(l protocol.Line) string {
	if l.At == nil {
		return ""
	}
	return c.Clock().Instant(*l.At)
}

// LineClass returns the CSS class of a line of the history: "now" if the line is about the time of the explanation,
// otherwise "then".
func (c *Explainer) LineClass(l protocol.Line) string {
	if l.At != nil && *l.At == c.Why.At {
		return "now"
	}
	return "then"
}

// CloseWhy closes the explanation and deselects the job.
func (c *Explainer) CloseWhy() {
	c.Why, c.Asked, c.Drawer = nil, false, ""
	_ = session.CallCharts("select", "null")
}
