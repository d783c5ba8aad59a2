package results

import (
	"math"
	"strconv"

	"backfill-lab/core/format"
)

// shareUnits converts the durations of each column to one unit, and names the unit in the heading. The page
// itself chooses units for each duration, such as "1 h 5 min" or "30 s". A table in a paper should not mix
// units.
func (t *exportTable) shareUnits() {
	for i := range t.Heads {
		if h := &t.Heads[i]; h.isDuration() {
			column := make([]*exportCell, len(t.Rows))
			for k := range t.Rows {
				column[k] = &t.Rows[k][i]
			}
			h.Text += ", " + shareUnit(column)
		}
	}
}

// shareUnitsInRows converts the durations of each row to one unit, and names the unit in the cell with
// index unit.
func (t *exportTable) shareUnitsInRows(unit int) {
	for _, row := range t.Rows {
		if !row[unit].isDuration() {
			continue
		}
		var values []*exportCell
		for i := 1; i < unit; i++ {
			values = append(values, &row[i])
		}
		row[unit].Text = shareUnit(values)
	}
}

// isDuration reports whether the cell is a heading or a unit of durations that the page writes with units.
// Such a cell contains the unit s for programs, but no unit for people.
func (c *exportCell) isDuration() bool { return c.Text != c.Exact }

// shareUnit converts durations, and their differences, to one unit and returns its name. It does not change
// cells without a value.
func shareUnit(cells []*exportCell) (unit string) {
	largest := 0.0
	for _, c := range cells {
		if v, err := strconv.ParseFloat(c.Exact, 64); err == nil {
			largest = math.Max(largest, math.Abs(v))
		}
	}
	unit, length := format.LargestUnit(largest)
	for _, c := range cells {
		if v, err := strconv.ParseFloat(c.Exact, 64); err == nil {
			c.Text = format.Number(v / length)
		}
		if v, err := strconv.ParseFloat(c.ExactDelta, 64); err == nil && c.Delta != "" {
			c.Delta = format.Signed(v / length)
		}
	}
	return unit
}
