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
	"backfill-lab/core/policy/registry"
)

// setting is a policy with some knobs fixed, the others at random.
type setting struct {
	name, policy string
	knobs        map[string]string
	draw         []func(*rapid.T) policytest.Workload // nil: small and blocked workloads
	vary         map[string][]string                  // knobs that take these values evenly
	shared       bool                                 // nodes are
	extra        bool                                 // all of these machines have extra resources, and not only half of them
}

func knobs(pairs ...string) map[string]string {
	out := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = pairs[i+1]
	}
	return out
}

// slack returns knobs with which many sets can be chosen.
func slack(pairs ...string) map[string]string {
	return knobs(append(pairs, "slack-up", "10", "slack-down", "3", "slack-min", "3", "node-limit", "300", "lookahead", "6")...)
}

var settings = []setting{
	{name: "fcfs", policy: "fcfs"},
	{name: "first-fit", policy: "first-fit"},
	{name: "easy", policy: "easy", knobs: knobs("reservations", "1", "pick", "first")},
	{name: "easy bl", policy: "easy", knobs: knobs("reservations", "1", "pick", "bl"), draw: picky, vary: fullness},
	{name: "easy bl none", policy: "easy", knobs: knobs("reservations", "1", "pick", "bl", "fallback", "none"), draw: picky, vary: fullness},
	{name: "easy bb", policy: "easy", knobs: knobs("reservations", "1", "pick", "bb"), draw: picky, vary: fullness},
	{name: "easy none", policy: "easy", knobs: knobs("reservations", "0"), draw: picky, vary: picks},
	{name: "easy deep", policy: "easy", knobs: knobs("reservations", "3"), draw: picky, vary: picks},
	{name: "easy all", policy: "easy", knobs: knobs("reservations", "all")},
	{name: "conservative start", policy: "conservative", knobs: knobs("compress", "start")},
	{name: "conservative submit", policy: "conservative", knobs: knobs("compress", "submit")},
	{name: "conservative none", policy: "conservative", knobs: knobs("compress", "none")},
	{name: "conservative replan", policy: "conservative", knobs: knobs("compress", "replan")},
	{name: "pc", policy: "pc"},
	{name: "dc", policy: "dc"},
	{name: "fair-slack fairness", policy: "fair-slack", knobs: slack("goal", "fairness"), draw: diverse},
	{name: "fair-slack utilization", policy: "fair-slack", knobs: slack("goal", "utilization"), draw: diverse},
	{name: "fair-slack any", policy: "fair-slack"},
	sharing("glts"), sharing("ssp"), sharing("cst"), sharing("cstws"), sharing("fbo"), sharing("ns"), sharing("nh"),
	sliced("fcfs"), sliced("easy", "inner.reservations", "1", "inner.pick", "first"),
	sliced("conservative", "inner.compress", "start"), sliced("conservative", "inner.compress", "submit"), sliced("conservative", "inner.compress", "none"), sliced("conservative", "inner.compress", "replan"),
	slicedSets("fairness", "plan"), slicedSets("utilization", "plan"), slicedSets("fairness", "sets"), slicedSets("utilization", "sets"),
	slicedGroups("glts"), slicedGroups("ssp"), slicedGroups("cst"), slicedGroups("cstws"), slicedGroups("fbo"), slicedGroups("ns"), slicedGroups("nh"),
	{name: "glomarc-ts extra", policy: "glomarc-ts", knobs: knobs(), shared: true, extra: true},
	{name: "slices glomarc-ts extra", policy: "scojo-pect", knobs: knobs("inner", "glomarc-ts"), shared: true, extra: true},
	{name: "moldable hrf", policy: "moldable", knobs: knobs("allocation", "hrf"), draw: molded},
	{name: "moldable greedy", policy: "moldable", knobs: knobs("allocation", "submit-greedy"), draw: molded},
	{name: "moldable submit-fair", policy: "moldable", knobs: knobs("allocation", "submit-fair"), draw: molded},
	{name: "moldable schedule-fair", policy: "moldable", knobs: knobs("allocation", "schedule-fair"), draw: molded},
	{name: "fcfs blocks", policy: "fcfs", draw: withBlocks},
	{name: "first-fit blocks", policy: "first-fit", draw: withBlocks},
	{name: "easy blocks", policy: "easy", knobs: knobs("reservations", "1", "pick", "first"), draw: withBlocks},
	{name: "conservative blocks", policy: "conservative", draw: withBlocks},
	{name: "pc blocks", policy: "pc", draw: withBlocks},
	{name: "dc blocks", policy: "dc", draw: withBlocks},
}

// several draws a workload of blocked jobs for a machine with extra resources, of which
// many jobs ask for little and some for much.
func several(t *rapid.T) policytest.Workload {
	w := policytest.DrawBlocked(t)
	ask(t, &w)
	return w
}

// sparse draws blocked jobs that come one by one, so that slices are idle at times.
func sparse(t *rapid.T) policytest.Workload {
	w := policytest.DrawBlocked(t)
	for i := range w.Jobs {
		w.Jobs[i].Submit *= 3
	}
	return w
}

// ask gives the machine extra resources and has the jobs ask for them.
func ask(t *rapid.T, w *policytest.Workload) {
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
		for _, of := range w.Machine.Resources {
			j.More.Extra = append(j.More.Extra, r.Int64N(1+r.Int64N(of.Capacity)))
		}
	}
}

// blocked draws jobs for a machine that processors leave for a while.
func blocked(t *rapid.T) policytest.Workload {
	w := policytest.DrawWorkload(t)
	w.AddBlocks(t)
	return w
}

var (
	withBlocks = []func(*rapid.T) policytest.Workload{blocked}
	picky      = []func(*rapid.T) policytest.Workload{several, several, policytest.DrawBlocked}
	diverse    = []func(*rapid.T) policytest.Workload{policytest.DrawBlocked, several}
	rigid      = []func(*rapid.T) policytest.Workload{policytest.DrawWorkload, policytest.DrawBlocked}
	molded     = []func(*rapid.T) policytest.Workload{policytest.DrawTables, policytest.DrawDowney}
)

// generator draws cases of a setting.
func (s *setting) generator() *rapid.Generator[*policytest.Case] {
	return rapid.Custom(func(t *rapid.T) *policytest.Case {
		draw := s.draw
		if draw == nil {
			draw = rigid
		}
		spec, err := registry.Find(s.policy)
		require.NoError(t, err)
		if s.shared {
			return s.drawShared(t, spec)
		}
		w := rapid.SampledFrom(draw).Draw(t, "draw")(t)
		return w.Case(t, s.policy, policytest.DrawKnobs(t, spec, s.varied(t)))
	})
}

// The balance of resources counts in most of the runs.
var (
	fullness = map[string][]string{"fullness": {"product", "sum", "relaxed", "product", "sum", "none"}}
	picks    = map[string][]string{"fullness": fullness["fullness"], "pick": {"bl", "bb", "bl", "bb", "first"}}
)

// In most runs of time slices there are guests, who can be in the way of others.
var (
	guests = map[string][]string{"non-type": {"true", "true", "true", "false"}, "interval": {"90", "47", "90", "31", "20"}, "overhead": {"0", "0", "1", "3"}}
	busy   = []func(*rapid.T) policytest.Workload{sparse, policytest.DrawBlocked, several, policytest.DrawWorkload}
)

// varied returns the knobs that are given, those that vary among them.
func (s *setting) varied(t *rapid.T) map[string]string {
	given := maps.Clone(s.knobs)
	if given == nil {
		given = map[string]string{}
	}
	for _, name := range slices.Sorted(maps.Keys(s.vary)) {
		r := rand.New(rand.NewPCG(8, rapid.Uint64().Draw(t, name)))
		given[name] = s.vary[name][r.IntN(len(s.vary[name]))]
	}
	return given
}

// sharing returns a variant of glomarc-ts.
func sharing(variant string) setting {
	return setting{name: "glomarc-ts " + variant, policy: "glomarc-ts", knobs: knobs("variant", variant), shared: true}
}

// sliced returns time slices around a policy.
func sliced(inner string, pairs ...string) setting {
	return setting{name: "slices " + inner + strings.Join(pairs, ""), policy: "scojo-pect", knobs: knobs(append(pairs, "inner", inner)...),
		draw: busy, vary: guests}
}

// slicedGroups returns time slices around a variant of glomarc-ts.
func slicedGroups(variant string) setting {
	return setting{name: "slices glomarc-ts " + variant, policy: "scojo-pect", knobs: knobs("inner", "glomarc-ts", "inner.variant", variant), shared: true}
}

// slicedSets returns time slices around fair-slack.
func slicedSets(goal, filling string) setting {
	given := knobs("inner", "fair-slack", "inner.filling", filling)
	for name, value := range slack("goal", goal) {
		given["inner."+name] = value
	}
	return setting{name: "slices fair-slack " + goal + " " + filling, policy: "scojo-pect", knobs: given}
}

// matchmaking is values of knobs that make a difference to small workloads.
var matchmaking = map[string][]string{
	"max-slowdown": {"1.25", "1.25", "1.4", "1.1"}, "self-slowdown-2": {"1.12", "1.12", "1.2", "1"},
	"min-gain": {"0.45", "0.45", "0.1", "0.8", "0"}, "block-size": {"16", "1", "2", "3", "4"}, "exceed-primary": {"0.125", "0", "0.5", "1"},
	"running-primaries": {"8", "1", "2", "3", "0"}, "longer-than-primary": {"3000", "0", "4", "12"},
	"slack": {"1.5", "3", "2", "1", "8"}, "estimate-adjust": {"0.75", "1", "0.9", "1"}, "unfair": {"any", "worsened"},
	"short-max": {"2", "5", "9"}, "medium-max": {"8", "14", "20", "50"},
}

// drawShared draws a machine of nodes that jobs share, and jobs that can start.
func (s *setting) drawShared(t *rapid.T, spec *policy.Spec) *policytest.Case {
	given, prefix := maps.Clone(s.knobs), ""
	if spec.Knob("inner") != nil {
		prefix = "inner."
	}
	r := rand.New(rand.NewPCG(6, rapid.Uint64().Draw(t, "knobs")))
	for _, name := range slices.Sorted(maps.Keys(matchmaking)) {
		value := matchmaking[name][r.IntN(len(matchmaking[name]))]
		if spec.Knob(prefix+name) != nil {
			name = prefix + name
		}
		given[name] = value
	}
	given = policytest.DrawKnobs(t, spec, given)
	v, err := spec.Settings(given)
	require.NoError(t, err)
	w, model := policytest.DrawShared(t, func(q *job.Job, m *cluster.Machine) bool {
		return q.Procs > 0 && spec.Refuses(v, m, []job.Job{*q}) == nil
	})
	if rapid.Bool().Draw(t, "resources") || s.extra {
		ask(t, &w)
	}
	c := w.Case(t, s.policy, given)
	c.Speed = model.Speed(w.Jobs)
	return c
}
