package lessons

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/scenario"
	"backfill-lab/ui/document"
	"backfill-lab/ui/lessons/lesson"
	"backfill-lab/ui/link"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session/sessiontest"
)

// player stands in for the player of the charts and shows no event.
type player struct{}

func (player) Pause()                         {}
func (player) SeekEvent(protocol.PlayerQuery) {}
func (player) Event() *protocol.Played        { return nil }
func (player) Seeking() bool                  { return false }
func (player) IsBeyondStart() bool            { return false }
func (player) AtEnd() bool                    { return false }
func (player) AtTargetEvent() bool            { return true }
func (player) Close()                         {}

// newLessons returns the lessons of a session, connected to its events as in the page.
func newLessons(t *testing.T) *Lessons {
	c := New(sessiontest.Example(t), player{})
	c.Events.Edited, c.Events.Replaced = c.HandleEdit, c.Close
	return c
}

// exported returns the lesson that the page downloads as a file.
func exported(t *testing.T, c *Lessons, l *lesson.Lesson) *lesson.Lesson {
	plan, bad := c.Doc().Check()
	require.Empty(t, bad)
	out, err := lesson.Parse(lesson.Format(l, scenario.Format(c.Doc().WithListedJobs(plan))))
	require.NoError(t, err)
	return out
}

// A link contains a lecturer's lesson and, separately, the edited scenario. A lesson that is saved
// as a file contains the edited scenario.
func TestLinksCarryLecturersLessons(t *testing.T) {
	project := lesson.Find("intro-fcfs")
	text := lesson.Format(project, project.Scenario)
	c := newLessons(t)
	own := link.EncodePayload(link.DeflateStored(text))
	s0, err := lesson.Parse(text)
	require.NoError(t, err)
	d, err := document.Read(s0.Scenario)
	require.NoError(t, err)
	c.Session.Open(d)
	c.FollowLink(s0, link.Parse("v=1&step=2&l="+own))
	require.Equal(t, project.Title, c.LessonTitle())
	require.Equal(t, "step 2 of 2", c.PageText())
	require.Equal(t, "true", c.ResetDisabled())
	require.Equal(t, own, c.LinkedLesson())
	require.Equal(t, project.Scenario, lesson.Find("intro-fcfs").Scenario)

	c.Do("", c.Doc().SetCell(0, document.Procs, "2"))
	require.Equal(t, "false", c.ResetDisabled())
	require.Contains(t, c.Warning(), "You have changed the scenario")
	s, err := scenario.Parse(exported(t, c, c.open.Lesson).Scenario)
	require.NoError(t, err)
	require.Equal(t, 2, s.Workload.Jobs[0].Procs)
	c.Reset()
	require.Equal(t, "true", c.ResetDisabled())
	c.Undo()
	require.Equal(t, "false", c.ResetDisabled())
}

// The template is a valid lesson, even if the scenario has no title.
func TestTemplate(t *testing.T) {
	c := newLessons(t)
	l := exported(t, c, c.template())
	require.Equal(t, c.Doc().Title, l.Title)
	require.Len(t, l.Steps, 2)
	d := *c.Doc()
	d.Title, d.Text = "", " "
	c.Do("", d)
	exported(t, c, c.template())
}

// Answering all questions correctly finishes a lesson. The next lesson is in the same language.
func TestFinishing(t *testing.T) {
	c := newLessons(t)
	require.True(t, c.Untouched())
	c.OpenIntroduction()
	require.False(t, c.Untouched())
	all := lesson.All()
	for i := range all {
		c.OpenLesson(all[i])
		require.False(t, c.AsksForEdit())
		c.open.page = c.open.last() - len(all[i].Questions)
		for _, q := range all[i].Questions {
			c.TurnPages(1)
			require.True(t, c.AsksForEdit())
			c.Answer((q.Answer + 1) % len(q.Choices))
			require.False(t, c.LessonDone())
			require.Empty(t, c.FinishedText()+c.NextTitle())
			require.NotEqual(t, "Next lesson", c.NextText(), "this question has no right answer yet")
			require.Empty(t, c.Suggestion())
			require.Equal(t, "Not quite.", c.Verdict())
			require.NotEmpty(t, c.Reply(), "every wrong choice has a reply")
			c.Answer(q.Answer)
		}
		require.Equal(t, all[i].Play, c.Suggestion())
		require.Regexp(t, `^You have finished (this lesson\.|the introduction\. Leave the lesson .* Next:$)`, c.FinishedText())
		require.Equal(t, all[i].Name == "intro-promises", strings.Contains(c.FinishedText(), "introduction"), all[i].Name)
		if c.Embedded = true; c.NextTitle() == "" {
			require.Equal(t, "You have finished this lesson.", c.FinishedText(), "an embedded page has no menu")
		}
		c.Embedded = false
		require.Equal(t, c.NextTitle() == "", c.NextDisabled() == "true")
		if next := lesson.Next(all[i].Name); next != nil {
			require.Equal(t, next.Title, c.NextTitle())
			require.Equal(t, "Next lesson", c.NextText())
		}
	}
}

// On the last page, the author of a lesson sees what to try next without answering a question. If the lesson
// has no questions, its students see it too.
func TestSuggestionWithoutAnswer(t *testing.T) {
	c := newLessons(t)
	l := *lesson.Find("intro-fcfs")
	c.OpenLesson(&l)
	c.open.page = c.open.last()
	require.Empty(t, c.Suggestion())
	c.open.draft = true
	require.Equal(t, l.Play, c.Suggestion())
	l.Questions = nil
	c.OpenLesson(&l)
	require.Empty(t, c.Suggestion())
	c.open.page = c.open.last()
	require.Equal(t, l.Play, c.Suggestion())
}

// A chart stays empty until the lesson reaches its policy. All charts are visible after an edit of the
// scenario, on the page of a question, and while the author writes the lesson.
func TestHiddenResults(t *testing.T) {
	c := newLessons(t)
	c.OpenLesson(lesson.Find("intro-promises"))
	var hidden [][]int
	for range c.open.last() + 1 {
		hidden = append(hidden, c.HiddenResults())
		c.TurnPages(1)
	}
	require.Equal(t, [][]int{nil, {1}, nil, nil, nil}, hidden)
	c.OpenLesson(lesson.Find("wu-figure-1"))
	c.TurnPages(1)
	require.Equal(t, []int{1, 2}, c.HiddenResults())
	c.Do("", c.Doc().SetCell(0, document.Procs, "2"))
	require.Empty(t, c.HiddenResults())
	c.Reset()
	require.Equal(t, []int{1, 2}, c.HiddenResults())
	c.Edit()
	require.Empty(t, c.HiddenResults())
}

// A brief lesson folds the panels until the student opens them. Nothing is folded in other lessons, or while the author
// writes the lesson.
func TestFolded(t *testing.T) {
	c := newLessons(t)
	require.False(t, c.Folded())
	require.False(t, c.ToggleFold())
	brief := lesson.Find("intro-fcfs")
	c.OpenLesson(brief)
	require.True(t, c.Folded())
	require.True(t, c.ToggleFold())
	c.TurnPages(1)
	require.False(t, c.Folded(), "open on the next page too")
	require.True(t, c.ToggleFold())
	require.True(t, c.Folded())
	c.Edit()
	require.False(t, c.Folded())
	require.True(t, c.open.Brief, "the form keeps the field")
	c.Preview()
	require.True(t, c.Folded())
	require.Empty(t, c.Notice)
	c.OpenLesson(lesson.Find("figure-1"))
	require.False(t, c.Folded())
	require.False(t, c.ToggleFold())
}

// An edit on the question after the last step moves the player to the end of the edited schedule, unless
// the user has moved it. An edit on a step leaves the player at its event.
func TestPlayerShowsTheEditedSchedule(t *testing.T) {
	p := &seekingPlayer{}
	c := New(sessiontest.Example(t), p)
	c.Events.Edited = c.HandleEdit
	c.OpenLesson(lesson.Find("intro-fcfs"))
	edit := func(procs string) { c.Do("", c.Doc().SetCell(0, document.Procs, procs)) }
	for range len(c.open.Steps) {
		c.TurnPages(1)
		edit("2")
		c.Undo()
		require.Equal(t, c.open.step().Place, *p.last.Place)
	}
	c.TurnPages(1)
	require.True(t, p.AtTargetEvent(), "the question leaves the player at the event of the last step")
	edit("2")
	require.Equal(t, protocol.PlayerQuery{Result: 1, Event: math.MaxInt32}, p.last)
	p.last.Event = 5 // the user moves the player
	edit("1")
	require.Equal(t, 5, p.last.Event)
}

// Until the student has answered all questions correctly, the pages of the last step and of the questions hide what
// happens after their event. They stop hiding it if the student moves the player to the end.
func TestSteppingUntilAnswered(t *testing.T) {
	p := &seekingPlayer{}
	c := New(sessiontest.Example(t), p)
	l := *lesson.Find("intro-estimates")
	c.OpenLesson(&l)
	c.TurnPages(len(l.Steps))
	require.True(t, c.HidesLaterEvents())
	p.last = protocol.PlayerQuery{Event: math.MaxInt32}
	require.False(t, c.HidesLaterEvents(), "the student has moved the player to the end")
	p.last = protocol.PlayerQuery{Event: 3}
	for _, q := range l.Questions {
		require.True(t, c.HidesLaterEvents())
		c.TurnPages(1)
		c.Answer(q.Answer)
	}
	require.False(t, c.HidesLaterEvents())
	l.Questions = nil
	c.OpenLesson(&l)
	c.TurnPages(len(l.Steps))
	require.False(t, c.HidesLaterEvents())
}

// seekingPlayer stands in for the player and records the event that it shows.
type seekingPlayer struct {
	player
	last protocol.PlayerQuery
}

func (p *seekingPlayer) SeekEvent(q protocol.PlayerQuery) { p.last = q }
func (p *seekingPlayer) AtEnd() bool                      { return p.last.Event == math.MaxInt32 }
func (p *seekingPlayer) IsBeyondStart() bool              { return p.last != protocol.PlayerQuery{} }
func (p *seekingPlayer) AtTargetEvent() bool              { return p.last.Place != nil }

// The page warns that the schedule does not contain the event of a step. It does so only after the player
// has looked for the event in the results of the lesson.
func TestTheScheduleLacksTheEventOfAStep(t *testing.T) {
	c := newLessons(t)
	p := &movedPlayer{event: &protocol.Played{}, place: true}
	c.player = p
	c.OpenLesson(lesson.Find("intro-fcfs"))
	c.TurnPages(1)
	require.Empty(t, c.Warning(), "the lesson has not run yet")
	c.ShownPlan = c.Plan
	require.Contains(t, c.Warning(), "shows an event that does not occur in this schedule")
	p.seeking = true
	require.Empty(t, c.Warning())
}

// Opening another lesson adds an entry to the history of the browser. Opening the same lesson again
// adds none.
func TestHistoryEntries(t *testing.T) {
	c := newLessons(t)
	first, second := lesson.Find("intro-chart"), lesson.Find("intro-fcfs")
	require.True(t, c.needsEntry(first))
	c.OpenLesson(first)
	require.False(t, c.needsEntry(first))
	require.True(t, c.needsEntry(second))
}

// The Reset button is enabled after the student adds an outage, because an outage changes the schedules.
func TestAddedOutageCanBeReset(t *testing.T) {
	c := newLessons(t)
	c.OpenLesson(lesson.Find("intro-fcfs"))
	require.Equal(t, "true", c.ResetDisabled())
	c.Do("", c.Doc().AddOutage())
	require.Equal(t, "false", c.ResetDisabled())
}
