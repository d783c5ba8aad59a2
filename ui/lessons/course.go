package lessons

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/lessons/lesson"
	"backfill-lab/ui/protocol"
)

// openLesson holds the state of the open lesson. The pages of a lesson are its introduction, steps and
// questions. A question comes after the step that it belongs to.
type openLesson struct {
	*lesson.Lesson
	page         int           // number of the shown page, from 0
	selected     []int         // by question: the selected choice, -1 if none
	edited       bool          // the document differs from the lesson's scenario
	startDiffers bool          // an exercise is being written, and the document differs from the start of the exercise; see StartDiffers
	contentID    int           // ContentID of the lesson's scenario; see document.Doc
	packed       string        // the lesson, compressed for links; "" for a lesson of the project, or until it is compressed
	unfolded     bool          // the student has opened the panels that a brief lesson folds
	draft        bool          // the lesson is being written, so it is part of the document
	form         *document.Doc // in a preview, the document with the lesson that is being written; otherwise nil
	formPage     int           // the page that the form showed before this preview

	workload string           // workloadText of the lesson's scenario
	policies string           // policiesText of the lesson's scenario
	result   protocol.Refuted // result of the last check of a submission, empty if there was none
	edits    int              // Edits of the session at that check
	before   *document.Doc    // the document before the page showed a counterexample, nil if it shows none
}

// OpenLesson opens a lesson from the list.
func (c *Lessons) OpenLesson(l *lesson.Lesson) {
	c.CloseMenu()
	d, err := document.Read(l.Scenario)
	if err != nil {
		c.Notice = err.Error()
		return
	}
	d.ContentID = c.NewContentID()
	if c.needsEntry(l) {
		browser.PushHistoryEntry() // Back leaves the lesson
	}
	c.ScriptsNeedConsent = false // a script of the project needs no permission
	c.StartOver(d)
	if c.show(l, 0); c.HasTask() {
		c.scrollToTask()
	}
	c.storeAnswers()
	c.Focus = "lesson-title"
}

// needsEntry reports whether opening lesson l adds an entry to the browser history, so that the
// Back button returns to what the page shows now. Opening the same lesson again adds no entry. In a
// frame, only the first opened lesson adds one. Otherwise lessons would fill the history of the
// embedding page.
func (c *Lessons) needsEntry(l *lesson.Lesson) bool {
	return c.open == nil || c.open.Name != l.Name && !browser.Framed()
}

// OpenIntroduction opens the first lesson, which introduces newcomers to scheduling.
func (c *Lessons) OpenIntroduction() { c.AfterLoading("", func() { c.OpenLesson(lesson.All()[0]) }) }

// AfterLoading calls do once the built-in lessons are loaded. If name is neither "" nor the name of a built-in lesson,
// it may name an exercise, so AfterLoading also waits for the exercises. It fetches both if necessary. If that fails,
// it shows a notice and does not call do.
func (c *Lessons) AfterLoading(name string, do func()) {
	if lesson.All() != nil && (name == "" || lesson.Find(name) != nil) {
		do()
		return
	}
	go func() {
		defer browser.Recover("lessons")
		problem := c.Fetch(name)
		c.Env.Lock()
		defer c.Env.UnlockRender()
		if problem != "" {
			c.Notice = problem
			return
		}
		do()
	}()
}

// Fetch fetches the lessons of the project and waits for them. If no lesson has the wanted name, it also
// fetches the exercises. If a fetch fails, Fetch returns a message for the user, otherwise "".
func (c *Lessons) Fetch(wanted string) (problem string) {
	if lesson.All() == nil {
		problem = fetch("lessons", lesson.Load)
	}
	if problem == "" && wanted != "" && lesson.Find(wanted) == nil {
		problem = fetch("exercises", lesson.LoadExercises)
	}
	return problem
}

// fetch fetches a file with lessons and calls load with its content. If that fails, it returns a message for the user,
// otherwise "".
func fetch(part string, load func([]byte) error) (problem string) {
	file, err := browser.LoadFile(part)
	if err == nil {
		err = load(file)
	}
	if err != nil {
		return fmt.Sprintf("The %s could not be fetched: %v. Check the connection, then try again.", part, err)
	}
	return ""
}

// Reset restores the lesson's scenario, as an edit that can be undone, and shows the event of the current page.
func (c *Lessons) Reset() {
	if !c.open.edited {
		return
	}
	if d, err := document.Read(c.open.Scenario); err == nil {
		c.Events.JobsReplaced()
		d.ContentID = c.open.contentID
		c.Do("", d)
		c.Return()
	}
}

// show opens a lesson at a page and leaves the document as it is.
func (c *Lessons) show(l *lesson.Lesson, page int) {
	c.open = &openLesson{Lesson: l, selected: unanswered(l), contentID: c.Doc().ContentID}
	c.open.readStart()
	c.open.page = max(0, min(page, c.open.last()))
	c.HandleDocumentChange()
	c.showPage()
}

// readStart reads the scenario with which the lesson starts. Among the lessons that are being written, only
// exercises have such a scenario.
func (l *openLesson) readStart() {
	if l.draft && l.Exercise == nil {
		return
	}
	if d, err := document.Read(l.Scenario); err == nil {
		l.workload, l.policies = workloadText(&d), policiesText(&d)
	}
}

// unanswered returns a list with -1 for each question of a lesson. The value -1 means that no choice is selected.
func unanswered(l *lesson.Lesson) []int { return slices.Repeat([]int{-1}, len(l.Questions)) }

// HandleDocumentChange updates the lesson after an edit of the document. If a lesson is being written,
// HandleDocumentChange shows its new state. It also records whether the document differs from the scenario of the
// open lesson.
func (c *Lessons) HandleDocumentChange() {
	c.follow()
	l := c.open
	if l == nil || l.draft && l.workload == "" {
		return
	}
	differs := c.Doc().Rows.Len() > lesson.MaxJobs || workloadText(c.Doc()) != l.workload || policiesText(c.Doc()) != l.policies
	l.edited, l.startDiffers = differs && !l.draft, differs && l.draft
}

// HandleEdit updates the lesson after the user has edited the document. On a question after the last step,
// the player then shows the whole edited schedule, unless the user has moved the player.
func (c *Lessons) HandleEdit() {
	c.HandleDocumentChange()
	if l := c.open; l != nil && l.edited && l.asksAtEnd() && c.player.AtTargetEvent() {
		policy, _ := l.shown()
		c.player.SeekEvent(protocol.PlayerQuery{Result: policy, Event: math.MaxInt32})
	}
}

// policiesText returns the policies of a scenario and their knobs as text, for comparisons.
func policiesText(d *document.Doc) (text string) {
	for _, p := range d.Policies {
		text += fmt.Sprintln(p.Name, p.Knobs) // fmt prints maps in the order of their keys
	}
	return text
}

// workloadText returns everything in a small scenario that affects its schedules, except the policies,
// as text, for comparisons.
func workloadText(d *document.Doc) string {
	var b strings.Builder
	fmt.Fprintln(&b, d.Machine)
	if d.Slowdown != nil {
		fmt.Fprintln(&b, *d.Slowdown)
	}
	for _, r := range d.Resources {
		fmt.Fprintln(&b, r.Name, r.Capacity)
	}
	for _, o := range d.Outages {
		fmt.Fprintln(&b, o.Texts)
	}
	for _, r := range d.Rows.All() {
		for _, col := range d.AllColumns() {
			b.WriteString(r.Text(col) + "\t")
		}
	}
	return b.String()
}

// following returns the next lesson in the same language, nil if there is none. It also returns nil in a frame,
// which shows a single lesson.
func (l *openLesson) following() *lesson.Lesson {
	if browser.Framed() {
		return nil
	}
	return lesson.Next(l.Name)
}

// TurnPages turns a number of pages forwards, or backwards if the number is negative. After the
// last page, it opens the next lesson. In a frame, it restarts a finished lesson instead.
func (c *Lessons) TurnPages(by int) {
	if by > 0 && c.open.page == c.open.last() {
		if next := c.open.following(); next != nil {
			c.OpenLesson(next)
		} else if c.StartsAgain() {
			c.startAgain()
		}
		return
	}
	c.open.page = max(0, min(c.open.page+by, c.open.last()))
	c.recordFinished()
	c.showPage()
}

// startAgain shows the beginning of the open lesson, with its own scenario and without answers.
func (c *Lessons) startAgain() {
	c.Reset()
	l := c.open
	l.page, l.selected, l.result, l.before = 0, unanswered(l.Lesson), protocol.Refuted{}, nil
	c.storeAnswers()
	c.showPage()
	c.Focus = "lesson-title"
}

// showPage pauses the player, and moves it to the event of the current page. The player does not move if the page is
// about the event that the player already shows, or about whole schedules.
func (c *Lessons) showPage() {
	l := c.open
	c.Events.Viewed()
	c.player.Pause()
	if !l.draft && l.asksAtEnd() && l.question().Place == nil && c.player.IsBeyondStart() {
		return // the question is about the event that the player already shows
	}
	c.showEvent()
}

// showEvent moves the player to the event of the current page. It does nothing if the page is about whole schedules,
// such as the task of an exercise.
func (c *Lessons) showEvent() {
	if len(c.open.Steps) == 0 && c.open.Exercise != nil {
		return
	}
	policy, place := c.open.shown()
	c.player.SeekEvent(protocol.PlayerQuery{Result: policy, Place: &place})
}

// Leave closes the lesson. The scenario stays. If the lesson is being written, undo opens it again.
func (c *Lessons) Leave() {
	c.openBefore = nil
	c.stopCheck()
	if c.Writing() {
		d := *c.Doc()
		d.Lesson = nil
		c.Do("", d)
		c.Notice = "The lesson is closed. Undo opens it again."
	}
	c.open = nil
	c.player.Close()
	c.Events.Viewed()
	c.Focus = "lessons"
}
