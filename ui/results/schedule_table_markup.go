package results

import "strconv"

// What the markup of the schedule table asks for.

// Group is a heading over the columns of a policy.
type Group struct{ Title, Span string }

// Head is a heading of a column.
type Head struct {
	Key                   int
	ID, Title, Sort, Mark string
}

// Tabled is a row of the table as rendered.
type Tabled struct {
	N, Index                int
	ID, Job, Stop, Now, Row string
	Drawn                   string // its place in the pictures, if it is in those
	Cells                   []string
}

// TableOpen reports whether the table has something to show.
func (c *Results) TableOpen() bool { return c.table.Open && len(c.table.columns) > 0 }

// Unfolded returns the value of aria-expanded of the button.
func (c *Results) Unfolded() string { return strconv.FormatBool(c.table.Open) }

// TableClass marks a table of results that are outdated.
func (c *Results) TableClass() string {
	if !c.Fresh() || len(c.table.asked) > 0 {
		return "old"
	}
	return "now"
}

// Groups returns the upper headings.
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

// Heads returns the lower headings.
func (c *Results) Heads() (out []Head) {
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

// TableRows returns the number of rows with the headings.
func (c *Results) TableRows() string { return strconv.Itoa(len(c.table.order) + 2) }

// TableWide returns the number of columns.
func (c *Results) TableWide() string { return strconv.Itoa(len(c.table.columns)) }

// TableAbove and TableBelow are how many rows lie outside the window.
func (c *Results) TableAbove() int { from, _ := c.table.Span(len(c.table.order)); return from }

func (c *Results) TableBelow() int {
	n := len(c.table.order)
	_, to := c.table.Span(n)
	return n - to
}

// Tabled returns the rows in the window. One of them is where Tab leads.
func (c *Results) Tabled() []Tabled {
	t := &c.table
	from, to := t.Span(len(t.order))
	stop := t.Row
	if stop < from || stop >= to {
		stop = min(t.First, to-1)
	}
	out := make([]Tabled, 0, to-from)
	for n := from; n < to; n++ {
		index := t.order[n]
		x := Tabled{N: n, Index: int(index), ID: lineID(n), Job: t.names[index], Stop: "-1", Now: "false", Row: strconv.Itoa(n + 3)}
		if n == stop {
			x.Stop = "0"
		}
		if c.Fresh() {
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

// OnLine follows the keyboard into a row.
func (c *Results) OnLine(row int) { c.table.Row = row }

// TakeLine selects the job of a row; outdated rows are of jobs that are gone.
func (c *Results) TakeLine(x Tabled) {
	if c.Fresh() {
		c.Lead(x.Index)
	}
}
