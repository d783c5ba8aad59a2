package files

import (
	"fmt"
	"strings"

	"backfill-lab/core/anonymise"
	"backfill-lab/core/format"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/link"
)

// openElement is the id of an HTML element that exists only in a page that was saved as one file. The element contains
// the fragment of a link, with the scenario, lesson and view with which the page opens.
const openElement = "lab-open"

// CanDownloadPage reports whether the page can be downloaded as one file.
func (c *Files) CanDownloadPage() bool {
	has, err := browser.Call("labHasPage")
	return err == nil && has == true && !c.link.pageFailed
}

// ShareNotes says what a user should know before sharing: that the scenario contains names of users, that the external
// schedule is not shared, or that the page cannot be downloaded as one file. It returns "" if nothing applies.
func (c *Files) ShareNotes() string {
	var notes []string
	user := ""
	if !c.link.offersSave { // a scenario that is too long is not shared
		user = c.Doc().FirstUserName()
	}
	if user != "" {
		notes = append(notes, fmt.Sprintf("The scenario contains names of users, such as %s. To replace them with numbers, use Anonymise in the Workload tab.", user))
	}
	if c.External.Exists() {
		name := ""
		if n := c.External.Name(); n != anonymise.ScheduleTitle {
			name = " (" + n + ")"
		}
		notes = append(notes, fmt.Sprintf("The external schedule%s is not shared. To show it, others need its file, which may contain names of users.", name))
	}
	if !c.CanDownloadPage() {
		notes = append(notes, "This site does not offer the page as a single file. Instead, save the scenario as a file. Others can open this file with Open….")
	}
	return strings.Join(notes, " ")
}

// DownloadPage saves the page as one file with the scenario, the lesson and the view inside. A lesson starts
// at its beginning. The file opens without a network.
func (c *Files) DownloadPage() {
	s := &c.link
	if n := c.Doc().Rows.Len(); n > link.MaxJobs && !c.Doc().Generated() {
		s.message, s.offersSave = fmt.Sprintf("The page as one file can hold at most %[2]s jobs, and the scenario has %[1]s. Save only the scenario as a file.", format.Whole(n), format.Whole(link.MaxJobs)), true
		return
	}
	f := link.Fragment{Version: link.Version, View: c.view(), Lesson: c.lessons.LinkedLesson()}
	content := "scenario"
	if c.Events.InLesson() {
		f.View, content = lessonStart(f.View), "lesson"
	}
	document, lesson := link.Pack(linkDocumentOf(c.Doc(), c.Bad)), c.lessons.Draft()
	exercise := c.writesExercise()
	s.message = "The page is creating the file."
	go func() {
		defer browser.Recover("saving the page as one file")
		if !exercise {
			f.Payload = payloadOf(document)
		}
		if lesson != nil {
			f.Lesson = payloadOf(lesson)
		}
		_, err := browser.CallAsync("labPage", f.String())
		c.Env.Lock()
		defer c.Env.UnlockRender()
		s.message = fmt.Sprintf("Saved the page as one file with the %s inside. It opens in a browser, without a network.", content)
		if err != nil {
			s.message, s.pageFailed, s.offersSave = fmt.Sprintf("The file could not be created: %v", err), true, true
		}
	}()
}

// firstFragment returns the fragment with which the page opens: the fragment of the address, or else the fragment in
// openElement.
func firstFragment() string {
	if fragment := browser.Fragment(); fragment != "" {
		return fragment
	}
	return browser.ElementText(openElement)
}
