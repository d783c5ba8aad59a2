package plot

import (
	"math"
	"strconv"
	"strings"

	"backfill-lab/core/format"
)

// Box describes the distribution of a group of values, for a box plot. If Values is set, the plot
// draws each value as a dot instead.
type Box struct {
	Name                                    string  // name of the group
	Low, Q1, Median, Q3, High, Mean, Max, N float64 // Low and High: 5th and 95th percentile; N: number of values
	Values                                  []float64
}

// Scale maps values to horizontal positions. It is nearly linear close to the minimum (within 1, or
// within a thousandth of a large range) and logarithmic for larger values.
type Scale struct {
	Min, Max float64
	Times    bool // the values are seconds
}

// position returns the position of a value in percent of the width.
func (s *Scale) position(v float64) float64 {
	span := s.Max - s.Min
	if span <= 0 {
		return 1
	}
	unit := max(1, span/1000)
	return 1 + 97*math.Log1p(max(v-s.Min, 0)/unit)/math.Log1p(span/unit)
}

// marks returns round values for the labels of the axis. They are far enough apart that the labels
// do not overlap.
func (s *Scale) marks() (out []float64) {
	last := -100.0
	add := func(v float64) {
		if at := s.position(v); v >= s.Min && v <= s.Max && at-last >= 11 {
			out, last = append(out, v), at
		}
	}
	if s.Times {
		for _, v := range times {
			add(float64(v))
		}
		return out
	}
	for unit := 1.0; unit <= s.Max; unit *= 10 {
		for _, k := range [...]float64{1, 1.5, 2, 3, 5} {
			add(k * unit)
		}
	}
	return out
}

// Axis returns the axis with its labels as SVG. Positions are percentages, so the drawing fits any
// width.
func (s *Scale) Axis() string {
	b := strings.Builder{}
	b.WriteString(`<svg class="scale" aria-hidden="true" width="100%" height="16">`)
	for _, v := range s.marks() {
		text := strconv.FormatFloat(v, 'g', 4, 64)
		if s.Times {
			text = format.UnitClock.Mean(float64(int64(v)))
		}
		anchor := "middle"
		if s.position(v) < 5 {
			anchor = "start"
		} else if s.position(v) > 95 {
			anchor = "end"
		}
		b.WriteString(`<text x="` + percent(s.position(v)) + `" y="12" text-anchor="` + anchor + `">` + text + `</text>`)
	}
	return b.String() + "</svg>"
}

const rowHeight = 16 // height of a box plot in pixels

// colours is the number of colours in which box plots are drawn.
const colours = 8

// BoxClass returns the CSS classes of the box plot of group i. If there are more groups than colours,
// groups with the same colour have different line styles.
func BoxClass(i int) string {
	class := "n" + strconv.Itoa(i%colours)
	if round := i / colours; round > 0 {
		class += " r" + strconv.Itoa(round)
	}
	return class
}

// Boxes returns the box plots of several groups as SVG, one below the other. A box extends from the lower to the upper
// quartile and shows the median. Whiskers extend from the 5th to the 95th percentile, a dot marks the mean, and a ring
// the maximum. The description is for screen readers.
func (s *Scale) Boxes(description string, list []Box) string {
	b := strings.Builder{}
	height := strconv.Itoa(rowHeight * len(list))
	b.WriteString(`<svg class="boxes" role="img" width="100%" height="` + height + `" aria-label="` + escape(description) + `">`)
	for _, v := range s.marks() {
		line(&b, "mark", v, v, 0, rowHeight*len(list), s)
	}
	for i := range list {
		b.WriteString(`<g class="` + BoxClass(i) + `">`)
		s.box(&b, &list[i], rowHeight*i+rowHeight/2)
		b.WriteString("</g>")
	}
	return b.String() + "</svg>"
}

// box draws one box plot with its middle at height y.
func (s *Scale) box(b *strings.Builder, x *Box, y int) {
	b.WriteString("<title>" + escape(x.Name) + "</title>")
	if x.Values != nil {
		for _, v := range x.Values {
			s.circle(b, "one", v, y)
		}
		return
	}
	line(b, "whisker", x.Low, x.High, y, y, s)
	from := s.position(x.Q1)
	b.WriteString(`<rect x="` + percent(from) + `" y="` + strconv.Itoa(y-5) + `" width="` + percent(max(s.position(x.Q3)-from, 0.2)) + `" height="10"/>`)
	line(b, "median", x.Median, x.Median, y-5, y+5, s)
	s.circle(b, "most", x.Max, y)
	s.circle(b, "mean", x.Mean, y)
}

// line draws a line from value x1 at height y1 to value x2 at height y2.
func line(b *strings.Builder, class string, x1, x2 float64, y1, y2 int, s *Scale) {
	b.WriteString(`<line class="` + class + `" x1="` + percent(s.position(x1)) + `" x2="` + percent(s.position(x2)) + `" y1="` + strconv.Itoa(y1) + `" y2="` + strconv.Itoa(y2) + `"/>`)
}

func (s *Scale) circle(b *strings.Builder, class string, v float64, y int) {
	b.WriteString(`<circle class="` + class + `" r="3" cx="` + percent(s.position(v)) + `" cy="` + strconv.Itoa(y) + `"/>`)
}

func percent(v float64) string { return strconv.FormatFloat(v, 'f', 2, 64) + "%" }
