package worker

import (
	"errors"
	"fmt"
	"reflect"
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/generator/registry"
	"backfill-lab/ui/protocol"
)

// loaded holds the jobs for the next run, and the frame of their scenario: everything except the machine, the
// policies and the jobs. If the frame names a file, the jobs come from this file, and the data rules of the
// frame have already been applied to them.
type loaded struct {
	jobs     []job.Job // nil if the generator still has to draw them
	frame    *scenario.Scenario
	settings *registry.Settings // settings of the generator that draws the jobs, nil if there is none
}

// runJobs returns the jobs of a run. They come from the message, else from the generator of the
// scenario, else from the loaded jobs. The jobs are nil if the generator has not drawn them yet.
func (s *Session) runJobs(q protocol.Run, bufs [][]byte) (*loaded, error) {
	h := &loaded{frame: &scenario.Scenario{}}
	var err error
	if len(q.Scenario) > 0 {
		if h.frame, err = scenario.Parse(q.Scenario); err != nil {
			return nil, err
		}
	}
	switch {
	case len(bufs) > 0:
		h.frame.Workload.Generator = nil
		if h.jobs, err = s.sentJobs(q.Edit, bufs); err != nil {
			return nil, err
		}
	case h.frame.Workload.Generator != nil:
		h.useGenerator(q.Machine, s.loaded)
		return h, nil
	case s.loaded == nil:
		return nil, errors.New("run: expected jobs, got none, and the worker has no jobs of an earlier run")
	case len(q.Scenario) == 0:
		return s.loaded, nil
	default:
		h.jobs = s.loaded.jobs
	}
	return h, h.checkFile(s.loaded)
}

// sentJobs returns the jobs of a message. If the message is an edit, it contains only the changed
// jobs. sentJobs then applies the edit to the loaded jobs and returns all jobs.
func (s *Session) sentJobs(e *protocol.Edit, bufs [][]byte) ([]job.Job, error) {
	jobs, err := protocol.DecodeJobs(bufs)
	if err != nil || e == nil {
		return jobs, err
	}
	if s.loaded == nil {
		return nil, errors.New("run: expected all jobs, got an edit, and the worker has no jobs to apply it to")
	}
	was := s.loaded.jobs
	if e.Row < 0 || e.Removed < 0 || e.Removed > len(was)-e.Row {
		return nil, fmt.Errorf("run: expected an edit of the worker's %d jobs, got an edit of %d jobs from row %d", len(was), e.Removed, e.Row)
	}
	return slices.Concat(was[:e.Row], jobs, was[e.Row+e.Removed:]), nil
}

// useGenerator sets the generator that draws the jobs for a machine. If the previous jobs were drawn with the same
// settings, useGenerator reuses them.
func (h *loaded) useGenerator(m protocol.Machine, previous *loaded) {
	h.settings = settingsOf(h.frame, m)
	if previous != nil && reflect.DeepEqual(previous.settings, h.settings) {
		h.jobs = previous.jobs
	}
}

// settingsOf returns the settings with which the generator of a scenario draws jobs for a machine.
func settingsOf(frame *scenario.Scenario, m protocol.Machine) *registry.Settings {
	sc := *frame
	sc.Machine.Machine = machine(m)
	return sc.GeneratorSettings()
}

// checkFile checks whether the jobs are still those in `last`, which were read from the file that the frame names. If
// they were edited, checkFile removes the reference to the file and the data rules, which have already been
// applied. If the jobs are unedited but the data rules have changed, it returns an error.
func (h *loaded) checkFile(last *loaded) error {
	f := h.frame.Workload.File
	if f == nil {
		return nil
	}
	if last == nil || last.frame.Workload.File == nil || *last.frame.Workload.File != *f || !equalJobs(last.jobs, h.jobs) {
		h.frame.Workload.File = nil
		h.frame.Rules = h.frame.Rules.AfterDataRules()
		return nil
	}
	h.jobs = last.jobs
	if last.frame.Rules.Rules != h.frame.Rules.Rules {
		return &scenario.Error{Where: "rules", Expected: fmt.Sprintf("the data rules with which %s was opened", f.Name), Got: "other rules. To apply the other rules, open the file again"}
	}
	return nil
}

// equalJobs reports whether two lists contain equal jobs, including their optional data.
func equalJobs(a, b []job.Job) bool {
	return slices.EqualFunc(a, b, func(x, y job.Job) bool {
		if x.More != nil && y.More != nil && reflect.DeepEqual(x.More, y.More) {
			x.More = y.More
		}
		return x == y
	})
}

// setup returns the scenario of a run, ready to simulate. If its jobs equal h.jobs, both lists share
// memory afterwards.
func (h *loaded) setup(q protocol.Run) (*scenario.Setup, error) {
	sc := *h.frame
	sc.Machine.Machine = machine(q.Machine)
	sc.Policies = nil
	for i, p := range q.Policies {
		x := scenario.Policy{Name: p.Name, Title: p.Title, Knobs: p.Knobs, Baseline: p.Baseline, NoChart: p.NoChart}
		if i < len(h.frame.Policies) && h.frame.Policies[i].Name == p.Name {
			x.UnknownFields = h.frame.Policies[i].UnknownFields
		}
		sc.Policies = append(sc.Policies, x)
	}
	if sc.Workload.File != nil {
		return h.setupOfFile(&sc)
	}
	var setup *scenario.Setup
	var err error
	if g := sc.Workload.Generator; g != nil && reflect.DeepEqual(h.settings, sc.GeneratorSettings()) {
		setup, err = sc.SetupWithGenerated(h.jobs)
	} else {
		sc.Workload.Generator = nil
		sc.Workload.Jobs, sc.Workload.JobsUnknown = h.jobs, nil
		setup, err = sc.Setup()
	}
	if err == nil && equalJobs(setup.Work.Jobs, h.jobs) {
		h.jobs = setup.Work.Jobs
		if sc.Workload.Generator == nil {
			sc.Workload.Jobs = h.jobs
		}
	}
	return setup, err
}

// setupOfFile returns the setup for jobs that came from a file. It returns an error if a job does not fit the
// machine.
func (h *loaded) setupOfFile(sc *scenario.Scenario) (*scenario.Setup, error) {
	w := &workload.Workload{Jobs: h.jobs, Procs: sc.Machine.Slots()}
	setup, err := sc.SetupWithWorkload(w)
	if err != nil {
		return nil, err
	}
	for i := range h.jobs {
		if err := h.jobs[i].Validate(i, w.Procs); err != nil {
			return nil, err
		}
	}
	return setup, nil
}
