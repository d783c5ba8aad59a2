package workload

import (
	"fmt"
	"maps"
	"reflect"
	"strconv"
	"time"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/workload/generator"
	"backfill-lab/core/workload/generator/registry"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/document"
	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// maxSampled is the largest number of jobs drawn for the preview.
const maxSampled = 20_000

// previewState is the state of the preview, which shows statistics of jobs generated with the
// settings in the form.
type previewState struct {
	settings *registry.Settings // settings of the last preview that was started, nil while the form is invalid
	version  int                // increases with every change that makes a running preview outdated
	outdated bool               // survey belongs to earlier settings
	survey   *document.Survey   // nil until the first preview is done
	note     string             // remark of the generator
	err      error              // why no jobs can be generated
}

// preview starts a new preview after a pause, if the form is open and its settings have changed.
func (c *Workload) preview() {
	g := &c.gen
	if g.copyGenerator(c.Doc()); !g.open || c.Tab != "workload" || c.Env == nil {
		return
	}
	o, err := c.settings()
	if err != nil {
		g.version++
		g.settings, g.err, g.outdated = nil, err, true
		return
	}
	if g.settings != nil && reflect.DeepEqual(g.settings, o) {
		return
	}
	g.version++
	g.settings, g.err, g.outdated = o, nil, true
	version := g.version
	time.AfterFunc(session.Pause, func() { c.drawSample(*o, version) })
}

// drawSample draws the first jobs of a generator and stores their statistics. It stops if the form changes meanwhile.
// The version in c.gen then differs from the given version.
func (c *Workload) drawSample(o registry.Settings, version int) {
	defer browser.Recover("preview of generated jobs")
	survey, note, err := sampleOf(o, session.PauseFunc(func() bool { return version == c.gen.version }))
	c.Env.Lock()
	defer c.Env.UnlockRender()
	if g := &c.gen; version == g.version {
		g.survey, g.note, g.err, g.outdated = survey, note, err, false
	}
}

// sampleOf draws at most maxSampled jobs of a generator. It returns their statistics and the remark
// of the generator. It calls pause after every 100 jobs, and stops if pause returns an error.
func sampleOf(o registry.Settings, pause func(done int) error) (*document.Survey, string, error) {
	if n, _ := strconv.Atoi(o.Knobs[generator.Jobs]); n > maxSampled {
		o.Knobs = maps.Clone(o.Knobs)
		o.Knobs[generator.Jobs] = strconv.Itoa(maxSampled)
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

// PreviewText returns the heading of the preview with the remark of the generator, or says why there is no
// preview. It returns "" if the machine is invalid, which GeneratorMachineText reports.
func (c *Workload) PreviewText() string {
	g := &c.gen
	switch {
	case g.err != nil && c.Doc().Slots() > 0:
		return "These settings generate no jobs: " + g.err.Error()
	case g.err != nil:
		return ""
	case g.outdated || g.survey == nil:
		return "Generating…"
	}
	text := "Preview of " + format.SingularOrPlural(g.survey.Jobs, "the only job", "all "+format.Count(g.survey.Jobs, "job")) + ":"
	if n, _ := strconv.Atoi(g.settings.Knobs[generator.Jobs]); n > maxSampled {
		text = fmt.Sprintf("Preview from the first %s of %s jobs:", format.Whole(maxSampled), format.Whole(n))
	}
	if g.note != "" {
		text += " " + g.note + "."
	}
	return text
}

// shown returns the statistics to show, nil while the form is invalid.
func (s *previewState) shown() *document.Survey {
	if s.err != nil {
		return nil
	}
	return s.survey
}

// PreviewFacts returns the statistics of the jobs in the preview: span, load and means.
func (c *Workload) PreviewFacts() []widgets.Fact {
	s := c.gen.shown()
	if s == nil {
		return nil
	}
	var out []widgets.Fact
	say := func(name, value string) { out = append(out, widgets.Fact{Name: name, Value: value}) }
	decimal := func(v float64, digits int) string { return strconv.FormatFloat(v, 'f', digits, 64) }
	n, span := job.Time(s.Jobs), s.Last-s.First
	say("span", format.UnitClock.Mean(float64(span)))
	say("offered load", decimal(s.Load(c.Doc().Slots()), 2))
	say("mean processors", decimal(float64(s.TotalProcs)/float64(n), 1))
	say("mean runtime", format.UnitClock.Mean(float64(s.TotalRuntime)/float64(n)))
	say("mean time between submissions", format.UnitClock.Mean(float64(span)/float64(max(n-1, 1))))
	return out
}

// PreviewHistograms returns the histograms of the jobs in the preview.
func (c *Workload) PreviewHistograms() []widgets.Histogram { return histograms(c.gen.shown()) }
