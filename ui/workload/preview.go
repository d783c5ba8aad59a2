package workload

import (
	"maps"
	"reflect"
	"strconv"
	"time"

	"backfill-lab/core/job"
	"backfill-lab/core/workload/generator"
	"backfill-lab/core/workload/generator/registry"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/plot"
	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// mostSampled is how many jobs of an order are drawn to look at.
const mostSampled = 20_000

// sample is what the form would draw, drawn aside.
type sample struct {
	order *registry.Order // nil while it cannot be drawn
	turn  int
	late  bool             // seen is of an order before
	seen  *document.Survey // nil: nothing was drawn yet
	note  string
	fault error
}

// preview draws anew what the form would draw, where that has changed.
func (c *Workload) preview() {
	g := &c.gen
	if g.takeOver(c.Doc()); !g.open || c.Tab != "workload" || c.Env == nil {
		return
	}
	o, err := c.order()
	if err != nil {
		g.turn++
		g.order, g.fault, g.late = nil, err, true
		return
	}
	if g.order != nil && reflect.DeepEqual(g.order, o) {
		return
	}
	g.turn++
	g.order, g.fault, g.late = o, nil, true
	turn := g.turn
	time.AfterFunc(session.Pause, func() { c.try(*o, turn) })
}

// try draws the first jobs of an order, unless the form changes.
func (c *Workload) try(o registry.Order, turn int) {
	defer browser.Recover("preview of generated jobs")
	seen, note, err := sampled(o, session.Paced(func() bool { return turn == c.gen.turn }))
	c.Env.Lock()
	defer c.Env.UnlockRender()
	if g := &c.gen; turn == g.turn {
		g.seen, g.note, g.fault, g.late = seen, note, err, false
	}
}

// sampled surveys the first jobs of an order, calling pause after every few.
func sampled(o registry.Order, pause func(done int) error) (*document.Survey, string, error) {
	if n, _ := strconv.Atoi(o.Knobs[generator.Jobs]); n > mostSampled {
		o.Knobs = maps.Clone(o.Knobs)
		o.Knobs[generator.Jobs] = strconv.Itoa(mostSampled)
	}
	err := pause(0)
	if err != nil {
		return nil, "", err
	}
	r, err := o.Start()
	if err != nil {
		return nil, "", err
	}
	for more := true; more; {
		if more, err = r.Step(100); err == nil {
			err = pause(r.Done())
		}
		if err != nil {
			return nil, "", err
		}
	}
	s, d := document.NewSurvey(), r.Drawn()
	for i := range d.Jobs {
		s.Add(&d.Jobs[i])
	}
	s.Close()
	return s, d.Note, nil
}

// PreviewSays says what the pictures are of, or why there are none.
func (c *Workload) PreviewSays() string {
	g := &c.gen
	switch {
	case g.fault != nil && c.Doc().Slots() > 0:
		return "Nothing can be drawn: " + g.fault.Error()
	case g.fault != nil:
		return ""
	case g.late || g.seen == nil:
		return "Drawing…"
	}
	text := "What is drawn, all " + widgets.Commas(g.seen.Jobs) + " jobs:"
	if n, _ := strconv.Atoi(g.order.Knobs[generator.Jobs]); n > mostSampled {
		text = "What is drawn, as the first " + widgets.Commas(mostSampled) + " of " + widgets.Commas(n) + " jobs show it:"
	}
	if g.note != "" {
		text += " " + g.note + "."
	}
	return text
}

// shown returns what there is to look at: nothing of a form that has a fault.
func (s *sample) shown() *document.Survey {
	if s.fault != nil {
		return nil
	}
	return s.seen
}

// PreviewFacts returns what there is to know of the sample in numbers.
func (c *Workload) PreviewFacts() []widgets.Fact {
	s := c.gen.shown()
	if s == nil {
		return nil
	}
	var out []widgets.Fact
	say := func(name, value string) { out = append(out, widgets.Fact{Name: name, Value: value}) }
	decimal := func(v float64, digits int) string { return strconv.FormatFloat(v, 'f', digits, 64) }
	n, span := job.Time(s.Jobs), s.Last-s.First
	say("span", plot.Duration(span))
	say("load offered", decimal(s.Load(c.Doc().Slots()), 2))
	say("mean processors", decimal(float64(s.Procs)/float64(n), 1))
	say("mean runtime", plot.Duration(s.Length/n))
	say("mean interarrival", plot.Duration(span/max(n-1, 1)))
	return out
}

// PreviewPictures returns the histograms of the sample.
func (c *Workload) PreviewPictures() []widgets.Bars { return pictures(c.gen.shown()) }
