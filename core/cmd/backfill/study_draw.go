package main

import (
	"image/color"
	"io"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"backfill-lab/core/experiment"
)

// columnColours holds the colours of the columns. They come from the palette of Okabe and Ito.
var columnColours = []color.RGBA{
	{0x00, 0x72, 0xb2, 0xff}, {0xe6, 0x9f, 0x00, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xcc, 0x79, 0xa7, 0xff},
	{0x56, 0xb4, 0xe9, 0xff}, {0xd5, 0x5e, 0x00, 0xff},
}

// drawStudy draws those columns of a table that belong in the figure, and writes the figure as SVG.
// Each row is a group of bars. If the study has AsLines set, each column is a line instead, and
// each row is a point on it.
func drawStudy(w io.Writer, t *experiment.Table) error {
	p := plot.New()
	p.Title.Text = t.Study.Title + " (" + t.Study.Paper + ")"
	p.Y.Label.Text = t.Study.AxisLabel()
	p.Legend.Top = true
	p.Add(plotter.NewGrid())
	drawColumns, rowWidth, spaceAfter := drawBars, vg.Length(14), 0.5 // spaceAfter is measured in rows
	if t.Study.AsLines {
		drawColumns, rowWidth, spaceAfter = drawLines, 7, 1.5 // the name of the last row is wider than a row
	}
	if err := drawColumns(p, t); err != nil {
		return err
	}
	p.NominalX(shortNames(t.Rows)...)
	p.X.Max += spaceAfter
	p.Y.Max += (p.Y.Max - p.Y.Min) * 0.07 * float64(len(t.FigureColumns())) // makes room for the legend
	p.X.Tick.Label.Rotation, p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = math.Pi/6, -1, -0.5
	width := max(vg.Length(len(t.Rows)+3)*rowWidth, 170) // makes room for the title
	c := vgsvg.New(width*vg.Millimeter, 100*vg.Millimeter)
	p.Draw(draw.New(c))
	_, err := c.WriteTo(w)
	return err
}

// drawLines draws a line for each column. It starts a new line for each group of rows.
func drawLines(p *plot.Plot, t *experiment.Table) error {
	for i, k := range t.FigureColumns() {
		var line plotter.XYs
		hasLegend := false
		for n := range t.Rows {
			if v := t.Values[n][k]; !math.IsNaN(v) {
				line = append(line, plotter.XY{X: float64(n), Y: v})
			}
			if n+1 < len(t.Rows) && t.Study.Rows[n].Group == t.Study.Rows[n+1].Group || len(line) == 0 {
				continue
			}
			l, err := plotter.NewLine(line)
			if err != nil {
				return err
			}
			l.Color, l.Width = columnColours[i%len(columnColours)], 1.5*vg.Millimeter/3
			p.Add(l)
			if line = nil; !hasLegend {
				hasLegend = true
				p.Legend.Add(t.Study.Columns[k].Title, l)
			}
		}
	}
	return nil
}

// drawBars draws a group of bars for each row, with one bar per column.
func drawBars(p *plot.Plot, t *experiment.Table) error {
	columns := t.FigureColumns()
	const groupWidth = 9 * vg.Millimeter
	bar := groupWidth / vg.Length(len(columns))
	for i, k := range columns {
		values := make(plotter.Values, len(t.Rows))
		for n := range t.Rows {
			if v := t.Values[n][k]; !math.IsNaN(v) {
				values[n] = v
			}
		}
		b, err := plotter.NewBarChart(values, bar)
		if err != nil {
			return err
		}
		b.Color, b.LineStyle.Width = columnColours[i%len(columnColours)], 0
		b.Offset = bar * (vg.Length(i) - vg.Length(len(columns)-1)/2)
		p.Add(b)
		p.Legend.Add(t.Study.Columns[k].Title, b)
	}
	return nil
}

// shortNames returns the names of traces without their version numbers. Traces whose names would
// then be equal keep their version numbers.
func shortNames(traces []string) []string {
	count := map[string]int{}
	for _, name := range traces {
		count[experiment.TraceWithoutVersion(name)]++
	}
	out := make([]string, len(traces))
	for i, name := range traces {
		if out[i] = experiment.TraceWithoutVersion(name); count[out[i]] > 1 {
			out[i] = name
		}
	}
	return out
}
