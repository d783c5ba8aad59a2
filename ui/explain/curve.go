package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/ui/plot"
	"backfill-lab/ui/protocol"
)

// curve holds the speedup curve of the selected moldable job, and how many processors
// each policy gave it.
type curve struct {
	*job.Speedup
	clock     format.Clock // how to write times
	maxProcs  int          // largest number of processors shown
	requested int          // processors that the job requests
	marks     []mark
}

// mark is a number of processors that policies gave the job.
type mark struct {
	n     int
	names string // names of the policies, separated by commas
}

// curve returns the speedup curve of the selected job, or nil if no moldable job is selected.
func (c *Explainer) curve() *curve {
	w := c.Why
	if w == nil || w.More == nil || w.More.Speedup == nil {
		return nil
	}
	k := &curve{Speedup: w.More.Speedup, clock: c.Clock(), requested: w.Procs, marks: marksOf(w.Answers)}
	slots := w.Machine.Nodes * w.Machine.Processors * w.Machine.Cores
	k.maxProcs = min(k.MaxUsefulProcs(), slots)
	for _, m := range append(k.marks, mark{n: k.requested}, mark{n: 2}) {
		k.maxProcs = max(k.maxProcs, min(m.n, slots))
	}
	return k
}

// marksOf returns the numbers of processors that policies gave the job, in ascending order. Policies that gave it the
// same number share an entry. Policies that have not started the job are left out.
func marksOf(all []protocol.Answer) (out []mark) {
	for _, a := range all {
		i := 0
		for i < len(out) && out[i].n != a.Procs {
			i++
		}
		switch {
		case a.Procs == 0:
		case i < len(out):
			out[i].names += ", " + a.Title
		default:
			for out = append(out, mark{a.Procs, a.Title}); i > 0 && out[i-1].n > out[i].n; i-- {
				out[i-1], out[i] = out[i], out[i-1]
			}
		}
	}
	return out
}

// revenue returns how many seconds the job saves if it gets n+1 processors instead of n. Wu et al. call this the
// revenue of a processor.
func (k *curve) revenue(n int) float64 { return k.Runtime(n) - k.Runtime(n+1) }

// time returns a number of seconds as text. The text has units if the charts show times with units.
func (k *curve) time(seconds float64) string {
	if k.clock.Units {
		return k.clock.Mean(seconds)
	}
	return format.Number(seconds)
}

// points returns the numbers of processors for which to show values, in ascending order. They include at most limit
// evenly spaced numbers, the requested number, the numbers that policies gave the job, and the largest number.
func (k *curve) points(limit int) []int {
	by := (k.maxProcs + limit - 1) / limit
	out := []int{k.requested}
	for n := 1; n <= k.maxProcs; n += by {
		out = append(out, n)
	}
	for _, m := range k.marks {
		out = append(out, m.n)
	}
	slices.Sort(out)
	return slices.Compact(append(out, k.maxProcs))
}

// parametersText describes the parameters of the curve in words.
func (k *curve) parametersText() string {
	if n := len(k.Table); n > 0 {
		return fmt.Sprintf("a table of %s, one for each number of processors", format.Count(n, "runtime"))
	}
	return fmt.Sprintf("runtime on one processor (L) %s s, average parallelism (A) %s, variation of the parallelism (sigma) %s", format.Brief(k.L), format.Brief(k.A), format.Brief(k.Sigma))
}

// sizesText says how many processors each policy gave the job, and how long the job runs on them.
func (k *curve) sizesText() string {
	var list []string
	for _, m := range k.marks {
		list = append(list, fmt.Sprintf("%s for %s (%s)", format.Count(m.n, "processor"), k.clock.Duration(k.Seconds(m.n)), m.names))
	}
	if list == nil {
		return "no processors yet"
	}
	return strings.Join(list, " · ")
}

// HasCurve reports whether the selected job is moldable.
func (c *Explainer) HasCurve() bool { return c.curve() != nil }

// CurveLabel describes the chart of runtimes for screen readers.
func (c *Explainer) CurveLabel() string {
	k := c.curve()
	return fmt.Sprintf("Runtime from %[1]s%[3]s on 1 processor to %[2]s%[3]s on %[4]d processors. The job runs on %[5]s.", k.time(k.Runtime(1)), k.time(k.Runtime(k.maxProcs)), k.clock.Suffix(), k.maxProcs, k.sizesText())
}

// RevenueLabel describes the chart of saved seconds for screen readers.
func (c *Explainer) RevenueLabel() string {
	k := c.curve()
	return fmt.Sprintf("The second processor saves %[1]s%[4]s. On %[2]d processors, one more would save %[3]s%[4]s.", k.time(k.revenue(1)), k.maxProcs, k.time(k.revenue(k.maxProcs)), k.clock.Suffix())
}

// CurveUnit returns the unit of time to append to the headings of the charts. It returns "" if the
// times have units themselves.
func (c *Explainer) CurveUnit() string {
	if c.Clock().Units {
		return ""
	}
	return ", in seconds"
}

// ToggleCurve opens or closes the table of values.
func (c *Explainer) ToggleCurve() { c.curveOpen = !c.curveOpen }

// CurveExpanded returns the aria-expanded value of the button of the table.
func (c *Explainer) CurveExpanded() string { return fmt.Sprint(c.curveOpen) }

// CurveRow is a row of the table of values: processors, runtime, speedup and the seconds
// that one more processor saves.
type CurveRow struct{ N, T, S, Revenue, Mark, Class string }

// CurveRows returns the rows of the table of values, for about 20 numbers of processors.
func (c *Explainer) CurveRows() (out []CurveRow) {
	k := c.curve()
	for _, n := range k.points(20) {
		r := CurveRow{N: fmt.Sprint(n), T: k.time(k.Runtime(n)), S: format.Number(k.At(n)), Revenue: k.time(k.revenue(n)), Class: "other"}
		for _, m := range k.marks {
			if m.n == n {
				r.Mark, r.Class = "chosen", "chosen"
			}
		}
		if n == k.requested {
			r.Mark = strings.TrimPrefix(r.Mark+", requested", ", ")
		}
		out = append(out, r)
	}
	return out
}

// CurveTableShown reports whether the table of values is open.
func (c *Explainer) CurveTableShown() bool { return c.curveOpen }

// CurveRuntimes returns the chart of the job's runtime on each number of processors, as SVG.
func (c *Explainer) CurveRuntimes() vugu.HTML {
	k := c.curve()
	return vugu.HTML(k.draw(k.Runtime))
}

// CurveRevenues returns the chart of the seconds that one more processor saves, as SVG.
func (c *Explainer) CurveRevenues() vugu.HTML {
	k := c.curve()
	return vugu.HTML(k.draw(k.revenue))
}

// draw returns a chart of the function f as SVG. The argument of f is a number of processors. A line and a dot mark
// each number that a policy gave the job. A dashed line marks the requested number.
func (k *curve) draw(f func(n int) float64) string {
	top, points := 1e-9, k.points(64)
	for _, n := range points {
		top = max(top, f(n))
	}
	p := plot.NewCurve(1, float64(max(k.maxProcs, 2)), 0, top)
	p.Line("asked", float64(k.requested))
	for _, n := range points {
		p.To(float64(n), f(n))
	}
	p.Stroke()
	p.EndLabels(k.time(p.Y1), "0", "1", fmt.Sprint(k.maxProcs))
	for _, m := range k.marks {
		n := float64(m.n)
		p.Line("chosen", n)
		p.Dot(n, f(m.n))
		if x := p.X(n); x > plot.CurveLeft+24 && x < plot.CurveWidth-40 { // otherwise the label would overlap a label at an end of the axis
			p.Label(x, plot.CurveHeight-3, "middle", fmt.Sprint(m.n))
		}
	}
	return p.End()
}
