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
)

// matchmaking is values of the knobs that make a difference to small workloads.
var matchmaking = map[string][]string{
	"max-slowdown": {"1.25", "1.25", "1.4", "1.1"}, "self-slowdown-2": {"1.12", "1.12", "1.2", "1"},
	"min-gain": {"0.45", "0.45", "0.1", "0.8", "0"}, "block-size": {"16", "1", "2", "3", "4"}, "exceed-primary": {"0.125", "0", "0.5", "1"},
	"running-primaries": {"8", "1", "2", "3", "0"}, "longer-than-primary": {"3000", "0", "4", "12"},
	"slack": {"1.5", "3", "2", "1", "8"}, "estimate-adjust": {"0.75", "1", "0.9", "1"},
	"unfair": {"any", "worsened"}, "cst-compare-space": {"true", "false"}, "backfill-serial": {"single", "burst"}, "pack-alone": {"true", "true", "false"},
}

// typesOf is the limits of the types of jobs.
var typesOf = map[string][]string{"short-max": {"2", "5", "9"}, "medium-max": {"8", "14", "20", "50"}}

var variants = []string{"glts", "cst", "cstws", "fbo", "ns", "nh", "ssp"}

// choose takes a value of each knob, all as likely: rapid by itself prefers the first.
func choose(t *rapid.T, knobs map[string]string, prefix string, from map[string][]string) {
	r := rand.New(rand.NewPCG(6, rapid.Uint64().Draw(t, "knobs")))
	for _, name := range slices.Sorted(maps.Keys(from)) {
		knobs[prefix+name] = from[name][r.IntN(len(from[name]))]
	}
}

// canStart reports whether a job can start as dense as the limits allow.
func canStart(knobs map[string]string, prefix string) func(*job.Job, *cluster.Machine) bool {
	number := func(name string) float64 {
		f, _ := strconv.ParseFloat(knobs[prefix+name], 64)
		return f
	}
	l := gain.Limits{Slow: number("max-slowdown"), Two: number("self-slowdown-2")}
	return func(q *job.Job, m *cluster.Machine) bool {
		if q.Procs == 0 {
			return false
		}
		j := gain.Job{Procs: q.Procs, Nos: q.More.SLnos, Crs: q.More.SLcrs}
		j.PerNode = l.PerNode(j, m.PerNode())
		return j.Nodes() <= m.Nodes
	}
}

// sharing returns a case on shared nodes, alone or in time slices, and how much its
// jobs slow each other down.
func sharing(t *rapid.T, variant string, inSlices bool) (*policytest.Case, func(i, j job.Index) float64) {
	name, prefix, knobs := "glomarc-ts", "", map[string]string{}
	if inSlices {
		name, prefix = "scojo-pect", "inner."
		knobs["inner"], knobs["node-choice"] = "glomarc-ts", "lowest"
	}
	knobs[prefix+"variant"] = variant
	choose(t, knobs, prefix, matchmaking)
	choose(t, knobs, "", typesOf)
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

// groupsByTheBook returns the knobs of a case for the second implementation.
func groupsByTheBook(c *policytest.Case, prefix string) textbook.GlomarcTS {
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
		Variant: knob("variant"), Slow: number("max-slowdown"), Two: number("self-slowdown-2"), MinGain: number("min-gain"),
		Block: int(number("block-size")), Exceed: number("exceed-primary"), Primaries: int(number("running-primaries")),
		Longer: number("longer-than-primary"), Slack: number("slack"), Adjust: number("estimate-adjust"),
		CompareSpace: knob("cst-compare-space") == "true", Worsened: knob("unfair") == "worsened", Pack: knob("pack-alone") == "true", Bursts: knob("backfill-serial") == "burst",
		ShortMax: limit("short-max"), MediumMax: limit("medium-max"),
	}
}

// placed returns a line for each job: when it ran, and on which cores.
func placed(l *log.Log) (out []string) {
	for j, s := range sliced(l) {
		out = append(out, fmt.Sprintln(l.Jobs[j].ID, s.Segments, "on", s.Nodes, "with", l.Layout(job.Index(j)).PerNode, "on a node"))
	}
	return out
}

// placedByTheBook returns the same of the second implementation.
func placedByTheBook(c *policytest.Case, jobs []textbook.Placed) (out []string) {
	for j, p := range jobs {
		out = append(out, fmt.Sprintln(c.Jobs[j].ID, p.Segments, "on", p.Slots, "with", p.PerNode, "on a node"))
	}
	return out
}

// cases is the codes of the cases of the thesis in which groups are formed.
var cases = map[log.Code]int{log.CaseWaiting: 1, log.CaseRunning: 2, log.CaseJoin: 3}

// formed returns a line for each group: when, its case, its primary and who is matched,
// and the gain in millionths.
func formed(l *log.Log) (out []string) {
	last, with := job.None, 0
	for r := range l.All() {
		if r.Kind != log.Group {
			continue
		}
		if last != r.Other || with == 0 {
			out = append(out, fmt.Sprintf("at %d case %d gain %d: %s with", r.At, cases[r.Code], r.X, l.Jobs[r.Other].ID))
			last, with = r.Other, int(r.Y)
		}
		with--
		out[len(out)-1] += " " + l.Jobs[r.Job].ID
	}
	return out
}

// formedByTheBook returns the same of the second implementation.
func formedByTheBook(c *policytest.Case, b []textbook.Began) (out []string) {
	for _, x := range b {
		if len(x.Matched) == 0 {
			continue
		}
		text := fmt.Sprintf("at %d case %d gain %d: %s with", x.At, x.Case, int64(math.Floor(x.Gain*1e6+0.5)), c.Jobs[x.Primary].ID)
		for _, j := range x.Matched {
			text += " " + c.Jobs[j].ID
		}
		out = append(out, text)
	}
	return out
}

// seen counts what happened in schedules that were compared.
type seen struct {
	schedules, jobs, steps, unfair, sizes, ties int
	cases                                       [6]int
	short, intolerant                           int // jobs: short, and with SL_nos above max-slowdown
	packed, sparser, bursts, wider              int // starts: see count
}

// compare runs a case by both implementations.
func (n *seen) compare(t policytest.TB, c *policytest.Case, book textbook.GlomarcTS) {
	want := book.Run(&c.Machine, c.Jobs, c.Speed.(speed.Contention).Cos)
	l := c.Run(t)
	require.Equal(t, formedByTheBook(c, want.Starts), formed(l))
	require.Equal(t, placedByTheBook(c, want.Jobs), placed(l))
	n.count(c, &book, want)
}

// count counts the branches of the thesis that a schedule takes: starts of Case 4 with
// two processes per node where one did not fit (packed), backfilled ones with fewer
// than formula 11 gives (sparser), backfilled groups of a parallel primary with serial
// jobs before it (bursts), and groups of Case 3 with more than the first job (wider).
func (n *seen) count(c *policytest.Case, book *textbook.GlomarcTS, b textbook.Matched) {
	n.schedules++
	n.jobs += len(c.Jobs)
	n.steps += b.Steps
	n.unfair += b.Unfair
	n.ties += b.Ties
	for i := range c.Jobs {
		if c.Jobs[i].Estimate <= book.ShortMax {
			n.short++
		}
		if gain.Of(&c.Jobs[i].Request).Nos > book.Slow {
			n.intolerant++
		}
	}
	for _, x := range b.Starts {
		n.cases[x.Case]++
		n.sizes += len(x.Matched)
		q := gain.Of(&c.Jobs[x.Primary].Request)
		quad := q.Procs > 1 && c.Machine.PerNode() >= 4 && q.Nos*q.Crs <= book.Slow
		switch {
		case x.Case == 4 && x.PerNode == 2 && q.Nos > book.Two:
			n.packed++
		case x.Case == 4 && x.PerNode < 4 && quad:
			n.sparser++
		case x.Case == 1 && x.Behind && q.Procs > 1 && slices.Min(x.Matched) < x.Primary:
			n.bursts++
		case x.Case == 3 && len(x.Matched) > 1:
			n.wider++
		}
	}
}

// report demands that each case occurs that a variant knows.
func (n *seen) report(t *testing.T, variant string) {
	groups := n.cases[1] + n.cases[2] + n.cases[3]
	t.Logf("%s: %d schedules of %d jobs: %d jobs short, %d with SL_nos above max-slowdown; starts packed %d, sparser %d, bursts %d, wider in Case 3 %d; %d ties of gains",
		variant, n.schedules, n.jobs, n.short, n.intolerant, n.packed, n.sparser, n.bursts, n.wider, n.ties)
	t.Logf("%s: %d states; groups %d of case 1, %d of case 2, %d of case 3, with %d matched jobs; %d sets unfair; alone %d of case 4, %d of case 5",
		variant, n.steps, n.cases[1], n.cases[2], n.cases[3], n.sizes, n.unfair, n.cases[4], n.cases[5])
	if !soak.Covers(t) {
		return
	}
	require.Positive(t, n.cases[4])
	require.Positive(t, n.cases[5])
	require.Positive(t, n.short)
	require.Positive(t, n.intolerant)
	if variant == "ssp" {
		require.Zero(t, groups)
		require.Zero(t, n.packed+n.sparser)
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
		require.Greater(t, n.sizes, groups, "groups of more than two jobs")
		require.True(t, n.wider > 0 || n.schedules < 200, "too rare for fewer schedules")
	}
}

// Starts, ends, cores and groups with their gains are those of the second
// implementation, in every variant and under all knobs.
func TestSoakGlomarc(t *testing.T) {
	for _, variant := range variants {
		t.Run(variant, func(t *testing.T) {
			n := seen{}
			soak.Check(t, 0.02, func(t *rapid.T) {
				c, _ := sharing(t, variant, false)
				n.compare(t, c, groupsByTheBook(c, ""))
			})
			n.report(t, variant)
		})
	}
}

// So they are with the parameters of the thesis, where all times are a thirtieth:
// by seconds they would be too many.
func TestSoakGlomarcOfTheThesis(t *testing.T) {
	knobs := map[string]string{"variant": "glts", "max-slowdown": "1.25", "self-slowdown-2": "1.12", "min-gain": "0.45", "block-size": "16",
		"exceed-primary": "0.125", "running-primaries": "8", "longer-than-primary": "100", "slack": "1.5", "estimate-adjust": "0.75",
		"cst-compare-space": "true", "backfill-serial": "single", "pack-alone": "true", "short-max": "20", "medium-max": "360"}
	n := seen{}
	soak.Check(t, 0.005, func(t *rapid.T) {
		knobs["unfair"] = rapid.SampledFrom([]string{"any", "worsened"}).Draw(t, "unfair")
		w, model := policytest.DrawShared(t, canStart(knobs, ""))
		w.Jobs = policytest.Scaled(w.Jobs, 5)
		c := w.Case(t, "glomarc-ts", knobs)
		c.Speed = model.Speed(w.Jobs)
		n.compare(t, c, groupsByTheBook(c, ""))
	})
	t.Logf("%+v", n)
}
