package results

import (
	"fmt"
	"strconv"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/ui/plot"
	"backfill-lab/ui/protocol"
)

// BoxPlotGroup is a group of box plots: one for each class of jobs (such as a range of sizes), or a
// single one for all jobs.
type BoxPlotGroup struct {
	Title   string    // such as "By size" or "All jobs"
	Axis    vugu.HTML // SVG image of the axis
	Classes []BoxPlot
}

// BoxPlot is the box plot of a class of jobs, with a box for each policy.
type BoxPlot struct {
	Name string // name of the class and number of its jobs
	SVG  vugu.HTML
}

// BoxPlotGroups returns the box plots, all on the same scale.
func (c *Results) BoxPlotGroups() (out []BoxPlotGroup) {
	shown := c.spread.shown
	if len(shown) == 0 {
		return nil
	}
	scale := c.spread.scale()
	for k, s := range shown[0].Classifications {
		x := BoxPlotGroup{Title: groupTitle(s.Title), Axis: vugu.HTML(scale.Axis())}
		for i := range s.Boxes {
			name := format.Count(s.Boxes[i].Jobs, "job")
			if s.Title != "" {
				name = s.Boxes[i].Name + ", " + name
			}
			var list []plot.Box
			for r := range shown {
				if b := &shown[r].Classifications[k].Boxes[i]; b.Jobs > 0 {
					list = append(list, plot.Box{Name: c.spread.titles[r] + ": " + c.boxText(b), Low: b.At[1], Q1: b.At[2], Median: b.At[3], Q3: b.At[4], High: b.At[5], Max: b.At[6], Mean: b.Mean, Values: b.Values})
				} else {
					list = append(list, plot.Box{Name: c.spread.titles[r] + ": none", Values: []float64{}})
				}
			}
			x.Classes = append(x.Classes, BoxPlot{name, vugu.HTML(scale.Boxes(fmt.Sprintf("%s. Select “Show as a table” to read the numbers.", name), list))})
		}
		out = append(out, x)
	}
	return out
}

// scale returns the scale that fits all shown distributions.
func (d *spread) scale() *plot.Scale {
	s := &plot.Scale{Times: d.shownMeasure != slowdowns}
	if d.shownMeasure == slowdowns {
		s.Min = 1
	}
	for _, x := range d.shown {
		if b := &x.Classifications[0].Boxes[0]; b.Jobs > 0 {
			s.Max = max(s.Max, b.At[6])
		}
	}
	return s
}

// groupTitle returns the heading of a group of box plots, such as "By size".
func groupTitle(title string) string {
	if title == "" {
		return "All jobs"
	}
	return "By " + title
}

// spreadTitle returns the name of a measure with its unit.
func (c *Results) spreadTitle(measure int) string {
	if measure == slowdowns {
		return spreadMeasures[measure]
	}
	return c.Clock().Heading(spreadMeasures[measure])
}

// boxText describes a box in words, for its tooltip.
func (c *Results) boxText(b *protocol.Box) string {
	measure := c.spread.shownMeasure
	return "median " + c.spreadValue(measure, b.At[3]) + ", mean " + c.spreadValue(measure, b.Mean) + ", maximum " + c.spreadValue(measure, b.At[6])
}

// spreadValue returns a value of a distribution as text.
func (c *Results) spreadValue(measure int, v float64) string {
	if clock := c.Clock(); clock.Units && measure != slowdowns {
		return clock.Mean(v)
	}
	return format.Number(v)
}

// SpreadTables returns the tables with the numbers of the box plots. It returns none until the
// user opens them.
func (c *Results) SpreadTables() []ResultTable {
	if !c.spread.table {
		return nil
	}
	return c.spreadTables(&c.spread)
}

// spreadHeads returns the headings of a table of distributions. For people, the unit is in the
// caption; for programs, it is in the headings.
func spreadHeads(measure int) []ResultCell {
	heads := textCells("class", "policy", "jobs", "minimum", "5 %", "25 %", "median", "75 %", "95 %", "maximum", "mean")
	for i := 3; i < len(heads) && measure != slowdowns; i++ {
		heads[i].Exact += ", s"
	}
	return heads
}

// spreadTables returns tables with the numbers of distributions, one for each way to divide the jobs
// into classes.
func (c *Results) spreadTables(d *spread) (out []ResultTable) {
	if len(d.shown) == 0 {
		return nil
	}
	for k, s := range d.shown[0].Classifications {
		t := ResultTable{ID: "spread-" + strconv.Itoa(k), Caption: groupTitle(s.Title) + ": " + c.spreadTitle(d.shownMeasure), Heads: spreadHeads(d.shownMeasure)}
		for i := range s.Boxes {
			for r := range d.shown {
				b := &d.shown[r].Classifications[k].Boxes[i]
				title := textCell(d.titles[r])
				title.Class = "text"
				e := ResultRow{Name: b.Name, Job: -1, Cells: []ResultCell{title, numberCell(int64(b.Jobs))}}
				e.Cells = append(e.Cells, c.spreadCells(d.shownMeasure, b)...)
				t.Rows = append(t.Rows, e)
			}
		}
		out = append(out, t)
	}
	return out
}

// spreadCells returns the cells of a distribution: minimum, percentiles, maximum and mean. If there are no
// jobs, it returns dashes.
func (c *Results) spreadCells(measure int, b *protocol.Box) (out []ResultCell) {
	if b.Jobs == 0 {
		return []ResultCell{dash, dash, dash, dash, dash, dash, dash, dash}
	}
	for _, v := range append(b.At[:7:7], b.Mean) {
		out = append(out, ResultCell{Text: c.spreadValue(measure, v), Exact: formatExactly(v)})
	}
	return out
}
