package jobs

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"backfill-lab/ui/document"
	"backfill-lab/ui/session"
)

// drawnJob describes a job to the charts, where the user can edit the job by dragging. Times are in seconds.
type drawnJob struct {
	Job          int               `json:"job"` // index of the job in the charts
	Name         string            `json:"name"`
	Submit       int64             `json:"submit"`
	Procs        int64             `json:"procs"` // processors that the job requests
	Estimate     int64             `json:"estimate"`
	Runtime      int64             `json:"runtime"`
	DrawnRuntime int64             `json:"ran"`   // runtime in the chart, which may show an older version of the scenario
	DrawnProcs   int64             `json:"had"`   // processors in the chart
	Fixed        map[string]string `json:"fixed"` // field name to the reason why charts cannot edit it
}

// draggable lists the columns that can be edited by dragging in a chart.
var draggable = []document.Column{document.Submit, document.Procs, document.Estimate, document.Runtime}

// SendJobToCharts sends the charts the values of the job with this index, and says which values can be edited.
func (c *Table) SendJobToCharts(index int) {
	row := c.CurrentRow(index)
	if row < 0 {
		return
	}
	r := c.Doc().Rows.At(row)
	j := r.Job()
	plotted := c.Row(int32(index))
	plottedJob := plotted.Job()
	sent := drawnJob{index, r.Name, j.Submit, int64(j.Procs), j.Estimate, j.Runtime, plottedJob.Runtime, int64(plottedJob.Procs), map[string]string{}}
	for _, col := range draggable {
		if why := c.reasonNotDraggable(&r, col); why != "" {
			sent.Fixed[col.Name()] = why
		}
	}
	text, _ := json.Marshal(sent)
	_ = session.CallCharts("job", string(text))
}

// reasonNotDraggable returns the reason why a cell cannot be edited in a chart, or "" if it can.
func (c *Table) reasonNotDraggable(r *document.Row, col document.Column) string {
	switch {
	case c.playing():
		return "Close the player to edit."
	case r.Speedup() != nil && col == document.Estimate:
		return "The box of a moldable job depends on the processors that it gets. Edit its estimate in the table."
	case c.HasCores() && c.Doc().Slowdown != nil && col == document.Runtime:
		return "This box may be longer than the runtime, because jobs slow each other down on shared nodes. Edit the runtime in the table."
	}
	return reasonNotEditable(r, col)
}

// EditFromChart applies an edit made in a chart: it sets a field of the job with this index to the given value. If
// continues is set, the edit and the previous one form a single undo step.
func (c *Table) EditFromChart(index int, field string, value int64, continues bool) {
	col, row := document.ColumnNamed(field), c.CurrentRow(index)
	if row < 0 || !slices.Contains(draggable, col) {
		return
	}
	r := c.Doc().Rows.At(row)
	if c.reasonNotDraggable(&r, col) != "" {
		return
	}
	key := ""
	if continues {
		key = fmt.Sprintf("drawn %d %s", row, field)
	}
	c.grid.Row, c.ReselectRow = row, row+1
	if c.Why == nil || c.Why.Job != index {
		c.SelectJob(index)
		c.Announce = false // the chart has already announced the edit to screen readers
	}
	c.Do(key, c.Doc().SetCell(row, col, strconv.FormatInt(value, 10)))
	c.SendJobToCharts(index)
}
