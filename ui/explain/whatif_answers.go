package explain

import (
	"fmt"

	"backfill-lab/core/format"
	"backfill-lab/core/whatif"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/widgets"
)

// Outcome returns the worker's answer about the changes that were tried last. It returns nil if the answer is about
// another job or about outdated results.
func (c *Explainer) Outcome() *protocol.WhatIfAnswer {
	if s := c.trial.outcome; s != nil && c.isUpToDate(s.Generation, s.Job) {
		return s
	}
	return nil
}

// FoundChanges returns the worker's list of changes that make the job start earlier. It returns nil if the
// list is about another job or about outdated results.
func (c *Explainer) FoundChanges() *protocol.StartEarlierAnswer {
	if f := c.trial.found; f != nil && c.isUpToDate(f.Generation, f.Job) {
		return f
	}
	return nil
}

// isUpToDate reports whether an answer is about the selected job and the current results.
func (c *Explainer) isUpToDate(generation, index int) bool {
	return c.IsCurrent() && c.Why != nil && c.Why.Job == index && c.Ran.Generation == generation
}

// WhatIfStatus returns the text of the status line below the buttons: the progress, an error that belongs
// to no field, or a summary of the answer.
func (c *Explainer) WhatIfStatus() string {
	s := &c.trial
	if s.requestID != 0 && s.progress.Phase != "" {
		return widgets.ProgressText(&s.progress)
	}
	for i := range whatIfFields {
		if s.problem(whatIfFields[i].name) != "" {
			return "" // the error is shown at its field
		}
	}
	x := c.Outcome()
	switch f := c.FoundChanges(); {
	case s.err == "" && x == nil && f != nil:
		if len(f.Improvements) == 0 {
			return "None of the changes that were tried starts the job earlier."
		}
		return fmt.Sprintf("Changes that would start the job earlier: %d.", len(f.Improvements))
	case s.err != "" || x == nil:
		return s.err
	}
	text := "Job " + x.ID
	for i, begin := 0, ": "; i < len(x.Effects); i, begin = i+1, ", " {
		text += begin + c.effectText(&x.Effects[i])
	}
	return text + "."
}

// effectText describes in a few words the effect on the job under one policy.
func (c *Explainer) effectText(e *protocol.Effect) string {
	if e.After == nil {
		return "removed under " + e.Title
	}
	return whatif.ShiftText(*e.After-e.Before, c.Clock()) + " under " + e.Title
}

// WhatIfBusy reports whether a what-if request has run long enough to show its progress.
func (c *Explainer) WhatIfBusy() bool { return c.trial.requestID != 0 && c.trial.progress.Phase != "" }

// Consequence is the effect of the tried changes under one policy, as rendered.
type Consequence struct {
	// Title: the policy; Before, After: starts of the job; Delta: their difference; OthersText: effects on other jobs
	Title, Before, After, Delta, OthersText string
	Moved                                   [][]widgets.SentencePart // sentences with the jobs that gain or lose most
}

// Consequences returns the effects of the tried changes, one row for each policy.
func (c *Explainer) Consequences() (out []Consequence) {
	s := c.Outcome()
	if s == nil {
		return nil
	}
	for i := range s.Effects {
		e := &s.Effects[i]
		x := Consequence{Title: e.Title, Before: c.Clock().Instant(e.Before), After: "removed", OthersText: e.Title + ": " + e.OthersText}
		if e.NewTitle != "" {
			x.OthersText = e.NewTitle + " instead of " + x.OthersText
		}
		if e.After != nil {
			x.After, x.Delta = c.Clock().Instant(*e.After), whatif.ShiftText(*e.After-e.Before, c.Clock())
		}
		for k, list := range [][]protocol.MovedJob{e.MostEarlier, e.MostDelayed} {
			if len(list) > 0 {
				x.Moved = append(x.Moved, movedSentence([]string{"Jobs that start earlier, largest change first: ", "Jobs that start later, largest change first: "}[k], list, c.Clock()))
			}
		}
		out = append(out, x)
	}
	return out
}

// movedSentence returns a sentence that lists jobs, each as a link, and says by how much their starts move.
func movedSentence(begin string, list []protocol.MovedJob, clock format.Clock) []widgets.SentencePart {
	words := []widgets.SentencePart{{Text: begin}}
	for i, m := range list {
		end := " by " + clock.Duration(m.By) + ", "
		if i == len(list)-1 {
			end = " by " + clock.Duration(m.By) + "."
		}
		words = append(words, widgets.SentencePart{Text: "job " + m.ID, Job: m.Job, At: -1, Link: true}, widgets.SentencePart{Text: end})
	}
	return words
}

// ImprovementText describes a change that makes the job start earlier.
func (c *Explainer) ImprovementText(t protocol.Improvement) string {
	return fmt.Sprintf("%s, %s, if %s", c.Clock().Instant(t.Start), whatif.ShiftText(t.Start-c.trial.found.Start, c.Clock()), t.Words)
}

// ImprovementsTitle returns the heading of the list of changes that make the job start earlier.
func (c *Explainer) ImprovementsTitle() string {
	f := c.trial.found
	text := fmt.Sprintf("Under %s, the job starts at %s.", f.Title, c.Clock().Instant(f.Start))
	if len(f.Improvements) > 0 {
		text += " With one of these changes, it would start earlier:"
	}
	return text
}

// TryImprovement asks the worker for all effects of t, a change that makes the job start earlier. The keyboard focus
// then moves to the answer, which appears below the list of such changes.
func (c *Explainer) TryImprovement(t protocol.Improvement) {
	c.try(t.Changes)
	c.trial.focusAnswer = true
}

// FocusWhatIf moves the keyboard focus to the what-if form, below the reasons.
func (c *Explainer) FocusWhatIf() { c.Focus = "if-title" }

// ExpectedText says when the selected job is expected to start under policy i. It returns "" if the job
// is not waiting or no prediction is available.
func (c *Explainer) ExpectedText(i int) string {
	f := c.trial.prediction
	if f == nil || f.At != c.Why.At || f.Generation != c.Why.Generation || !c.IsCurrent() || i >= len(f.Results) {
		return ""
	}
	for k, j := range f.Results[i].Jobs {
		if j == c.Why.Job {
			return fmt.Sprintf("Expected start at %s, if no more jobs arrive and every job runs for its full estimate.", c.Clock().At(f.Results[i].Starts[k]))
		}
	}
	return ""
}
