package lessons

import (
	"fmt"
	"strings"

	"backfill-lab/core/replay"
	"backfill-lab/core/scenario"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/lessons/lesson"
	"backfill-lab/ui/link"
)

// ShowLessonFile shows a lesson from a file. The page already shows the scenario of this lesson.
func (c *Lessons) ShowLessonFile(name string, text []byte) error {
	l, err := lesson.Parse(text)
	if err != nil {
		return err
	}
	c.show(l, 0)
	c.Focus = "lesson-title"
	c.Notice = fmt.Sprintf("Opened the lesson in %s.", name)
	go c.pack(c.open, text)
	return nil
}

// pack compresses the text of a lesson for links, and stores it in l.packed.
func (c *Lessons) pack(l *openLesson, text []byte) {
	defer browser.Recover("lesson")
	deflated, err := browser.Deflate(text)
	if err != nil {
		deflated = link.DeflateStored(text)
	}
	c.Env.Lock()
	defer c.Env.UnlockOnly()
	l.packed = link.EncodePayload(deflated)
	c.Events.Viewed()
}

// LinkedLesson returns the open lesson, compressed for a link. It returns "" if no lesson is open or the
// lesson is not compressed yet. It also returns "" for a lesson of the project, because a link contains only
// the name of such a lesson.
func (c *Lessons) LinkedLesson() string {
	if c.open == nil {
		return ""
	}
	return c.open.packed
}

// SaveLesson downloads the open lesson as a file, with the current scenario. An exercise keeps the scenario
// from which students start. If no lesson is open, SaveLesson downloads a template for a lesson about the
// current scenario. If the lesson that is being written has errors or missing parts, SaveLesson shows the first
// of them instead.
func (c *Lessons) SaveLesson() {
	if n := c.Doc().Rows.Len(); n > lesson.MaxJobs {
		c.CloseMenu()
		c.Notice = tooManyJobs(n)
		return
	}
	if c.Previewing() {
		c.Edit()
	}
	if c.Writing() {
		c.CloseMenu()
		if text := c.Finish(); text != nil {
			c.Download("lesson.json", "application/json", func(*document.Plan) []byte { return text })
			c.Saved(c.Doc().Lesson)
		}
		return
	}
	l, name := c.template(), "lesson.json"
	if c.open != nil {
		l = c.open.Lesson
		c.Saved(l)
	}
	if l.Name != "" {
		name = l.Name + ".json"
	}
	c.Download(name, "application/json", func(plan *document.Plan) []byte {
		if l.Exercise != nil {
			return lesson.Format(l, l.Scenario) // the scenario with which the exercise starts, not a solution
		}
		return lesson.Format(l, scenario.Format(c.Doc().WithListedJobs(plan)))
	})
}

// template returns a lesson with placeholder texts for the author to replace. Its first step shows the state before
// the first event. Its second step shows the event that the player shows. If there is none, the second step shows the
// state after all events at t = 0.
func (c *Lessons) template() *lesson.Lesson {
	d := c.Doc()
	step := lesson.Step{Text: "What the chart shows after all events at t = 0.", Place: replay.EventRef{Event: replay.After}}
	if s, ok := c.playerStep(); ok && s.Place.Event != replay.Before {
		step, step.Text = s, "What the chart shows at this event."
	}
	return &lesson.Lesson{
		Title: orDefault(d.Title, "The title"), Summary: "What the lesson teaches, in one line.", Text: []string{orDefault(d.Text, "What readers need to know before the first step.")},
		Steps: []lesson.Step{{Text: "What the chart shows before the first event.", Place: replay.EventRef{Event: replay.Before}}, step},
		Questions: []lesson.Question{{Text: "A question that students answer by changing the scenario", Choices: []string{"The right answer", "A wrong answer"},
			Because: "Why this answer is right."}},
		Play: "What to change in the scenario and try next.",
	}
}

// orDefault returns text, or fallback if text is blank.
func orDefault(text, fallback string) string {
	if strings.TrimSpace(text) == "" {
		return fallback
	}
	return text
}

// finishedLessons is the key under which the browser's local storage keeps the names of finished
// lessons, separated by spaces.
const finishedLessons = "lessons"

// wasFinished reports whether a lesson was finished in this browser.
func (c *Lessons) wasFinished(name string) bool {
	list, _ := browser.Local.Get(finishedLessons)
	return strings.Contains(" "+list+" ", " "+name+" ")
}

// recordFinished records in the browser that the user has finished the open lesson. It does nothing before the
// end of the lesson, or for a lesson that does not belong to the project.
func (c *Lessons) recordFinished() {
	name := c.open.Name
	if list, _ := browser.Local.Get(finishedLessons); name != "" && c.LessonDone() && !c.wasFinished(name) {
		browser.Local.Set(finishedLessons, strings.TrimSpace(list+" "+name))
	}
}
