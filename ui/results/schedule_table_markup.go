package results

import "strconv"

// Group is a heading above several columns, such as those of a policy. Span is the number of these columns.
type Group struct{ Title, Span string }

// Head is a heading of a column.
type Head struct {
	Key int // index of the column
	// Sort is the aria-sort value. Mark is an arrow for the order, "" if the rows are not sorted by this column.
	ID, Title, Sort, Mark string
}

// TableRow is a row of the schedule table, as rendered. N is the number of the row, and Index is
// the index of its job. Stop, Now and Row are the attributes tabindex, aria-current and
// aria-rowindex.
type TableRow struct {
	N, Index                int
	ID, Job, Stop, Now, Row string
	Drawn                   string   // index of the job in the charts, "" if they do not show it
	Cells                   []string // texts of all columns except the job ids
}

// TableOpen reports whether the table is open and has columns to show. The table has no columns until
// the worker has sent the outcomes under all policies.
func (c *Results) TableOpen() bool { return c.table.Open && len(c.table.columns) > 0 }

// TableExpanded returns the aria-expanded value of the button of the table.
func (c *Results) TableExpanded() string { return strconv.FormatBool(c.table.Open) }

// TableClass returns the CSS class of the table. It is "old" if the shown results are outdated, or if
// answers about new results have not arrived yet.
func (c *Results) TableClass() string {
	if !c.IsCurrent() || len(c.table.asked) > 0 {
		return "old"
	}
	return "now"
}

// Groups returns the upper row of headings.
func (c *Results) Groups() (out []Group) {
	span, all := 0, c.table.columns
	for i, k := range all {
		span++
		if i+1 == len(all) || all[i+1].Title == "start" && all[i+1].Name != requested {
			out = append(out, Group{k.Name, strconv.Itoa(span)})
			span = 0
		}
	}
	return out
}

// ColumnHeads returns the lower row of headings, one for each column.
func (c *Results) ColumnHeads() (out []Head) {
	t := &c.table
	for i, k := range t.columns {
		h := Head{Key: i, Title: k.Title, Sort: "none", ID: "sort-" + strconv.Itoa(i)}
		if i == t.key {
			h.Sort, h.Mark = "ascending", "▲"
			if t.down {
				h.Sort, h.Mark = "descending", "▼"
			}
		}
		out = append(out, h)
	}
	return out
}

// WidestTexts returns the longest text of each column. A hidden row with these texts keeps the
// width of each column constant while the user scrolls.
func (c *Results) WidestTexts() (out []string) {
	for i := range c.table.columns {
		out = append(out, c.table.columns[i].widest)
	}
	return out
}

// TableRows returns the number of rows, including the two rows of headings.
func (c *Results) TableRows() string { return strconv.Itoa(len(c.table.order) + 2) }

// TableColumns returns the number of columns.
func (c *Results) TableColumns() string { return strconv.Itoa(len(c.table.columns)) }

// TableAbove returns how many rows are above the rendered rows.
func (c *Results) TableAbove() int { from, _ := c.table.Span(len(c.table.order)); return from }

// TableBelow returns how many rows are below the rendered rows.
func (c *Results) TableBelow() int {
	n := len(c.table.order)
	_, to := c.table.Span(n)
	return n - to
}

// VisibleRows returns the rows to render. The Tab key reaches exactly one of them: the current row,
// or the first visible row if the current row is not rendered.
func (c *Results) VisibleRows() []TableRow {
	t := &c.table
	from, to := t.Span(len(t.order))
	stop := t.Row
	if stop < from || stop >= to {
		stop = min(t.First, to-1)
	}
	out := make([]TableRow, 0, to-from)
	for n := from; n < to; n++ {
		index := t.order[n]
		x := TableRow{N: n, Index: int(index), ID: lineID(n), Job: t.names[index], Stop: "-1", Now: "false", Row: strconv.Itoa(n + 3)}
		if n == stop {
			x.Stop = "0"
		}
		if c.IsCurrent() {
			x.Drawn = strconv.Itoa(x.Index)
		}
		if c.Why != nil && c.Why.Job == x.Index {
			x.Now = "true"
		}
		for i := range t.columns[1:] {
			x.Cells = append(x.Cells, t.columns[i+1].text(index))
		}
		out = append(out, x)
	}
	return out
}

// EnterRow makes the given row the current row when the keyboard focus enters it.
func (c *Results) EnterRow(row int) { c.table.Row = row }

// SelectRow selects the job of a row, unless the results are outdated. The job may then
// no longer exist.
func (c *Results) SelectRow(x TableRow) {
	if c.IsCurrent() {
		c.RevealJob(x.Index, -1, 0)
	}
}
