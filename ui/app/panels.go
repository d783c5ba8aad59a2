package app

import (
	"strconv"

	"github.com/vugu/vugu"

	"backfill-lab/ui/jobs"
	"backfill-lab/ui/machine"
	"backfill-lab/ui/policies"
	"backfill-lab/ui/workload"
)

// Panel is a panel of the left side. Its name is that of its tab in links. A component
// with the method Forget drops there what was typed, when names must go (Anonymised).
type Panel struct {
	Name, Title string
	component   vugu.Builder
}

// leftPanels returns the panels of the left side in the order of their tabs. An entry
// adds one.
func (c *App) leftPanels() []Panel {
	return []Panel{
		{"jobs", "Jobs", &jobs.Panel{Table: c.jobs}},
		{"workload", "Workload", &workload.Panel{Workload: c.workload}},
		{"machine", "Machine", &machine.Panel{Machine: machine.New(c.session)}},
		{"policies", "Policies", &policies.Panel{Policies: policies.New(c.session)}},
		{"text", "Text", &TextForm{Text: &text{c.session}}},
	}
}

// Shown returns the panel of the selected tab.
func (c *App) Shown() vugu.Builder {
	for _, p := range c.panels {
		if p.Name == c.session.Tab {
			return p.component
		}
	}
	return nil
}

// Panels returns the panels of the left side, in a frame those that it shows.
func (c *App) Panels() (out []Panel) {
	for _, p := range c.panels {
		if c.files.Shows(p.Name) {
			out = append(out, p)
		}
	}
	return out
}

// Selected returns the value of aria-selected of a tab.
func (c *App) Selected(tab string) string { return strconv.FormatBool(c.session.Tab == tab) }
