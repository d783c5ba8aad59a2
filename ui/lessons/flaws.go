package lessons

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"backfill-lab/core/format"
	"backfill-lab/ui/lessons/lesson"
	"backfill-lab/ui/widgets"
)

// flaw is an error in the lesson that is being written.
type flaw struct {
	page        int    // number of the page with the error, from 0
	field, text string // field: its ID, "" if the error is in no field; text: what is wrong
	missing     bool   // a text or step is still missing, so the form marks it only when the user wants to share or save the lesson
	label       string // label of the field, "" if the message says enough
}

// flaws returns the errors to show. It omits missing parts until the user wants to share or save the lesson.
func (c *Lessons) flaws() (out []flaw) {
	for _, f := range flawsOf(c.open.Lesson, len(c.Doc().Policies), c.Doc().Rows.Len()) {
		if !f.missing || c.marksMissing {
			out = append(out, f)
		}
	}
	return out
}

// flawsOf returns all errors of a lesson whose scenario has the given numbers of policies and jobs.
// If there are none, lesson.Parse accepts the lesson.
func flawsOf(l *lesson.Lesson, policies, jobs int) (out []flaw) {
	if jobs > lesson.MaxJobs {
		out = append(out, flaw{text: tooManyJobs(jobs)})
	}
	l = copied(l)
	for page, p := range pagePartsOf(l) {
		for _, f := range textFields(l, p) {
			for _, e := range flawOfText(page, &f) {
				e.label = f.label
				out = append(out, e)
			}
		}
		if page == 0 {
			out = append(out, flawsOfText(l)...)
		}
		if p.step >= 0 && l.Steps[p.step].Policy >= policies || p.question >= 0 && l.Questions[p.question].Policy >= policies {
			out = append(out, flaw{page: page, text: "The scenario no longer has the policy of this page. Select another policy."})
		}
	}
	if len(l.Steps) == 0 && l.Exercise == nil {
		out = append(out, flaw{text: "The lesson needs a step. Move the player to an event, then add a step.", missing: true})
	}
	return out
}

// flawOfText returns the error of a text field, if it has one.
func flawOfText(page int, f *field) []flaw {
	switch text := *f.text; {
	case f.required && strings.TrimSpace(text) == "":
		return []flaw{{page: page, field: f.id(), text: "Fill in this field.", missing: true}}
	case f.name == "language" && text != "" && !lesson.IsTag(text):
		return []flaw{{page: page, field: f.id(), text: "Type a language tag such as en, de or pt-BR."}}
	case len(text) > lesson.MaxText:
		return []flaw{{page: page, field: f.id(), text: tooLong(text)}}
	case f.spare && text != "":
		return []flaw{{page: page, field: f.id(), text: f.whyUnread}}
	}
	return nil
}

// flawsOfText returns the errors of the introduction.
func flawsOfText(l *lesson.Lesson) []flaw {
	const id = "write-text"
	text := withoutEmptyParts(l).Text
	switch n := len(text); {
	case n == 0:
		return []flaw{{field: id, text: "Type what students need to know before the first step.", missing: true}}
	case n > lesson.MaxParagraphs:
		return []flaw{{field: id, text: fmt.Sprintf("Use at most %d paragraphs; there are %d.", lesson.MaxParagraphs, n)}}
	}
	for _, p := range text {
		if len(p) > lesson.MaxText {
			return []flaw{{field: id, text: tooLong(p)}}
		}
	}
	return nil
}

func tooLong(text string) string {
	return fmt.Sprintf("Shorten this text to %s bytes; it has %s.", format.Whole(lesson.MaxText), format.Whole(len(text)))
}

// TooLong returns a note about each text of the page that is too long for a form field.
func (c *Lessons) TooLong() (out []string) {
	l, p := copied(c.open.Lesson), c.open.currentPart()
	all := textFields(l, p)
	if text := joined(l.Text); p.step < 0 && p.question < 0 {
		all = append(all, field{label: "Introduction", text: &text})
	}
	for _, f := range all {
		if n := utf8.RuneCountInString(*f.text); n > widgets.MaxTextLength {
			out = append(out, fmt.Sprintf("%s: the text has %s characters, more than the %s that this form can show. The lesson keeps the text.", f.label, format.Whole(n), format.Whole(widgets.MaxTextLength)))
		}
	}
	return out
}

// PageFlaws returns the errors of the current page that do not belong to a field.
func (c *Lessons) PageFlaws() (out []string) {
	for _, f := range c.flaws() {
		if f.page == c.open.page && f.field == "" {
			out = append(out, f.text)
		}
	}
	return out
}

// Missing is an entry, as rendered, in the list of what the author must complete or correct before sharing
// the lesson.
type Missing struct {
	ID, Text string
	flaw     flaw
}

// Missing returns what the author must complete or correct before sharing the lesson that is being written.
// After the call, the form also marks missing parts.
func (c *Lessons) Missing() (out []Missing) {
	if !c.Writing() {
		return nil
	}
	c.marksMissing = true
	sheets := c.Outline()
	for i, f := range c.flaws() {
		place := sheets[f.page].Title
		if f.label != "" {
			place += ", " + f.label
		}
		out = append(out, Missing{ID: fmt.Sprintf("share-missing-%d", i), Text: place + ": " + f.text, flaw: f})
	}
	return out
}

// HasNoFlaws reports whether the lesson that is being written is complete and correct. After the call, the form
// also marks missing parts.
func (c *Lessons) HasNoFlaws() bool { return len(c.Missing()) == 0 }

// GoTo shows the page of an entry in the list of missing parts and errors, and moves the focus to
// its field.
func (c *Lessons) GoTo(m Missing) {
	c.Menu = ""
	c.goTo(m.flaw)
}

// goTo shows the page of an error in the form and moves the focus to the field with the error. If the error belongs to
// no field, it moves the focus to an element with which the author can correct the error.
func (c *Lessons) goTo(f flaw) {
	c.OpenTab(Tab)
	c.turnTo(f.page)
	switch {
	case f.field != "":
		c.Focus = f.field
	case len(c.open.Steps) == 0:
		c.Focus = "write-add-step"
	default:
		c.Focus = c.firstField()
	}
}

// FlawText says how many errors the form shows. It returns "" if there are none.
func (c *Lessons) FlawText() string {
	if n := len(c.flaws()); n > 0 {
		return fmt.Sprintf("%s to complete or correct, marked in red.", format.Count(n, "place"))
	}
	return ""
}

// Finish returns the file of the lesson that is being written. If the lesson has errors or missing parts, it
// shows the first of them and returns nil. If the scenario has errors, it shows a notice and returns nil.
func (c *Lessons) Finish() []byte {
	c.marksMissing = true
	if all := c.flaws(); len(all) > 0 {
		c.goTo(all[0])
		c.Notice = fmt.Sprintf("The lesson is not complete. The form marks %s to complete or correct.", format.Count(len(all), "place"))
		return nil
	}
	if c.Plan == nil {
		c.Notice = c.FirstFixNotice("go on")
		return nil
	}
	return c.Draft()
}
