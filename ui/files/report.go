package files

import "fmt"

// HasReport reports whether the data rules dropped or altered records of the opened file.
func (c *Files) HasReport() bool { o := c.Source(); return o != nil && len(o.Report) > 1 }

// ReportTotal returns how many records were dropped and altered, in words.
func (c *Files) ReportTotal() string {
	o := c.Source()
	return fmt.Sprintf("%s Dropped: %d. Altered: %d.", o.Report[0], o.Dropped, o.Altered)
}

// Reported returns the lines of the report, none while it is closed.
func (c *Files) Reported() []string {
	if c.unfolded() {
		return c.Source().Report
	}
	return nil
}

// ReportOpen returns the aria-expanded value of the button of the report.
func (c *Files) ReportOpen() string { return fmt.Sprint(c.unfolded()) }

// unfolded reports whether the report of the opened file is open.
func (c *Files) unfolded() bool {
	o := c.Source()
	return o != nil && c.unfold == o.Name
}

// ShowReport opens or closes the report.
func (c *Files) ShowReport() {
	if c.unfolded() {
		c.unfold = ""
	} else {
		c.unfold = c.Source().Name
	}
}

// CanWiden reports whether jobs of the file were left out because the machine is too
// small.
func (c *Files) CanWiden() bool { o := c.Source(); return o != nil && o.TooWide > 0 }

// Widen reads the file again for a machine that is large enough for its widest job.
func (c *Files) Widen() { c.OpenFile(c.SourceFile().File, c.Source().Widest) }

// WidenText returns the label of the button that calls Widen.
func (c *Files) WidenText() string {
	return fmt.Sprintf("Open it for a machine of %d nodes", c.Source().Widest)
}
