package files

import (
	"slices"
	"strings"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/link"
)

// What the page is in a frame of another one.

// framed takes the options of the fragment for the looks of the page.
func (c *Files) framed(f link.Fragment) {
	c.outer = f.Frame()
	if !c.Shows(c.Tab) && c.showsPanels() {
		c.Tab = c.Tabs[slices.IndexFunc(c.Tabs, c.Shows)]
	}
}

// withNamed returns a document with the policies that a fragment names in the place of its own.
func (c *Files) withNamed(d document.Doc, f *link.Fragment) document.Doc {
	if len(f.Policies) == 0 {
		return d
	}
	f.Payload = "" // it is no longer what it holds
	with, err := d.WithPolicies(f.Policies)
	if err != nil {
		c.Notice = "The policies of the address are left out: " + err.Error() + "."
		return d
	}
	return with
}

// Shows reports whether the frame shows a part of the page.
func (c *Files) Shows(part string) bool {
	return !c.outer.Embed || len(c.outer.Show) == 0 || slices.Contains(c.outer.Show, part)
}

// showsPanels reports whether the frame shows any panel of the left side.
func (c *Files) showsPanels() bool { return slices.ContainsFunc(c.Tabs, c.Shows) }

// Embedded reports whether the page is shown in a frame without its head.
func (c *Files) Embedded() bool { return c.outer.Embed }

// Whole returns the address of the same scenario in a page of its own.
func (c *Files) Whole() string {
	address, _, _ := strings.Cut(browser.Address(), "#")
	return address + "#" + link.Parse(c.link.written).Unframed().String()
}

// FrameClass returns the classes of the page that leave parts out of sight.
func (c *Files) FrameClass() (out string) {
	if !c.outer.Embed {
		return ""
	}
	out = " embed"
	if len(c.outer.Show) == 0 {
		return out
	}
	for _, part := range slices.Concat(c.Tabs, link.Parts) {
		if !c.Shows(part) {
			out += " without-" + part
		}
	}
	if !c.showsPanels() {
		out += " without-edit"
	}
	return out
}

// Locked reports whether an edit that makes another document of one changes what the
// frame does not let be changed, and then says so.
func (c *Files) Locked(was, d *document.Doc) bool {
	if len(c.outer.Lock) == 0 {
		return false
	}
	for _, part := range was.Changed(d) {
		if slices.Contains(c.outer.Lock, part) || slices.Contains(c.outer.Lock, "all") {
			c.Notice = "This page does not allow editing in the tab " + part + "."
			return true
		}
	}
	return false
}
