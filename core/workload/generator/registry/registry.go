// Package registry lists the workload models and generates jobs with them. The command, the page
// and the documentation use this list, so a new model has to be added only here.
package registry

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/knob"
	"backfill-lab/core/workload/cirne"
	"backfill-lab/core/workload/downey"
	"backfill-lab/core/workload/draw"
	"backfill-lab/core/workload/feitelson96"
	"backfill-lab/core/workload/generator"
	"backfill-lab/core/workload/lublin"
)

// All lists every model, in the order in which users see them.
var All = []*generator.Spec{
	&lublin.Spec,
	&feitelson96.Spec,
	&downey.Spec,
	&cirne.Spec,
}

// Invalid is the error for an invalid value in Settings. Field is the name of the value, as in the
// flags of the command generate: model, nodes or seed.
type Invalid struct{ Field, Expected, Got string }

func (e *Invalid) Error() string {
	return fmt.Sprintf("%s: expected %s, got %s", e.Field, e.Expected, e.Got)
}

// Find returns the model with the given name. If there is none, it returns an *Invalid error that
// lists the names.
func Find(name string) (*generator.Spec, error) {
	var names []string
	for _, s := range All {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return nil, &Invalid{"model", "one of " + strings.Join(names, ", "), fmt.Sprintf("%q", name)}
}

// Settings holds all settings for generating jobs. The same settings give the same jobs on every
// computer.
type Settings struct {
	Model string            // name of the model
	Knobs map[string]string // values that differ from the defaults
	Procs int               // processors of the machine

	PerNode int   // processors per node; 0 means 1; must divide Procs
	Seed    int64 // 0 to draw.MaxSeed
}

// Drawn holds generated jobs, and the resources that the machine needs to run them.
type Drawn struct {
	Jobs      []job.Job          // sorted by submit time; no job requests more processors than the machine has
	Resources []cluster.Resource // extra resources that the jobs request; the machine must have them
	Note      string             // says what was changed after the model generated the jobs; empty if nothing was
}

// Run generates jobs in steps, so that the caller can show the progress and can stop early.
type Run struct {
	settings Settings
	values   knob.Values // value of each knob, also of those with their defaults
	model    generator.Model
	slows    *generator.SlowdownDraw // slowdowns of the jobs; nil if they have none
	drawn    Drawn                   // result, incomplete until all jobs are generated
	done     int                     // number of jobs generated so far
}

// Check returns an error if jobs cannot be generated with these settings. The error is a
// *knob.BadKnob or an *Invalid.
func (o *Settings) Check() error {
	_, err := o.Start()
	return err
}

// Start checks the settings and returns a run that has not generated any job yet.
func (o *Settings) Start() (*Run, error) {
	spec, err := Find(o.Model)
	if err != nil {
		return nil, err
	}
	switch {
	case o.Seed < 0 || o.Seed > draw.MaxSeed:
		return nil, &Invalid{"seed", "0 to " + strconv.FormatInt(draw.MaxSeed, 10), strconv.FormatInt(o.Seed, 10)}
	case o.Procs < 1 || o.Procs > cluster.MaxSlots:
		return nil, &Invalid{"nodes", fmt.Sprintf("a machine of 1 to %d processors", cluster.MaxSlots), strconv.Itoa(o.Procs)}
	}
	r := &Run{settings: *o}
	r.settings.PerNode = max(o.PerNode, 1)
	if r.values, err = spec.Settings(o.Knobs); err != nil {
		return nil, err
	}
	r.slows = generator.SlowdownsFromKnobs(r.values, o.Seed)
	if r.model, err = spec.Start(r.values, r.slows.Procs(o.Procs, r.settings.PerNode), uint32(o.Seed)); err != nil {
		return nil, err
	}
	if spec.Resources != nil {
		r.drawn.Resources = spec.Resources(r.values)
	}
	return r, nil
}

// Slowdowns returns a generator for the slowdowns of the jobs. It returns nil if the jobs have
// none, or if the settings are invalid.
func (o *Settings) Slowdowns() *generator.SlowdownDraw {
	r, err := o.Start()
	if err != nil {
		return nil
	}
	return r.slows
}

// DependsOnNodeSize reports whether the jobs depend on the number of processors per node.
func (o *Settings) DependsOnNodeSize() bool { return generator.DependsOnNodeSize(o.Knobs) }

// Total returns the number of jobs that the run generates.
func (r *Run) Total() int { return r.values.Int(generator.Jobs) }

// Done returns the number of jobs generated so far.
func (r *Run) Done() int { return r.done }

// Step generates up to n more jobs, and sets the estimates after the last one. It reports whether
// there are more jobs to generate. After an error, it reports false.
func (r *Run) Step(n int) (more bool, err error) {
	if r.drawn.Jobs == nil {
		r.drawn.Jobs = make([]job.Job, r.Total())
	}
	end := min(r.done+n, r.Total())
	for ; r.done < end; r.done++ {
		j := &r.drawn.Jobs[r.done]
		r.model.Next(j)
		r.slows.Apply(j, r.settings.Procs, r.settings.PerNode)
		j.ID = strconv.Itoa(r.done + 1)
		if max(j.Submit, j.Runtime) > job.MaxTime {
			return false, fmt.Errorf("model %s: expected times of at most 10^12 seconds, got more at job %s; use fewer jobs or shorter times", r.settings.Model, j.ID)
		}
	}
	if r.done < r.Total() {
		return true, nil
	}
	r.drawn.Note, err = generator.SetEstimates(r.settings.Model, r.values, r.drawn.Jobs, uint32(r.settings.Seed))
	return false, err
}

// Drawn returns the generated jobs, which are complete after Step has reported false. The resources
// are complete from the start.
func (r *Run) Drawn() *Drawn { return &r.drawn }

// Generate generates all jobs at once.
func (o *Settings) Generate() (*Drawn, error) {
	r, err := o.Start()
	if err != nil {
		return nil, err
	}
	if _, err = r.Step(r.Total()); err != nil {
		return nil, err
	}
	return r.Drawn(), nil
}

// Describe returns lines of text about the settings: the model and its source, the numbers that the
// source does not give, and then the machine, the seed and the values of knobs that differ from the
// defaults.
func (o *Settings) Describe() []string {
	spec, err := Find(o.Model)
	if err != nil {
		return []string{err.Error()}
	}
	lines := []string{fmt.Sprintf("%s: %s (%s)", spec.Title, spec.Summary, spec.Source)}
	if spec.OwnChoices != "" {
		lines = append(lines, "not from the source: "+spec.OwnChoices)
	}
	settings := fmt.Sprintf("for %d processors", o.Procs)
	if o.PerNode > 1 {
		settings += fmt.Sprintf(", %d per node", o.PerNode)
	}
	settings += fmt.Sprintf(", seed %d", o.Seed)
	for _, name := range slices.Sorted(maps.Keys(o.Knobs)) {
		settings += ", " + name + "=" + o.Knobs[name]
	}
	return append(lines, settings)
}
