package scenario

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/sim"
	"backfill-lab/core/speed"
	"backfill-lab/core/version"
	"backfill-lab/core/workload"
)

// Setup is a scenario ready to run: its jobs after the data rules.
type Setup struct {
	Scenario *Scenario
	Work     *workload.Workload
	Note     string // what became of what a generator drew, if something did

	// Speed is the physics where jobs slow each other down, else nil. Promised starts
	// do not bind then, as no plan knows who will share a node.
	Speed speed.Model
}

// Setup validates the scenario and makes its jobs ready; a generator draws them,
// all at once (see WithDrawn). Jobs of a file are not in the scenario: see With.
func (s *Scenario) Setup() (*Setup, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if f := s.Workload.File; f != nil {
		return nil, &Error{Where: "workload, file", Expected: "the file to be opened", Got: "only its name, " + f.Name}
	}
	if s.Workload.Generator == nil {
		return s.clean(s.Workload.Jobs, "")
	}
	d, err := s.Order().Generate()
	if err != nil {
		return nil, placed(err)
	}
	return s.clean(d.Jobs, d.Note)
}

// WithDrawn makes the scenario ready with the jobs that its generator has drawn,
// for who draws step by step (see Order).
func (s *Scenario) WithDrawn(jobs []job.Job) (*Setup, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return s.clean(jobs, "")
}

func (s *Scenario) clean(jobs []job.Job, note string) (*Setup, error) {
	if err := s.validPairs(jobs); err != nil {
		return nil, err
	}
	w, err := workload.Clean(jobs, nil, s.Machine.Slots(), s.Rules.Rules)
	if err != nil {
		return nil, err
	}
	return s.ready(&Setup{Work: w, Note: note})
}

// With makes the scenario ready with jobs that come from elsewhere and to
// which the rules were applied.
func (s *Scenario) With(w *workload.Workload) (*Setup, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return s.ready(&Setup{Work: w})
}

// ready completes a setup. A job that one of the policies could never start is
// refused before anything runs; it is named as it was given.
func (s *Scenario) ready(up *Setup) (*Setup, error) {
	up.Scenario, up.Speed = s, s.speedOf(up.Work.Jobs)
	for _, p := range s.Policies {
		bad, err := registry.Refuses(p.Name, p.Knobs, &s.Machine.Machine, up.Work.Jobs)
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

// AsRun returns the scenario with its jobs in it, as they ran: wherever they came from, no
// rule is to be applied to them again.
func (s *Setup) AsRun() *Scenario {
	out := *s.Scenario
	out.Workload = Workload{Jobs: s.Work.Jobs, Kept: out.Workload.Kept}
	out.Rules = out.Rules.Spent()
	return &out
}

// Metrics returns the options with which the scenario is measured.
func (s *Scenario) Metrics() metrics.Options {
	o := metrics.Default
	o.Warmup, o.Cooldown = s.Rules.Warmup, s.Rules.Cooldown
	return o
}

// Config returns what an engine needs to run policy i.
func (s *Setup) Config(i int, level log.Level) (sim.Config, error) {
	p := &s.Scenario.Policies[i]
	made, err := registry.New(p.Name, p.Knobs)
	if err != nil {
		return sim.Config{}, fmt.Errorf("policies, row %d, %w", i+1, err)
	}
	return sim.Config{Machine: s.Scenario.Machine.Machine, Jobs: s.Work.Jobs, Policy: made, Speed: s.Speed, Level: level}, nil
}

// Meta returns the lines that each export of policy i carries: program, scenario and
// policy with its knobs.
func (s *Setup) Meta(i int) []log.MetaLine {
	p := &s.Scenario.Policies[i]
	return []log.MetaLine{
		{Key: "program", Value: "backfill-lab " + version.Program},
		{Key: "scenario", Value: Hash(s.Scenario)},
		{Key: "policy", Value: p.String()},
	}
}

// String returns the name of the policy with its knobs, as in "easy order=sjf".
func (p *Policy) String() string {
	return strings.TrimSuffix(p.Name+" "+Settings(p.Knobs), " ")
}

// Settings returns knobs with their values, as in "order=sjf restart=false".
func Settings(knobs map[string]string) string {
	var words []string
	for _, knob := range slices.Sorted(maps.Keys(knobs)) {
		words = append(words, knob+"="+knobs[knob])
	}
	return strings.Join(words, " ")
}

// Hash tells scenarios from one another: the 128-bit FNV-1a of the canonical form
// in hexadecimal digits. The canonical form is what Format writes, without the
// view: how one looks at a scenario does not change what it is.
//
// It finds what changed by chance or by edit, not what somebody forged: for that
// a hash would have to be cryptographic, and those double what a small page
// downloads for its scenarios.
func Hash(s *Scenario) string {
	c := *s
	c.View = ""
	h := fnv.New128a()
	h.Write(Format(&c))
	return fmt.Sprintf("%x", h.Sum(nil))
}
