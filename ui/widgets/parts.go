package widgets

import (
	"fmt"
	"strconv"

	"github.com/vugu/vugu"

	"backfill-lab/ui/protocol"
)

// Pick is an option of a list.
type Pick struct {
	Value, Text string
	Selected    bool
}

func Place(e vugu.DOMEvent) int {
	n, _ := strconv.Atoi(e.PropString("target", "value"))
	return n
}

// SliceKey is an entry of the legend: whose time slice has which bar.
type Key struct{ Class, Text string }

// Bars is a histogram as rendered.
type Bars struct {
	Title string
	SVG   vugu.HTML
}

func ProgressText(p *protocol.Progress) string {
	if p.Total <= 0 {
		return fmt.Sprintf("%s: %d %s", p.Phase, p.Done, p.Unit)
	}
	return fmt.Sprintf("%s: %d of %d %s", p.Phase, p.Done, p.Total, p.Unit)
}

// Fact is a number with its name and its difference to the first policy.
type Fact struct {
	Name, Value, Unit, Delta, DeltaClass, Formula string
	Best                                          bool
}

// Word is a part of a sentence as rendered: text, or a link to a job or a moment.
type Word struct {
	Text, Class string
	Job         int
	At          int64
	Link        bool
}

// Words returns a sentence as rendered.
func Words(parts []protocol.Part) (out []Word) {
	for _, p := range parts {
		w := Word{Text: p.Text, Job: -1, At: -1}
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
	// Fields is the fields of a form, and what takes what is typed.
	Fields struct {
		List []Field
		Set  func(vugu.DOMEvent, Field)
	}
	// Overview is facts and histograms.
	Overview struct {
		ID       string
		Facts    []Fact
		Pictures []Bars
	}
)
