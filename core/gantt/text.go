package gantt

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
)

// textGrid holds rows of characters. All rows have the same length.
type textGrid struct {
	rows [][]rune
}

// newTextGrid returns a grid filled with the given character.
func newTextGrid(rows, width int, fill rune) textGrid {
	c := textGrid{make([][]rune, rows)}
	for i := range c.rows {
		c.rows[i] = []rune(strings.Repeat(string(fill), width))
	}
	return c
}

// writeText writes text into a row, beginning at column col. It cuts off text that does not fit.
func (c *textGrid) writeText(row, col int, text string) {
	for _, r := range text {
		if col >= 0 && col < len(c.rows[row]) {
			c.rows[row][col] = r
		}
		col++
	}
}

// contains reports whether the grid contains the character r.
func (c *textGrid) contains(r rune) bool {
	return slices.ContainsFunc(c.rows, func(row []rune) bool { return slices.Contains(row, r) })
}

// line returns the text of a row without trailing blanks.
func (c *textGrid) line(row int) string { return strings.TrimRight(string(c.rows[row]), " ") }

// timeScale maps times to columns of characters. Either a second is a whole number of columns wide,
// or a column covers a whole number of seconds.
type timeScale struct {
	perSecond int          // columns per second; 0 if a column is longer than a second
	seconds   job.Time     // seconds per column; 1 if perSecond is not 0
	width     int          // number of columns
	clock     format.Clock // formats the times on the axis
}

// newScale returns a scale with at most the given number of columns for the times from 0 to end.
func newScale(end job.Time, width int, clock format.Clock) timeScale {
	end = max(end, 1)
	if end <= job.Time(width) {
		k := min(width/int(end), 4)
		return timeScale{k, 1, int(end) * k, clock}
	}
	s := (end + job.Time(width) - 1) / job.Time(width)
	for _, nice := range columnSteps {
		if nice >= s && nice < 2*s {
			s = nice
			break
		}
	}
	return timeScale{0, s, int((end + s - 1) / s), clock}
}

// columnSteps lists the numbers of seconds per column that newScale prefers.
var columnSteps = []job.Time{1, 2, 5, 10, 20, 50, 100, 200, 500, 15, 30, 60, 120, 300, 900, 1800,
	3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800, 1209600, 2419200}

// column returns the column that contains a time.
func (s timeScale) column(t job.Time) int {
	if s.perSecond > 0 {
		return int(t) * s.perSecond
	}
	return int(t / s.seconds)
}

// writeAxis writes the time axis and its labels. It indents both lines by the width of the margin,
// in characters.
func (s timeScale) writeAxis(b *bytes.Buffer, margin int, end job.Time) {
	lines := newTextGrid(2, margin+s.width+12, ' ')
	for x := 0; x <= s.width; x++ {
		lines.writeText(0, margin+x, "-")
	}
	for _, t := range s.clock.Ticks(0, end, max(s.width/s.clock.TickWidth(), 3)) {
		lines.writeText(0, margin+s.column(t.At), "+")
		lines.writeText(1, margin+s.column(t.At), t.Label)
	}
	for i := range lines.rows {
		b.WriteString(lines.line(i))
		b.WriteByte('\n')
	}
}

// padLeft puts blanks before s, so that it has at least the given width in characters.
func padLeft(s string, width int) string {
	return strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s))) + s
}

func itoa(n int) string { return strconv.Itoa(n) }
