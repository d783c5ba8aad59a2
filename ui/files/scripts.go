package files

import (
	"strings"

	"backfill-lab/core/policy/script"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
)

// scriptsKey is the key under which the browser keeps the scripts that last ran.
const scriptsKey = "backfill-lab scripts"

// scriptsOf returns all scripts of a document.
func scriptsOf(d *document.Doc) string {
	var all strings.Builder
	for i := range d.Policies {
		if p := &d.Policies[i]; p.Name == script.Name {
			all.WriteString(p.Knobs[script.SourceKnob] + "\x00")
		}
	}
	return all.String()
}

// knowsScripts reports whether a document has no scripts, or the scripts that last ran in this browser,
// as after a reload of the page.
func (c *Files) knowsScripts(d *document.Doc) bool {
	if !d.HasScript() {
		return true
	}
	kept, ok := browser.Local.Get(scriptsKey)
	return ok && kept == scriptsOf(d)
}

// keepScripts keeps the scripts of the document, unless the user has not allowed them to run.
func (c *Files) keepScripts() {
	if c.Doc().HasScript() && !c.AsksScripts() {
		browser.Local.Set(scriptsKey, scriptsOf(c.Doc()))
	}
}
