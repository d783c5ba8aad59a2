package gantt

import (
	"bytes"
	"io"
	"unicode/utf8"

	"backfill-lab/core/format"
	"backfill-lab/core/log"
)

// TextOptions holds the options of function ASCII.
type TextOptions struct {
	Width int          // maximum number of characters for the bars in a row; 0 means 96
	Rows  int          // maximum number of rows; 0 means 40; if there are more lanes, a row shows several lanes
	Clock format.Clock // formats the times on the axis
}

// symbols holds the characters that stand for the jobs if their IDs do not fit into the chart.
const symbols = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// ASCII writes the chart of a log as text. It writes one row per lane (processor), highest lane
// first. On multi-core nodes, a further row per node shows when jobs share it. Each job is a box
// with its ID. Round brackets mean that the job was backfilled. If the IDs do not fit, ASCII writes
// a letter for each job instead, and a legend. If there are too many lanes or jobs, each character
// shows in tenths how busy a group of lanes is.
func ASCII(w io.Writer, l *log.Log, o TextOptions) error {
	if o.Width <= 0 {
		o.Width = 96
	}
	if o.Rows <= 0 {
		o.Rows = 40
	}
	c := New(l)
	var b bytes.Buffer
	switch s := newScale(c.End, o.Width, o.Clock); {
	case c.rowCount() <= o.Rows && c.idsFit(s):
		c.writeLanes(&b, s, boxText)
		c.writeBoxLegend(&b)
	case c.rowCount() <= o.Rows && len(l.Jobs) <= len(symbols):
		c.writeLetterLegend(&b, c.writeLanes(&b, s, letterText))
	default:
		c.writeTenths(&b, s, o.Rows)
	}
	if text := c.SharingText(); text != "" {
		b.WriteString(text + "\n")
	}
	_, err := w.Write(b.Bytes())
	return err
}

// idsFit reports whether every span is wide enough for an opening bracket and the ID of its job.
func (c *Chart) idsFit(s timeScale) bool {
	for i, j := range c.Jobs {
		if s.column(c.To[i])-s.column(c.From[i]) < utf8.RuneCountInString(c.log.Jobs[j].ID)+1 {
			return false
		}
	}
	return true
}

// boxText returns the text of span i in n characters: a box with the ID of its job.
func boxText(c *Chart, i, n int) string {
	brackets := "[]"
	if c.flags[i]&Backfilled != 0 {
		brackets = "()"
	}
	id := c.log.Jobs[c.Jobs[i]].ID
	text := brackets[:1] + id
	for k := utf8.RuneCountInString(text); k < n-1; k++ {
		text += "="
	}
	if utf8.RuneCountInString(text) < n {
		text += brackets[1:]
	}
	return text
}

// letterText returns the text of span i in n characters: the letter of its job, repeated.
func letterText(c *Chart, i, n int) string {
	text := make([]byte, max(n, 1))
	for k := range text {
		text[k] = symbols[c.Jobs[i]]
	}
	return string(text)
}

// writeLanes writes the lanes, the axis, and the legends of outages and shared nodes. It calls
// spanText(c, i, n) for the text of span i in n characters. It returns the characters of the lanes.
func (c *Chart) writeLanes(b *bytes.Buffer, s timeScale, spanText func(*Chart, int, int) string) textGrid {
	rows := newTextGrid(c.Lanes, s.width, ' ')
	for i := range c.Jobs {
		at := s.column(c.From[i])
		drawn := c.withRates(i, s, spanText(c, i, s.column(c.To[i])-at))
		for _, r := range c.slotsOf(i) {
			for lane := r.Lo; lane < r.Hi; lane++ {
				rows.writeText(int(lane), at, drawn)
			}
		}
	}
	c.drawOutages(rows, s)
	margin, per := len(c.laneLabel(c.Lanes-1)), c.log.Machine.SlotsPerNode()
	for lane := c.Lanes - 1; lane >= 0; lane-- {
		b.WriteString(padLeft(c.laneLabel(lane), margin) + " |" + rows.line(lane) + "\n")
		if per > 1 && lane%per == 0 {
			b.WriteString(padLeft("", margin) + " |" + c.sharingRow(lane/per, s) + "\n")
		}
	}
	c.writeAxis(b, s, margin)
	c.writeOutageLegend(b)
	if c.shares != nil {
		b.WriteString(": = two or more jobs share the node, x0.50 = half speed\n")
	}
	return rows
}

// writeAxis writes the time axis. If the log has time slices, it writes the first letters of their
// names in a row above the axis, and a legend below the axis.
func (c *Chart) writeAxis(b *bytes.Buffer, s timeScale, margin int) {
	bands := c.bandsIn(c.clamp(Query{T1: c.End, Lanes1: c.Lanes}), s.seconds)
	row := newTextGrid(1, s.width, ' ')
	for _, x := range bands {
		first, last := s.column(x.From), max(s.column(x.To), s.column(x.From)+1)
		for at := first; at < last; at++ {
			switch {
			case at < s.column(x.RunFrom):
				row.writeText(0, at, ".")
			case x.View == 0 || at == first && row.rows[0][at] != ' ':
				row.writeText(0, at, "*")
			default:
				row.writeText(0, at, log.ViewName(x.View)[:1])
			}
		}
	}
	if bands != nil {
		b.WriteString(padLeft("", margin) + " |" + row.line(0) + "\n")
	}
	s.writeAxis(b, margin+2, c.End)
	if bands != nil {
		b.WriteString("below the lanes: time slices for")
		for i := range c.SliceCounts() {
			name := log.ViewName(uint8(i + 1))
			b.WriteString(" " + name[:1] + " = " + name + ",")
		}
		b.WriteString(" * = several; . = overhead\n")
	}
}

// writeBoxLegend explains round brackets, if any job was backfilled.
func (c *Chart) writeBoxLegend(b *bytes.Buffer) {
	for _, f := range c.flags {
		if f&Backfilled != 0 {
			b.WriteString("(id) backfilled\n")
			return
		}
	}
}

// writeLetterLegend writes the letter and the ID of each job in the chart. It marks backfilled
// jobs, and jobs whose letter does not occur in the drawn lanes because other jobs hide it.
func (c *Chart) writeLetterLegend(b *bytes.Buffer, drawn textGrid) {
	line := ""
	for j := range c.log.Jobs {
		if c.First[j] < 0 {
			continue
		}
		entry := symbols[j:j+1] + " = " + c.log.Jobs[j].ID
		if c.flags[c.First[j]]&Backfilled != 0 {
			entry += " (backfilled)"
		}
		if !drawn.contains(rune(symbols[j])) {
			entry += " (too short to show)"
		}
		if line != "" && utf8.RuneCountInString(line)+len(entry) > 76 {
			b.WriteString(line + "\n")
			line = ""
		} else if line != "" {
			line += "   "
		}
		line += entry
	}
	if line != "" {
		b.WriteString(line + "\n")
	}
}

// writeTenths writes at most maxRows rows, each for a group of lanes. Each character shows how busy
// the group is during the seconds of one column: a blank means idle, 0 means less than a tenth, and
// # means fully busy.
func (c *Chart) writeTenths(b *bytes.Buffer, s timeScale, maxRows int) {
	group := groupSize((c.Lanes+maxRows-1)/maxRows, c.log.Machine.SlotsPerNode())
	n := (c.Lanes + group - 1) / group
	q := c.clamp(Query{T1: c.End, Lanes1: c.Lanes})
	q.T1 = max(q.T1, 1)
	g := newGrid(q, detail{binTime: s.seconds, binLanes: group})
	for i := range c.Jobs {
		for _, r := range c.slotsOf(i) {
			g.add(c.From[i], c.To[i], r.Lo, r.Hi, 0)
		}
	}
	per, unit := c.log.Machine.SlotsPerNode(), "lanes"
	if group%per != 0 {
		per = 1
	} else if per > 1 {
		unit = "nodes"
		if group == per {
			unit = "node"
		}
	}
	units := c.Lanes / per
	margin := 2*len(itoa(units-1)) + 1
	rows := newTextGrid(n, s.width, ' ')
	for _, p := range g.pieces(g.cols * g.rows) {
		for t := p.From; t < p.To; t += s.seconds {
			for x := s.column(t); x < s.column(t)+max(s.perSecond, 1); x++ {
				rows.writeText(int(p.Lane0)/group, x, tenthSymbol(p.Busy))
			}
		}
	}
	for row := n - 1; row >= 0; row-- {
		name := itoa(row*group/per) + "-" + itoa(min((row+1)*group/per, units)-1)
		b.WriteString(padLeft(name, margin) + " |" + rows.line(row) + "\n")
	}
	c.writeAxis(b, s, margin)
	b.WriteString("0-9 tenths busy, # fully busy; each row shows " + itoa(group/per) + " " + unit + "\n")
}

// tenthSymbol returns the character for a group of lanes of which the fraction busy/255 is in use.
func tenthSymbol(busy uint8) string {
	if busy == 255 {
		return "#"
	}
	return itoa(int(busy) * 10 / 255)
}
