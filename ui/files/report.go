package files

import (
	"encoding/json"
	"fmt"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session"
)

// storedReport returns the report on the opened file as the page stores it for a reload, nil if there is
// nothing to report. It leaves out what the document itself contains.
func (c *Files) storedReport() []byte {
	o := c.Source()
	if o == nil || len(o.Report) < 2 && !o.HasStarts {
		return nil
	}
	kept := *o
	kept.Scenario, kept.Lesson, kept.UnknownFields = nil, nil, nil
	if o.Records != nil && !c.Doc().Rows.Same(c.Doc().Origin) {
		records := *o.Records
		records.Actual = protocol.Waits{} // after a reload, the page no longer knows that the jobs were edited
		kept.Records = &records
	}
	text, _ := json.Marshal(&kept)
	return text
}

// restoreReport restores the report from before a reload. The page does not store the file itself.
func (c *Files) restoreReport(text []byte) {
	o := &protocol.Opened{}
	if json.Unmarshal(text, o) == nil && len(o.Report) > 0 {
		c.AddSource(session.Source{Opened: o, Jobs: c.Doc().Origin, Restored: true})
	}
}

// storeReport stores the report in the browser tab if the address contains the document. Otherwise the report is
// saved together with the document.
func (c *Files) storeReport() {
	s := &c.link
	text := c.storedReport()
	if text == nil || browser.Framed() || s.length > 0 || s.packedEdits != c.Edits {
		browser.Session.Remove("report")
		return
	}
	browser.Session.Set("report", s.undoPayload()+"\n"+string(text))
}

// restoreStoredReport restores the report that the tab keeps, if it belongs to the document with the given
// payload.
func (c *Files) restoreStoredReport(payload string) {
	kept, _ := browser.Session.Get("report")
	if of, text, ok := strings.Cut(kept, "\n"); ok && of == payload && !browser.Framed() {
		c.restoreReport([]byte(text))
	}
}

// HasReport reports whether the report on the opened file has more than one line, for example because the data
// rules dropped or altered records.
func (c *Files) HasReport() bool { o := c.Source(); return o != nil && len(o.Report) > 1 }

// ReportSummary returns the first line of the report, followed by the numbers of dropped records and altered
// values. It also says which jobs got a wall time limit that the user selected or entered. If the user has added or
// removed jobs, it says how many there are now.
func (c *Files) ReportSummary() string {
	o := c.Source()
	text := fmt.Sprintf("%s Dropped: %s. Altered: %s.", o.Report[0], o.Dropped, format.SingularOrPlural(o.Altered, "1 value", format.Whole(o.Altered)+" values"))
	if r := o.Records; r != nil && r.Limits != "" && r.LimitNote != "" {
		text += " " + r.LimitNote
	}
	if n := c.Doc().Rows.Len(); n != c.SourceFile().Jobs.Len() {
		text += " The scenario now has " + format.Count(n, "job") + "."
	}
	return text
}

// ReportLines returns the lines of the report, or none while the report is closed.
func (c *Files) ReportLines() []string {
	if c.isReportOpen() {
		return c.Source().Report
	}
	return nil
}

// ReportExpanded returns the aria-expanded value of the button that opens the report.
func (c *Files) ReportExpanded() string { return fmt.Sprint(c.isReportOpen()) }

// isReportOpen reports whether the page shows all lines of the report on the opened file.
func (c *Files) isReportOpen() bool {
	o := c.Source()
	return o != nil && c.openReport == o.Name
}

// ToggleReport opens or closes the report.
func (c *Files) ToggleReport() {
	if c.isReportOpen() {
		c.openReport = ""
	} else {
		c.openReport = c.Source().Name
	}
}

// CanWiden reports whether the page can read the file again for a larger machine, because the current machine is
// too small for some of its jobs.
func (c *Files) CanWiden() bool {
	s := c.SourceFile()
	return s != nil && s.Opened.TooWide > 0 && !s.Restored
}

// ReopenWider reads the file again for a machine that is large enough for its widest job.
func (c *Files) ReopenWider() { c.OpenFile(c.SourceFile().File, c.Source().Widest) }

// WidenText returns the label of the button that calls ReopenWider.
func (c *Files) WidenText() string {
	return "Open the file with a machine of " + format.Count(c.Source().Widest, "node")
}
