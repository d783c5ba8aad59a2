package policytest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/knob"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	. "backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/sim"
)

// TestKnobsWithoutEffect checks that a knob changes no schedule when its declaration says that it
// has no effect. The declaration names two cases: the workload lacks what the knob needs (Needs),
// or another knob does not have the required value (DependsOn).
func TestKnobsWithoutEffect(t *testing.T) {
	for _, spec := range registry.All {
		for i := range spec.Knobs {
			k := &spec.Knobs[i]
			if k.Needs != knob.Nothing && (k.Needs != knob.EarlyEnds || spec.Knob("inner") == nil) {
				t.Run(spec.Name+"/"+k.Name+"/needs", func(t *testing.T) {
					rapid.Check(t, func(t *rapid.T) {
						requireNoEffect(t, spec, k, drawLacking(t, spec, k.Needs), defaultsOfDependents(spec, k))
					})
				})
			}
			if k.DependsOn != "" && k.DependsOn != "inner" { // a wrapper ignores the knobs of inner policies that it does not run
				t.Run(spec.Name+"/"+k.Name+"/with", func(t *testing.T) {
					rapid.Check(t, func(t *rapid.T) {
						with := rapid.SampledFrom(otherChoices(spec.Knob(k.DependsOn), k.DependsOnValues)).Draw(t, "with")
						requireNoEffect(t, spec, k, drawAny(t), map[string]string{k.DependsOn: with})
					})
				})
			}
		}
	}
}

// defaultsOfDependents returns the default values of the knobs that depend on k.
func defaultsOfDependents(spec *policy.Spec, k *policy.Knob) map[string]string {
	fixed := map[string]string{}
	for _, d := range spec.Knobs {
		if d.DependsOn == k.Name {
			fixed[d.Name] = d.Default
		}
	}
	return fixed
}

// otherChoices returns the choices of a knob that are not in values.
func otherChoices(k *policy.Knob, values []string) []string {
	return slices.DeleteFunc(slices.Clone(k.Choices), func(c string) bool { return slices.Contains(values, c) })
}

// drawAny draws a workload of any kind.
func drawAny(t *rapid.T) Workload {
	switch rapid.IntRange(0, 4).Draw(t, "kind") {
	case 0:
		return DrawWorkload(t)
	case 1:
		return DrawBlockedQueue(t)
	case 2:
		return DrawDowneyWorkload(t)
	case 3:
		return DrawTableWorkload(t)
	}
	w, _ := DrawShared(t, func(*job.Job, *cluster.Machine) bool { return true })
	w.Machine.JobsPerNode = 0 // no limit: most policies do not support one
	return w
}

// drawLacking draws a workload that lacks something that a knob needs to have an effect. The given
// need says what it lacks.
func drawLacking(t *rapid.T, spec *policy.Spec, need knob.Need) Workload {
	w := drawAny(t)
	if need == knob.EarlyEnds {
		w = DrawWorkload(t) // moldable jobs and jobs on shared nodes would not end at their estimates
	}
	switch need {
	case knob.Resources:
		w.Machine.Resources = nil
	case knob.Cores:
		w.Machine = cluster.Flat(w.Machine.Slots())
		w.Machine.Resources = nil
	}
	for i := range w.Jobs {
		j := &w.Jobs[i]
		if j.More != nil {
			more := *j.More
			j.More = &more
			if len(w.Machine.Resources) == 0 {
				j.More.Extra = nil
			}
			if need == knob.Moldable {
				j.More.Speedup = nil
			}
		}
		if need == knob.EarlyEnds {
			j.Estimate = j.Runtime
		}
	}
	if spec.HandlesOutages && rapid.Bool().Draw(t, "outages") {
		w.AddOutages(t)
	}
	return w
}

// requireNoEffect runs a workload twice, with random knobs that differ only in the value of k, and
// requires equal schedules. The knobs in fixedKnobs are not random.
func requireNoEffect(t *rapid.T, spec *policy.Spec, k *policy.Knob, w Workload, fixedKnobs map[string]string) {
	a := DrawKnobs(t, spec, fixedKnobs)
	value := DrawKnobs(t, spec, fixedKnobs)[k.Name]
	b := map[string]string{}
	for name, v := range a {
		b[name] = v
	}
	b[k.Name] = value
	if !accepts(spec, &w, a) || !accepts(spec, &w, b) {
		t.Skip("the policy refuses the workload")
	}
	require.Equal(t, scheduleOf(t, spec, &w, a), scheduleOf(t, spec, &w, b), "%s=%s and %s", k.Name, a[k.Name], value)
}

// accepts reports whether the policy accepts the knobs and the workload.
func accepts(spec *policy.Spec, w *Workload, knobs map[string]string) bool {
	v, err := spec.SettingsOn(&w.Machine, knobs)
	return err == nil && (spec.NeverStarts == nil || spec.NeverStarts(v, &w.Machine, w.Jobs) == nil)
}

// scheduleOf returns when and where the jobs run.
func scheduleOf(t *rapid.T, spec *policy.Spec, w *Workload, knobs map[string]string) string {
	v, err := spec.Settings(knobs)
	require.NoError(t, err)
	e, err := sim.New(sim.Config{Machine: w.Machine, Jobs: w.Jobs, Policy: spec.New(v), Level: log.Decisions})
	require.NoError(t, err)
	l := RunToEnd(t, e)
	var b strings.Builder
	for j, o := range l.Outcomes() {
		fmt.Fprintln(&b, l.Jobs[j].ID, o.Start, o.Finish, l.Alloc(job.Index(j)), l.Layout(job.Index(j)))
	}
	return b.String()
}
