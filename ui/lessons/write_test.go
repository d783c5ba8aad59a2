package lessons

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/log"
	"backfill-lab/core/replay"
	"backfill-lab/core/scenario"
	"backfill-lab/ui/lessons/lesson"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/widgets"
)

// set types a text into a field of the form.
func set(t require.TestingT, c *Lessons, id, text string) {
	for _, f := range c.fields() {
		if f.ID == id {
			c.setText(f, text)
			return
		}
	}
	require.Fail(t, "no field "+id)
}

// titles returns the titles and texts of all pages except the introduction, such as "Step1:one Question1:q".
func titles(c *Lessons) string {
	var out []string
	for _, s := range c.Outline()[1:] {
		out = append(out, strings.ReplaceAll(s.Title, " ", "")+":"+s.Text)
	}
	return strings.Join(out, " ")
}

// The author writes a new lesson. Each edit is an undo step, and redo restores the same lesson.
func TestWriting(t *testing.T) {
	c := newLessons(t)
	c.Write()
	require.True(t, c.Writing())
	require.Equal(t, Tab, c.Tab)
	set(t, c, "write-title", "T")
	set(t, c, "write-title", "Title")
	c.AddStep()
	set(t, c, "write-step", "one")
	c.AddStep()
	set(t, c, "write-step", "two")
	c.AddQuestion()
	set(t, c, "write-question", "q")
	require.Equal(t, "Step1:one Step2:two Question1:q", titles(c))
	set(t, c, "write-after", "after step 1")
	require.Equal(t, "Step1:one Question1:q Step2:two", titles(c))
	c.TurnTo(1)
	c.Delete()
	require.Equal(t, "Step1:two Question1:q", titles(c), "the question stays behind a step")
	c.Undo()
	c.TurnTo(3)
	c.Move(-1)
	require.Equal(t, "Step1:two Question1:q Step2:one", titles(c))
	require.False(t, c.CanMove(-1))
	c.Undo()
	c.Undo()
	require.Equal(t, "Step1:one Step2:two Question1:q", titles(c))
	for c.CanUndo() {
		c.Undo()
	}
	require.False(t, c.Writing())
	require.False(t, c.InLesson())
	c.Redo()
	c.Redo()
	require.Equal(t, "Title", c.LessonTitle())
}

// Finish shows what is missing. FinishWriting opens the finished lesson.
func TestFinishNamesWhatIsMissing(t *testing.T) {
	c := newLessons(t)
	c.Write()
	require.Empty(t, c.FlawText(), "nothing is marked before the lesson is to be used")
	require.Nil(t, c.Finish())
	require.Equal(t, []string{"The lesson needs a step. Move the player to an event, then add a step."}, c.PageFlaws())
	c.AddStep()
	c.FinishWriting()
	require.Equal(t, "write-step", c.Focus)
	set(t, c, "write-step", strings.Repeat("x", lesson.MaxText+1))
	require.Equal(t, []string{"Text of the step: the text has 4,001 characters, more than the 2,500 that this form can show. The lesson keeps the text."}, c.TooLong())
	c.Undo()
	set(t, c, "write-step", "one")
	c.FinishWriting()
	require.False(t, c.Writing())
	require.Equal(t, "1 step", c.PageText(), "the lesson opens at its beginning")
	require.Equal(t, "true", c.ResetDisabled())
	c.Undo()
	require.True(t, c.Writing())
	c.Redo()
	require.False(t, c.Writing())
	require.Equal(t, "1 step", c.PageText())
}

// Editing starts from the open lesson. Undo returns to this lesson.
func TestEditing(t *testing.T) {
	c := newLessons(t)
	c.OpenLesson(lesson.Find("intro-fcfs"))
	c.TurnPages(2)
	c.Edit()
	require.Equal(t, "step 2 of 2", c.PageText())
	set(t, c, "write-step", "mine")
	require.Equal(t, []string{"mine"}, c.text())
	require.NotEqual(t, "mine", lesson.Find("intro-fcfs").Steps[1].Text)
	c.Undo()
	c.Undo()
	require.False(t, c.Writing())
	require.Equal(t, "step 2 of 2", c.PageText())
	require.Equal(t, "intro-fcfs", c.open.Name)
	c.Redo()
	require.True(t, c.Writing())
	c.Leave()
	require.False(t, c.InLesson())
	c.Undo()
	require.True(t, c.Writing())
}

// Removing a choice also removes its reply.
func TestChoices(t *testing.T) {
	c := newLessons(t)
	c.Write()
	c.AddQuestion()
	c.AddChoice()
	for i, text := range []string{"a", "b", "c"} {
		set(t, c, choiceID(i), text)
	}
	set(t, c, "write-reply-1", "not b")
	set(t, c, "write-reply-2", "not c")
	set(t, c, "write-answer", "choice 3")
	require.Equal(t, "Remove choice 1, Remove choice 2", removable(c))
	c.DropChoice(c.RemovableChoices()[0].I)
	q := withoutEmptyParts(c.open.Lesson).Questions[0]
	require.Equal(t, []string{"b", "c"}, q.Choices)
	require.Equal(t, []string{"not b", "not c"}, q.Replies)
	require.Equal(t, 1, q.Answer)
	require.Empty(t, removable(c))
}

// removable returns the texts of the buttons that remove choices.
func removable(c *Lessons) string {
	var out []string
	for _, o := range c.RemovableChoices() {
		out = append(out, o.Text)
	}
	return strings.Join(out, ", ")
}

// New steps and questions at the end of a lesson stay in the order in which the author added them. After a new step in
// the middle, the last question is still at the end.
func TestQuestionsStayBeforeLaterSteps(t *testing.T) {
	c := newLessons(t)
	c.Write()
	c.AddQuestion()
	set(t, c, "write-question", "0")
	c.AddStep()
	set(t, c, "write-step", "one")
	require.Equal(t, "Step1:one Question1:0", titles(c), "no step was before the question")
	c.AddQuestion()
	set(t, c, "write-question", "1")
	c.AddStep()
	set(t, c, "write-step", "two")
	require.Equal(t, "Step1:one Question1:0 Question2:1 Step2:two", titles(c))
	c.AddQuestion()
	set(t, c, "write-question", "2")
	require.Equal(t, "Step1:one Question1:0 Question2:1 Step2:two Question3:2", titles(c))
	c.TurnTo(1)
	c.AddStep()
	require.Equal(t, "Step1:one Question1:0 Question2:1 Step2: Step3:two Question3:2", titles(c), "a step in the middle leaves the last question at the end")
	require.Equal(t, 0, c.open.Questions[2].After)
}

// movedPlayer stands in for the player and shows the given event. If place is false, the author has moved the player
// away from the event of the page.
type movedPlayer struct {
	player
	event          *protocol.Played
	place, seeking bool
}

func (p movedPlayer) Event() *protocol.Played { return p.event }
func (p movedPlayer) Seeking() bool           { return p.seeking }
func (p movedPlayer) AtTargetEvent() bool     { return p.place }

// If the author has moved the player, a new question shows the event of the player. Otherwise it shows the event
// of the step before it.
func TestNewQuestionShowsThePlayer(t *testing.T) {
	c := newLessons(t)
	p := &movedPlayer{place: true, event: &protocol.Played{Result: 1, Place: replay.EventRef{Time: 2, Event: "start", Job: "3"}}}
	c.player = p
	c.Write()
	c.AddStep()
	c.AddQuestion()
	require.False(t, c.HasOwnEvent())
	p.place = false
	c.AddQuestion()
	require.Equal(t, "Shows policy 2 at t = 2: job 3 starts.", c.PlaceText())
	p.event.Result = 9
	c.AddQuestion()
	require.Contains(t, c.Notice, "cannot show an external schedule")
	require.Len(t, c.open.Questions, 2)
	p.event = nil
	c.AddQuestion()
	require.False(t, c.HasOwnEvent())
}

// labels returns the labels of the form, each with its error.
func labels(c *Lessons) (out []string) {
	for _, f := range c.fields() {
		out = append(out, strings.TrimSpace(f.Label+" "+f.Problem))
	}
	return out
}

// The author selects the right answer in the list above the choices, and the form marks this choice. The reply
// to the right answer stays, and its field says that no student reads it. A reply to a choice that does not
// exist makes the lesson incomplete.
func TestRepliesStay(t *testing.T) {
	c := newLessons(t)
	c.Write()
	c.AddStep()
	set(t, c, "write-step", "s")
	c.AddQuestion()
	for id, text := range map[string]string{"write-question": "q", "write-because": "b", choiceID(0): "0", choiceID(1): "1", "write-reply-1": "not 1"} {
		set(t, c, id, text)
	}
	require.Equal(t, []string{"Question (required)", "Right answer", "✓ Choice 1, right (required)", "Choice 2 (required)", "Reply to choice 2", "Explanation (required)", "Asked", "Policy"}, labels(c))
	set(t, c, "write-answer", "choice 2")
	require.Equal(t, []string{"Question (required)", "Right answer", "Choice 1 (required)", "Reply to choice 1", "✓ Choice 2, right (required)",
		"Reply to choice 2 No student reads this reply, because choice 2 is the right answer. Clear the reply, or select another right answer.", "Explanation (required)", "Asked", "Policy"}, labels(c))
	require.Len(t, c.FieldsAfterChoices(), 3)
	require.Equal(t, "write-because", c.FieldsAfterChoices()[0].ID, "the buttons for choices stand above the explanation")
	require.Equal(t, "Shows policy 1 at t = 0: the state before all events at this time. This is the event of step 1, which comes before the question.", c.PlaceText())
	require.NotNil(t, c.Finish())
	require.Empty(t, c.FlawText())

	l := copied(c.Doc().Lesson)
	l.Questions[0].Replies = append(l.Questions[0].Replies, "", "not 4")
	c.change("", l)
	set(t, c, "write-question", "again")
	require.Nil(t, c.Finish())
	require.Equal(t, "Reply to choice 4 There is no choice 4. Add this choice, or clear this reply.", labels(c)[6])
	c.AddChoice()
	c.AddChoice()
	require.Equal(t, "Reply to choice 4", labels(c)[9])
	require.Equal(t, "not 4", withoutEmptyParts(c.open.Lesson).Questions[0].Replies[3])
}

// A lesson is not recorded as finished while its author writes it.
func TestAuthorsDoNotFinish(t *testing.T) {
	c := newLessons(t)
	c.OpenLesson(lesson.Find("intro-fcfs"))
	c.TurnPages(20)
	c.Edit()
	c.Answer(c.open.question().Answer)
	require.Equal(t, "Right.", c.Verdict())
	require.Empty(t, c.FinishedText()+c.NextTitle())
}

// The form describes in words what a step shows, for every kind of event.
func TestEventsInWords(t *testing.T) {
	for _, k := range log.Kinds {
		require.NotEmpty(t, eventWords[k.Name], k.Name)
	}
	require.Equal(t, "job 4 has to wait", placeWords(replay.EventRef{Event: "hold", Job: "4"}))
	require.Equal(t, "the planned start of job %s moves (the event number 2 of this kind at this time)", placeWords(replay.EventRef{Event: "move", Job: "%s", Nth: 2}))
	require.Equal(t, "the state after all events at this time", placeWords(replay.EventRef{Event: replay.After}))
	require.Equal(t, "a job starts", placeWords(replay.EventRef{Event: "start"}))
	c := newLessons(t)
	c.OpenLesson(lesson.Find("zeng-cases"))
	c.TurnPages(3)
	c.Edit()
	require.Equal(t, "Shows policy 1 at t = 1000: job C has to wait.", c.PlaceText())
}

func choiceID(i int) string { f := field{name: "choice", index: i}; return f.id() }

// The form accepts exactly the lessons that the page can open: lesson.Parse accepts a lesson if and
// only if the form shows no errors.
func TestFlawsAreThoseOfTheFormat(t *testing.T) {
	c := newLessons(t)
	s := scenario.Format(c.Doc().WithListedJobs(c.Plan))
	text := rapid.SampledFrom([]string{"", " ", "a", "\n\n", "x\n\ny", strings.Repeat("ü", lesson.MaxText/2+1)})
	rapid.Check(t, func(t *rapid.T) {
		l := &lesson.Lesson{Title: text.Draw(t, "title"), Language: rapid.SampledFrom([]string{"", "de", "x", "pt-BR"}).Draw(t, "language"), Play: text.Draw(t, "play"),
			Text: paragraphs(text.Draw(t, "text"))}
		for range rapid.IntRange(0, 2).Draw(t, "steps") {
			l.Steps = append(l.Steps, lesson.Step{Text: text.Draw(t, "step"), Policy: rapid.IntRange(0, 2).Draw(t, "policy"), Place: replay.EventRef{Event: replay.After}})
		}
		for range rapid.IntRange(0, 2).Draw(t, "questions") {
			l.Questions = append(l.Questions, lesson.Question{Text: text.Draw(t, "q"), Choices: []string{text.Draw(t, "a"), "b"}, Because: text.Draw(t, "because"),
				Replies: []string{"", text.Draw(t, "reply")}, After: rapid.IntRange(0, 3).Draw(t, "after")})
		}
		_, err := lesson.Parse(lesson.Format(withoutEmptyParts(l), s))
		flaws := flawsOf(l, len(c.Doc().Policies), c.Doc().Rows.Len())
		require.Equal(t, err == nil, len(flaws) == 0, "%v\n%v", err, flaws)
	})
	require.Len(t, flawsOf(&lesson.Lesson{}, 1, lesson.MaxJobs+1), 4)
	require.LessOrEqual(t, widgets.MaxTextLength, lesson.MaxText)
}

// A preview of an incomplete lesson names what is missing. After a right answer without an explanation,
// the page does not ask the student to select again.
func TestPreviewOfAnIncompleteLesson(t *testing.T) {
	c := newLessons(t)
	c.Write()
	set(t, c, "write-title", "A lesson")
	set(t, c, "write-text", "Read.")
	c.AddStep()
	set(t, c, "write-step", "one")
	c.AddQuestion()
	for id, text := range map[string]string{"write-question": "Which?", choiceID(0): "a", choiceID(1): "b"} {
		set(t, c, id, text)
	}
	c.Preview()
	require.Equal(t, "The lesson is not complete. Question 1, Explanation: Fill in this field.", c.Notice)
	c.TurnPages(2)
	c.Answer(0)
	require.Equal(t, "Right.", c.Verdict())
	require.Empty(t, c.Hint())
	c.Answer(1)
	require.Equal(t, "Not quite.", c.Verdict())
	require.NotEmpty(t, c.Hint())
	c.Edit()
	require.True(t, c.Writing())
	require.Equal(t, 2, c.open.page, "the page of the preview")
	c.Preview()
	require.Equal(t, 0, c.open.page)
	c.Edit()
	require.Equal(t, 2, c.open.page, "the page of the form, because the preview is at the introduction")
}
