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

// held is jobs that wait to be run, and the scenario that they are of, but for
// machine, policies and the jobs. If that names a file, the jobs are those of
// the file, to which the rules were applied when it was read.
type held struct {
	jobs  []job.Job // nil: to be drawn by the order
	frame *scenario.Scenario
	order *registry.Order // nil: the jobs are of no generator
}

// brought returns the jobs of a run: those of the message, else those that the generator
// of its scenario draws, else those held.
func (s *Session) brought(q protocol.Run, bufs [][]byte) (*held, error) {
	h := &held{frame: &scenario.Scenario{}}
	var err error
	if len(q.Scenario) > 0 {
		if h.frame, err = scenario.Parse(q.Scenario); err != nil {
			return nil, err
		}
	}
	switch {
	case len(bufs) > 0:
		h.frame.Workload.Generator = nil
		if h.jobs, err = s.sent(q.Edit, bufs); err != nil {
			return nil, err
		}
	case h.frame.Workload.Generator != nil:
		h.ordered(q.Machine, s.held)
		return h, nil
	case s.held == nil:
		return nil, errors.New("run: expected jobs, got none, and none are held")
	case len(q.Scenario) == 0:
		return s.held, nil
	default:
		h.jobs = s.held.jobs
	}
	return h, h.settle(s.held)
}

// sent returns the jobs of a message, or with an edit those held with the message's
// among them.
func (s *Session) sent(e *protocol.Edit, bufs [][]byte) ([]job.Job, error) {
	jobs, err := protocol.Jobs(bufs)
	if err != nil || e == nil {
		return jobs, err
	}
	if s.held == nil {
		return nil, errors.New("run: expected all jobs, got an edit, and none are held")
	}
	was := s.held.jobs
	if e.Row < 0 || e.Gone < 0 || e.Gone > len(was)-e.Row {
		return nil, fmt.Errorf("run: expected an edit of the %d jobs held, got one of %d from row %d", len(was), e.Gone, e.Row)
	}
	return slices.Concat(was[:e.Row], jobs, was[e.Row+e.Gone:]), nil
}

// ordered has the jobs drawn for a machine, unless they were.
func (h *held) ordered(m protocol.Machine, last *held) {
	h.order = orderOf(h.frame, m)
	if last != nil && reflect.DeepEqual(last.order, h.order) {
		h.jobs = last.jobs
	}
}

func orderOf(frame *scenario.Scenario, m protocol.Machine) *registry.Order {
	sc := *frame
	sc.Machine.Machine = machine(m)
	return sc.Order()
}

// settle looks whether jobs of a frame that names a file are still those of the
// file. If they were edited, they stand for themselves, and the rules, which
// were applied to them, are spent.
func (h *held) settle(last *held) error {
	f := h.frame.Workload.File
	if f == nil {
		return nil
	}
	if last == nil || last.frame.Workload.File == nil || *last.frame.Workload.File != *f || !equal(last.jobs, h.jobs) {
		h.frame.Workload.File = nil
		h.frame.Rules = h.frame.Rules.Spent()
		return nil
	}
	h.jobs = last.jobs
	if last.frame.Rules.Rules != h.frame.Rules.Rules {
		return &scenario.Error{Where: "rules", Expected: "those with which " + f.Name + " was opened", Got: "others: open it again"}
	}
	return nil
}

func equal(a, b []job.Job) bool {
	return slices.EqualFunc(a, b, func(x, y job.Job) bool {
		if x.More != nil && y.More != nil && reflect.DeepEqual(x.More, y.More) {
			x.More = y.More
		}
		return x == y
	})
}

// setup returns the scenario of a run, ready.
func (h *held) setup(q protocol.Run) (*scenario.Setup, error) {
	sc := *h.frame
	sc.Machine.Machine = machine(q.Machine)
	sc.Policies = nil
	for i, p := range q.Policies {
		x := scenario.Policy{Name: p.Name, Knobs: p.Knobs}
		if i < len(h.frame.Policies) && h.frame.Policies[i].Name == p.Name {
			x.Kept = h.frame.Policies[i].Kept
		}
		sc.Policies = append(sc.Policies, x)
	}
	if sc.Workload.File != nil {
		return h.ofFile(&sc)
	}
	var setup *scenario.Setup
	var err error
	if g := sc.Workload.Generator; g != nil && reflect.DeepEqual(h.order, sc.Order()) {
		setup, err = sc.WithDrawn(h.jobs)
	} else {
		sc.Workload.Generator = nil
		sc.Workload.Jobs, sc.Workload.JobsKept = h.jobs, nil
		setup, err = sc.Setup()
	}
	if err == nil && equal(setup.Work.Jobs, h.jobs) {
		h.jobs = setup.Work.Jobs // one copy is enough
		if sc.Workload.Generator == nil {
			sc.Workload.Jobs = h.jobs
		}
	}
	return setup, err
}

// ofFile returns the setup of jobs that a file holds; they must fit the machine.
func (h *held) ofFile(sc *scenario.Scenario) (*scenario.Setup, error) {
	w := &workload.Workload{Jobs: h.jobs, Procs: sc.Machine.Slots()}
	setup, err := sc.With(w)
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
