package document

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"

	"backfill-lab/core/job"
)

// This file handles the columns after the runtime, whose values are called traits: the speedup curve of a moldable job,
// its class and slowdowns, and the amounts of extra resources.

// copyTraits replaces the traits by a copy and returns the copy, which the caller may edit. The old traits
// must not change, because other versions of the document may share them.
func (m *optional) copyTraits() *job.More {
	t := job.More{}
	if m.traits != nil {
		t = *m.traits
	}
	m.traits = &t
	return &t
}

// dropEmpty drops amounts that are all 0, and then traits whose fields are all empty.
func (m *optional) dropEmpty() {
	if !slices.ContainsFunc(m.traits.Extra, func(a int64) bool { return a != 0 }) {
		m.traits.Extra = nil
	}
	if reflect.ValueOf(m.traits).Elem().IsZero() {
		m.traits = nil
	}
}

// Speedup returns the speedup curve of a moldable job, nil for a rigid one.
func (r *Row) Speedup() *job.Speedup {
	if r.optional == nil || r.optional.traits == nil {
		return nil
	}
	return r.optional.traits.Speedup
}

// RuntimeTable returns the table of runtimes of a moldable job, or nil if it has none. A table takes precedence over
// a curve.
func (r *Row) RuntimeTable() []job.Time {
	if s := r.Speedup(); s != nil {
		return s.Table
	}
	return nil
}

// curveText returns the text of column c (L, A or Sigma), "" for a job without a speedup curve.
func (r *Row) curveText(c Column) string {
	s := r.Speedup()
	if s == nil || s.A == 0 {
		return ""
	}
	return formatNumber([...]float64{s.L, s.A, s.Sigma}[c-L])
}

// formatNumber returns the shortest text that parses back to the given number.
func formatNumber(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// curveParts describes the parameters of a speedup curve (L, A and sigma) and their ranges, as in scenario files.
var curveParts = [3]struct {
	what      string
	low, high float64
}{
	{"the sequential runtime in seconds", 1e-9, 1e12},
	{"the average parallelism", 1, 1e9},
	{"the coefficient of variation of the parallelism", 0, 1e9},
}

// parseCurvePart parses a parameter of a speedup curve: L, A or sigma.
func parseCurvePart(c Column, text string) (float64, error) {
	p := &curveParts[c-L]
	v, err := strconv.ParseFloat(text, 64)
	switch {
	case text == "":
		return 0, fmt.Errorf("expected %s, because the job is moldable, got nothing", p.what)
	case err != nil || math.IsNaN(v):
		return 0, fmt.Errorf("expected a number, got %q", text)
	case v < p.low || v > p.high:
		return 0, fmt.Errorf("expected a number from %s to %s, got %s", formatNumber(p.low), formatNumber(p.high), text)
	}
	return v, nil
}

// setCurve stores the text of column c (L, A or Sigma) of row r. A speedup curve needs all
// three values. Until all are valid, they are stored as texts.
func (m *optional) setCurve(r *Row, c Column, text string) {
	var texts [3]string
	var v [3]float64
	var blank, good int
	for k := range texts {
		if texts[k] = r.Text(L + Column(k)); L+Column(k) == c {
			texts[k] = text
		}
		var err error
		if v[k], err = parseCurvePart(L+Column(k), texts[k]); err == nil {
			good++
		} else if texts[k] == "" {
			blank++
		}
	}
	whole := good == len(v)
	for k, t := range texts {
		m.write(L+Column(k), t, t != "" && !(whole && t == formatNumber(v[k])), whole)
	}
	t := m.copyTraits()
	switch table := r.RuntimeTable(); {
	case whole:
		t.Speedup = &job.Speedup{L: v[0], A: v[1], Sigma: v[2], Table: table}
	case table != nil:
		t.Speedup = &job.Speedup{Table: table}
	default:
		t.Speedup = nil
	}
	m.dropEmpty()
}

// amount returns how much of an extra resource the job requests.
func (r *Row) amount(c Column) int64 {
	j := r.Job()
	return j.Extra(int(c - Amounts))
}

// setAmount stores the text of the amount of an extra resource that the job requests.
func (m *optional) setAmount(c Column, text string) {
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil || v < 0 {
		m.write(c, text, true, false)
		return
	}
	m.write(c, text, false, false)
	t, k := m.copyTraits(), int(c-Amounts)
	t.Extra = slices.Clone(t.Extra)
	for len(t.Extra) <= k {
		t.Extra = append(t.Extra, 0)
	}
	t.Extra[k] = v
	m.dropEmpty()
}

// withoutColumn returns the row without the column of an extra resource. The columns to the right of it move one
// position to the left.
func (r Row) withoutColumn(c Column) Row {
	m, k := r.copyOptional(), int(c-Amounts)
	var left []cellText
	for _, x := range m.texts {
		if x.col > c {
			x.col--
		} else if x.col == c {
			continue
		}
		left = append(left, x)
	}
	m.texts = left
	if m.traits != nil && k < len(m.traits.Extra) {
		t := m.copyTraits()
		t.Extra = slices.Delete(slices.Clone(t.Extra), k, k+1)
		m.dropEmpty()
	}
	return r.withOptional(m)
}

// isValidRigid reports whether the row is a valid job without a speedup curve.
func (r *Row) isValidRigid() bool {
	j := r.Job()
	return !r.hasInvalidCell() && j.Speedup() == nil && j.Validate(0, 0) == nil
}

// withCurve returns the row with a speedup curve and the runtime that follows from it.
func (r Row) withCurve(l, a, sigma float64) Row {
	m := r.copyOptional()
	m.copyTraits().Speedup = &job.Speedup{L: l, A: a, Sigma: sigma}
	m.killed = false
	r = r.withOptional(m)
	r.computeRuntime()
	return r
}

// ParseCurve parses the texts of the columns A and sigma. It also returns an error for each invalid text.
func ParseCurve(a, sigma string) (v [2]float64, bad [2]error) {
	v[0], bad[0] = parseCurvePart(A, a)
	v[1], bad[1] = parseCurvePart(Sigma, sigma)
	return v, bad
}
