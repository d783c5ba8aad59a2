package policytest_test

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/glomarc/gain"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/policytest/textbook"
	"backfill-lab/core/speed"
	"backfill-lab/core/workload/small"
)

// matchingKnobs lists, for each knob that controls how jobs are matched in groups, values that affect
// small workloads.
var matchingKnobs = map[string][]string{
	"max-slowdown": {"1.25", "1.25", "1.4", "1.1"}, "self-slowdown-2": {"1.12", "1.12", "1.2", "1"},
	"min-gain": {"0.45", "0.45", "0.1", "0.8", "0"}, "block-size": {"16", "1", "2", "3", "4"}, "exceed-primary": {"0.125", "0", "0.5", "1"},
	"running-primaries": {"8", "1", "2", "3", "0"}, "longer-than-primary": {"3000", "0", "4", "12"},
	"slack": {"1.5", "3", "2", "1", "8"}, "estimate-adjust": {"0.75", "1", "0.9", "1"},
	"unfair": {"any", "worsened"}, "cst-compare-space": {"true", "false"}, "backfill-serial": {"single", "burst"}, "pack-alone": {"true", "true", "false"},
}

// typeLimits lists values of the knobs that limit the estimates of short and of medium jobs.
var typeLimits = map[string][]string{"short-max": {"2", "5", "9"}, "medium-max": {"8", "14", "20", "50"}}

// variants lists the values of the knob variant of G-LOMARC-TS.
var variants = []string{"glts", "cst", "cstws", "fbo", "ns", "nh", "ssp"}

// drawValues draws a value for each knob in choices, which lists the possible values. It adds the values to the map
// knobs. The key of a value is the prefix followed by the name of the knob. All values are equally likely; rapid itself
// would prefer the first ones.
func drawValues(t *rapid.T, knobs map[string]string, prefix string, choices map[string][]string) {
	r := rand.New(rand.NewPCG(6, rapid.Uint64().Draw(t, "knobs")))
	for _, name := range slices.Sorted(maps.Keys(choices)) {
		knobs[prefix+name] = choices[name][r.IntN(len(choices[name]))]
	}
}

// canStart returns a function that reports whether a job fits on an empty machine if it has as many
// processes per node as the slowdown limits allow.
func canStart(knobs map[string]string, prefix string) func(*job.Job, *cluster.Machine) bool {
	number := func(name string) float64 {
		f, _ := strconv.ParseFloat(knobs[prefix+name], 64)
		return f
	}
	l := gain.Limits{MaxSlowdown: number("max-slowdown"), MaxSelfSlowdown: number("self-slowdown-2")}
	return func(q *job.Job, m *cluster.Machine) bool {
		if q.Procs == 0 {
			return false
		}
		j := gain.Job{Procs: q.Procs, Nos: q.More.SLnos, Crs: q.More.SLcrs}
		j.PerNode = l.PerNode(j, m.SlotsPerNode())
		return j.Nodes() <= m.Nodes
	}
}

// drawSharing draws a case on shared nodes, with or without time slices. It also returns a function
// for the slowdown of job i when it shares a node with job j.
func drawSharing(t *rapid.T, variant string, inSlices bool) (*policytest.Case, func(i, j job.Index) float64) {
	name, prefix, knobs := "glomarc-ts", "", map[string]string{}
	if inSlices {
		name, prefix = "scojo-pect", "inner."
		knobs["inner"], knobs["node-choice"] = "glomarc-ts", "lowest"
	}
	knobs[prefix+"variant"] = variant
	drawValues(t, knobs, prefix, matchingKnobs)
	drawValues(t, knobs, "", typeLimits)
	w, model := policytest.DrawShared(t, canStart(knobs, prefix))
	c := w.Case(t, name, nil)
	if inSlices {
		c.Knobs = policytest.DrawKnobs(t, c.Spec, knobs)
	} else {
		c.Knobs = knobs
	}
	c.Speed = model.Speed(w.Jobs)
	t.Logf("%s", c)
	return c, c.Speed.(speed.Contention).Cos
}

// glomarcReference returns the reference implementation with the knobs of a case. The names of all
// knobs except the knobs in typeLimits start with the given prefix.
func glomarcReference(c *policytest.Case, prefix string) textbook.GlomarcTS {
	knob := func(name string) string { return c.Knobs[prefix+name] }
	number := func(name string) float64 {
		f, _ := strconv.ParseFloat(knob(name), 64)
		return f
	}
	limit := func(name string) job.Time {
		n, _ := strconv.ParseInt(c.Knobs[name], 10, 64)
		return n
	}
	return textbook.GlomarcTS{
		Variant: knob("variant"), MaxSlowdown: number("max-slowdown"), SelfSlowdown2: number("self-slowdown-2"), MinGain: number("min-gain"),
		BlockSize: int(number("block-size")), ExceedPrimary: number("exceed-primary"), RunningPrimaries: int(number("running-primaries")),
		LongerThanPrimary: number("longer-than-primary"), Slack: number("slack"), EstimateAdjust: number("estimate-adjust"),
		CompareSpace: knob("cst-compare-space") == "true", OnlyWorsened: knob("unfair") == "worsened", PackAlone: knob("pack-alone") == "true", SerialBursts: knob("backfill-serial") == "burst",
		ShortMax: limit("short-max"), MediumMax: limit("medium-max"),
	}
}

// formatPlacements returns a line for each job: when it ran, and on which cores.
func formatPlacements(l *log.Log) (out []string) {
	for j, s := range slicedJobs(l) {
		out = append(out, fmt.Sprintln(l.Jobs[j].ID, s.Segments, "on", s.Nodes, "with", l.Layout(job.Index(j)).PerNode, "on a node"))
	}
	return out
}

// formatReferencePlacements formats the result of the reference implementation like
// formatPlacements.
func formatReferencePlacements(c *policytest.Case, jobs []textbook.PlacedJob) (out []string) {
	for j, p := range jobs {
		out = append(out, fmt.Sprintln(c.Jobs[j].ID, p.Segments, "on", p.Slots, "with", p.PerNode, "on a node"))
	}
	return out
}

// caseNumbers maps log codes to the cases of Zeng 2009 that form groups.
var caseNumbers = map[log.Code]int{log.CaseWaiting: 1, log.CaseRunning: 2, log.CaseJoin: 3}

// formatGroups returns a line for each group: its start, its case, its gain in millionths,
// its primary and its matched jobs.
func formatGroups(l *log.Log) (out []string) {
	last, with := job.None, 0
	for r := range l.All() {
		if r.Kind != log.Group {
			continue
		}
		if last != r.Other || with == 0 {
			out = append(out, fmt.Sprintf("at %d case %d gain %d: %s with", r.At, caseNumbers[r.Code], r.X, l.Jobs[r.Other].ID))
			last, with = r.Other, int(r.Y)
		}
		with--
		out[len(out)-1] += " " + l.Jobs[r.Job].ID
	}
	return out
}

// formatReferenceGroups formats the result of the reference implementation like formatGroups.
func formatReferenceGroups(c *policytest.Case, b []textbook.GroupStart) (out []string) {
	for _, start := range b {
		if len(start.Matched) == 0 {
			continue
		}
		text := fmt.Sprintf("at %d case %d gain %d: %s with", start.At, start.Case, int64(math.Floor(start.Gain*1e6+0.5)), c.Jobs[start.Primary].ID)
		for _, j := range start.Matched {
			text += " " + c.Jobs[j].ID
		}
		out = append(out, text)
	}
	return out
}

// comparisonStats holds statistics of the schedules that were compared.
type comparisonStats struct {
	schedules, jobs                     int
	steps, unfair, ties                 int    // see textbook.GlomarcResult
	matched                             int    // matched jobs of all groups
	cases                               [6]int // number of starts, by the number of their case
	short, intolerant                   int    // counts of jobs: short, and above max-slowdown with two processes per node
	packed, fewerPerNode, bursts, wider int    // numbers of special starts, see count
}

// compare runs a case with both implementations and requires equal schedules and groups.
func (n *comparisonStats) compare(t policytest.TB, c *policytest.Case, ref textbook.GlomarcTS) {
	want := ref.Run(&c.Machine, c.Jobs, c.Speed.(speed.Contention).Cos)
	l := c.Run(t)
	require.Equal(t, formatReferenceGroups(c, want.Starts), formatGroups(l))
	require.Equal(t, formatReferencePlacements(c, want.Jobs), formatPlacements(l))
	n.count(c, &ref, want)
}

// count adds a schedule to the statistics. These starts count as special (textbook.GroupStart
// explains the cases):
//
//   - packed: case 4 with two processes per node, because one per node did not fit
//   - fewerPerNode: case 4 with fewer processes per node than formula 11 gives
//   - bursts: a backfilled group whose parallel primary comes after one of its serial jobs
//   - wider: case 3 with other matched jobs besides the head of the queue
func (n *comparisonStats) count(c *policytest.Case, ref *textbook.GlomarcTS, result textbook.GlomarcResult) {
	n.schedules++
	n.jobs += len(c.Jobs)
	n.steps += result.Steps
	n.unfair += result.Unfair
	n.ties += result.Ties
	for i := range c.Jobs {
		if c.Jobs[i].Estimate <= ref.ShortMax {
			n.short++
		}
		if gain.NewJob(&c.Jobs[i].Request).Nos > ref.MaxSlowdown {
			n.intolerant++
		}
	}
	for _, start := range result.Starts {
		n.cases[start.Case]++
		n.matched += len(start.Matched)
		q := gain.NewJob(&c.Jobs[start.Primary].Request)
		fourFit := q.Procs > 1 && c.Machine.SlotsPerNode() >= 4 && q.Nos*q.Crs <= ref.MaxSlowdown
		switch {
		case start.Case == 4 && start.PerNode == 2 && q.Nos > ref.SelfSlowdown2:
			n.packed++
		case start.Case == 4 && start.PerNode < 4 && fourFit:
			n.fewerPerNode++
		case start.Case == 1 && start.Backfilled && q.Procs > 1 && slices.Min(start.Matched) < start.Primary:
			n.bursts++
		case start.Case == 3 && len(start.Matched) > 1:
			n.wider++
		}
	}
}

// report logs the statistics. If there are enough random workloads, it requires that each case of
// the variant occurred.
func (n *comparisonStats) report(t *testing.T, variant string) {
	groups := n.cases[1] + n.cases[2] + n.cases[3]
	t.Logf("%s: %d schedules of %d jobs: %d short jobs, %d with SL_nos above max-slowdown; starts: %d packed, %d with fewer processes per node, %d bursts, %d wider in Case 3; %d ties of gains",
		variant, n.schedules, n.jobs, n.short, n.intolerant, n.packed, n.fewerPerNode, n.bursts, n.wider, n.ties)
	t.Logf("%s: %d steps; %d groups of case 1, %d of case 2, %d of case 3, with %d matched jobs; %d unfair sets; %d jobs started alone by case 4, %d by case 5",
		variant, n.steps, n.cases[1], n.cases[2], n.cases[3], n.matched, n.unfair, n.cases[4], n.cases[5])
	if !soak.CoversAllCases(t) {
		return
	}
	require.Positive(t, n.cases[4])
	require.Positive(t, n.cases[5])
	require.Positive(t, n.short)
	require.Positive(t, n.intolerant)
	if variant == "ssp" {
		require.Zero(t, groups)
		require.Zero(t, n.packed+n.fewerPerNode)
		return
	}
	for _, k := range n.cases[1:4] {
		require.Positive(t, k)
	}
	require.Positive(t, n.unfair)
	require.Positive(t, n.packed)
	if n.schedules >= 1000 {
		require.Positive(t, n.bursts, "too rare for fewer schedules")
	}
	if variant != "cst" && variant != "cstws" {
		require.Greater(t, n.matched, groups, "groups of more than two jobs")
		require.True(t, n.wider > 0 || n.schedules < 200, "too rare for fewer schedules")
	}
}

// TestSoakGlomarc runs every variant of G-LOMARC-TS with random knobs, and compares it with the
// reference implementation. Both must produce the same execution intervals, cores, groups and gains
// of the groups.
func TestSoakGlomarc(t *testing.T) {
	for _, variant := range variants {
		t.Run(variant, func(t *testing.T) {
			n := comparisonStats{}
			soak.Check(t, 0.02, func(t *rapid.T) {
				c, _ := drawSharing(t, variant, false)
				n.compare(t, c, glomarcReference(c, ""))
			})
			n.report(t, variant)
		})
	}
}

// TestSoakGlomarcOfTheThesis makes the same comparison as TestSoakGlomarc, with the parameters of
// Zeng 2009. The times among these parameters are divided by 30, because the reference
// implementation simulates second by second and would take too long for the full times.
func TestSoakGlomarcOfTheThesis(t *testing.T) {
	knobs := map[string]string{"variant": "glts", "max-slowdown": "1.25", "self-slowdown-2": "1.12", "min-gain": "0.45", "block-size": "16",
		"exceed-primary": "0.125", "running-primaries": "8", "longer-than-primary": "100", "slack": "1.5", "estimate-adjust": "0.75",
		"cst-compare-space": "true", "backfill-serial": "single", "pack-alone": "true", "short-max": "20", "medium-max": "360"}
	n := comparisonStats{}
	soak.Check(t, 0.005, func(t *rapid.T) {
		knobs["unfair"] = rapid.SampledFrom([]string{"any", "worsened"}).Draw(t, "unfair")
		w, model := policytest.DrawShared(t, canStart(knobs, ""))
		w.Jobs = small.Scaled(w.Jobs, 5)
		c := w.Case(t, "glomarc-ts", knobs)
		c.Speed = model.Speed(w.Jobs)
		n.compare(t, c, glomarcReference(c, ""))
	})
	t.Logf("%+v", n)
}
