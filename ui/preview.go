package ui

import (
	"fmt"
	"maps"
	"reflect"
	"strconv"
	"time"

	"backfill-lab/core/job"
	"backfill-lab/core/knob"
	"backfill-lab/core/workload/generator"
	"backfill-lab/core/workload/generator/registry"
	"backfill-lab/ui/bridge"
	"backfill-lab/ui/plot"
	"backfill-lab/ui/state"
)

// mostSampled is how many jobs of an order are drawn to look at.
const mostSampled = 20_000

// sample is what the form would draw, drawn aside.
type sample struct {
	order *registry.Order // nil while it cannot be drawn
	turn  int
	late  bool          // seen is of an order before
	seen  *state.Survey // nil: nothing was drawn yet
	note  string
	fault error
}

// preview draws anew what the form would draw, where that has changed.
func (c *App) preview() {
	g := &c.gen
	if g.takeOver(c.Doc()); !g.open || c.Tab != "workload" || c.env == nil {
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
	go c.try(*o, g.turn)
}

// try draws the first jobs of an order after a pause, unless the form changes.
func (c *App) try(o registry.Order, turn int) {
	defer bridge.Recover("preview of generated jobs")
	time.Sleep(pause)
	var pace bridge.Pace
	seen, note, err := sampled(o, func() error {
		if pace.Breathe(); turn != c.gen.turn {
			return errChanged
		}
		return nil
	})
	c.env.Lock()
	defer c.env.UnlockRender()
	if g := &c.gen; turn == g.turn {
		g.seen, g.note, g.fault, g.late = seen, note, err, false
	}
}

// sampled surveys the first jobs of an order, calling pause after every few.
func sampled(o registry.Order, pause func() error) (*state.Survey, string, error) {
	if n, _ := strconv.Atoi(o.Knobs[generator.Jobs]); n > mostSampled {
		o.Knobs = maps.Clone(o.Knobs)
		o.Knobs[generator.Jobs] = strconv.Itoa(mostSampled)
	}
	err := pause()
	if err != nil {
		return nil, "", err
	}
	r, err := o.Start()
	if err != nil {
		return nil, "", err
	}
	for more := true; more; {
		if more, err = r.Step(100); err == nil {
			err = pause()
		}
		if err != nil {
			return nil, "", err
		}
	}
	s, d := state.NewSurvey(), r.Drawn()
	for i := range d.Jobs {
		s.Add(&d.Jobs[i])
	}
	s.Close()
	return s, d.Note, nil
}

// PreviewSays says what the pictures are of, or why there are none.
func (c *App) PreviewSays() string {
	g := &c.gen
	if _, ok := g.fault.(*knob.BadKnob); ok {
		return "The fields have faults; they are marked."
	}
	if x, ok := g.fault.(*registry.Invalid); ok && x.Field == seed {
		return "The seed has a fault."
	}
	switch {
	case g.fault != nil && c.Doc().Slots() > 0:
		return g.fault.Error()
	case g.fault != nil:
		return ""
	case g.late || g.seen == nil:
		return "Drawing…"
	}
	text := fmt.Sprintf("What is drawn, all %s jobs:", commas(g.seen.Jobs))
	if n, _ := strconv.Atoi(g.order.Knobs[generator.Jobs]); n > mostSampled {
		text = fmt.Sprintf("What is drawn, as the first %s of %s jobs show it:", commas(mostSampled), commas(n))
	}
	if g.note != "" {
		text += " " + g.note + "."
	}
	return text
}

// PreviewFacts is what there is to know of the sample in numbers.
func (c *App) PreviewFacts() []Fact {
	s := c.gen.seen
	if s == nil {
		return nil
	}
	n := job.Time(s.Jobs)
	out := []Fact{
		{Name: "span", Value: plot.Duration(s.Last - s.First)},
		{Name: "load offered", Value: "–"},
		{Name: "mean processors", Value: strconv.FormatFloat(float64(s.Procs)/float64(s.Jobs), 'f', 1, 64)},
		{Name: "mean runtime", Value: plot.Duration(s.Length / n)},
		{Name: "mean time between", Value: plot.Duration((s.Last - s.First) / max(n-1, 1))},
	}
	if load := s.Load(c.Doc().Slots()); load > 0 {
		out[1].Value = strconv.FormatFloat(load, 'f', 2, 64)
	}
	return out
}

// PreviewPictures is the histograms of the sample.
func (c *App) PreviewPictures() []Bars { return pictures(c.gen.seen) }
