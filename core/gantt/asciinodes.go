package gantt

import (
	"strings"
	"unicode/utf8"
)

// rows returns the lanes, and below each node with several cores a row of its own.
func (c *Chart) rows() int {
	if m := &c.log.Machine; m.PerNode() > 1 {
		return c.Lanes + m.Nodes
	}
	return c.Lanes
}

// laneName returns a lane beside it: its core, and its node at the highest one.
func (c *Chart) laneName(lane int) string {
	per := c.log.Machine.PerNode()
	if per == 1 {
		return itoa(lane)
	}
	core := padLeft(itoa(lane%per), len(itoa(per-1)))
	if lane%per == per-1 {
		return "node " + itoa(lane/per) + " " + core
	}
	return core
}

// shareLine dots the times at which two jobs or more are on a node.
func (c *Chart) shareLine(node int, s scale) string {
	row := newCanvas(1, s.width, ' ')
	for _, x := range c.shared {
		if int(x.node) == node {
			from, to := s.col(x.from), s.col(x.to)
			row.put(0, from, strings.Repeat(":", max(to-from, 1)))
		}
	}
	return row.line(0)
}

// rates marks in the text of a stretch where its rate changes, and writes the rates
// where they fit.
func (c *Chart) rates(i int, s scale, text string) string {
	if c.paces.first == nil {
		return text
	}
	row, start := canvas{[][]rune{[]rune(text)}}, s.col(c.from[i])
	phases := c.paces.of(i, c.to[i], Query{T1: c.End}, s.seconds)
	for k, p := range phases {
		at, end := s.col(p.at)-start, s.col(c.to[i])-start
		if k+1 < len(phases) {
			end = s.col(phases[k+1].at) - start
		}
		free := at + 1
		if at > 0 {
			row.put(0, at, "|")
		} else {
			free += utf8.RuneCountInString(c.log.Jobs[c.jobs[i]].ID)
		}
		if rate := " x" + ratio(p.Rate); p.Rate != 1 && free+len(rate) < end {
			row.put(0, end-1-len(rate), rate)
		}
	}
	return string(row.rows[0])
}
