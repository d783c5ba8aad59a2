package ui

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"backfill-lab/ui/document"
)

// drawnJob is what the charts need of a job to have it edited there.
type drawnJob struct {
	Job      int               `json:"job"`
	Name     string            `json:"name"`
	Submit   int64             `json:"submit"`
	Procs    int64             `json:"procs"`
	Estimate int64             `json:"estimate"`
	Runtime  int64             `json:"runtime"`
	Ran      int64             `json:"ran"`   // its runtime in the picture, which may be of the scenario before a fault
	Had      int64             `json:"had"`   // and its processors
	Fixed    map[string]string `json:"fixed"` // by field: why it cannot be edited in a chart
}

// drawable are the fields that can be edited in a chart.
var drawable = []document.Column{document.Submit, document.Procs, document.Estimate, document.Runtime}

// rowOf is the row of the table that a job of the pictures is, also while those are
// of the scenario before a fault; -1 if it is gone.
func (c *App) rowOf(index int) int {
	l := &c.lab
	if l.shown == nil || index < 0 || index >= l.ran.Jobs {
		return -1
	}
	row := index
	if l.rows != nil {
		row = int(l.rows[index])
	}
	if rows := c.Doc().Rows; row < rows.Len() && rows.Len() == l.shown.Rows.Len() && rows.At(row).Name == l.shown.Rows.At(row).Name {
		return row
	}
	return -1
}

// describe tells the charts of a job.
func (c *App) describe(index int) {
	row := c.rowOf(index)
	if row < 0 {
		return
	}
	r := c.Doc().Rows.At(row)
	j := r.Job()
	old := c.lab.row(int32(index))
	was := old.Job()
	x := drawnJob{index, r.Name, j.Submit, int64(j.Procs), j.Estimate, j.Runtime, was.Runtime, int64(was.Procs), map[string]string{}}
	for _, col := range drawable {
		if why := c.undrawable(&r, col); why != "" {
			x.Fixed[document.Names[col]] = why
		}
	}
	text, _ := json.Marshal(x)
	_ = chart("job", string(text))
}

// undrawable says why a cell cannot be edited in a chart.
func (c *App) undrawable(r *document.Row, col document.Column) string {
	switch {
	case c.player.open:
		return "The player shows what was decided: close it to edit."
	case r.Speedup() != nil && col == document.Estimate:
		return "The length of a moldable job depends on its processors: its estimate is edited in the table."
	case c.HasCores() && c.Doc().Slowdown != nil && col == document.Runtime:
		return "Jobs slow each other down on shared nodes: the runtime is edited in the table."
	}
	return fixed(r, col)
}

// drawn takes an edit made in a chart; those in a row that go on from each other are
// one step back.
func (c *App) drawn(index int, field string, value int64, goesOn bool) {
	col, row := document.Column(slices.Index(document.Names[:], field)), c.rowOf(index)
	if row < 0 || !slices.Contains(drawable, col) {
		return
	}
	r := c.Doc().Rows.At(row)
	if c.undrawable(&r, col) != "" {
		return
	}
	key := ""
	if goesOn {
		key = fmt.Sprintf("drawn %d %s", row, field)
	}
	c.grid.row, c.held = row, row+1
	if c.why == nil || c.why.Job != index {
		c.point(index)
		c.lab.tell = false // the chart has spoken of it
	}
	c.do(key, c.Doc().SetCell(row, col, strconv.FormatInt(value, 10)))
	c.describe(index)
}

// hold keeps the charts at the job that was edited, or asked about, whose place
// among those of the new results may be another. It reports whether it was edited in
// a chart.
func (c *App) hold() (drawn bool) {
	row := c.held - 1
	drawn = row >= 0
	if c.held = 0; row < 0 && c.why != nil {
		row = c.named(c.why.ID)
	}
	if row < 0 || row >= len(c.lab.places) || c.lab.places[row] < 0 {
		return drawn
	}
	index := int(c.lab.places[row])
	_ = chart("select", strconv.Itoa(index))
	if c.why != nil {
		c.why.Job = index
	}
	return drawn
}
