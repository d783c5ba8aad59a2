// Package plot draws small charts as SVG text for the page: histograms, box plots, curves and
// groups of jobs that share nodes. It does not draw schedules: the JavaScript of the page draws them on
// a canvas. The colours are in the style sheet.
package plot

import (
	"math"
	"strconv"
	"strings"

	"backfill-lab/core/format"
)

// BarChart draws a histogram as a bar chart.
type BarChart struct {
	Name  string // such as "Runtime of the jobs"
	Bins  []Bin
	Times bool // the values are seconds
}

// Size of the drawing in its own units; it scales to the available width.
const (
	width  = 300
	height = 56
	axis   = 16 // height of the labels below the bars
)

// SVG returns the chart, with a description for screen readers.
func (p *BarChart) SVG() string {
	var b strings.Builder
	write := func(parts ...string) {
		for _, s := range parts {
			b.WriteString(s)
		}
	}
	write(`<svg class="bars" role="img" viewBox="0 0 `, digits(width), " ", digits(height+axis), `" aria-label="`, escape(p.Description()), `">`)
	highest := p.maxCount()
	for i, x := range p.Bins {
		x0, x1 := i*width/len(p.Bins), (i+1)*width/len(p.Bins)
		barHeight := 0
		if highest > 0 {
			barHeight = x.N * (height - 2) / highest
		}
		if x.N > 0 {
			barHeight = max(barHeight, 1)
		}
		write(`<rect x="`, digits(x0+1), `" y="`, digits(height-barHeight), `" width="`, digits(max(x1-x0-2, 1)), `" height="`, digits(barHeight),
			`"><title>`, escape(p.valuesOf(x)), ": ", digits(x.N), `</title></rect>`)
	}
	write(`<path d="M0 `, digits(height), "H", digits(width), `"/>`)
	p.labels(write)
	write("</svg>")
	return b.String()
}

// labels writes as many labels below the bins as fit. A label shows the values of its bin. In a
// chart of durations, or if not all labels fit, it shows only where the bin begins.
func (p *BarChart) labels(write func(...string)) {
	n := len(p.Bins)
	step := max((n+4)/5, 1)
	label := func(x int, anchor, text string) {
		write(`<text x="`, digits(x), `" y="`, digits(height+axis-3), `" text-anchor="`, anchor, `">`, escape(text), "</text>")
	}
	for i := 0; i < n; i += step {
		switch text := p.label(p.Bins[i], step == 1); {
		case !p.Times:
			label((2*i+1)*width/(2*n), "middle", text)
		case i == 0:
			label(0, "start", text)
		default:
			label(i*width/n, "middle", text)
		}
	}
	if p.Times && n > 0 && n%step == 0 && p.Bins[n-1].To < math.MaxInt64 {
		label(width, "end", p.word(p.Bins[n-1].To))
	}
}

// label returns the text below a bin. If wide is true, there is enough space for a range such as
// "4–7".
func (p *BarChart) label(x Bin, wide bool) string {
	if wide && !p.Times && x.To-x.From > 1 && x.To < math.MaxInt64 {
		return p.word(x.From) + "–" + p.word(x.To-1)
	}
	return p.word(x.From)
}

// Description describes the chart in words: the number of values, and the bins with the most
// frequent, the smallest and the largest values.
func (p *BarChart) Description() string {
	top, all := Bin{}, 0
	for _, x := range p.Bins {
		all += x.N
		if x.N > top.N {
			top = x
		}
	}
	if all == 0 {
		return p.Name + ": no values."
	}
	count := digits(all) + " values"
	if all == 1 {
		count = "1 value"
	}
	text := p.Name + ": " + count + ". Most frequent: " + p.valuesOf(top) + " (" + digits(top.N) + ")."
	for i, x := range []Bin{p.Bins[0], p.Bins[len(p.Bins)-1]} {
		if x != top {
			text += []string{" Smallest: ", " Largest: "}[i] + p.valuesOf(x) + " (" + digits(x.N) + ")."
		}
	}
	return text
}

// valuesOf returns the range of the values in a bin, such as "4 to 7".
func (p *BarChart) valuesOf(x Bin) string {
	switch {
	case x.To == math.MaxInt64:
		return p.word(x.From) + " or more"
	case x.To-x.From == 1:
		return p.word(x.From)
	case p.Times:
		return p.word(x.From) + " to below " + p.word(x.To)
	}
	return p.word(x.From) + " to " + p.word(x.To-1)
}

// word returns a value as text. It writes a duration in the largest suitable unit.
func (p *BarChart) word(v int64) string {
	if p.Times {
		return format.UnitClock.Mean(float64(v))
	}
	return strconv.FormatInt(v, 10)
}

// maxCount returns the number of values in the fullest bin.
func (p *BarChart) maxCount() (n int) {
	for _, x := range p.Bins {
		n = max(n, x.N)
	}
	return n
}

func digits(n int) string { return strconv.Itoa(n) }

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

func escape(s string) string { return escaper.Replace(s) }
