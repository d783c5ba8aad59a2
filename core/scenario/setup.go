package scenario

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/sim"
	"backfill-lab/core/speed"
	"backfill-lab/core/version"
	"backfill-lab/core/workload"
)

// Setup holds a scenario that is ready to run, with its jobs after the data rules.
type Setup struct {
	Scenario *Scenario
	Work     *workload.Workload
	Note     string // what was changed in generated jobs; empty if nothing was

	// Speed models how jobs on shared nodes slow each other down; nil if they do not. With it,
	// promised starts are not binding, because no plan knows which jobs will share a node.
	Speed speed.Model
}

// Setup validates the scenario and prepares its jobs. It draws all jobs of a generator; to draw
// them in steps, use WithDrawn. It fails if the jobs are in a file; use WithWorkload then.
func (s *Scenario) Setup() (*Setup, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if f := s.Workload.File; f != nil {
		return nil, &Error{Where: "workload, file", Expected: "the file to be opened", Got: "only its name, " + f.Name}
	}
	if s.Workload.Generator == nil {
		return s.applyRules(s.Workload.Jobs, "")
	}
	d, err := s.Order().Generate()
	if err != nil {
		return nil, placeError(err)
	}
	return s.applyRules(d.Jobs, d.Note)
}

// WithDrawn prepares the scenario with jobs that the caller drew in steps from Order.
func (s *Scenario) WithDrawn(jobs []job.Job) (*Setup, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return s.applyRules(jobs, "")
}

// applyRules applies the data rules to the jobs and prepares the scenario.
func (s *Scenario) applyRules(jobs []job.Job, note string) (*Setup, error) {
	if err := s.checkPairs(jobs); err != nil {
		return nil, err
	}
	w, err := workload.Clean(jobs, nil, s.Machine.Slots(), s.Rules.Rules)
	if err != nil {
		return nil, err
	}
	return s.completeSetup(&Setup{Work: w, Note: note})
}

// WithWorkload prepares the scenario with a workload that was read from a file. The data rules must
// already have been applied.
func (s *Scenario) WithWorkload(w *workload.Workload) (*Setup, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return s.completeSetup(&Setup{Work: w})
}

// completeSetup completes a setup. It rejects jobs that one of the policies could never start, and
// names their rows in the input.
func (s *Scenario) completeSetup(up *Setup) (*Setup, error) {
	up.Scenario, up.Speed = s, s.speedOf(up.Work.Jobs)
	for _, p := range s.Policies {
		bad, err := registry.NeverStarts(p.Name, p.Knobs, &s.Machine.Machine, up.Work.Jobs)
		if err != nil {
			return nil, err
		}
		if bad == nil {
			continue
		}
		if rows := up.Work.Rows; bad.Row < len(rows) {
			bad.Row = int(rows[bad.Row])
		}
		return nil, bad
	}
	return up, nil
}

// Calendar returns the dates of the run, or nil if they are unknown. Dates in the scenario take
// precedence over those in the file with its jobs.
func (s *Setup) Calendar() *format.Calendar {
	if c := s.Scenario.Calendar; c != nil {
		return &c.Calendar
	}
	return s.Work.Calendar
}

// AsRun returns the scenario with the prepared jobs, whatever their source. It clears the data
// rules, which have already been applied.
func (s *Setup) AsRun() *Scenario {
	out := *s.Scenario
	out.Workload = Workload{Jobs: s.Work.Jobs, UnknownFields: out.Workload.UnknownFields}
	out.Changes = s.Scenario.AllChanges()
	out.Rules = out.Rules.AfterDataRules()
	if c := s.Work.Calendar; c != nil && out.Calendar == nil {
		out.Calendar = &Calendar{Calendar: *c}
	}
	return &out
}

// Metrics returns the options for computing the metrics of the scenario.
func (s *Scenario) Metrics() metrics.Options {
	o := metrics.Default
	o.Warmup, o.Cooldown = s.Rules.Warmup, s.Rules.Cooldown
	return o
}

// Config returns the engine configuration for policy i.
func (s *Setup) Config(i int, level log.Level) (sim.Config, error) {
	p := &s.Scenario.Policies[i]
	newPolicy, err := registry.New(p.Name, p.Knobs)
	if err != nil {
		return sim.Config{}, fmt.Errorf("policies, row %d, %w", i+1, err)
	}
	return sim.Config{Machine: s.Scenario.Machine.Machine, Jobs: s.Work.Jobs, Policy: newPolicy, Speed: s.Speed, Level: level}, nil
}

// Meta returns the header lines for exports of policy i: program version, scenario hash, policy
// with knobs, the title if the user gave one, and the changes to the jobs.
func (s *Setup) Meta(i int) []log.MetaLine {
	p := &s.Scenario.Policies[i]
	out := []log.MetaLine{
		{Key: "program", Value: "backfill-lab " + version.Program},
		{Key: "scenario", Value: Hash(s.Scenario)},
		{Key: "policy", Value: p.String()},
	}
	if p.Title != "" {
		out = append(out, log.MetaLine{Key: "title", Value: p.Title})
	}
	if text := s.Scenario.ChangesText(); text != "" {
		out = append(out, log.MetaLine{Key: "changes", Value: text})
	}
	return out
}

// AllChanges returns all changes to the jobs: the recorded ones, then those made by the rules of the
// scenario.
func (s *Scenario) AllChanges() []string {
	return append(slices.Clone(s.Changes), s.Rules.Changes()...)
}

// ChangesText returns AllChanges as one text.
func (s *Scenario) ChangesText() string { return strings.Join(s.AllChanges(), "; ") }

// Settings returns knobs and their values as text, such as "order=sjf restart=false".
func Settings(knobs map[string]string) string {
	var words []string
	for _, knob := range slices.Sorted(maps.Keys(knobs)) {
		words = append(words, knob+"="+knobs[knob])
	}
	return strings.Join(words, " ")
}

// Hash returns an identifier of the scenario: the 128-bit FNV-1a hash of its canonical form, in
// hexadecimal digits. The canonical form is the output of Format without the view settings, which
// do not change the scenario.
//
// The hash detects edits and accidental changes, not forgery. A cryptographic hash would double the
// download size of a small page.
func Hash(s *Scenario) string {
	c := *s
	c.View = ""
	h := fnv.New128a()
	h.Write(Format(&c))
	return fmt.Sprintf("%x", h.Sum(nil))
}
