package ui

import (
	"fmt"

	"backfill-lab/ui/state"
)

// report is what was done to the records of a file.
type report struct {
	lines            []string
	dropped, altered int
	of               state.Rows // the jobs as they came
	open             bool
}

// Report is the report of the jobs at hand, in sentences; none for others, to
// which undo may have led back.
func (c *App) Report() []string {
	if !c.report.of.Same(c.Doc().Origin) {
		return nil
	}
	return c.report.lines
}

// ReportTotal is the report in short.
func (c *App) ReportTotal() string {
	return fmt.Sprintf("%s Dropped: %d. Altered: %d.", c.report.lines[0], c.report.dropped, c.report.altered)
}

// Reported is the lines behind the total, if they are shown.
func (c *App) Reported() []string {
	if !c.report.open {
		return nil
	}
	return c.Report()
}

// ReportOpen is the value of aria-expanded of the button for them.
func (c *App) ReportOpen() string { return fmt.Sprint(c.report.open) }

// ShowReport shows or hides them.
func (c *App) ShowReport() { c.report.open = !c.report.open }
