package files

import "fmt"

// HasReport reports whether anything was done to its records.
func (c *Files) HasReport() bool { o := c.Source(); return o != nil && len(o.Report) > 1 }

// ReportTotal returns what was done to its records, in short.
func (c *Files) ReportTotal() string {
	o := c.Source()
	return fmt.Sprintf("%s Dropped: %d. Altered: %d.", o.Report[0], o.Dropped, o.Altered)
}

// Reported returns the same at length, if it is to be seen.
func (c *Files) Reported() []string {
	if c.unfolded() {
		return c.Source().Report
	}
	return nil
}

// ReportOpen returns the value of aria-expanded of the button for it.
func (c *Files) ReportOpen() string { return fmt.Sprint(c.unfolded()) }

// unfolded reports whether the report of the present file is shown in full.
func (c *Files) unfolded() bool {
	o := c.Source()
	return o != nil && c.unfold == o.Name
}

// ShowReport shows or hides it.
func (c *Files) ShowReport() {
	if c.unfolded() {
		c.unfold = ""
	} else {
		c.unfold = c.Source().Name
	}
}

// CanWiden reports whether jobs were left out as the machine at hand is too small.
func (c *Files) CanWiden() bool { o := c.Source(); return o != nil && o.TooWide > 0 }

// Widen reads the file again for a machine that the widest of its jobs fits.
func (c *Files) Widen() { c.OpenFile(c.SourceFile().File, c.Source().Widest) }

// WidenText returns the words of the button for it.
func (c *Files) WidenText() string {
	return fmt.Sprintf("Open it for a machine of %d nodes", c.Source().Widest)
}
