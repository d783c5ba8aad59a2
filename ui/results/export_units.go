package results

import (
	"strconv"
	"strings"

	"backfill-lab/core/format"
)

// alignColumns formats the numbers in each column alike: with the same number of decimals, and durations
// in one unit, which the heading names. The page itself selects a unit for each duration, such as "1 h 5
// min" or "30 s", but a table in a paper should not mix units.
func (t *exportTable) alignColumns() {
	for i := range t.Heads {
		column := make([]*exportCell, len(t.Rows))
		for k := range t.Rows {
			column[k] = &t.Rows[k][i]
		}
		if h := &t.Heads[i]; h.isDuration() {
			setSeconds(column)
			h.Seconds = h.Text + ", s"
			h.Text += ", " + shareUnit(column)
		} else if i > 0 { // the first column contains names, not numbers
			alignNumbers(column, 1)
		}
	}
}

// alignRows formats the numbers in each row alike. The column with the index unitColumn contains the units of the rows.
// For durations, alignRows writes the common unit of the row into this column.
func (t *exportTable) alignRows(unitColumn int) {
	for _, row := range t.Rows {
		var values []*exportCell
		for i := 1; i < unitColumn; i++ {
			values = append(values, &row[i])
		}
		if row[unitColumn].isDuration() {
			setSeconds(values)
			row[unitColumn].Seconds = "s"
			row[unitColumn].Text = shareUnit(values)
		} else {
			alignNumbers(values, 1)
		}
	}
}

// isDuration reports whether a column or row holds durations that the page shows with different units, such as "5 min"
// and "2 h". c is the heading of the column, or the cell with the unit of the row. For such durations, c.Exact contains
// the unit s, but c.Text contains no unit.
func (c *exportCell) isDuration() bool { return c.Text != c.Exact }

// setSeconds sets the fields Seconds and SecondsDelta of durations.
func setSeconds(cells []*exportCell) {
	var durations, seconds []*exportCell
	for _, c := range cells {
		if _, err := strconv.ParseFloat(c.Exact, 64); err == nil {
			x := *c
			durations, seconds = append(durations, c), append(seconds, &x)
		}
	}
	convertToUnit(seconds, 1)
	for i, c := range durations {
		c.Seconds, c.SecondsDelta = seconds[i].Text, seconds[i].Delta
	}
}

// shareUnit converts durations and their differences to a common unit and returns the name of this
// unit. It is the largest unit that fits at least three times into the smallest duration other than
// 0. Cells without a value stay unchanged.
func shareUnit(cells []*exportCell) (unit string) {
	var values []float64
	for _, c := range cells {
		if v, err := strconv.ParseFloat(c.Exact, 64); err == nil {
			values = append(values, v)
		}
	}
	unit, length := format.LargestUnit(format.SmallestNonZero(values))
	convertToUnit(cells, length)
	return unit
}

// convertToUnit converts the durations in cells, and their differences, to a unit of `length` seconds.
func convertToUnit(cells []*exportCell, length float64) {
	for _, c := range cells {
		if v, err := strconv.ParseFloat(c.Exact, 64); err == nil {
			c.Text = signOf(c.Text) + format.Number(v/length)
		}
	}
	alignNumbers(cells, length)
}

// alignNumbers formats the numbers in the cells, and their differences, with the same number of decimals and without
// commas. It divides the exact values by length, the number of seconds in their new unit, or 1 to keep their unit.
// Cells without a number stay unchanged.
func alignNumbers(cells []*exportCell, length float64) {
	var numbers []*exportCell
	var values []float64
	digits := 0
	for _, c := range cells {
		v, err := strconv.ParseFloat(c.Exact, 64)
		text := strings.NewReplacer(",", "", "−", "-").Replace(c.Text)
		if _, notNumber := strconv.ParseFloat(text, 64); err != nil || notNumber != nil || c.Exact != formatExactly(v) {
			continue
		}
		_, decimals, _ := strings.Cut(text, ".")
		numbers, values, digits = append(numbers, c), append(values, v/length), max(digits, len(decimals))
	}
	digits = format.ColumnDecimals(values, digits)
	for i, c := range numbers {
		c.Text = signOf(c.Text) + format.WithoutCommas(format.Decimals(values[i], digits))
		if d, err := strconv.ParseFloat(c.ExactDelta, 64); err == nil && d != 0 && c.Delta != "" {
			c.Delta = format.WithoutCommas(format.SignedDecimals(d/length, digits))
		}
	}
}

// signOf returns the plus sign at the beginning of a difference, "" if there is none.
func signOf(text string) string {
	if strings.HasPrefix(text, "+") {
		return "+"
	}
	return ""
}
