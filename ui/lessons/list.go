package lessons

import "backfill-lab/ui/lessons/lesson"

// ListedLesson is a lesson in the list, as rendered.
type ListedLesson struct {
	*lesson.Lesson
	Marks []Mark
}

// Mark is a label of a lesson in the list. Lang is the language of its text.
type Mark struct{ Text, Lang string }

// Lessons returns the list of lessons, empty unless its menu is open.
func (c *Lessons) Lessons() (out []ListedLesson) {
	if c.Menu != "lessons" {
		return nil
	}
	list := lesson.All()
	if c.listsExercises {
		list = lesson.Exercises()
	}
	for i, l := range list {
		x := ListedLesson{Lesson: l}
		if i == 0 && !c.listsExercises {
			x.Marks = append(x.Marks, Mark{"Begin here", lesson.English})
		}
		if name := l.LanguageName(); name != "" {
			x.Marks = append(x.Marks, Mark{name, l.Lang()})
		}
		if c.wasFinished(l.Name) {
			x.Marks = append(x.Marks, Mark{"Finished", lesson.English})
		}
		out = append(out, x)
	}
	return out
}

// ListsCourse reports whether the menu of lessons has an entry for the exercises (the course "Write your own
// scheduler"). It has one only after the lessons have been fetched.
func (c *Lessons) ListsCourse() bool { return lesson.All() != nil }

// CourseTitle returns the label of the menu entry that switches between the list of lessons and the list of
// exercises.
func (c *Lessons) CourseTitle() string {
	if c.listsExercises {
		return "All lessons"
	}
	return "Write your own scheduler"
}

// CourseSummary describes the exercises. It returns "" while the menu lists them.
func (c *Lessons) CourseSummary() string {
	if c.listsExercises {
		return ""
	}
	return "Ten exercises: you write policies as scripts, or build workloads. The page checks your solution."
}

// ToggleCourse switches the menu between the list of lessons and the list of exercises. The first call fetches
// the exercises.
func (c *Lessons) ToggleCourse() {
	c.AfterLoading(anyExercise, func() { c.listsExercises, c.Focus = !c.listsExercises, "lessons-course" })
}

// anyExercise is the name of an exercise of the project. A call of AfterLoading with this name fetches all
// exercises.
const anyExercise = "fcfs"
