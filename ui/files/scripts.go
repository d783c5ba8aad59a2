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

// knowsScripts reports whether the scripts of a document may run without asking the user. This is so
// if it has none, or exactly those that last ran in this browser, for example before a reload.
func (c *Files) knowsScripts(d *document.Doc) bool {
	if !d.HasScript() {
		return true
	}
	kept, ok := browser.Local.Get(scriptsKey)
	return ok && kept == scriptsOf(d)
}

// keepScripts stores the scripts of the document in the browser, unless the user still has to allow
// them to run.
func (c *Files) keepScripts() {
	if c.Doc().HasScript() && !c.AsksScripts() {
		browser.Local.Set(scriptsKey, scriptsOf(c.Doc()))
	}
}
