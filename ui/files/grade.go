package files

import "backfill-lab/ui/browser"

// grades holds what the embedding page learns about checks of submissions.
type grades struct {
	origin string // origin of the page that asked for grades, "" if none did
	grade  string // the grade to send, as JSON; "" if there is none
}

// Graded sends the grade of a submission, as JSON, to the embedding page, if this page has asked for grades.
// The user must agree if the submission is for content that they opened themselves.
func (c *Files) Graded(grade string) {
	if x := &c.calls.grades; x.origin != "" {
		x.grade = grade
		c.sendGrade()
	}
}

// sendGrade sends a grade that has not been sent, unless the user has still to decide about it.
func (c *Files) sendGrade() {
	x := &c.calls.grades
	if x.grade == "" {
		return
	}
	may, err := c.mayTell(&call{origin: x.origin})
	if may {
		_, _ = browser.Call("labGrade", x.grade, x.origin)
	}
	if may || err != nil {
		x.grade = ""
	}
}
