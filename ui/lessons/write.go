package lessons

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/replay"
	"backfill-lab/core/scenario"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/lessons/lesson"
)

// A lesson that is being written is part of the document, so that undo, the link and autosave
// include it. While it is written, it is also the open lesson. The form edits the page that is shown.

// Tab is the name of the panel with the form.
const Tab = "lesson"

// Writing reports whether a lesson is being written.
func (c *Lessons) Writing() bool { return c.Doc().Lesson != nil }

// CanWrite reports whether the menus offer to write a lesson.
func (c *Lessons) CanWrite() bool { return !c.Writing() }

// ListsWrite reports whether the menu of lessons ends with the entry "Write a lesson". It appears
// only after the lessons have been fetched.
func (c *Lessons) ListsWrite() bool { return c.CanWrite() && lesson.All() != nil }

// Write starts a new lesson about the current scenario. If the player shows an event and no lesson is open,
// the new lesson gets a step with this event.
func (c *Lessons) Write() {
	d := c.Doc()
	l := &lesson.Lesson{Title: d.Title, Language: lesson.English, Text: paragraphs(d.Text)}
	if c.open == nil && c.player.Event() != nil {
		if s, ok := c.playerStep(); ok {
			l.Steps = []lesson.Step{s}
		}
	}
	c.begin(l)
}

// Edit lets the user edit the open lesson. From a preview, it returns to the form, at the page that the preview
// shows. If the preview is still at the introduction, the form returns to the page that it showed before.
func (c *Lessons) Edit() {
	if c.Previewing() {
		if c.open.page == 0 {
			c.open.page = c.open.formPage
		}
		c.Events.JobsReplaced()
		c.Do("", *c.open.form)
		c.showForm()
		return
	}
	l := *c.open.Lesson
	if l.Name = ""; l.Exercise == nil {
		l.Scenario = nil
	} else {
		c.Reset() // a solution in the editor is not the start of the exercise
	}
	c.begin(&l)
}

// begin opens the form with lesson l, unless the scenario has too many jobs for a lesson.
func (c *Lessons) begin(l *lesson.Lesson) {
	c.CloseMenu()
	if n := c.Doc().Rows.Len(); n > lesson.MaxJobs {
		c.Notice = tooManyJobs(n)
		return
	}
	if l.DraftID == "" {
		l.DraftID = browser.RandomName()
	}
	d := *c.Doc()
	d.Lesson, c.marksMissing, c.Notice = l, false, ""
	if c.Do("", d); c.Writing() { // otherwise the embedding page has forbidden the edit
		c.unedited = l
		c.showForm()
	}
}

// showForm shows the form at the current page of the lesson.
func (c *Lessons) showForm() {
	c.OpenTab(Tab)
	c.Focus = c.firstField()
}

// Previewing reports whether the open lesson is a preview of the lesson that is being written.
func (c *Lessons) Previewing() bool { return c.open != nil && c.open.form != nil }

// Preview shows the lesson that is being written as students see it, from its beginning. If the lesson has
// errors or missing parts, a notice says how many and names the first one.
func (c *Lessons) Preview() {
	if c.Plan == nil {
		c.Notice = c.FirstFixNotice("go on")
		return
	}
	l, err := lesson.ParseDraft(c.Draft())
	if err != nil {
		c.Notice = err.Error()
		return
	}
	form, page, missing := *c.Doc(), c.open.page, c.Missing()
	c.openBefore = nil
	if c.Do("", c.forStudents(l)); c.Writing() {
		return
	}
	c.show(l, 0)
	c.open.form, c.open.formPage = &form, page
	c.Drawer, c.Focus, c.Notice = "", "lesson-title", ""
	switch n := len(missing); n {
	case 0:
	case 1:
		c.Notice = "The lesson is not complete. " + missing[0].Text
	default:
		c.Notice = fmt.Sprintf("The lesson is not complete: the form marks %d places. The first one: %s", n, missing[0].Text)
	}
}

// Unsaved returns the document with the lesson that is being written. It returns nil if no lesson is being
// written, or if the user has not edited the lesson yet.
func (c *Lessons) Unsaved() *document.Doc {
	d := c.Doc()
	if c.Previewing() {
		d = c.open.form
	}
	if d.Lesson == nil || d.Lesson == c.unedited {
		return nil
	}
	return d
}

// follow makes the lesson that is being written the open lesson. If no lesson is being written any more, it
// reopens the lesson that was open before.
func (c *Lessons) follow() {
	l := c.Doc().Lesson
	switch {
	case l == nil && c.open != nil && c.open.draft:
		c.open, c.openBefore = c.openBefore, nil
		if c.open == nil {
			c.player.Close()
		}
	case l == nil:
	case c.open == nil || !c.open.draft:
		page := 0
		if c.openBefore = c.open; c.openBefore != nil {
			page = c.openBefore.page
		}
		c.open = &openLesson{Lesson: l, draft: true, selected: unanswered(l)}
		c.open.readStart()
		c.Tab = Tab
		c.turnTo(page)
	default:
		if len(l.Questions) != len(c.open.selected) {
			c.open.selected = unanswered(l)
		}
		same := bytes.Equal(c.open.Scenario, l.Scenario)
		if c.open.Lesson = l; !same {
			c.open.readStart()
		}
		c.open.page = min(c.open.page, c.open.last())
	}
}

// turnTo shows a page of the open lesson.
func (c *Lessons) turnTo(page int) {
	c.open.page = max(0, min(page, c.open.last()))
	c.showPage()
}

// FinishWriting ends writing and opens the lesson at its beginning, as students see it. If parts of the
// lesson are missing or invalid, FinishWriting shows them in the form instead.
func (c *Lessons) FinishWriting() {
	text := c.Finish()
	if text == nil {
		return
	}
	l, err := lesson.Parse(text)
	if err != nil {
		c.Notice = fmt.Sprintf("The lesson is not complete: %v.", err)
		return
	}
	l.DraftID, c.openBefore = c.Doc().Lesson.DraftID, nil
	c.Do("", c.forStudents(l))
	c.show(l, 0)
	c.Notice = "The lesson is complete. Use Share to copy a link, or code that shows the lesson in a course page. Use Export to save a file."
	c.Focus = "lesson-title"
	go c.pack(c.open, text)
}

// forStudents returns the document with which students begin a finished lesson. For an exercise, this is the
// scenario from which it starts. For another lesson, it is the current document.
func (c *Lessons) forStudents(l *lesson.Lesson) document.Doc {
	d := *c.Doc()
	if d.Lesson = nil; l.Exercise != nil {
		if start, err := document.Read(l.Scenario); err == nil {
			start.ContentID = d.ContentID
			c.Events.JobsReplaced()
			return start
		}
	}
	return d
}

// StartDiffers reports whether an exercise is being written, and the document differs from the start of the exercise,
// the scenario from which students begin. They differ, for example, after the author has tried to solve the exercise.
func (c *Lessons) StartDiffers() bool { return c.Writing() && c.open.startDiffers }

// UseAsStart makes the exercise that is being written start from the current scenario.
func (c *Lessons) UseAsStart() {
	if c.Plan == nil {
		c.Notice = c.FirstFixNotice("go on")
		return
	}
	if n := c.Plan.Rows.Len(); n > lesson.MaxJobs {
		c.Notice = tooManyJobs(n)
		return
	}
	l := *c.Doc().Lesson
	l.Scenario = scenario.Format(c.Doc().WithListedJobs(c.Plan))
	c.change("", &l)
}

// Draft returns the file of the lesson that is being written, nil if there is none. The file is
// complete if the lesson and the scenario have no errors.
func (c *Lessons) Draft() []byte {
	if c.Previewing() {
		return draftFile(c.open.form, c.Plan)
	}
	return draftFile(c.Doc(), c.Plan)
}

// draftFile returns the file of the lesson that is part of document d, nil if d contains no lesson. The argument
// plan is the plan of d. An exercise keeps the scenario from which it starts. For another lesson, the file has no
// scenario if plan is nil or has too many jobs.
func draftFile(d *document.Doc, plan *document.Plan) []byte {
	if d.Lesson == nil {
		return nil
	}
	var s []byte
	if d.Lesson.Exercise != nil && d.Lesson.Scenario != nil {
		s = d.Lesson.Scenario
	} else if plan != nil && plan.Rows.Len() <= lesson.MaxJobs {
		s = scenario.Format(d.WithListedJobs(plan))
	}
	return lesson.Format(withoutEmptyParts(d.Lesson), s)
}

// withoutEmptyParts returns a lesson without empty paragraphs and without empty replies to choices that do not
// exist. A question that follows the last step, or a step that does not exist, gets After = 0: it is asked at
// the end of the lesson.
func withoutEmptyParts(l *lesson.Lesson) *lesson.Lesson {
	out := *l
	out.Text = nil
	for _, p := range l.Text {
		if p = strings.TrimSpace(p); p != "" {
			out.Text = append(out.Text, p)
		}
	}
	out.Questions = slices.Clone(l.Questions)
	for i := range out.Questions {
		q := &out.Questions[i]
		if q.After >= len(l.Steps) {
			q.After = 0
		}
		n := max(len(q.Choices), len(q.Replies))
		for n > len(q.Choices) && q.Replies[n-1] == "" {
			n--
		}
		if q.Replies = withLength(q.Replies, n); strings.Join(q.Replies, "") == "" {
			q.Replies = nil
		}
	}
	return &out
}

// withLength returns a copy of texts with length n. It drops the last texts or appends empty ones.
func withLength(texts []string, n int) []string {
	return append(slices.Clone(texts[:min(n, len(texts))]), make([]string, max(0, n-len(texts)))...)
}

// paragraphs splits a text at its empty lines. The function joined joins the paragraphs again.
func paragraphs(text string) []string { return strings.Split(text, "\n\n") }

func joined(paragraphs []string) string { return strings.Join(paragraphs, "\n\n") }

// playerStep returns a step without text for the event that the player shows, or for the beginning if the
// player shows no event. It returns false if the player shows an external schedule.
func (c *Lessons) playerStep() (lesson.Step, bool) {
	x := c.player.Event()
	if x == nil {
		return lesson.Step{Place: replay.EventRef{Event: replay.Before}}, true
	}
	return lesson.Step{Policy: x.Result, Place: x.Place}, x.Result < len(c.Doc().Policies)
}

// firstField returns the ID of the first field of the form.
func (c *Lessons) firstField() string {
	for _, f := range c.Fields() {
		return f.ID
	}
	return "write-pages"
}

func tooManyJobs(n int) string {
	return fmt.Sprintf("A lesson has at most %s jobs; the scenario has %s.", format.Whole(lesson.MaxJobs), format.Whole(n))
}
