package files

import "backfill-lab/ui/browser"

// grades holds the grade of a checked submission until it is sent to the embedding page.
type grades struct {
	origin string // origin of the page that asked for grades, "" if none did
	grade  string // the grade to send, as JSON; "" if there is none
}

// Graded sends the grade of a submission, as JSON, to the embedding page if that page has asked for
// grades. If the submission is for content that the user opened, the user must agree first.
func (c *Files) Graded(grade string) {
	if x := &c.calls.grades; x.origin != "" {
		x.grade = grade
		c.sendGrade()
	}
}

// sendGrade sends the grade that has not been sent yet. It waits while the user has not decided
// whether to share it, and drops the grade if the user refuses.
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
