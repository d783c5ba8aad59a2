package truth_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/judge"
	"backfill-lab/core/policy/registry"
)

// setting holds a policy with some fixed knobs. The other knobs are random.
type setting struct {
	name, policy string
	knobs        map[string]string
	workloads    []func(*rapid.T) policytest.Workload // generators of workloads; nil for judge.RigidWorkloads
	choices      map[string][]string                  // by knob: values to draw from, with equal probability
	sharesNodes  bool                                 // whether jobs share nodes
	allResources bool                                 // whether all machines with shared nodes have extra resources; otherwise half of the machines have some
}

// knobs returns a map of knob values. The arguments are names, each followed by its value.
func knobs(pairs ...string) map[string]string {
	out := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = pairs[i+1]
	}
	return out
}

// slackKnobs returns the given knob values (see knobs), plus values with which the search of fair-slack
// can choose from many sets of jobs.
func slackKnobs(pairs ...string) map[string]string {
	return knobs(append(pairs, "slack-up", "10", "slack-down", "3", "slack-min", "3", "node-limit", "300", "lookahead", "6")...)
}

// settings lists the settings that the tests of this package run.
var settings = []setting{
	{name: "fcfs", policy: "fcfs"},
	{name: "first-fit", policy: "first-fit"},
	{name: "easy", policy: "easy", knobs: knobs("reservations", "1", "pick", "first")},
	{name: "easy bl", policy: "easy", knobs: knobs("reservations", "1", "pick", "bl"), workloads: resourceWorkloads, choices: fullnessKnobs},
	{name: "easy bl none", policy: "easy", knobs: knobs("reservations", "1", "pick", "bl", "fallback", "none"), workloads: resourceWorkloads, choices: fullnessKnobs},
	{name: "easy bb", policy: "easy", knobs: knobs("reservations", "1", "pick", "bb"), workloads: resourceWorkloads, choices: fullnessKnobs},
	{name: "easy none", policy: "easy", knobs: knobs("reservations", "0"), workloads: resourceWorkloads, choices: pickKnobs},
	{name: "easy deep", policy: "easy", knobs: knobs("reservations", "3"), workloads: resourceWorkloads, choices: pickKnobs},
	{name: "easy all", policy: "easy", knobs: knobs("reservations", "all")},
	{name: "conservative start", policy: "conservative", knobs: knobs("compress", "start")},
	{name: "conservative submit", policy: "conservative", knobs: knobs("compress", "submit")},
	{name: "conservative none", policy: "conservative", knobs: knobs("compress", "none")},
	{name: "conservative replan", policy: "conservative", knobs: knobs("compress", "replan")},
	{name: "pc", policy: "pc"},
	{name: "dc", policy: "dc"},
	{name: "fair-slack fairness", policy: "fair-slack", knobs: slackKnobs("goal", "fairness"), workloads: blockedWorkloads},
	{name: "fair-slack utilization", policy: "fair-slack", knobs: slackKnobs("goal", "utilization"), workloads: blockedWorkloads},
	{name: "fair-slack any", policy: "fair-slack"},
	sharedNodes("glts"), sharedNodes("ssp"), sharedNodes("cst"), sharedNodes("cstws"), sharedNodes("fbo"), sharedNodes("ns"), sharedNodes("nh"),
	timeSlices("fcfs"), timeSlices("easy", "inner.reservations", "1", "inner.pick", "first"),
	timeSlices("conservative", "inner.compress", "start"), timeSlices("conservative", "inner.compress", "submit"), timeSlices("conservative", "inner.compress", "none"), timeSlices("conservative", "inner.compress", "replan"),
	timeSlicesSets("fairness", "plan"), timeSlicesSets("utilization", "plan"), timeSlicesSets("fairness", "sets"), timeSlicesSets("utilization", "sets"),
	timeSlicesGroups("glts"), timeSlicesGroups("ssp"), timeSlicesGroups("cst"), timeSlicesGroups("cstws"), timeSlicesGroups("fbo"), timeSlicesGroups("ns"), timeSlicesGroups("nh"),
	{name: "glomarc-ts extra", policy: "glomarc-ts", knobs: knobs(), sharesNodes: true, allResources: true},
	{name: "slices glomarc-ts extra", policy: "scojo-pect", knobs: knobs("inner", "glomarc-ts"), sharesNodes: true, allResources: true},
	{name: "moldable hrf", policy: "moldable", knobs: knobs("allocation", "hrf"), workloads: moldableWorkloads},
	{name: "moldable greedy", policy: "moldable", knobs: knobs("allocation", "submit-greedy"), workloads: moldableWorkloads},
	{name: "moldable submit-fair", policy: "moldable", knobs: knobs("allocation", "submit-fair"), workloads: moldableWorkloads},
	{name: "moldable schedule-fair", policy: "moldable", knobs: knobs("allocation", "schedule-fair"), workloads: moldableWorkloads},
	{name: "fcfs outages", policy: "fcfs", workloads: outageWorkloads},
	{name: "first-fit outages", policy: "first-fit", workloads: outageWorkloads},
	{name: "easy outages", policy: "easy", knobs: knobs("reservations", "1", "pick", "first"), workloads: outageWorkloads},
	{name: "conservative outages", policy: "conservative", workloads: outageWorkloads},
	{name: "pc outages", policy: "pc", workloads: outageWorkloads},
	{name: "dc outages", policy: "dc", workloads: outageWorkloads},
}

// drawResources draws a workload for a machine with extra resources. Most jobs request small
// amounts of these, and a few jobs request large amounts.
func drawResources(t *rapid.T) policytest.Workload {
	w := policytest.DrawBlockedQueue(t)
	addResources(t, &w)
	return w
}

// drawSparse draws a workload in which jobs are submitted far apart, so that some slices are
// idle.
func drawSparse(t *rapid.T) policytest.Workload {
	w := policytest.DrawBlockedQueue(t)
	for i := range w.Jobs {
		w.Jobs[i].Submit *= 3
	}
	return w
}

// addResources gives the machine extra resources and lets the jobs request them.
func addResources(t *rapid.T, w *policytest.Workload) {
	r := rand.New(rand.NewPCG(7, rapid.Uint64().Draw(t, "amounts")))
	w.Machine.Resources = nil
	for k := range 1 + r.IntN(2) {
		w.Machine.Resources = append(w.Machine.Resources, cluster.Resource{Name: fmt.Sprint("r", k+1), Capacity: 4 + r.Int64N(20)})
	}
	for i := range w.Jobs {
		j := &w.Jobs[i]
		if j.More == nil {
			j.More = &job.More{}
		}
		j.More.Extra = nil
		for _, resource := range w.Machine.Resources {
			j.More.Extra = append(j.More.Extra, r.Int64N(1+r.Int64N(resource.Capacity)))
		}
	}
}

// drawOutages draws a workload for a machine with outages.
func drawOutages(t *rapid.T) policytest.Workload {
	w := policytest.DrawWorkload(t)
	w.AddOutages(t)
	return w
}

var (
	outageWorkloads   = []func(*rapid.T) policytest.Workload{drawOutages}
	resourceWorkloads = []func(*rapid.T) policytest.Workload{drawResources, drawResources, policytest.DrawBlockedQueue}
	blockedWorkloads  = []func(*rapid.T) policytest.Workload{policytest.DrawBlockedQueue, drawResources}
	moldableWorkloads = []func(*rapid.T) policytest.Workload{policytest.DrawTableWorkload, policytest.DrawDowneyWorkload}
)

// generator returns a generator of cases for the setting.
func (s *setting) generator() *rapid.Generator[*policytest.Case] {
	return rapid.Custom(func(t *rapid.T) *policytest.Case {
		draw := s.workloads
		if draw == nil {
			draw = judge.RigidWorkloads
		}
		spec, err := registry.Find(s.policy)
		require.NoError(t, err)
		if s.sharesNodes {
			return s.drawShared(t, spec)
		}
		w := rapid.SampledFrom(draw).Draw(t, "draw")(t)
		return w.Case(t, s.policy, policytest.DrawKnobs(t, spec, s.knobValues(t)))
	})
}

// These knobs make the balance of resources matter in most runs.
var (
	fullnessKnobs = map[string][]string{"fullness": {"product", "sum", "relaxed", "product", "sum", "none"}}
	pickKnobs     = map[string][]string{"fullness": fullnessKnobs["fullness"], "pick": {"bl", "bb", "bl", "bb", "first"}}
)

// With these knobs and workloads, guests may fill idle processors in most runs.
var (
	sliceKnobs     = map[string][]string{"non-type": {"true", "true", "true", "false"}, "interval": {"90", "47", "90", "31", "20"}, "overhead": {"0", "0", "1", "3"}}
	sliceWorkloads = []func(*rapid.T) policytest.Workload{drawSparse, policytest.DrawBlockedQueue, drawResources, policytest.DrawWorkload}
)

// knobValues returns the fixed knobs, and random values for the knobs in choices.
func (s *setting) knobValues(t *rapid.T) map[string]string {
	values := maps.Clone(s.knobs)
	if values == nil {
		values = map[string]string{}
	}
	for _, name := range slices.Sorted(maps.Keys(s.choices)) {
		r := rand.New(rand.NewPCG(8, rapid.Uint64().Draw(t, name)))
		values[name] = s.choices[name][r.IntN(len(s.choices[name]))]
	}
	return values
}

// sharedNodes returns the setting of a variant of glomarc-ts.
func sharedNodes(variant string) setting {
	return setting{name: "glomarc-ts " + variant, policy: "glomarc-ts", knobs: knobs("variant", variant), sharesNodes: true}
}

// timeSlices returns the setting of time slices with an inner policy.
func timeSlices(inner string, pairs ...string) setting {
	return setting{name: "slices " + inner + strings.Join(pairs, ""), policy: "scojo-pect", knobs: knobs(append(pairs, "inner", inner)...),
		workloads: sliceWorkloads, choices: sliceKnobs}
}

// timeSlicesGroups returns the setting of time slices with a variant of glomarc-ts.
func timeSlicesGroups(variant string) setting {
	return setting{name: "slices glomarc-ts " + variant, policy: "scojo-pect", knobs: knobs("inner", "glomarc-ts", "inner.variant", variant), sharesNodes: true}
}

// timeSlicesSets returns the setting of time slices with fair-slack.
func timeSlicesSets(goal, filling string) setting {
	values := knobs("inner", "fair-slack", "inner.filling", filling)
	for name, value := range slackKnobs("goal", goal) {
		values["inner."+name] = value
	}
	return setting{name: "slices fair-slack " + goal + " " + filling, policy: "scojo-pect", knobs: values}
}

// sharingKnobs holds, for each knob that controls node sharing, values that affect small workloads.
var sharingKnobs = map[string][]string{
	"max-slowdown": {"1.25", "1.25", "1.4", "1.1"}, "self-slowdown-2": {"1.12", "1.12", "1.2", "1"},
	"min-gain": {"0.45", "0.45", "0.1", "0.8", "0"}, "block-size": {"16", "1", "2", "3", "4"}, "exceed-primary": {"0.125", "0", "0.5", "1"},
	"running-primaries": {"8", "1", "2", "3", "0"}, "longer-than-primary": {"3000", "0", "4", "12"},
	"slack": {"1.5", "3", "2", "1", "8"}, "estimate-adjust": {"0.75", "1", "0.9", "1"}, "unfair": {"any", "worsened"},
	"short-max": {"2", "5", "9"}, "medium-max": {"8", "14", "20", "50"},
}

// drawShared draws a case with node sharing, in which every job can start.
func (s *setting) drawShared(t *rapid.T, spec *policy.Spec) *policytest.Case {
	values, prefix := maps.Clone(s.knobs), ""
	if spec.Knob("inner") != nil {
		prefix = "inner."
	}
	r := rand.New(rand.NewPCG(6, rapid.Uint64().Draw(t, "knobs")))
	for _, name := range slices.Sorted(maps.Keys(sharingKnobs)) {
		value := sharingKnobs[name][r.IntN(len(sharingKnobs[name]))]
		if spec.Knob(prefix+name) != nil {
			name = prefix + name
		}
		values[name] = value
	}
	values = policytest.DrawKnobs(t, spec, values)
	v, err := spec.Settings(values)
	require.NoError(t, err)
	w, model := policytest.DrawShared(t, func(request *job.Job, m *cluster.Machine) bool {
		return request.Procs > 0 && spec.NeverStarts(v, m, []job.Job{*request}) == nil
	})
	if rapid.Bool().Draw(t, "resources") || s.allResources {
		addResources(t, &w)
	}
	c := w.Case(t, s.policy, values)
	c.Speed = model.Speed(w.Jobs)
	return c
}
