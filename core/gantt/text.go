package gantt

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"backfill-lab/core/job"
)

// canvas is rows of characters of equal length.
type canvas struct {
	rows [][]rune
}

func newCanvas(rows, width int, fill rune) canvas {
	c := canvas{make([][]rune, rows)}
	for i := range c.rows {
		c.rows[i] = []rune(strings.Repeat(string(fill), width))
	}
	return c
}

// put writes text into row from column col as far as it fits.
func (c *canvas) put(row, col int, text string) {
	for _, r := range text {
		if col >= 0 && col < len(c.rows[row]) {
			c.rows[row][col] = r
		}
		col++
	}
}

// shows reports whether r is anywhere on the canvas.
func (c *canvas) shows(r rune) bool {
	return slices.ContainsFunc(c.rows, func(row []rune) bool { return slices.Contains(row, r) })
}

// line returns the row without the blanks at its end.
func (c *canvas) line(row int) string { return strings.TrimRight(string(c.rows[row]), " ") }

// scale maps time to columns of characters: either several columns a second or
// several seconds a column.
type scale struct {
	perSecond int      // columns, 0 when a column is longer than a second
	seconds   job.Time // of a column
	width     int
}

func newScale(end job.Time, width int) scale {
	end = max(end, 1)
	if end <= job.Time(width) {
		k := min(width/int(end), 4)
		return scale{k, 1, int(end) * k}
	}
	s := (end + job.Time(width) - 1) / job.Time(width)
	for _, nice := range append(append([]job.Time(nil), plainSteps...), clockSteps...) {
		if nice >= s && nice < 2*s {
			s = nice
			break
		}
	}
	return scale{0, s, int((end + s - 1) / s)}
}

func (s scale) col(t job.Time) int {
	if s.perSecond > 0 {
		return int(t) * s.perSecond
	}
	return int(t / s.seconds)
}

// axis writes the ruler below the lanes and its labels.
func (s scale) axis(b *bytes.Buffer, margin int, end job.Time) {
	lines := newCanvas(2, margin+s.width+12, ' ')
	step := Step(0, end, max(s.width/10, 3))
	for x := 0; x <= s.width; x++ {
		lines.put(0, margin+x, "-")
	}
	for _, t := range Ticks(0, end, max(s.width/10, 3)) {
		lines.put(0, margin+s.col(t), "+")
		lines.put(1, margin+s.col(t), Label(t, step, end))
	}
	for i := range lines.rows {
		b.WriteString(lines.line(i))
		b.WriteByte('\n')
	}
}

func padLeft(s string, width int) string {
	return strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s))) + s
}

func itoa(n int) string { return strconv.Itoa(n) }
