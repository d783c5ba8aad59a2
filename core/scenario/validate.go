package scenario

import (
	"errors"
	"fmt"
	"strconv"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/workload"
)

// Validate returns an *Error for the first problem that prevents a run of the scenario. It checks
// the machine, the data rules, the listed jobs or the generator, and the policies with their knobs.
func (s *Scenario) Validate() error {
	if err := s.checkMachine(); err != nil {
		return err
	}
	if err := s.Rules.Validate(); err != nil {
		return &Error{Where: "rules", Err: err}
	}
	if err := s.MetricOptions().Validate(); err != nil {
		return &Error{Where: "rules", Err: err}
	}
	if err := s.checkJobs(); err != nil {
		return err
	}
	return s.checkPolicies()
}

// checkMachine checks the machine. It also rejects outages if jobs on shared nodes slow each other
// down.
func (s *Scenario) checkMachine() error {
	var bad *cluster.Invalid
	if err := s.Machine.Validate(); errors.As(err, &bad) {
		return &Error{Where: "machine, " + bad.Field, Expected: bad.Expected, Got: bad.Got}
	}
	if s.Slowdown != nil && s.Machine.SlotsPerNode() > 1 && len(s.Machine.Outages) > 0 {
		return &Error{Where: "machine, blocks", Expected: "no outages if jobs on shared nodes slow each other down, because the ends of the jobs cannot be estimated", Got: strconv.Itoa(len(s.Machine.Outages))}
	}
	return nil
}

// checkJobs checks the listed jobs or the generator. The data rules correct a runtime of 0 and an
// estimate below the runtime, so these are not errors. A job that requests too many processors is
// an error, unless the rules reduce its processors.
func (s *Scenario) checkJobs() error {
	w := &s.Workload
	switch {
	case w.Generator != nil:
		return s.checkGenerator()
	case w.File != nil:
		return nil
	}
	if len(w.Jobs) == 0 {
		return &Error{Where: "jobs", Expected: "at least 1", Got: "none"}
	}
	procs := s.Machine.Slots()
	if s.Rules.Oversize == workload.Clamp {
		procs = 0
	}
	for i := range w.Jobs {
		j := w.Jobs[i]
		j.Runtime = max(j.Runtime, 1)
		j.Estimate = max(j.Estimate, j.Runtime)
		var bad *job.Invalid
		if err := j.Validate(i, procs); errors.As(err, &bad) {
			return &Error{Where: spot{"jobs", i + 1, bad.Field}.String(), Expected: bad.Expected, Got: bad.Got}
		}
		if err := s.checkAmounts(i, &j); err != nil {
			return err
		}
	}
	return s.checkPairs(w.Jobs)
}

// checkAmounts checks the amounts of extra resources that job i requests.
func (s *Scenario) checkAmounts(i int, j *job.Job) error {
	for k, r := range s.Machine.Resources {
		if a := j.Extra(k); a < 0 || a > r.Capacity {
			return &Error{Where: spot{"jobs", i + 1, "resources, " + r.Name}.String(),
				Expected: fmt.Sprintf("0 to %d (capacity of the machine)", r.Capacity), Got: strconv.FormatInt(a, 10)}
		}
	}
	return nil
}

// check checks that policy p can run on machine m. The policy is in the given row of the list, from
// 1.
func (p *Policy) check(row int, m *cluster.Machine) error {
	at := spot{part: "policies", row: row}
	if err := CheckTitle(p.Title); err != nil {
		return &Error{Where: at.Field("title").String(), Err: err}
	}
	spec, err := p.Spec()
	if err != nil {
		return &Error{Where: at.String(), Err: err}
	}
	_, err = spec.SettingsOn(m, p.Knobs)
	var bad *policy.BadKnob
	if errors.As(err, &bad) && bad.Err != nil {
		return &Error{Where: at.String(), Err: bad.Err}
	}
	if bad != nil {
		return &Error{Where: at.Field(p.Name + ", " + bad.Knob).String(), Expected: bad.Expected, Got: fmt.Sprintf("%.100q", bad.Got)}
	}
	if err != nil {
		return &Error{Where: at.String(), Err: err}
	}
	return nil
}
