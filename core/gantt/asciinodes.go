package gantt

import (
	"strings"
	"unicode/utf8"
)

// rowCount returns the number of rows of a text chart: one per lane, and on multi-core nodes one
// more per node.
func (c *Chart) rowCount() int {
	if m := &c.log.Machine; m.SlotsPerNode() > 1 {
		return c.Lanes + m.Nodes
	}
	return c.Lanes
}

// laneLabel returns the label of a lane: its number. On multi-core nodes, this is the number of the
// core within its node, and the highest core of a node also shows the number of the node.
func (c *Chart) laneLabel(lane int) string {
	per := c.log.Machine.SlotsPerNode()
	if per == 1 {
		return itoa(lane)
	}
	core := padLeft(itoa(lane%per), len(itoa(per-1)))
	if lane%per == per-1 {
		return "node " + itoa(lane/per) + " " + core
	}
	return core
}

// sharingRow returns the text of the additional row of a node. It contains a colon wherever two or
// more jobs share the node.
func (c *Chart) sharingRow(node int, s timeScale) string {
	row := newTextGrid(1, s.width, ' ')
	for _, x := range c.shares {
		if int(x.node) == node {
			from, to := s.column(x.from), s.column(x.to)
			row.writeText(0, from, strings.Repeat(":", max(to-from, 1)))
		}
	}
	return row.line(0)
}

// withRates returns the text of span i with a vertical bar wherever the speed of the job changes.
// It also inserts each speed other than 1 for which there is room.
func (c *Chart) withRates(i int, s timeScale, text string) string {
	if c.paces.firstPhase == nil {
		return text
	}
	row, start := textGrid{[][]rune{[]rune(text)}}, s.column(c.From[i])
	phases := c.paces.phasesOf(i, c.To[i], Query{T1: c.End}, s.seconds)
	for k, p := range phases {
		at, end := s.column(p.from)-start, s.column(c.To[i])-start
		if k+1 < len(phases) {
			end = s.column(phases[k+1].from) - start
		}
		free := at + 1
		if at > 0 {
			row.writeText(0, at, "|")
		} else {
			free += utf8.RuneCountInString(c.log.Jobs[c.Jobs[i]].ID)
		}
		if rate := " x" + rateText(p.Rate); p.Rate != 1 && free+len(rate) < end {
			row.writeText(0, end-1-len(rate), rate)
		}
	}
	return string(row.rows[0])
}
