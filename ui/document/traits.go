package document

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"

	"backfill-lab/core/job"
)

// What the cells behind the runtime hold: the curve of a moldable job, class and
// slowdowns, and the amounts of extra resources.

// change returns a copy of the traits to write to.
func (m *more) change() *job.More {
	t := job.More{}
	if m.traits != nil {
		t = *m.traits
	}
	m.traits = &t
	return &t
}

// settle drops traits that say nothing.
func (m *more) settle() {
	if !slices.ContainsFunc(m.traits.Extra, func(a int64) bool { return a != 0 }) {
		m.traits.Extra = nil
	}
	if reflect.ValueOf(m.traits).Elem().IsZero() {
		m.traits = nil
	}
}

// Speedup returns the curve of a moldable job, nil of a rigid one.
func (r *Row) Speedup() *job.Speedup {
	if r.more == nil || r.more.traits == nil {
		return nil
	}
	return r.more.traits.Speedup
}

// TableOf returns the runtimes of a job that has a table of them, which wins over a curve.
func (r *Row) TableOf() []job.Time {
	if s := r.Speedup(); s != nil {
		return s.Table
	}
	return nil
}

func (r *Row) curveText(c Column) string {
	s := r.Speedup()
	if s == nil || s.A == 0 {
		return ""
	}
	return number([...]float64{s.L, s.A, s.Sigma}[c-L])
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// parts is what L, A and sigma are and may be, as in scenario files.
var parts = [3]struct {
	what      string
	low, high float64
}{
	{"the sequential runtime in seconds", 1e-9, 1e12},
	{"the average parallelism", 1, 1e9},
	{"the coefficient of variance of the parallelism", 0, 1e9},
}

// part reads L, A or sigma; the error says what is wrong.
func part(c Column, text string) (float64, error) {
	p := &parts[c-L]
	v, err := strconv.ParseFloat(text, 64)
	switch {
	case text == "":
		return 0, fmt.Errorf("expected %s, as the job is moldable, got nothing", p.what)
	case err != nil || math.IsNaN(v):
		return 0, fmt.Errorf("expected a number, got %q", text)
	case v < p.low || v > p.high:
		return 0, fmt.Errorf("expected a number from %s to %s, got %s", number(p.low), number(p.high), text)
	}
	return v, nil
}

// curve takes the text of L, A or sigma of row r. The three are a curve only
// together; until they are, all of them are text.
func (m *more) curve(r *Row, c Column, text string) {
	var texts [3]string
	var v [3]float64
	var blank, good int
	for k := range texts {
		if texts[k] = r.Text(L + Column(k)); L+Column(k) == c {
			texts[k] = text
		}
		var err error
		if v[k], err = part(L+Column(k), texts[k]); err == nil {
			good++
		} else if texts[k] == "" {
			blank++
		}
	}
	whole := good == len(v)
	for k, t := range texts {
		m.write(L+Column(k), t, t != "" && !(whole && t == number(v[k])), whole)
	}
	t := m.change()
	switch table := r.TableOf(); {
	case whole:
		t.Speedup = &job.Speedup{L: v[0], A: v[1], Sigma: v[2], Table: table}
	case table != nil:
		t.Speedup = &job.Speedup{Table: table}
	default:
		t.Speedup = nil
	}
	m.settle()
}

// amount returns the amount of an extra resource.
func (r *Row) amount(c Column) int64 {
	j := r.Job()
	return j.Extra(int(c - Amounts))
}

// amount takes the text of an amount.
func (m *more) amount(c Column, text string) {
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil || v < 0 {
		m.write(c, text, true, false)
		return
	}
	m.write(c, text, false, false)
	t, k := m.change(), int(c-Amounts)
	t.Extra = slices.Clone(t.Extra)
	for len(t.Extra) <= k {
		t.Extra = append(t.Extra, 0)
	}
	t.Extra[k] = v
	m.settle()
}

// without returns the row without the amount of a resource, those behind it moved up.
func (r Row) without(c Column) Row {
	m, k := r.extras(), int(c-Amounts)
	var left []typed
	for _, x := range m.typed {
		if x.col > c {
			x.col--
		} else if x.col == c {
			continue
		}
		left = append(left, x)
	}
	m.typed = left
	if m.traits != nil && k < len(m.traits.Extra) {
		t := m.change()
		t.Extra = slices.Delete(slices.Clone(t.Extra), k, k+1)
		m.settle()
	}
	return r.having(m)
}

// rigid reports whether the row is a good job without a curve.
func (r *Row) rigid() bool {
	j := r.Job()
	return !r.faulty() && j.Speedup() == nil && j.Validate(0, 0) == nil
}

// withCurve returns the row with a curve.
func (r Row) withCurve(l, a, sigma float64) Row {
	m := r.extras()
	m.change().Speedup = &job.Speedup{L: l, A: a, Sigma: sigma}
	m.killed = false
	r = r.having(m)
	r.followCurve()
	return r
}

// Curve reads what is typed as A and sigma; the errors say what is wrong with each.
func Curve(a, sigma string) (v [2]float64, bad [2]error) {
	v[0], bad[0] = part(A, a)
	v[1], bad[1] = part(Sigma, sigma)
	return v, bad
}
