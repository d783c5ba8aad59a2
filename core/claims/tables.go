package claims

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/experiment"
	"backfill-lab/core/stats"
)

// Tables returns the table of the named study, in CSV format.
type Tables func(study string) ([]byte, error)

// tables reads the tables of studies and caches them.
type tables struct {
	open Tables            // returns the tables that are not cached
	read map[string]*table // cached tables, by name of the study
}

// table holds the table of one study.
type table struct {
	study *experiment.Study
	rows  [][]string // cells of the table; the first row is the header
}

// find returns the table of the named study, from the cache or from open.
func (t *tables) find(name string) (*table, error) {
	if x := t.read[name]; x != nil {
		return x, nil
	}
	studies, _, err := experiment.Find(name)
	if err != nil {
		return nil, err
	}
	if len(studies) != 1 {
		return nil, fmt.Errorf("expected the name of one study, got %q", name)
	}
	data, err := t.open(name)
	if err != nil {
		return nil, err
	}
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("the table of %s: %w", name, err)
	}
	t.read[name] = &table{studies[0], rows}
	return t.read[name], nil
}

// cell returns a value of the table with its interval. If the table shows no interval, as for a
// single run or a trace, its bounds are NaN. If the cell is empty, the value is NaN as well.
func (t *table) cell(row, column string) (stats.Interval, error) {
	none := stats.Interval{Mean: math.NaN(), Low: math.NaN(), High: math.NaN()}
	i := slices.IndexFunc(t.rows[1:], func(r []string) bool { return r[0] == row })
	k := slices.Index(t.rows[0], column)
	switch {
	case i < 0:
		return none, fmt.Errorf("%s: expected a row of its table, got %q", t.study.Name, row)
	case k < 0:
		return none, fmt.Errorf("%s: expected a column of its table, got %q", t.study.Name, column)
	}
	text := t.rows[i+1][k]
	if text == "" {
		return none, nil
	}
	out, err := none, error(nil)
	if out.Mean, err = strconv.ParseFloat(text, 64); err != nil {
		return none, fmt.Errorf("%s, %s, %s: %w", t.study.Name, row, column, err)
	}
	out.N = t.samples(i)
	if k+1 < len(t.rows[0]) && t.rows[0][k+1] == column+" ±" && t.rows[i+1][k+1] != "" {
		half, err := strconv.ParseFloat(t.rows[i+1][k+1], 64)
		if err != nil {
			return none, fmt.Errorf("%s, %s, %s: %w", t.study.Name, row, column, err)
		}
		out.Low, out.High = out.Mean-half, out.Mean+half
	}
	return out, nil
}

// samples returns the number of seeds in a row of the table, or 1 if the row is a trace.
func (t *table) samples(row int) int {
	if t.study.Rows == nil {
		return 1
	}
	return t.study.Rows[row].Seeds()
}

// digits returns the number of decimal places that a column of the table uses.
func (t *table) digits(column string) int {
	for _, c := range t.study.Columns {
		if c.Title == column {
			return c.Digits
		}
	}
	return 0
}

// isPercent reports whether the title of a column says that its values are percentages.
func isPercent(column string) bool { return strings.HasSuffix(column, "%") }

// valueText formats a value with half the width of its interval, such as "14.53 ± 3.96 %".
func valueText(v stats.Interval, digits int, percent bool) string {
	if math.IsNaN(v.Mean) {
		return "no value"
	}
	out := strconv.FormatFloat(v.Mean, 'f', digits, 64)
	if half := v.HalfWidth(); !math.IsNaN(half) {
		out += " ± " + strconv.FormatFloat(half, 'f', digits, 64)
	}
	if percent {
		out += " %"
	}
	return out
}

// trimUnit returns the title of a column without the unit at the end of the title.
func trimUnit(column string) string {
	return strings.TrimSuffix(strings.TrimSuffix(column, ", %"), ", s")
}
