package files

import (
	"fmt"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/link"
)

// Share copies a link to the current scenario and view to the clipboard.
func (c *Files) Share() {
	s := &c.link
	if c.ToggleMenu("share"); c.Menu != "share" {
		return
	}
	s.Said, s.Long, s.Field, s.render = "The link is being made.", false, false, true
	if s.payload == "" && s.length == 0 {
		s.packed = -1 // an unedited example has no payload yet: make one, since examples may change
	}
	s.when(c, func() { s.copy(c) })
}

// copy writes the link to the clipboard, or shows it in a field if the browser forbids
// that.
func (s *share) copy(c *Files) {
	if s.put(c); s.length > 0 {
		s.Long = true
		s.Said = fmt.Sprintf("%s jobs are too many for a link, which would have more than %s characters. Save the scenario as a file with Export.",
			format.Whole(c.Doc().Rows.Len()), format.Whole(link.MaxLength))
		return
	}
	address := browser.Address()
	if !strings.HasPrefix(address, "http") {
		s.Long = true
		s.Said = "This page is a file, so a link to it opens on this computer only. Save the scenario as a file to pass it on."
		return
	}
	browser.CopyText(address, func(err error) { go s.copied(c, address, err) }) // in a goroutine: the callback may run at once, under the lock
}

// copied shows whether the link is on the clipboard.
func (s *share) copied(c *Files, address string, err error) {
	defer browser.Recover("clipboard")
	c.Env.Lock()
	defer c.Env.UnlockRender()
	s.Said = fmt.Sprintf("Link copied: %s characters. It contains the scenario and the view.", format.Whole(len(address)))
	if s.cut {
		s.Said += " The lesson is too long for a link. Save it as a file with Export."
	}
	if err != nil {
		s.Said, s.Field = fmt.Sprintf("Copy this link: %s characters.", format.Whole(len(address))), true
		c.Focus = "share-link"
	}
}

// fill writes the link into its field. Vugu cannot, because links are too long for it.
func (s *share) fill(c *Files) {
	if s.Field && c.Menu == "share" {
		_ = browser.SetText("share-link", browser.Address())
	}
}
