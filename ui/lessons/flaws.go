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
	page        int
	field, text string // field is the ID of the field, "" if the error is in none
	missing     bool   // nothing was typed yet, so the form marks it only when the lesson is to be used
}

// flaws returns the errors to show.
func (c *Lessons) flaws() (out []flaw) {
	for _, f := range flawsOf(c.open.Lesson, len(c.Doc().Policies), c.Doc().Rows.Len()) {
		if !f.missing || c.insists {
			out = append(out, f)
		}
	}
	return out
}

// flawsOf returns all errors of a lesson. The scenario of the lesson has the given numbers of
// policies and jobs. If there are no errors, lesson.Parse accepts the lesson.
func flawsOf(l *lesson.Lesson, policies, jobs int) (out []flaw) {
	if jobs > lesson.MaxJobs {
		out = append(out, flaw{text: tooManyJobs(jobs)})
	}
	if len(l.Steps) == 0 {
		out = append(out, flaw{text: "The lesson needs a step. Move the player to an event, then add a step.", missing: true})
	}
	l = copied(l)
	for page, p := range placesOf(l) {
		for _, f := range textFields(l, p) {
			out = append(out, flawOfText(page, &f)...)
		}
		if page == 0 {
			out = append(out, flawsOfText(l)...)
		}
		if p.step >= 0 && l.Steps[p.step].Policy >= policies {
			out = append(out, flaw{page: page, text: "The scenario no longer has the policy of this step. Move the player, then press “Show what the player shows now”."})
		}
	}
	return out
}

// flawOfText returns the error of a text field, if it has one.
func flawOfText(page int, f *field) []flaw {
	switch text := *f.text; {
	case f.required && strings.TrimSpace(text) == "":
		return []flaw{{page, f.id(), "Type this text.", true}}
	case f.name == "language" && text != "" && !lesson.IsTag(text):
		return []flaw{{page, f.id(), "Type a language tag such as en, de or pt-BR.", false}}
	case len(text) > lesson.MaxText:
		return []flaw{{page, f.id(), tooLong(text), false}}
	case f.spare && text != "":
		return []flaw{{page, f.id(), f.unread, false}}
	}
	return nil
}

// flawsOfText returns the errors of the introduction.
func flawsOfText(l *lesson.Lesson) []flaw {
	const id = "write-text"
	text := withoutEmptyParts(l).Text
	switch n := len(text); {
	case n == 0:
		return []flaw{{0, id, "Type what students need to know before the first step.", true}}
	case n > lesson.MaxParagraphs:
		return []flaw{{0, id, fmt.Sprintf("Use at most %d paragraphs; there are %d.", lesson.MaxParagraphs, n), false}}
	}
	for _, p := range text {
		if len(p) > lesson.MaxText {
			return []flaw{{0, id, tooLong(p), false}}
		}
	}
	return nil
}

func tooLong(text string) string {
	return fmt.Sprintf("Shorten this text to %s bytes; it has %s.", format.Whole(lesson.MaxText), format.Whole(len(text)))
}

// TooLong returns a note for each text of the page that is too long for a field.
func (c *Lessons) TooLong() (out []string) {
	l, p := copied(c.open.Lesson), c.open.currentPlace()
	all := textFields(l, p)
	if text := joined(l.Text); p.step < 0 && p.question < 0 {
		all = append(all, field{label: "Introduction", text: &text})
	}
	for _, f := range all {
		if n := utf8.RuneCountInString(*f.text); n > widgets.MaxTextLength {
			out = append(out, fmt.Sprintf("%s: the text has %s characters, more than the %s that this form can show. The text does not change.", f.label, format.Whole(n), format.Whole(widgets.MaxTextLength)))
		}
	}
	return out
}

// PageFlaws returns the errors of the current page that belong to no field.
func (c *Lessons) PageFlaws() (out []string) {
	for _, f := range c.flaws() {
		if f.page == c.open.page && f.field == "" {
			out = append(out, f.text)
		}
	}
	return out
}

// FlawText says how many errors the form shows. It returns "" if it shows none.
func (c *Lessons) FlawText() string {
	if n := len(c.flaws()); n > 0 {
		return fmt.Sprintf("%s in the form to complete, marked in red.", format.Count(n, "place"))
	}
	return ""
}

// Finish returns the file of the lesson that is being written. If the lesson has errors, it
// shows the first one and returns nil.
func (c *Lessons) Finish() []byte {
	c.insists = true
	if all := c.flaws(); len(all) > 0 {
		c.ShowTab(Tab)
		c.Drawer = "edit"
		c.turnTo(all[0].page)
		if c.Focus = all[0].field; c.Focus == "" {
			c.Focus = c.firstField()
		}
		c.Notice = "The lesson is not complete. The form marks what is missing."
		return nil
	}
	if c.Plan == nil {
		c.Notice = "The scenario has errors, which are marked. Fix them first."
		return nil
	}
	return c.Draft()
}
