// Package plot draws small pictures of how often values occur, as SVG text that a
// page can take in as it is. It is not for schedules, which are drawn on canvases,
// and knows neither jobs nor the page; colours come from the style sheet.
package plot

import (
	"math"
	"strconv"
	"strings"
)

// Picture is a row of bars with its name.
type Picture struct {
	Name  string // as in "Runtime of the jobs"
	Bins  []Bin
	Times bool // the values are seconds
}

// Size of the drawing in its own units; it scales to the width that it gets.
const (
	width  = 300
	height = 56
	axis   = 16 // below, for the labels
)

// SVG returns the picture. Those who do not see it are told the same as a sentence.
func (p *Picture) SVG() string {
	var b strings.Builder
	say := func(parts ...string) {
		for _, s := range parts {
			b.WriteString(s)
		}
	}
	say(`<svg class="bars" role="img" viewBox="0 0 `, digits(width), " ", digits(height+axis), `" aria-label="`, escape(p.Says()), `">`)
	most := p.most()
	for i, x := range p.Bins {
		x0, x1 := i*width/len(p.Bins), (i+1)*width/len(p.Bins)
		tall := 0
		if most > 0 {
			tall = x.N * (height - 2) / most
		}
		if x.N > 0 {
			tall = max(tall, 1)
		}
		say(`<rect x="`, digits(x0+1), `" y="`, digits(height-tall), `" width="`, digits(max(x1-x0-2, 1)), `" height="`, digits(tall),
			`"><title>`, escape(p.bin(x)), `</title></rect>`)
	}
	say(`<path d="M0 `, digits(height), "H", digits(width), `"/>`)
	p.labels(say)
	say("</svg>")
	return b.String()
}

// labels writes at some bins, as many as there is room for, what they hold: of
// times, where they begin.
func (p *Picture) labels(say func(...string)) {
	n := len(p.Bins)
	step := max((n+4)/5, 1)
	label := func(x int, anchor, text string) {
		say(`<text x="`, digits(x), `" y="`, digits(height+axis-3), `" text-anchor="`, anchor, `">`, escape(text), "</text>")
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

func (p *Picture) label(x Bin, room bool) string {
	if room && !p.Times && x.To-x.From > 1 && x.To < math.MaxInt64 {
		return p.word(x.From) + "–" + p.word(x.To-1)
	}
	return p.word(x.From)
}

// Says returns the picture in a sentence: where the values lie, and where most do.
func (p *Picture) Says() string {
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
	text := p.Name + ": " + digits(all) + " values, of these " + p.bin(top)
	for i, x := range []Bin{p.Bins[0], p.Bins[len(p.Bins)-1]} {
		if x != top {
			text += []string{"; the least ", "; the most "}[i] + p.bin(x)
		}
	}
	return text + "."
}

// bin returns a bin in words, as in "12 of 4 to 7".
func (p *Picture) bin(x Bin) string {
	text := digits(x.N) + " of "
	switch {
	case x.To == math.MaxInt64:
		return text + p.word(x.From) + " or more"
	case x.To-x.From == 1:
		return text + p.word(x.From)
	case p.Times:
		return text + p.word(x.From) + " to below " + p.word(x.To)
	}
	return text + p.word(x.From) + " to " + p.word(x.To-1)
}

func (p *Picture) word(v int64) string {
	if p.Times {
		return Duration(v)
	}
	return strconv.FormatInt(v, 10)
}

func (p *Picture) most() (n int) {
	for _, x := range p.Bins {
		n = max(n, x.N)
	}
	return n
}

func digits(n int) string { return strconv.Itoa(n) }

var escaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

func escape(s string) string { return escaper.Replace(s) }

const minute, hour, day = 60, 3600, 86400

// Duration returns a length of time in the largest unit that tells it exactly, or in the
// two largest that matter.
func Duration(s int64) string {
	text := ""
	for i, unit := range []int64{day, hour, minute, 1} {
		n := s / unit
		if n == 0 && (unit > 1 || text != "") {
			continue
		}
		part := strconv.FormatInt(n, 10) + " " + [...]string{"d", "h", "min", "s"}[i]
		if s %= unit; text != "" {
			return text + " " + part
		}
		text = part
	}
	return text
}
