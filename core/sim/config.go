package sim

import (
	"fmt"
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/speed"
)

// Config holds the input of an engine.
type Config struct {
	Machine cluster.Machine
	Jobs    []job.Job // sorted with job.Sort
	Policy  Policy
	Speed   speed.Model // nil means speed.Rigid
	Level   log.Level   // at least LeastLevel
}

// LeastLevel returns the lowest log level at which c can run. This is log.Starts if c has no speed
// model and no moldable job, and the machine does not limit the jobs per node; otherwise log.Spans.
// LeastLevel ignores the policy, which may need a higher level (see policy.Spec.SelectsSlots).
func (c *Config) LeastLevel() log.Level {
	if c.Speed != nil || c.Machine.JobsPerNode > 0 {
		return log.Spans
	}
	for i := range c.Jobs {
		if c.Jobs[i].Speedup() != nil {
			return log.Spans
		}
	}
	return log.Starts
}

// validate returns an error if the machine, the jobs or the log level are invalid.
func (c *Config) validate() error {
	if err := c.Machine.Validate(); err != nil {
		return err
	}
	if err := checkJobs(c); err != nil {
		return err
	}
	if c.Level == log.Starts && c.LeastLevel() > c.Level {
		return fmt.Errorf("expected log level spans or higher, because jobs are moldable or may share nodes, got %s", c.Level)
	}
	return nil
}

// checkJobs returns an error if the jobs are not sorted by submit time, or if a job is invalid on
// the machine.
func checkJobs(c *Config) error {
	if !slices.IsSortedFunc(c.Jobs, func(a, b job.Job) int { return int(min(max(a.Submit-b.Submit, -1), 1)) }) {
		return fmt.Errorf("jobs: expected jobs in order of submit time")
	}
	for i := range c.Jobs {
		j := &c.Jobs[i]
		if err := j.Validate(i, c.Machine.Slots()); err != nil {
			return err
		}
		if j.More != nil && len(j.More.Extra) > len(c.Machine.Resources) {
			return &job.Invalid{Row: i, ID: j.ID, Field: "extra resources",
				Expected: fmt.Sprintf("at most the machine's %d", len(c.Machine.Resources)), Got: fmt.Sprint(len(j.More.Extra))}
		}
		for k, r := range c.Machine.Resources {
			if a := j.Extra(k); a < 0 || a > r.Capacity {
				return &job.Invalid{Row: i, ID: j.ID, Field: "resource " + r.Name,
					Expected: fmt.Sprintf("0 to %d (capacity of the machine)", r.Capacity), Got: fmt.Sprint(a)}
			}
		}
	}
	return nil
}
