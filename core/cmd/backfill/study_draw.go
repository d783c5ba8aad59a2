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

// hues is the colours of Okabe and Ito, in the order of the columns.
var hues = []color.RGBA{
	{0x00, 0x72, 0xb2, 0xff}, {0xe6, 0x9f, 0x00, 0xff}, {0x00, 0x9e, 0x73, 0xff}, {0xcc, 0x79, 0xa7, 0xff},
	{0x56, 0xb4, 0xe9, 0xff}, {0xd5, 0x5e, 0x00, 0xff},
}

// drawStudy draws the charted columns of a study as groups of bars, a group a
// trace.
func drawStudy(w io.Writer, t *experiment.Table) error {
	columns := t.Chart()
	p := plot.New()
	p.Title.Text = t.Study.Title + " (" + t.Study.Paper + ")"
	p.Y.Label.Text = t.Study.Unit()
	p.Legend.Top = true
	p.Add(plotter.NewGrid())
	const wide = 9 * vg.Millimeter
	bar := wide / vg.Length(len(columns))
	for i, k := range columns {
		values := make(plotter.Values, len(t.Traces))
		for n := range t.Traces {
			if v := t.Values[n][k]; !math.IsNaN(v) {
				values[n] = v
			}
		}
		b, err := plotter.NewBarChart(values, bar)
		if err != nil {
			return err
		}
		b.Color, b.LineStyle.Width = hues[i%len(hues)], 0
		b.Offset = bar * (vg.Length(i) - vg.Length(len(columns)-1)/2)
		p.Add(b)
		p.Legend.Add(t.Study.Columns[k].Title, b)
	}
	names := shortNames(t.Traces)
	p.NominalX(names...)
	p.X.Max += 0.5
	p.Y.Max += (p.Y.Max - p.Y.Min) * 0.07 * float64(len(columns)) // room for the legend
	p.X.Tick.Label.Rotation, p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = math.Pi/6, -1, -0.5
	c := vgsvg.New(vg.Length(len(t.Traces)+3)*14*vg.Millimeter, 100*vg.Millimeter)
	p.Draw(draw.New(c))
	_, err := c.WriteTo(w)
	return err
}

// shortNames is the names of traces without their versions, but where two would
// be the same.
func shortNames(traces []experiment.Trace) []string {
	met := map[string]int{}
	for i := range traces {
		met[traces[i].Short()]++
	}
	out := make([]string, len(traces))
	for i := range traces {
		if out[i] = traces[i].Short(); met[out[i]] > 1 {
			out[i] = traces[i].Name
		}
	}
	return out
}
