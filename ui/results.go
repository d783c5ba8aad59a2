package ui

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"backfill-lab/core/metrics"
	"backfill-lab/ui/protocol"
)

// headline is the metrics of the short table, in its order; scale is what
// their values are multiplied with.
var headline = []struct {
	name, title, unit string
	scale             float64
	digits            int // behind the point, -1 = as fits
}{
	{"mean-wait", "mean wait", "s", 1, -1},
	{"max-wait", "max wait", "s", 1, -1},
	{"mean-bounded-slowdown", "bounded slowdown", "", 1, -1},
	{"utilization", "utilization", "%", 100, 1},
	{"makespan", "makespan", "s", 1, -1},
}

const percent = 3 // the headline that is shown a hundredfold

// Chart is a policy's picture as rendered.
type Chart struct {
	I       int
	ID      string
	Title   string // with the knobs that are set
	Facts   []Fact
	Finding string

	Host, Label, SummaryID, Summary string // for those who cannot see it
	Uses                            []Use
}

// Fact is a number with its name and its difference to the first policy.
type Fact struct {
	Name, Value, Unit, Delta, DeltaClass, Formula string
	Best                                          bool
}

// Charts is the pictures, one a policy.
func (c *App) Charts() (out []Chart) {
	if c.lab.ran == nil {
		return nil
	}
	for i := range c.lab.ran.Results {
		r := &c.lab.ran.Results[i]
		x := Chart{I: i, ID: fmt.Sprintf("chart-%d", i), Host: fmt.Sprintf("gantt-%d", i), Title: r.Title,
			Facts: []Fact{c.fact(i, 0), c.fact(i, 3)}, Label: "Schedule by " + r.Title, SummaryID: fmt.Sprintf("summary-%d", i),
			Summary: strings.TrimSpace(r.Summary+" "+c.LeftOut()) + " Left and Right walk the jobs, Enter selects, question mark lists the keys."}
		if n := len(r.Findings); n > 0 {
			x.Finding = fmt.Sprintf("The checker objects to this schedule (%d): %s", n, r.Findings[0])
		}
		x.Uses = c.uses(i, r.Title)
		out = append(out, x)
	}
	return out
}

// LeftOut says which jobs the metrics leave out, nothing where that is none.
func (c *App) LeftOut() string {
	if c.lab.ran == nil {
		return ""
	}
	return c.lab.ran.LeftOut
}

func knobWords(p protocol.Policy) string {
	words := ""
	for _, name := range sortedKeys(p.Knobs) {
		words += fmt.Sprintf(" %s=%s", name, p.Knobs[name])
	}
	return words
}

// fact is headline k of result i.
func (c *App) fact(i, k int) Fact {
	h := &headline[k]
	f := c.number(i, h.name, h.title, h.scale, h.digits)
	f.Unit = h.unit
	return f
}

// number is a metric of result i with its difference to the first result.
func (c *App) number(i int, name, title string, scale float64, digits int) Fact {
	f := Fact{Name: title, Value: "-"}
	v, ok := c.value(i, name)
	if !ok {
		return f
	}
	m := metric(name)
	f.Formula = m.Formula + " (" + m.Paper + ")"
	f.Value = show(v*scale, digits)
	f.Best = c.best(m, v)
	if first, ok := c.value(0, name); ok && i > 0 {
		d := (v - first) * scale
		f.Delta = signed(d, digits)
		switch {
		case d*float64(m.Better) > 0:
			f.DeltaClass = "delta better"
		case d*float64(m.Better) < 0:
			f.DeltaClass = "delta worse"
		default:
			f.DeltaClass = "delta"
		}
	}
	return f
}

// best reports whether no other result has a better value, and one has a worse.
func (c *App) best(m *metrics.Metric, v float64) bool {
	worse := false
	for i := range c.lab.ran.Results {
		o, ok := c.value(i, m.Name)
		if !ok {
			continue
		}
		if (o-v)*float64(m.Better) > 0 {
			return false
		}
		worse = worse || o != v
	}
	return worse && m.Better != 0
}

func metric(name string) *metrics.Metric {
	if m := metrics.Named(name); m != nil {
		return m
	}
	return &metrics.Metric{}
}

func (c *App) value(i int, name string) (float64, bool) {
	for _, m := range c.lab.ran.Results[i].Metrics {
		if m.Name == name && m.Value != nil {
			return *m.Value, true
		}
	}
	return 0, false
}

// show writes a number as people read it: three digits or whole, or with the
// given number of digits behind the point.
func show(v float64, digits int) string {
	switch a := math.Abs(v); {
	case digits >= 0:
		return strconv.FormatFloat(v, 'f', digits, 64)
	case a >= 1e15:
		return strconv.FormatFloat(v, 'g', 4, 64)
	case a >= 1000:
		return group(strconv.FormatFloat(v, 'f', 0, 64))
	case v == math.Trunc(v):
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 100:
		return strconv.FormatFloat(v, 'f', 1, 64)
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// group sets thin spaces between thousands.
func group(digits string) string {
	for at := len(digits) - 3; at > 0 && digits[at-1] != '-'; at -= 3 {
		digits = digits[:at] + "\u202f" + digits[at:]
	}
	return digits
}

func signed(v float64, digits int) string {
	switch text := show(math.Abs(v), digits); {
	case strings.Trim(text, "0.") == "":
		return "±0"
	case v > 0:
		return "+" + text
	default:
		return "\u2212" + text
	}
}

// Score is a row of the metrics table.
type Score struct {
	Title    string
	Facts    []Fact
	Promises string
}

// Scores is the short table: a row a policy.
func (c *App) Scores() (out []Score) {
	if c.lab.ran == nil {
		return nil
	}
	for i := range c.lab.ran.Results {
		s := Score{Title: c.lab.ran.Results[i].Title, Promises: "none"}
		for k := range headline {
			s.Facts = append(s.Facts, c.fact(i, k))
		}
		if given, _ := c.value(i, "promises-given"); given > 0 {
			kept, _ := c.value(i, "promises-kept")
			s.Promises = fmt.Sprintf("%s of %s kept", show(kept, 0), show(given, 0))
		}
		out = append(out, s)
	}
	return out
}

// Headings is the columns of the short table.
func (c *App) Headings() (out []Fact) {
	for _, h := range headline {
		m := metric(h.name)
		name := h.title
		if h.unit != "" {
			name += ", " + h.unit
		}
		out = append(out, Fact{Name: name, Formula: m.Formula + " (" + m.Paper + ")"})
	}
	return out
}

// All the metrics: a row a metric, a column a policy.
type Measure struct {
	Title, Unit, Formula string
	Facts                []Fact
}

// Measures is the long table.
func (c *App) Measures() (out []Measure) {
	if c.lab.ran == nil || len(c.lab.ran.Results) == 0 || !c.more {
		return nil
	}
	for _, v := range c.lab.ran.Results[0].Metrics {
		m := metrics.Named(v.Name)
		x := Measure{Title: m.Title, Unit: m.Unit, Formula: m.Formula + " (" + m.Paper + ")"}
		scale, digits := 1.0, -1
		if m.Name == headline[percent].name { // one number, told in one way
			x.Unit, scale, digits = headline[percent].unit, headline[percent].scale, headline[percent].digits
		}
		for r := range c.lab.ran.Results {
			x.Facts = append(x.Facts, c.number(r, m.Name, m.Title, scale, digits))
		}
		out = append(out, x)
	}
	return out
}

// More shows or hides the long table.
func (c *App) More() { c.more = !c.more }

// MoreText is the words of the button for it.
func (c *App) MoreText() string {
	if c.more {
		return "Fewer metrics"
	}
	return "All metrics"
}

// Titles is the policies with results.
func (c *App) Titles() (out []string) {
	if c.lab.ran != nil {
		for _, r := range c.lab.ran.Results {
			out = append(out, r.Title)
		}
	}
	return out
}
