package results

import (
	"fmt"
	"strconv"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/ui/protocol"
)

// ResultTable is a table of the comparison or of the distributions, as rendered.
type ResultTable struct {
	ID, Caption, Note string // Note: text below the table, "" if none
	Heads             []ResultCell
	Rows              []ResultRow
}

// ResultRow is a row of a ResultTable.
type ResultRow struct {
	Name  string // first cell: a policy, job or class
	Job   int    // index of the job that the row is about, -1 if none
	Now   string // aria-current value, "true" for the selected job
	Cells []ResultCell
}

// ResultCell is a cell or a heading of a ResultTable. Class is its CSS class, which marks an earlier or a
// later start. Exact is the text for programs, with times in seconds. It is "" if there is no value.
type ResultCell struct{ Text, Class, Exact string }

// textCell returns a cell or heading with the same text for people and for programs.
func textCell(text string) ResultCell { return ResultCell{Text: text, Exact: text} }

// textCells returns a cell or heading for each text.
func textCells(texts ...string) (out []ResultCell) {
	for _, text := range texts {
		out = append(out, textCell(text))
	}
	return out
}

// heading returns the heading of a column of durations.
func (c *Results) heading(text string) ResultCell {
	return ResultCell{Text: c.Clock().Heading(text), Exact: format.Clock{}.Heading(text)}
}

// dash is the cell of a missing value.
var dash = ResultCell{Text: "–"}

// CompareText summarizes the comparison: how many jobs start earlier, later, at the same time or never, and by how much
// in total. If there is only one schedule, it says so.
func (c *Results) CompareText() string {
	d := &c.comparison
	switch {
	case !d.open || c.Ran == nil:
		return ""
	case len(c.Titles()) < 2:
		return "There is only one schedule. Add a policy in the Policies tab to compare schedules."
	case d.shown == nil:
		return ""
	}
	t := &d.shown.All
	n := t.Earlier + t.Later + t.Same
	total := func(seconds int64) string { return c.duration(seconds).Text + c.Clock().Suffix() }
	text := fmt.Sprintf("Under %s, %s of %s %s earlier than under %s, by %s in total; %s %s later, by %s in total; %s %s at the same time.",
		d.titles[d.shown.Other], format.Whole(t.Earlier), format.Count(n, "job"), startVerb(t.Earlier), d.titles[d.shown.Base], total(t.SecondsEarlier),
		format.Whole(t.Later), startVerb(t.Later), total(t.SecondsLater), format.Whole(t.Same), startVerb(t.Same))
	if missing := c.Ran.Jobs - n; missing > 0 {
		text += fmt.Sprintf(" %s never %s under at least one of the two policies.", format.Count(missing, "job"), startVerb(missing))
	}
	return text
}

// startVerb returns "starts" for one job, otherwise "start".
func startVerb(n int) string {
	if n == 1 {
		return "starts"
	}
	return "start"
}

// duration returns a cell of a column of durations.
func (c *Results) duration(seconds int64) ResultCell {
	if clock := c.Clock(); clock.Units {
		return ResultCell{Text: clock.Duration(seconds), Exact: strconv.FormatInt(seconds, 10)}
	}
	return numberCell(seconds)
}

// difference returns a cell with a difference in seconds. A negative difference means an earlier
// start.
func (c *Results) difference(by int64) ResultCell {
	x := ResultCell{signedDuration(by, c.Clock()), "same", strconv.FormatInt(by, 10)}
	switch {
	case by < 0:
		x.Class = "earlier"
	case by > 0:
		x.Class = "later"
	}
	return x
}

// numberCell returns a cell with a number.
func numberCell(v int64) ResultCell {
	return ResultCell{Text: format.Number(float64(v)), Exact: strconv.FormatInt(v, 10)}
}

// ComparisonTables returns the tables of the open comparison, none if it is closed.
func (c *Results) ComparisonTables() []ResultTable {
	if !c.CompareOpen() {
		return nil
	}
	return c.tablesOf(&c.comparison)
}

// tablesOf returns the tables of a comparison: the selected job, the jobs with the largest
// gains and losses, and totals for each class of jobs. It returns none before the worker has answered.
func (c *Results) tablesOf(d *comparison) (out []ResultTable) {
	x := d.shown
	if x == nil {
		return nil
	}
	out = append(out, c.jobTable(x.Base),
		c.shiftedJobsTable("gainers", "Jobs that gain most", d, x.MostEarlier), c.shiftedJobsTable("payers", "Jobs that lose most", d, x.MostDelayed))
	for i := range x.Classifications {
		out = append(out, c.classesTable(&x.Classifications[i]))
	}
	return out
}

// jobTable returns the table of the selected job under every policy.
func (c *Results) jobTable(base int) ResultTable {
	t := ResultTable{ID: "compare-job", Caption: "The selected job", Note: "Select a job in a chart or table to see its start under each policy."}
	w := c.Why
	if w == nil || base >= len(w.Answers) {
		return t
	}
	t.Caption, t.Note = fmt.Sprintf("Job %s under each policy", w.ID), ""
	t.Heads = []ResultCell{textCell("policy"), textCell("start"), c.heading("wait"), textCell("finish"), c.heading("later than " + w.Answers[base].Title)}
	for i := range w.Answers {
		a := &w.Answers[i]
		e := ResultRow{Name: a.Title, Job: -1, Cells: []ResultCell{c.timeCell(a.Start), dash, c.timeCell(a.Finish), dash}}
		if a.Start != nil {
			e.Cells[1] = c.duration(*a.Start - w.Submit)
			if baseStart := w.Answers[base].Start; baseStart != nil {
				e.Cells[3] = c.difference(*a.Start - *baseStart)
			}
		}
		t.Rows = append(t.Rows, e)
	}
	return t
}

// signedDuration returns a difference in seconds as text with a sign.
func signedDuration(by int64, clock format.Clock) string {
	if clock.Units {
		return clock.Difference(by)
	}
	return format.Signed(float64(by))
}

// timeCell returns a cell with a time, or with a dash if t is nil.
func (c *Results) timeCell(t *int64) ResultCell {
	if t == nil {
		return dash
	}
	return ResultCell{Text: c.Clock().Instant(*t), Exact: strconv.FormatInt(*t, 10)}
}

// shiftedJobsTable returns a table of jobs that start at different times under the two policies.
func (c *Results) shiftedJobsTable(id, caption string, d *comparison, list []protocol.ShiftedJob) ResultTable {
	t := ResultTable{ID: id, Caption: caption}
	if len(list) == 0 {
		t.Note = "None."
		return t
	}
	t.Heads = append(textCells("job", d.titles[d.shown.Base], d.titles[d.shown.Other]), c.heading("difference"))
	for _, s := range list {
		e := ResultRow{Name: s.ID, Job: s.Job, Cells: []ResultCell{c.timeCell(&s.From), c.timeCell(&s.To), c.difference(s.To - s.From)}}
		if c.Why != nil && c.Why.Job == s.Job {
			e.Now = "true"
		}
		t.Rows = append(t.Rows, e)
	}
	return t
}

// classesTable returns a table of the time gained and lost by each class of jobs.
func (c *Results) classesTable(s *protocol.Classification) ResultTable {
	t := ResultTable{ID: "by-" + strings.Fields(s.Title)[0], Caption: "By " + s.Title,
		Heads: []ResultCell{textCell(s.Title), textCell("jobs"), textCell("earlier"), c.heading("gain"), textCell("later"), c.heading("loss"), c.heading("net loss")}}
	for i := range s.Classes {
		k := &s.Classes[i]
		t.Rows = append(t.Rows, ResultRow{Name: k.Name, Job: -1, Cells: []ResultCell{numberCell(int64(k.Earlier + k.Later + k.Same)),
			numberCell(int64(k.Earlier)), c.duration(k.SecondsEarlier), numberCell(int64(k.Later)), c.duration(k.SecondsLater), c.difference(k.SecondsLater - k.SecondsEarlier)}})
	}
	if s.More > 0 {
		t.Note = fmt.Sprintf("and %s with smaller differences", format.Count(s.More, s.Title))
	}
	return t
}
