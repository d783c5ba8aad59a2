package lessons

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/exercise"
	"backfill-lab/core/policy/script"
	"backfill-lab/core/scenario"
	"backfill-lab/public/exercises"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/lessons/lesson"
	"backfill-lab/ui/protocol"
)

// counterexample is a workload on which a submission fails.
const counterexample = `{"version": 1, "title": "Submission fails", "machine": {"nodes": 2}, "workload": {"jobs": [{"id": "x", "submit": 0, "procs": 1, "estimate": 2, "runtime": 2}]},
"policies": [{"name": "script", "title": "Submission", "knobs": {"source": "checked"}}, {"name": "easy"}]}`

// openExercise returns the lessons with an exercise open.
func openExercise(t *testing.T, name string) *Lessons {
	c := newLessons(t)
	c.OpenLesson(lesson.Find(name))
	require.True(t, c.HasTask())
	return c
}

// fail answers a check of the submission with a failure.
func fail(t *testing.T, c *Lessons) {
	c.Task = 7
	c.check = check{7, c.open, c.Edits}
	head, err := json.Marshal(protocol.Refuted{Title: "It fails.", At: 1, Job: "x", Scenario: []byte(counterexample), Grade: "{}"})
	require.NoError(t, err)
	taken, err := c.HandleAnswer(browser.Message{Kind: "refuted", ID: 7, Head: head})
	require.NoError(t, err)
	require.True(t, taken)
}

// source returns the script of the student.
func source(c *Lessons) string { return c.Doc().Policies[1].Knobs[script.SourceKnob] }

// write replaces the script of the student.
func write(c *Lessons, source string) {
	c.Do("", c.Doc().SetKnob(1, script.SourceKnob, source))
}

// The exercises of the project have the form of lessons, and their names differ from those of the lessons.
func TestExercisesOfTheProject(t *testing.T) {
	require.Len(t, lesson.Exercises(), 10)
	for _, l := range lesson.Exercises() {
		require.Equal(t, l, lesson.Find(l.Name), "%s is also the name of a lesson", l.Name)
		c := openExercise(t, l.Name)
		require.Empty(t, c.Warning())
		data, err := exercises.Load(l.Name)
		require.NoError(t, err)
		e, err := exercise.Parse(data)
		require.NoError(t, err)
		require.Contains(t, c.LessonParts()[1][0].Text, "The page checks:")
		if e.Kind == exercise.Policy {
			require.Equal(t, "policies", c.Tab)
			require.Equal(t, e.Script, source(c))
			continue
		}
		require.Equal(t, "jobs", c.Tab)
		s, err := scenario.Parse(l.Scenario)
		require.NoError(t, err)
		r, err := exercise.Check(e, scenario.Format(s)).Run()
		require.NoError(t, err)
		require.NotEmpty(t, r.Requirement, "the workload to start from is valid, and no solution")
	}
}

// The script from which an exercise starts counts as unwritten until the student edits it, even if the
// page shows another workload.
func TestUnwrittenScript(t *testing.T) {
	c := openExercise(t, "fcfs")
	require.True(t, c.Unwritten(1))
	require.False(t, c.Unwritten(0), "the policy of the project")
	require.Empty(t, c.TaskStart())
	c.Skipped, c.RunPlan = 1, c.Plan
	require.NotEmpty(t, c.TaskStart())
	fail(t, c)
	c.ShowExample()
	require.True(t, c.Unwritten(1))
	require.Empty(t, c.TaskStart(), "the run of the other workload has not ended")
	start := source(c)
	write(c, "mine")
	require.False(t, c.Unwritten(1))
	write(c, start)
	require.True(t, c.Unwritten(1))
	require.False(t, newLessons(t).Unwritten(0))
}

// The script stays when the page shows the counterexample and when it returns to the task. Undo reverts each
// of these steps.
func TestScriptSurvivesTheCounterexample(t *testing.T) {
	c := openExercise(t, "easy-repair")
	graded := ""
	c.Graded = func(grade string) { graded = grade }
	write(c, "mine")
	fail(t, c)
	require.Equal(t, "{}", graded)
	require.Equal(t, "It fails.", c.TaskResult())
	require.True(t, c.CanShowExample())
	require.False(t, c.CanReturn())
	order := c.Doc().PolicyTitles()

	c.ShowExample()
	require.Equal(t, 1, c.Doc().Rows.Len())
	require.Equal(t, order, c.Doc().PolicyTitles())
	require.Equal(t, "mine", source(c))
	require.Equal(t, int64(1), c.LinkedView.Cursor)
	require.True(t, c.CanReturn())
	require.True(t, c.InLesson())

	require.Empty(t, c.TaskStale())
	write(c, "better")
	require.NotEmpty(t, c.TaskStale())
	c.ReturnToTask()
	require.Equal(t, 12, c.Doc().Rows.Len())
	require.Equal(t, "better", source(c))
	require.False(t, c.CanReturn())
	for _, want := range []string{"better", "mine", "mine"} {
		c.Undo()
		require.Equal(t, want, source(c))
	}
	require.Equal(t, 12, c.Doc().Rows.Len())
}

// After a reload, ReturnToTask shows the workload of the lesson. Without a reload, it restores the jobs that the
// student has edited.
func TestReturnToEditedJobs(t *testing.T) {
	c := openExercise(t, "easy-repair")
	fail(t, c)
	edited := c.Doc().SetCell(0, document.ColumnNamed("procs"), "1")
	c.Do("", edited)
	c.ShowExample()
	c.ReturnToTask()
	require.Equal(t, workloadText(&edited), workloadText(c.Doc()))
	c.ShowExample()
	c.open.before = nil
	c.ReturnToTask()
	require.Equal(t, c.open.workload, workloadText(c.Doc()))
}

// If the student has removed the built-in policy, the counterexample contains it again.
func TestExampleHasThePolicyOfTheExercise(t *testing.T) {
	c := openExercise(t, "easy-repair")
	c.Do("", c.Doc().DropPolicy(0))
	fail(t, c)
	c.ShowExample()
	require.Equal(t, []string{"Submission", "EASY"}, c.Doc().PolicyTitles())
	require.Equal(t, "checked", c.Doc().Policies[0].Knobs[script.SourceKnob])
}

// Leaving the lesson cancels the check. An answer that arrives afterwards changes nothing.
func TestAnswerAfterTheLesson(t *testing.T) {
	c := openExercise(t, "easy-repair")
	c.Task, c.check = 7, check{7, c.open, 0}
	c.Leave()
	require.Zero(t, c.Task)
	taken, err := c.HandleAnswer(browser.Message{Kind: "refuted", ID: 7})
	require.NoError(t, err)
	require.True(t, taken)
	taken, _ = c.HandleAnswer(browser.Message{Kind: "refuted", ID: 8})
	require.False(t, taken, "a search of the panel Policies")
}

// A lesson may name an exercise of the project, or declare its own. The task is on the last page of the lesson.
func TestTaskOfALesson(t *testing.T) {
	declared, err := exercises.Load("fcfs")
	require.NoError(t, err)
	text := string(lesson.Format(lesson.Find("intro-fcfs"), lesson.Find("intro-fcfs").Scenario))
	for _, declared := range []string{`"fcfs"`, string(declared)} {
		l, err := lesson.Parse([]byte(strings.TrimSuffix(strings.TrimSpace(text), "}") + `, "exercise": ` + declared + "}"))
		require.NoError(t, err)
		again, err := lesson.Parse(lesson.Format(l, l.Scenario))
		require.NoError(t, err)
		require.Equal(t, l.Exercise, again.Exercise)
		c := newLessons(t)
		c.OpenLesson(l)
		require.False(t, c.HasTask(), "the first page has no task")
		c.open.page = c.open.last()
		require.True(t, c.HasTask())
		for i, q := range l.Questions {
			c.open.selected[i] = q.Answer
		}
		require.False(t, c.LessonDone())
		c.open.result.Passed = true
		require.True(t, c.LessonDone())
	}
}

// A lesson without steps needs an exercise: the name of an exercise of the project, or a declaration of its own.
func TestExerciseErrors(t *testing.T) {
	text := `{"title": "T", "text": ["t"], "scenario": {"version": 1, "machine": {"nodes": 1}, "workload": {"jobs": [{"id": "1", "submit": 0, "procs": 1, "runtime": 1}]}, "policies": [{"name": "fcfs"}]}`
	_, err := lesson.Parse([]byte(text + `, "exercise": "fcfs"}`))
	require.NoError(t, err)
	_, err = lesson.Parse([]byte(text + "}"))
	require.ErrorContains(t, err, "steps: expected 1 to 100 steps, or an exercise, got 0")
	_, err = lesson.Parse([]byte(text + `, "exercise": 7}`))
	require.ErrorContains(t, err, "exercise: expected the name of an exercise in double quotes, or an exercise in { }, got 7")
}

// If an author edits an exercise, the exercise keeps the scenario from which students start. A solution in
// the editor changes neither the file of the lesson nor what students see, unless the author makes it the
// new start.
func TestStartOfAnEditedExercise(t *testing.T) {
	c := openExercise(t, "fcfs")
	start := source(c)
	write(c, "solved before")
	c.Edit()
	c.HandleDocumentChange()
	require.True(t, c.Writing())
	require.Equal(t, start, source(c), "the form begins with the start of the exercise")
	require.True(t, c.Unwritten(1), "the start may be incomplete, which is no error")
	require.False(t, c.StartDiffers())

	write(c, "solved in the form")
	c.HandleDocumentChange()
	require.True(t, c.StartDiffers())
	startOf := func(file []byte) string {
		l, err := lesson.Parse(file)
		require.NoError(t, err)
		d, err := document.Read(l.Scenario)
		require.NoError(t, err)
		return d.Policies[1].Knobs[script.SourceKnob]
	}
	require.Equal(t, start, startOf(c.Draft()))
	c.Preview()
	require.Equal(t, start, source(c), "students begin with the start")
	c.Edit()
	c.HandleDocumentChange()
	require.Equal(t, "solved in the form", source(c))

	c.UseAsStart()
	c.HandleDocumentChange()
	require.False(t, c.StartDiffers())
	require.Equal(t, "solved in the form", startOf(c.Draft()))
}
