package files

import (
	"encoding/json"
	"errors"
	"strings"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/lessons/lesson"
	"backfill-lab/ui/link"
)

// longestUndo is the largest number of bytes of undo steps that the tab keeps for a reload.
const longestUndo = 1 << 20

// storeUndo stores the undo steps in the browser tab, so that they survive a reload. It stores nothing in a
// frame, or if the address does not contain the current document. It never stores steps from before an
// anonymisation, because they contain names.
func (c *Files) storeUndo() {
	s := &c.link
	if browser.Framed() || s.length > 0 || s.packedEdits != c.Edits {
		browser.Session.Remove("undo")
		return
	}
	if text, err := json.Marshal(c.StoreUndo(s.undoPayload(), longestUndo, packed)); err == nil {
		browser.Session.Set("undo", string(text))
	}
}

// draftMark separates the two parts of the payload of an undo step: the scenario, and the lesson that is
// being written.
const draftMark = "~"

// packed returns the payload of a document for an undo step, without compression. It returns "" if
// the document has too many jobs.
func packed(d *document.Doc) string {
	_, bad := d.Check()
	if l := linkDocumentOf(d, bad); l != nil {
		payload := link.EncodePayload(link.DeflateStored(link.Pack(l)))
		if d.Lesson != nil {
			payload += draftMark + link.EncodePayload(link.DeflateStored(lesson.Format(d.Lesson, nil)))
		}
		return payload
	}
	return ""
}

// restoreUndo restores the undo steps that the tab keeps, if they belong to the document with the
// given payload.
func (c *Files) restoreUndo(payload string) {
	text, ok := browser.Session.Get("undo")
	var s document.StoredHistory
	if !ok || browser.Framed() || json.Unmarshal([]byte(text), &s) != nil || s.Now != payload {
		return
	}
	c.RestoreUndo(s, func(payload string) (document.Doc, error) {
		payload, draft, written := strings.Cut(payload, draftMark)
		l, err := link.DecodePayload(link.Version, payload)
		if err != nil {
			return document.Doc{}, err
		}
		if document.GeneratesManyJobs(l.Scenario) {
			return document.Doc{}, errors.New("the jobs of this step were generated before the page was reloaded, and the page no longer has them")
		}
		d, err := documentOfLink(l)
		d.ContentID = c.NewContentID()
		if written && err == nil {
			if d.Lesson, err = draftOf(draft); err == nil {
				d.Lesson.DraftID = c.drafts.open
			}
		}
		return d, err
	})
}

// draftOf decodes the part after draftMark in the payload of an undo step: the lesson that was being written.
func draftOf(payload string) (*lesson.Lesson, error) {
	text, err := link.Inflate(payload)
	if err != nil {
		return nil, err
	}
	return lesson.ParseDraft(text)
}
