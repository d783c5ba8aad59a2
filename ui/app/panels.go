package app

import (
	"strconv"
	"unicode/utf8"

	"github.com/vugu/vugu"

	"backfill-lab/ui/jobs"
	"backfill-lab/ui/lessons"
	"backfill-lab/ui/machine"
	"backfill-lab/ui/policies"
	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
	"backfill-lab/ui/workload"
)

// Panel is a left-hand panel. A link selects it by its Name. If the component has a method Forget, the page calls
// this method after the scenario has been anonymised. Forget drops the text that the user typed in the panel.
type Panel struct {
	Name, Title string
	component   vugu.Builder
}

// leftPanels returns the left-hand panels in tab order.
func (c *App) leftPanels() []Panel {
	return []Panel{
		{"jobs", "Jobs", &jobs.Panel{Table: c.jobs}},
		{"workload", "Workload", &workload.Panel{Workload: c.workload}},
		{"machine", "Machine", &machine.Panel{Machine: &machine.Machine{Session: c.session, Compare: c.explain.OpenNodesQuestion, Drain: c.explain.OpenDrainQuestion}}},
		{"policies", "Policies", &policies.Panel{Policies: c.policies}},
		{"text", "Text", &TextForm{Text: &textEditor{c.session}}},
		{lessons.Tab, "Lesson", &lessons.Form{Lessons: c.lessons}},
	}
}

// tab returns the name of the tab to show. This is the selected tab, or the first tab if the Lesson tab is selected
// but no lesson is being written.
func (c *App) tab() string {
	if c.session.Tab == lessons.Tab && !c.lessons.Writing() {
		return c.panels[0].Name
	}
	return c.session.Tab
}

// SelectedPanel returns the panel of the selected tab.
func (c *App) SelectedPanel() vugu.Builder {
	for _, p := range c.panels {
		if p.Name == c.tab() {
			return p.component
		}
	}
	return nil
}

// Panels returns the left-hand panels that have a visible tab. An embedded page may hide some of the tabs.
func (c *App) Panels() (out []Panel) {
	for _, p := range c.panels {
		if c.files.ShowsPart(p.Name) && (p.Name != lessons.Tab || c.lessons.Writing()) {
			out = append(out, p)
		}
	}
	return out
}

// Selected returns the aria-selected value of a tab.
func (c *App) Selected(tab string) string { return strconv.FormatBool(c.tab() == tab) }

// textEditor edits the title and the text of the scenario.
type textEditor struct{ *session.Session }

// TextForm is the component of the Text panel.
type TextForm struct{ Text *textEditor }

const titleField, textField = "text-title", "text-text"

// Fields returns the fields of the title and the text. It returns none if both together are too long for
// form fields.
func (c *textEditor) Fields() []widgets.Field {
	d := c.Doc()
	if utf8.RuneCountInString(d.Title+d.Text) > widgets.MaxTextLength {
		return nil
	}
	return []widgets.Field{
		{ID: titleField, Label: "Title", Text: d.Title, Invalid: "false", Help: "shown at the top of the page"},
		{ID: textField, Label: "Text", Text: d.Text, Kind: widgets.Long, Invalid: "false", Help: "shown above the charts; for example, what to look at"},
	}
}

// SetField stores the text typed in the field f.
func (c *textEditor) SetField(e vugu.DOMEvent, f widgets.Field) {
	d, typed := *c.Doc(), e.PropString("target", "value")
	if f.ID == titleField {
		d.Title = typed
	} else {
		d.Text = typed
	}
	c.Do(f.ID, d)
}
