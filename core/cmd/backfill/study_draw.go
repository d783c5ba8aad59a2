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

// barColours holds the colours of the columns, from the palette of Okabe and Ito.
var barColours = []color.RGBA{
	{0x00, 0x72, 0xb2, 0xff}, {0xe6, 0x9f, 0x00, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xcc, 0x79, 0xa7, 0xff},
	{0x56, 0xb4, 0xe9, 0xff}, {0xd5, 0x5e, 0x00, 0xff},
}

// drawStudy draws the charted columns of a study: as a group of bars for each row, or as lines
// across the rows.
func drawStudy(w io.Writer, t *experiment.Table) error {
	p := plot.New()
	p.Title.Text = t.Study.Title + " (" + t.Study.Paper + ")"
	p.Y.Label.Text = t.Study.AxisLabel()
	p.Legend.Top = true
	p.Add(plotter.NewGrid())
	draws, rowWide, after := drawBars, vg.Length(14), 0.5
	if t.Study.Lines {
		draws, rowWide, after = drawLines, 7, 1.5 // space for the last name, which is wider than a row
	}
	if err := draws(p, t); err != nil {
		return err
	}
	p.NominalX(shortNames(t.Rows)...)
	p.X.Max += after
	p.Y.Max += (p.Y.Max - p.Y.Min) * 0.07 * float64(len(t.Chart())) // space for the legend
	p.X.Tick.Label.Rotation, p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = math.Pi/6, -1, -0.5
	wide := max(vg.Length(len(t.Rows)+3)*rowWide, 170) // space for the heading
	c := vgsvg.New(wide*vg.Millimeter, 100*vg.Millimeter)
	p.Draw(draw.New(c))
	_, err := c.WriteTo(w)
	return err
}

// drawLines draws a line for each column. A line is interrupted between groups of rows.
func drawLines(p *plot.Plot, t *experiment.Table) error {
	for i, k := range t.Chart() {
		var line plotter.XYs
		begun := false
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
			l.Color, l.Width = barColours[i%len(barColours)], 1.5*vg.Millimeter/3
			p.Add(l)
			if line = nil; !begun {
				begun = true
				p.Legend.Add(t.Study.Columns[k].Title, l)
			}
		}
	}
	return nil
}

// drawBars draws a group of bars for each row.
func drawBars(p *plot.Plot, t *experiment.Table) error {
	columns := t.Chart()
	const wide = 9 * vg.Millimeter
	bar := wide / vg.Length(len(columns))
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
		b.Color, b.LineStyle.Width = barColours[i%len(barColours)], 0
		b.Offset = bar * (vg.Length(i) - vg.Length(len(columns)-1)/2)
		p.Add(b)
		p.Legend.Add(t.Study.Columns[k].Title, b)
	}
	return nil
}

// shortNames returns the names of traces without version numbers. It keeps them if two names would
// be equal.
func shortNames(traces []string) []string {
	met := map[string]int{}
	for _, name := range traces {
		met[experiment.TraceWithoutVersion(name)]++
	}
	out := make([]string, len(traces))
	for i, name := range traces {
		if out[i] = experiment.TraceWithoutVersion(name); met[out[i]] > 1 {
			out[i] = name
		}
	}
	return out
}
