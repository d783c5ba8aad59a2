package files

import (
	"fmt"
	"slices"
	"strings"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/link"
)

// applyFrameOptions applies the options of the fragment that are for pages in a frame, such as
// hidden parts. If the current tab is hidden, it switches to the first tab that is not.
func (c *Files) applyFrameOptions(f link.Fragment) {
	c.outer = f.Frame()
	c.Session.Embedded = c.outer.Embed
	if !c.ShowsPart(c.Tab) && c.showsPanels() {
		c.Tab = c.Tabs[slices.IndexFunc(c.Tabs, c.ShowsPart)]
	}
}

// withNamedPolicies returns the document with its policies replaced by those that a fragment names, and clears
// the payload of the fragment. If the fragment names no policies, it changes nothing.
func (c *Files) withNamedPolicies(d document.Doc, f *link.Fragment) document.Doc {
	if len(f.Policies) == 0 {
		return d
	}
	f.Payload = "" // the payload has other policies
	with, err := d.WithPolicies(f.Policies)
	if err != nil {
		c.Notice = fmt.Sprintf("The policies in the address of the page were ignored: %v.", err)
		return d
	}
	return with
}

// ShowsPart reports whether the frame shows a part of the page.
func (c *Files) ShowsPart(part string) bool {
	return !c.outer.Embed || len(c.outer.Show) == 0 || slices.Contains(c.outer.Show, part)
}

// showsPanels reports whether the frame shows any left-hand panel.
func (c *Files) showsPanels() bool { return slices.ContainsFunc(c.Tabs, c.ShowsPart) }

// Embedded reports whether the page is embedded and so shown without its header.
func (c *Files) Embedded() bool { return c.outer.Embed }

// FullPageAddress returns the address that opens the same scenario in a separate page, not in a frame.
func (c *Files) FullPageAddress() string {
	address, _, _ := strings.Cut(browser.Address(), "#")
	return address + "#" + link.Parse(c.link.written).Unframed().String()
}

// FrameClass returns the CSS classes that hide parts of an embedded page.
func (c *Files) FrameClass() (out string) {
	if !c.outer.Embed {
		return ""
	}
	out = " embed"
	if len(c.outer.Show) == 0 {
		return out
	}
	for _, part := range slices.Concat(c.Tabs, link.Parts) {
		if !c.ShowsPart(part) {
			out += " without-" + part
		}
	}
	if !c.showsPanels() {
		out += " without-edit"
	}
	return out
}

// Locked reports whether the embedding page forbids the edit that changed the document `before` to d. If so, it
// shows a notice.
func (c *Files) Locked(before, d *document.Doc) bool {
	if len(c.outer.Lock) == 0 {
		return false
	}
	for _, part := range before.ChangedTabs(d) {
		if slices.Contains(c.outer.Lock, part) || slices.Contains(c.outer.Lock, "all") {
			c.Notice = fmt.Sprintf("This page does not allow editing in the %s tab.", part)
			return true
		}
	}
	return false
}
