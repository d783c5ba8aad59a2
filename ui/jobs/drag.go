package jobs

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"backfill-lab/ui/document"
	"backfill-lab/ui/session"
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

// Describe tells the charts of a job.
func (c *Table) Describe(index int) {
	row := c.RowOf(index)
	if row < 0 {
		return
	}
	r := c.Doc().Rows.At(row)
	j := r.Job()
	old := c.Row(int32(index))
	was := old.Job()
	x := drawnJob{index, r.Name, j.Submit, int64(j.Procs), j.Estimate, j.Runtime, was.Runtime, int64(was.Procs), map[string]string{}}
	for _, col := range drawable {
		if why := c.undrawable(&r, col); why != "" {
			x.Fixed[col.Name()] = why
		}
	}
	text, _ := json.Marshal(x)
	_ = session.Chart("job", string(text))
}

// undrawable says why a cell cannot be edited in a chart.
func (c *Table) undrawable(r *document.Row, col document.Column) string {
	switch {
	case c.playing():
		return "The player shows what was decided: close it to edit."
	case r.Speedup() != nil && col == document.Estimate:
		return "The length of a moldable job depends on its processors: its estimate is edited in the table."
	case c.HasCores() && c.Doc().Slowdown != nil && col == document.Runtime:
		return "Jobs slow each other down on shared nodes: the runtime is edited in the table."
	}
	return fixed(r, col)
}

// Drawn takes an edit made in a chart; those in a row that go on from each other are
// one step back.
func (c *Table) Drawn(index int, field string, value int64, goesOn bool) {
	col, row := document.ColumnNamed(field), c.RowOf(index)
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
	c.grid.Row, c.ReselectRow = row, row+1
	if c.Why == nil || c.Why.Job != index {
		c.Point(index)
		c.Announce = false // the chart has spoken of it
	}
	c.Do(key, c.Doc().SetCell(row, col, strconv.FormatInt(value, 10)))
	c.Describe(index)
}
