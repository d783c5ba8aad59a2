package widgets

import (
	"fmt"
	"strconv"

	"github.com/vugu/vugu"

	"backfill-lab/core/format"
	"backfill-lab/ui/protocol"
)

// Option is an option in a drop-down list.
type Option struct {
	Value, Text string
	Selected    bool
}

// ValueNumber returns the value of the event's element as a number, 0 if it is not a number.
func ValueNumber(e vugu.DOMEvent) int {
	n, _ := strconv.Atoi(e.PropString("target", "value"))
	return n
}

// Key is an entry of a legend: the CSS class of its colour, and its text.
type Key struct{ Class, Text string }

// Histogram is a histogram, as rendered.
type Histogram struct {
	Title string
	SVG   vugu.HTML
}

// ProgressText returns the state of a long operation, such as "Run: 3 of 10 jobs".
func ProgressText(p *protocol.Progress) string {
	if p.Total <= 0 {
		return fmt.Sprintf("%s: %s %s", p.Phase, format.Whole(p.Done), p.Unit)
	}
	return fmt.Sprintf("%s: %s of %s %s", p.Phase, format.Whole(p.Done), format.Whole(p.Total), p.Unit)
}

// Fact is a named value, as rendered. Delta is its difference from the baseline. Best marks the
// best value among the policies.
type Fact struct {
	Name, Value, Unit, Delta, DeltaClass, Formula string // Formula: meaning and formula of a metric
	Best                                          bool
}

// SentencePart is a part of a sentence, as rendered: text, or a link to a job or a time. Job is the
// index of the linked job, -1 if there is none. At is the linked time in seconds, -1 if there is
// none.
type SentencePart struct {
	Text, Class string
	Job         int
	At          int64
	Link        bool // the part is a link
}

// SentenceParts converts the parts of a sentence for rendering.
func SentenceParts(parts []protocol.Part) (out []SentencePart) {
	for _, p := range parts {
		w := SentencePart{Text: p.Text, Job: -1, At: -1}
		if p.Job != nil {
			w.Job, w.Link = *p.Job, true
		}
		if p.At != nil {
			w.At, w.Link = *p.At, true
		}
		out = append(out, w)
	}
	return out
}

type (
	// Fields is a component that renders form fields. It calls Set when the user types or selects a
	// value.
	Fields struct {
		List []Field
		Set  func(vugu.DOMEvent, Field)
	}
	// Sentence is a component that renders a sentence. It calls Follow when the user clicks a link.
	Sentence struct {
		Parts  []SentencePart
		Follow func(SentencePart)
	}
	// Overview is a component that renders facts and histograms.
	Overview struct {
		ID         string
		Facts      []Fact
		Histograms []Histogram
	}
)

// Limits on the rendered rows of a table. A table renders only the visible rows and some rows
// around them, so that even 300,000 rows scroll smoothly.
const (
	step     = 8  // the index of the first rendered row is a multiple of step
	overhang = 8  // rows rendered above and below the visible ones, unless the user has just scrolled by a whole screen or more
	minRows  = 24 // fewest rows to render
)

// Window records which rows of a table are visible and which one is current.
type Window struct {
	First, visible int  // first visible row, and number of visible rows
	jumped         bool // no row that was visible before the last scroll is visible now
	Row            int  // current row, which has the keyboard focus or had it last
}

// Scroll records that the user has scrolled the table. Row `first` is now the first visible row,
// and n rows are visible.
func (w *Window) Scroll(first, n int) {
	w.jumped = first >= w.First+w.visible || first+n <= w.First
	w.First, w.visible = max(0, first), n
}

// Reveal makes the given row the current row, and scrolls to it if it is not visible. The table has n rows.
func (w *Window) Reveal(row, n int) {
	w.Row = max(0, min(row, n-1))
	if w.Row < w.First || w.Row >= w.First+max(w.visible, 1) {
		w.First = max(0, w.Row-max(w.visible, minRows)/2)
	}
}

// Span returns the half-open range of rows to render, for a table of n rows.
func (w *Window) Span(n int) (from, to int) {
	beyond := overhang
	if w.jumped {
		beyond = 0
	}
	from = min(max(0, w.First-beyond), n) / step * step
	to = min(n, w.First+max(w.visible, minRows)+beyond)
	return from, max(from, to)
}
