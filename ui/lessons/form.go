package lessons

import (
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/vugu/vugu"

	"backfill-lab/core/policy"
	"backfill-lab/core/replay"
	"backfill-lab/ui/lessons/lesson"
	"backfill-lab/ui/widgets"
)

// field describes a text field of the form: the text of the lesson that it edits, and its
// appearance on the page.
type field struct {
	name, label, help string
	long, required    bool // long: the field has several lines
	text              *string
	index             int    // index of the choice, for a choice or its reply
	whyUnread         string // why students never see the text, "" if they do
	spare             bool   // the field is the reply to a choice that does not exist
}

// textFields returns the text fields of a page of a lesson, except the paragraphs of the introduction. They point
// into l, so setting a field changes l.
func textFields(l *lesson.Lesson, p pagePart) []field {
	switch {
	case p.step >= 0:
		return []field{{name: "step", label: "Text of the step", help: "Say first what the chart shows, then why.", long: true, required: true, text: &l.Steps[p.step].Text}}
	case p.question >= 0:
		return questionFields(&l.Questions[p.question])
	}
	return []field{
		{name: "title", label: "Title", required: true, text: &l.Title},
		{name: "play", label: "To try at the end", help: "What to change in the scenario, and what to look at after the change. Shown on the last page. If the last page is a question, students see this text only after the right answer. Optional.", long: true, text: &l.Play},
		{name: "summary", label: "Summary", help: "What the lesson teaches, in one line. Optional.", text: &l.Summary},
		{name: "paper", label: "Source", help: "A paper, or a week of a course. Optional.", text: &l.Paper},
		{name: "language", label: "Language", help: "Language of your texts, as a tag: en, de, fr, pt-BR. Screen readers use it.", text: &l.Language},
	}
}

// questionFields returns the text fields of a question. It extends the replies of q, so that each choice has one.
func questionFields(q *lesson.Question) []field {
	out := []field{{name: "question", label: "Question", long: true, required: true, text: &q.Text}}
	q.Replies = withLength(q.Replies, max(len(q.Choices), len(q.Replies)))
	for i := range q.Replies {
		if i < len(q.Choices) {
			out = append(out, choiceField(q, i))
		}
		if f := replyField(q, i); f.whyUnread == "" || *f.text != "" {
			out = append(out, f)
		}
	}
	return append(out, field{name: "because", label: "Explanation", help: "Shown after “Right.”", long: true, required: true, text: &q.Because})
}

func choiceField(q *lesson.Question, i int) field {
	f := field{name: "choice", label: fmt.Sprintf("Choice %d", i+1), required: true, text: &q.Choices[i], index: i}
	if i == q.Answer {
		f.label, f.help = "✓ "+f.label+", right", "The right answer. Students who select it read the explanation below."
	}
	return f
}

// replyField returns the field for the reply to a choice. If students never see this reply, the
// field has an error that says so.
func replyField(q *lesson.Question, i int) field {
	f := field{name: "reply", label: fmt.Sprintf("Reply to choice %d", i+1), help: "Shown after “Not quite.” Optional.", long: true, text: &q.Replies[i], index: i}
	switch {
	case i >= len(q.Choices):
		f.spare, f.whyUnread = true, fmt.Sprintf("There is no choice %d. Add this choice, or clear this reply.", i+1)
	case i == q.Answer:
		f.whyUnread = fmt.Sprintf("No student reads this reply, because choice %d is the right answer. Clear the reply, or select another right answer.", i+1)
	}
	if f.whyUnread != "" {
		f.help = ""
	}
	return f
}

// copied returns a copy of a lesson. Edits of its texts, steps and questions do not change the
// original.
func copied(l *lesson.Lesson) *lesson.Lesson {
	out := *l
	out.Text, out.Steps, out.Questions = slices.Clone(l.Text), slices.Clone(l.Steps), slices.Clone(l.Questions)
	for i := range out.Questions {
		q := &out.Questions[i]
		q.Choices, q.Replies = slices.Clone(q.Choices), slices.Clone(q.Replies)
	}
	return &out
}

// id returns the ID of the field's element.
func (f *field) id() string {
	if f.name == "choice" || f.name == "reply" {
		return fmt.Sprintf("write-%s-%d", f.name, f.index)
	}
	return "write-" + f.name
}

// Fields returns the form fields of the current page. For a question, it returns only the fields up to the
// last choice. It omits texts that are too long for a field; TooLong lists them.
func (c *Lessons) Fields() []widgets.Field {
	all := c.fields()
	return all[:endOfChoices(all)]
}

// FieldsAfterChoices returns the fields after the last choice of a question. On a page without a question, it
// returns none.
func (c *Lessons) FieldsAfterChoices() []widgets.Field {
	all := c.fields()
	return all[endOfChoices(all):]
}

// endOfChoices returns the number of fields up to the last choice of a question. On other pages, it returns
// the number of all fields.
func endOfChoices(all []widgets.Field) int {
	for i, f := range all {
		if f.Name == "because" || f.Name == "after" {
			return i
		}
	}
	return len(all)
}

// fields returns all form fields of the current page.
func (c *Lessons) fields() (out []widgets.Field) {
	if !c.Writing() {
		return nil
	}
	l, p := copied(c.open.Lesson), c.open.currentPart()
	for _, f := range textFields(l, p) {
		if f.name == "play" {
			text := joined(l.Text)
			out = c.add(out, field{name: "text", label: "Introduction", help: "What students need to know before the first step. Separate paragraphs with an empty line.", long: true, required: true, text: &text})
		}
		if out = c.add(out, f); f.name == "question" {
			out = append(out, answerField(&l.Questions[p.question]))
		}
	}
	if p.question >= 0 {
		out = append(out, afterField(l, &l.Questions[p.question]))
	}
	if p.step >= 0 || p.question >= 0 {
		out = append(out, c.policyField())
	}
	return out
}

// add appends the form field for a text of the lesson, with the error of the text if there is one. It leaves out a
// text that is too long for a field.
func (c *Lessons) add(list []widgets.Field, f field) []widgets.Field {
	if utf8.RuneCountInString(*f.text) > widgets.MaxTextLength {
		return list
	}
	x := widgets.Field{ID: f.id(), Name: f.name, Label: f.label, Text: *f.text, Help: f.help, Place: f.index}
	if f.long {
		x.Kind = widgets.Long
	}
	if x.Required = f.required; f.required {
		x.Label += " (required)"
	}
	problem := f.whyUnread
	for _, e := range c.flaws() {
		if e.page == c.open.page && e.field == x.ID && problem == f.whyUnread {
			problem = e.text
		}
	}
	x.SetProblem(problem)
	return append(list, x)
}

func answerField(q *lesson.Question) widgets.Field {
	f := widgets.Field{ID: "write-answer", Name: "answer", Label: "Right answer", Kind: policy.Choice, Text: choiceName(q.Answer)}
	for i := range q.Choices {
		f.Options = append(f.Options, choiceName(i))
	}
	return f
}

func choiceName(i int) string { return fmt.Sprintf("choice %d", i+1) }

// policyField returns the field for the policy whose schedule the page shows.
func (c *Lessons) policyField() widgets.Field {
	shown, _ := c.open.shown()
	f := widgets.Field{ID: "write-policy", Name: "policy", Label: "Policy", Kind: policy.Choice, Text: strconv.Itoa(shown)}
	for i := range max(len(c.Doc().Policies), shown+1) {
		f.Options, f.OptionTitles = append(f.Options, strconv.Itoa(i)), append(f.OptionTitles, c.policyTitle(i))
	}
	return f
}

// setPolicy makes the current page show the schedule of policy i at the time of its current event. If the page shows
// the state before all events at this time, it then shows this state under policy i. Otherwise it shows the state
// after all events at this time, because the current event might not occur in the schedule of policy i.
func (c *Lessons) setPolicy(i int) {
	_, event := c.open.shown()
	if event.Event != replay.Before {
		event = replay.EventRef{Time: event.Time, Event: replay.After}
	}
	c.setEvent(i, &event)
}

const atTheEnd = "at the end"

func afterField(l *lesson.Lesson, q *lesson.Question) widgets.Field {
	f := widgets.Field{ID: "write-after", Name: "after", Label: "Asked", Kind: policy.Choice, Text: atTheEnd, Options: []string{atTheEnd}}
	for i := 1; i < len(l.Steps); i++ {
		f.Options = append(f.Options, afterStep(i))
	}
	if q.After > 0 && q.After < len(l.Steps) {
		f.Text = afterStep(q.After)
	}
	return f
}

func afterStep(n int) string { return "after step " + strconv.Itoa(n) }

// SetField stores what the user typed or selected in the field f.
func (c *Lessons) SetField(e vugu.DOMEvent, f widgets.Field) {
	c.setText(f, e.PropString("target", "value"))
}

// setText stores what the user typed or selected in field f. Consecutive keystrokes in a field are one undo step.
func (c *Lessons) setText(f widgets.Field, typed string) {
	if !c.Writing() {
		return
	}
	l, p := copied(c.open.Lesson), c.open.currentPart()
	switch f.Name {
	case "policy":
		c.setPolicy(slices.Index(f.Options, typed))
		return
	case "text":
		l.Text = paragraphs(typed)
	case "answer":
		l.Questions[p.question].Answer = slices.Index(f.Options, typed)
	case "after":
		l.Questions[p.question].After = slices.Index(f.Options, typed)
	}
	for _, x := range textFields(l, p) {
		if x.name == f.Name && x.index == f.Place {
			*x.text = typed
		}
	}
	c.change(fmt.Sprintf("%s %d", f.ID, c.open.page), l)
	if f.Name == "after" {
		c.turnToQuestion(p.question)
	}
}

// change makes l the lesson that is being written. Consecutive changes with the same non-empty key form one
// undo step.
func (c *Lessons) change(key string, l *lesson.Lesson) {
	d := *c.Doc()
	d.Lesson = l
	c.DoText(key, d)
}
