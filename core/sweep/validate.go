package sweep

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"backfill-lab/core/policy"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/scenario"
	"backfill-lab/core/scenario/raw"
)

// validate records an error for the first problem that prevents a run of the sweep and that does not
// concern a single field, such as too many runs or an invalid workload. The argument top is the whole
// definition. It does not open the files that workloads name.
func (r *reader) validate(top raw.Value) {
	d, none := r.d, raw.Value{Text: "none", At: top.At}
	switch {
	case len(d.Workloads) == 0 && d.Study == nil:
		r.Fail(none, "workloads", "at least one workload")
	case len(d.Policies) == 0:
		r.Fail(none, "policies", "at least one policy")
	case d.Runs() > MaxRuns:
		r.Err = fmt.Errorf("expected at most %d runs, got more: %d workloads x %d loads x %d seeds x %d policies", MaxRuns, len(d.Workloads), len(d.Loads), max(1, len(d.Seeds)), len(d.Policies))
	}
	for i := range d.Workloads {
		if r.Err == nil {
			r.checkKnobs(i)
		}
	}
	for i := range d.Workloads {
		if r.Err == nil {
			r.checkScenario(i)
		}
	}
}

// checkKnobs records an error if a policy does not accept the knobs that a workload sets.
func (r *reader) checkKnobs(workload int) {
	w, x := &r.d.Workloads[workload], r.workloads[workload]
	if len(w.Knobs) == 0 {
		return
	}
	for k := range r.d.Policies {
		p := r.d.policyOn(w, k)
		_, err := registry.New(p.Name, p.Knobs)
		var bad *policy.BadKnob
		if errors.As(err, &bad) {
			x = knobSource(x, bad)
		}
		if err != nil {
			r.failWith(x.value, x.at, err)
			return
		}
	}
}

// checkScenario records an error if a workload is resampled without seeds, or if its scenario cannot
// run.
func (r *reader) checkScenario(workload int) {
	d, w, x := r.d, &r.d.Workloads[workload], r.workloads[workload]
	if w.Resample != "" && d.SeedsOf(workload) == nil {
		r.Fail(raw.Value{Text: "none", At: field(x.value, "resample").At}, x.at.Field("resample"), "seeds, in the workload or in the definition")
		return
	}
	g := Group{Workload: workload, Load: d.Loads[0]}
	if seeds := d.SeedsOf(workload); seeds != nil {
		g.Seed = seeds[0]
	}
	s := d.Scenario(g, 0)
	if err := s.Validate(); err != nil {
		r.failWith(scenarioValue(x.value, err), x.at.Field("scenario"), err)
		return
	}
	if w.Queue == nil {
		return
	}
	if err := w.Queue.withInterval(s, w.Queue.From).Validate(); err != nil {
		r.failWith(field(x.value, "mean-queue-length"), x.at.Field("mean-queue-length"), err)
	}
}

// scenarioValue returns the innermost value to which an error about the scenario of a workload refers.
// The argument v is the workload. The invalid value can also be one of the parameters that the
// workload sets for its generator.
func scenarioValue(v raw.Value, err error) raw.Value {
	var s *scenario.Error
	if !errors.As(err, &s) {
		return v
	}
	if name, ok := strings.CutPrefix(s.Where, "workload, parameters, "); ok {
		if set := field(field(v, "parameters"), name); set.Text != "" {
			return set
		}
	}
	v = field(v, "scenario")
	if strings.HasPrefix(s.Where, "jobs") { // the place does not name the field with the list of jobs
		v = field(v, "workload")
	}
	for part := range strings.SplitSeq(s.Where, ", ") {
		inner := field(v, part)
		if row, ok := strings.CutPrefix(part, "row "); ok {
			inner = item(v, row)
		}
		if inner.Text == "" {
			break
		}
		v = inner
	}
	return v
}

// item returns the item of a list in the given row, from 1, or a value without text if there is no
// such item.
func item(list raw.Value, row string) raw.Value {
	for i, v := range list.Items() {
		if strconv.Itoa(i+1) == row {
			return v
		}
	}
	return raw.Value{At: list.At}
}
