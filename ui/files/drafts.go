package files

import (
	"encoding/json"
	"slices"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/lessons/lesson"
	"backfill-lab/ui/link"
)

// drafts stores in the browser the lessons that are being written, so that the user can continue after closing
// the page. A draft stays until the user saves its lesson as a file or discards it. A page in a frame stores no
// drafts.
type drafts struct {
	list      []draft // what the page offers, the newest first
	stored    string  // link of the draft that this page stored last
	saved     int     // Edits of the session when the user saved the lesson as a file
	open      string  // ID of the draft that the page is opening, "" if none
	discarded draft   // the draft that the user discarded last, empty if none
}

// draft is a lesson that the browser keeps.
type draft struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Link  string `json:"link"` // fragment that opens the lesson in the form
}

const (
	draftsKey = "drafts" // in local storage, key of all drafts; in session storage, key of a text with the ID of this tab's draft and the fragment
	maxDrafts = 10       // number of drafts that the browser keeps
)

// Draft holds the labels and ids of the two buttons for a draft: one opens it, the other discards it.
type Draft struct {
	I                            int    // index of the draft
	ID, Open, DiscardID, Discard string // id and label of the first button, then of the second
}

// ListDrafts reads the drafts that the browser keeps.
func (c *Files) ListDrafts() { c.drafts.list = storedDrafts() }

// Drafts returns the drafts that the page offers, the newest first.
func (c *Files) Drafts() (out []Draft) {
	for i, d := range c.drafts.list {
		n := format.Whole(i)
		out = append(out, Draft{i, "draft-" + n, "Continue " + d.words(), "draft-discard-" + n, "Discard " + d.words()})
	}
	return out
}

// words returns the name of the draft for use in sentences.
func (d *draft) words() string {
	title := d.Title
	if strings.TrimSpace(title) == "" {
		title = "Untitled"
	}
	return "the draft “" + title + "”"
}

// DraftNotice says how many lessons are not saved.
func (c *Files) DraftNotice() string {
	if n := len(c.drafts.list); n > 1 {
		return "This browser has " + format.Whole(n) + " lessons that you have not saved. The Lessons menu lists them. The newest:"
	}
	return "This browser has a lesson that you have not saved."
}

// storedDrafts returns the drafts that the browser keeps.
func storedDrafts() (list []draft) {
	if text, _ := browser.Local.Get(draftsKey); text != "" && !browser.Framed() {
		_ = json.Unmarshal([]byte(text), &list)
	}
	return list
}

// store keeps the newest maxDrafts drafts in the browser. If these need too much space, it drops the oldest of
// them.
func (x *drafts) store(list []draft) {
	x.list = list
	for list = list[:min(len(list), maxDrafts)]; len(list) > 0; list = list[:len(list)-1] {
		if text, err := json.Marshal(list); err == nil && browser.Local.Set(draftsKey, string(text)) {
			return
		}
	}
	browser.Local.Remove(draftsKey)
}

// withoutDraft returns the list without the draft that has this ID.
func withoutDraft(list []draft, id string) []draft {
	return slices.DeleteFunc(list, func(d draft) bool { return d.ID == id })
}

// StoreDraft stores the lesson that is being written as a draft. It does nothing in a frame, or if the user has
// not edited the lesson since it was opened or saved as a file. If the lesson form is closed, StoreDraft also
// makes sure that a reload does not open it again.
func (c *Files) StoreDraft() {
	x, d := &c.drafts, c.lessons.Unsaved()
	if c.Doc().Lesson == nil && !c.lessons.Previewing() {
		browser.Session.Remove(draftsKey)
	}
	if d == nil || browser.Framed() || x.saved == c.Edits {
		return
	}
	if d.Lesson.DraftID == "" {
		d.Lesson.DraftID = browser.RandomName()
	}
	payload, written, ok := strings.Cut(packed(d), draftMark)
	f := link.Fragment{Version: link.Version, View: c.view(), Payload: payload, Lesson: written}
	f.View.Write = true
	browser.Session.Set(draftsKey, d.Lesson.DraftID+" "+c.link.written)
	if text := f.String(); ok && text != x.stored {
		x.stored = text
		x.store(append([]draft{{d.Lesson.DraftID, d.Lesson.Title, text}}, withoutDraft(storedDrafts(), d.Lesson.DraftID)...))
	}
}

// fragmentToOpen returns the fragment of the link that a reloaded page opens. Usually this is the given fragment of the
// address. If the user left the page before the address contained everything typed into the lesson form, fragmentToOpen
// returns the link of this tab's draft instead.
func (x *drafts) fragmentToOpen(fragment string) string {
	text, _ := browser.Session.Get(draftsKey)
	id, written, _ := strings.Cut(text, " ")
	i := slices.IndexFunc(x.list, func(d draft) bool { return d.ID == id })
	if i < 0 || written != fragment {
		return fragment
	}
	x.open = id
	if !sameWork(link.Parse(fragment), link.Parse(x.list[i].Link)) {
		return x.list[i].Link
	}
	return fragment
}

// sameWork reports whether two links open the same scenario and the same lesson in the form.
func sameWork(a, b link.Fragment) bool {
	work := func(f link.Fragment) string {
		jobs, err := link.Inflate(f.Payload)
		l, err2 := lessonOf(f)
		if err != nil || err2 != nil {
			return ""
		}
		return string(jobs) + string(lesson.Format(l, nil))
	}
	return work(a) == work(b)
}

// OpenDraft opens draft i in the form.
func (c *Files) OpenDraft(i int) {
	c.CloseMenu()
	d := c.drafts.list[i]
	c.drafts.open = d.ID
	c.openLink(d.Link, false)
	c.drafts.open = ""
}

// DiscardDraft deletes draft i. The user can restore it until another draft is discarded or the page
// is closed.
func (c *Files) DiscardDraft(i int) {
	c.CloseMenu()
	c.drafts.discarded = c.drafts.list[i]
	c.dropDraft(c.drafts.discarded.ID)
	c.Focus = "draft-restore"
}

// DiscardedText says which draft was discarded last. It returns "" if there is none.
func (c *Files) DiscardedText() string {
	if d := &c.drafts.discarded; d.ID != "" {
		return "Discarded " + d.words() + "."
	}
	return ""
}

// RestoreDraft restores the draft that was discarded last.
func (c *Files) RestoreDraft() {
	x := &c.drafts
	x.store(append([]draft{x.discarded}, withoutDraft(storedDrafts(), x.discarded.ID)...))
	x.discarded = draft{}
	c.Focus = "lessons"
}

// DeleteSavedDraft deletes the draft of a lesson that the user has saved as a file.
func (c *Files) DeleteSavedDraft(l *lesson.Lesson) {
	if l.DraftID != "" {
		c.drafts.saved = c.Edits
		c.dropDraft(l.DraftID)
	}
}

func (c *Files) dropDraft(id string) {
	c.drafts.stored = ""
	c.drafts.store(withoutDraft(storedDrafts(), id))
}

// Forget deletes the draft of this tab, because it may contain names.
func (c *Files) Forget() {
	text, _ := browser.Session.Get(draftsKey)
	id, _, _ := strings.Cut(text, " ")
	c.dropDraft(id)
	c.drafts.discarded = draft{}
	browser.Session.Remove(draftsKey)
}
