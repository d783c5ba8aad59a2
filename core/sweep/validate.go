package sweep

import (
	"fmt"

	"backfill-lab/core/metrics"
	"backfill-lab/core/policy/registry"
)

// Validate returns an error for the first problem that prevents a run of the sweep, such as too
// many runs, an unknown policy, knob or metric, or an invalid workload. It does not open the files
// that workloads name.
func (d *Definition) Validate() error {
	switch {
	case len(d.Workloads) == 0 && d.Study == nil:
		return fmt.Errorf("workloads: expected at least one workload, got none")
	case len(d.Policies) == 0:
		return fmt.Errorf("policies: expected at least one policy, got none")
	}
	if n := d.Runs(); n > MaxRuns {
		return fmt.Errorf("expected at most %d runs, got more: %d workloads x %d loads x %d seeds x %d policies", MaxRuns, len(d.Workloads), len(d.Loads), max(1, len(d.Seeds)), len(d.Policies))
	}
	for i := range d.Policies {
		p := &d.Policies[i]
		if _, err := registry.New(p.Name, p.Knobs); err != nil {
			return fmt.Errorf("policies, %s: %w", p, err)
		}
	}
	if err := d.checkKnobs(); err != nil {
		return err
	}
	for i, name := range d.Metrics {
		if metrics.Named(name) == nil {
			return fmt.Errorf("metrics, row %d: expected the name of a metric, such as mean-wait, got %q", i+1, name)
		}
	}
	for i := range d.Workloads {
		if w := &d.Workloads[i]; w.Resample != "" && d.SeedsOf(i) == nil {
			return fmt.Errorf("workloads, %s, resample: expected seeds, in the workload or in the definition, got none", w.Name)
		}
		g := Group{Workload: i, Load: d.Loads[0]}
		if seeds := d.SeedsOf(i); seeds != nil {
			g.Seed = seeds[0]
		}
		x := d.Scenario(g, 0)
		err := x.Validate()
		if q := d.Workloads[i].Queue; err == nil && q != nil {
			err = q.withInterval(x, q.From).Validate()
		}
		if err != nil {
			return fmt.Errorf("workloads, %s: %w", d.Workloads[i].Name, err)
		}
	}
	return nil
}

// checkKnobs returns an error if a policy does not accept the knobs that a workload sets.
func (d *Definition) checkKnobs() error {
	for i := range d.Workloads {
		w := &d.Workloads[i]
		if len(w.Knobs) == 0 {
			continue
		}
		for k := range d.Policies {
			p := d.policyOn(w, k)
			if _, err := registry.New(p.Name, p.Knobs); err != nil {
				return fmt.Errorf("workloads, %s, knobs: %s: %w", w.Name, &p, err)
			}
		}
	}
	return nil
}
