package gantt

import (
	"bytes"
	"io"
	"unicode/utf8"

	"backfill-lab/core/log"
)

// TextOptions says how ASCII writes.
type TextOptions struct {
	Width int // characters for the lanes, 0 = 96
	Rows  int // most rows, 0 = 40; more lanes are grouped
}

const symbols = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

// ASCII writes a log as text, one row a lane, the highest lane first. Jobs are
// boxes with their ids, round ones where the job was backfilled; where the ids
// do not fit, letters with a legend; and where lanes or jobs are too many, how
// busy each cell is in tenths.
func ASCII(w io.Writer, l *log.Log, o TextOptions) error {
	if o.Width <= 0 {
		o.Width = 96
	}
	if o.Rows <= 0 {
		o.Rows = 40
	}
	c := New(l)
	var b bytes.Buffer
	switch s := newScale(c.End, o.Width); {
	case c.rows() <= o.Rows && c.idsFit(s):
		c.boxes(&b, s, box)
		c.legendOfBoxes(&b)
	case c.rows() <= o.Rows && len(l.Jobs) <= len(symbols):
		c.legend(&b, c.boxes(&b, s, letter))
	default:
		c.tenths(&b, s, o.Rows)
	}
	if text := c.Sharing(); text != "" {
		b.WriteString(text + "\n")
	}
	_, err := w.Write(b.Bytes())
	return err
}

// idsFit reports whether every stretch has room for its id and an edge.
func (c *Chart) idsFit(s scale) bool {
	for i, j := range c.jobs {
		if s.col(c.to[i])-s.col(c.from[i]) < utf8.RuneCountInString(c.log.Jobs[j].ID)+1 {
			return false
		}
	}
	return true
}

// box returns the text of a stretch n characters long.
func box(c *Chart, i, n int) string {
	edges := "[]"
	if c.flags[i]&Backfilled != 0 {
		edges = "()"
	}
	id := c.log.Jobs[c.jobs[i]].ID
	text := edges[:1] + id
	for k := utf8.RuneCountInString(text); k < n-1; k++ {
		text += "="
	}
	if utf8.RuneCountInString(text) < n {
		text += edges[1:]
	}
	return text
}

// letter returns the text of a stretch as its job's letter.
func letter(c *Chart, i, n int) string {
	text := make([]byte, max(n, 1))
	for k := range text {
		text[k] = symbols[c.jobs[i]]
	}
	return string(text)
}

// boxes writes the lanes, each stretch as text says. It returns the canvas.
func (c *Chart) boxes(b *bytes.Buffer, s scale, text func(*Chart, int, int) string) canvas {
	rows := newCanvas(c.Lanes, s.width, ' ')
	for i := range c.jobs {
		at := s.col(c.from[i])
		drawn := c.rates(i, s, text(c, i, s.col(c.to[i])-at))
		for _, r := range c.slots(i) {
			for lane := r.Lo; lane < r.Hi; lane++ {
				rows.put(int(lane), at, drawn)
			}
		}
	}
	c.blocked(rows, s)
	margin, per := len(c.laneName(c.Lanes-1)), c.log.Machine.PerNode()
	for lane := c.Lanes - 1; lane >= 0; lane-- {
		b.WriteString(padLeft(c.laneName(lane), margin) + " |" + rows.line(lane) + "\n")
		if per > 1 && lane%per == 0 {
			b.WriteString(padLeft("", margin) + " |" + c.shareLine(lane/per, s) + "\n")
		}
	}
	c.ruler(b, s, margin)
	c.blockLegend(b)
	if c.shared != nil {
		b.WriteString(": two jobs or more on the node, x0.50 at half of its speed\n")
	}
	return rows
}

// ruler writes the axis, and above it the time slices by the first letters of
// their names.
func (c *Chart) ruler(b *bytes.Buffer, s scale, margin int) {
	bands := c.bands(c.clamp(Query{T1: c.End, Lanes1: c.Lanes}), s.seconds)
	row := newCanvas(1, s.width, ' ')
	for _, x := range bands {
		first, last := s.col(x.From), max(s.col(x.To), s.col(x.From)+1)
		for at := first; at < last; at++ {
			switch {
			case at < s.col(x.On):
				row.put(0, at, ".")
			case x.View == 0 || at == first && row.rows[0][at] != ' ':
				row.put(0, at, "*")
			default:
				row.put(0, at, log.ViewName(x.View)[:1])
			}
		}
	}
	if bands != nil {
		b.WriteString(padLeft("", margin) + " |" + row.line(0) + "\n")
	}
	s.axis(b, margin+2, c.End)
	if bands != nil {
		b.WriteString("below the lanes: time slices for")
		for i := range c.Slices() {
			name := log.ViewName(uint8(i + 1))
			b.WriteString(" " + name[:1] + " = " + name + ",")
		}
		b.WriteString(" * = several; . = overhead\n")
	}
}

func (c *Chart) legendOfBoxes(b *bytes.Buffer) {
	for _, f := range c.flags {
		if f&Backfilled != 0 {
			b.WriteString("(id) backfilled\n")
			return
		}
	}
}

// legend names the job of each letter, and tells those that others cover.
func (c *Chart) legend(b *bytes.Buffer, drawn canvas) {
	line := ""
	for j := range c.log.Jobs {
		if c.first[j] < 0 {
			continue
		}
		entry := symbols[j:j+1] + " = " + c.log.Jobs[j].ID
		if c.flags[c.first[j]]&Backfilled != 0 {
			entry += " (backfilled)"
		}
		if !drawn.shows(rune(symbols[j])) {
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

// tenths writes groups of lanes, in each cell how busy it is: a blank is idle,
// 0 is less than a tenth, # is full.
func (c *Chart) tenths(b *bytes.Buffer, s scale, most int) {
	group := fold((c.Lanes+most-1)/most, c.log.Machine.PerNode())
	n := (c.Lanes + group - 1) / group
	q := c.clamp(Query{T1: c.End, Lanes1: c.Lanes})
	q.T1 = max(q.T1, 1)
	g := newGrid(q, detail{column: s.seconds, group: group})
	for i := range c.jobs {
		for _, r := range c.slots(i) {
			g.add(c.from[i], c.to[i], r.Lo, r.Hi, 0)
		}
	}
	per, unit := c.log.Machine.PerNode(), "lanes"
	if group%per != 0 {
		per = 1
	} else if per > 1 {
		unit = "nodes"
		if group == per {
			unit = "node"
		}
	}
	most = c.Lanes / per
	margin := 2*len(itoa(most-1)) + 1
	rows := newCanvas(n, s.width, ' ')
	for _, p := range g.pieces(g.cols * g.rows) {
		for t := p.From; t < p.To; t += s.seconds {
			for x := s.col(t); x < s.col(t)+max(s.perSecond, 1); x++ {
				rows.put(int(p.Lane0)/group, x, tenth(p.Busy))
			}
		}
	}
	for row := n - 1; row >= 0; row-- {
		name := itoa(row*group/per) + "-" + itoa(min((row+1)*group/per, most)-1)
		b.WriteString(padLeft(name, margin) + " |" + rows.line(row) + "\n")
	}
	c.ruler(b, s, margin)
	b.WriteString("0-9 tenths busy, # full; a cell is " + itoa(group/per) + " " + unit + "\n")
}

func tenth(busy uint8) string {
	if busy == 255 {
		return "#"
	}
	return itoa(int(busy) * 10 / 255)
}
