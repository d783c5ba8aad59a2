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
	for i, l := range lesson.All() {
		x := ListedLesson{Lesson: l}
		if i == 0 {
			x.Marks = append(x.Marks, Mark{"Begin here", lesson.English})
		}
		if name := l.LanguageName(); name != "" {
			x.Marks = append(x.Marks, Mark{name, l.Lang()})
		}
		if c.finished(l.Name) {
			x.Marks = append(x.Marks, Mark{"Finished", lesson.English})
		}
		out = append(out, x)
	}
	return out
}
