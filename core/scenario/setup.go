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
	"backfill-lab/core/sim"
	"backfill-lab/core/speed"
	"backfill-lab/core/version"
	"backfill-lab/core/workload"
)

// Setup holds a scenario that is ready to run, and the jobs that result from its data rules.
type Setup struct {
	Scenario *Scenario
	Work     *workload.Workload // jobs after the data rules
	Note     string             // describes changes to the generated jobs; empty if there are none

	// Speed models how jobs on shared nodes slow each other down. It is nil if jobs do not slow
	// each other down. If Speed is set, promised starts are not binding, because no plan knows
	// which jobs will share a node.
	Speed speed.Model
}

// Setup validates the scenario and prepares its jobs. It generates all jobs of a generator; use
// SetupWithGenerated to generate them in steps. It returns an error if the jobs are in a file; use
// SetupWithWorkload for such a scenario.
func (s *Scenario) Setup() (*Setup, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if f := s.Workload.File; f != nil {
		return nil, &Error{Where: "workload, file", Expected: "the jobs of the file", Got: "only its name, " + f.Name}
	}
	if s.Workload.Generator == nil {
		return s.applyRules(s.Workload.Jobs, "")
	}
	d, err := s.GeneratorSettings().Generate()
	if err != nil {
		return nil, placeError(err)
	}
	return s.applyRules(d.Jobs, d.Note)
}

// SetupWithGenerated prepares the scenario with jobs that the caller has generated step by step,
// with the settings that GeneratorSettings returns.
func (s *Scenario) SetupWithGenerated(jobs []job.Job) (*Setup, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return s.applyRules(jobs, "")
}

// applyRules checks that the slowdown pairs match the jobs, applies the data rules to the jobs, and
// prepares the scenario with the result.
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

// SetupWithWorkload prepares the scenario with a workload from a file. The caller must already have
// applied the data rules to the workload.
func (s *Scenario) SetupWithWorkload(w *workload.Workload) (*Setup, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return s.completeSetup(&Setup{Work: w})
}

// WithPolicies returns a setup of scenario x that uses the prepared jobs of s. Scenario x may
// differ from the scenario of s only in its policies. WithPolicies checks only these policies.
func (s *Setup) WithPolicies(x *Scenario) (*Setup, error) {
	if err := x.checkPolicies(); err != nil {
		return nil, err
	}
	return x.completeSetup(&Setup{Work: s.Work, Note: s.Note})
}

// completeSetup adds the scenario and the speed model to the setup. It returns an error if a policy
// could never start one of the jobs. The error names the row of the job in the input.
func (s *Scenario) completeSetup(setup *Setup) (*Setup, error) {
	setup.Scenario, setup.Speed = s, s.speedOf(setup.Work.Jobs)
	for i := range s.Policies {
		spec, v, err := s.Policies[i].settings()
		if err != nil {
			return nil, err
		}
		if spec.NeverStarts == nil {
			continue
		}
		bad := spec.NeverStarts(v, &s.Machine.Machine, setup.Work.Jobs)
		if bad == nil {
			continue
		}
		if rows := setup.Work.Rows; bad.Row < len(rows) {
			bad.Row = int(rows[bad.Row])
		}
		return nil, bad
	}
	return setup, nil
}

// Calendar returns the dates of the run, or nil if they are unknown. Dates in the scenario take
// precedence over dates in a file with the jobs.
func (s *Setup) Calendar() *format.Calendar {
	if c := s.Scenario.Calendar; c != nil {
		return &c.Calendar
	}
	return s.Work.Calendar
}

// WithListedJobs returns a copy of the scenario that lists the prepared jobs, even if they came from a file
// or generator. It records the data rules as changes and clears them, because they were applied
// already.
func (s *Setup) WithListedJobs() *Scenario {
	out := *s.Scenario
	out.Workload = Workload{Jobs: s.Work.Jobs, UnknownFields: out.Workload.UnknownFields}
	out.Changes = s.Scenario.AllChanges()
	out.Rules = out.Rules.AfterDataRules()
	if c := s.Work.Calendar; c != nil && out.Calendar == nil {
		out.Calendar = &Calendar{Calendar: *c}
	}
	return &out
}

// MetricOptions returns the options with which to compute the metrics of the scenario.
func (s *Scenario) MetricOptions() metrics.Options {
	o := metrics.Default
	o.Warmup, o.Cooldown = s.Rules.Warmup, s.Rules.Cooldown
	return o
}

// Config returns the configuration of the engine for policy i. The log level must be at least
// LeastLevel(i).
func (s *Setup) Config(i int, level log.Level) (sim.Config, error) {
	spec, v, err := s.Scenario.Policies[i].settings()
	if err != nil {
		return sim.Config{}, fmt.Errorf("policies, row %d, %w", i+1, err)
	}
	c := sim.Config{Machine: s.Scenario.Machine.Machine, Jobs: s.Work.Jobs, Policy: spec.New(v), Speed: s.Speed, Level: level}
	if level == log.Starts && spec.SelectsSlots {
		return c, fmt.Errorf("policies, row %d, policy %s: expected log level spans or higher, because the policy selects slots or suspends jobs, got %s", i+1, spec.Name, level)
	}
	return c, nil
}

// LeastLevel returns the lowest log level at which policy i can run. For an unknown policy, it
// returns the level that the jobs need. Config returns an error for such a policy.
func (s *Setup) LeastLevel(i int) log.Level {
	if spec, err := s.Scenario.Policies[i].Spec(); err == nil && spec.SelectsSlots {
		return log.Spans
	}
	c := sim.Config{Machine: s.Scenario.Machine.Machine, Jobs: s.Work.Jobs, Speed: s.Speed}
	return c.LeastLevel()
}

// Meta returns the header lines of files exported for policy i: program version, hash of the
// scenario, policy with its knobs, title if the user entered one, and changes to the jobs.
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

// AllChanges returns all changes to the jobs: first the recorded changes, then the changes made by
// the data rules.
func (s *Scenario) AllChanges() []string {
	return append(slices.Clone(s.Changes), s.Rules.Changes()...)
}

// ChangesText returns the result of AllChanges as one text.
func (s *Scenario) ChangesText() string { return strings.Join(s.AllChanges(), "; ") }

// Settings formats knobs and their values, such as "order=sjf restart=false".
func Settings(knobs map[string]string) string {
	var words []string
	for _, knob := range slices.Sorted(maps.Keys(knobs)) {
		words = append(words, knob+"="+knobs[knob])
	}
	return strings.Join(words, " ")
}

// Hash returns an identifier of the scenario: the 128-bit FNV-1a hash of its canonical form, in
// hexadecimal. The canonical form is the output of Format without the view settings, because these
// do not affect the results.
//
// The hash detects edits and accidental changes, but not forgery. A cryptographic hash would make
// the WebAssembly program of the page larger.
func Hash(s *Scenario) string {
	c := *s
	c.View = ""
	h := fnv.New128a()
	h.Write(Format(&c))
	return fmt.Sprintf("%x", h.Sum(nil))
}
