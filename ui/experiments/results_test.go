package experiments

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/format"
	"backfill-lab/core/sweep"
	"backfill-lab/ui/session"
)

func TestBandsStayWithinPossibleValues(t *testing.T) {
	c := opened(t, small)
	makeRuns(t, c, 100)
	for _, v := range c.results.runs {
		v["utilization"] = 0.99
	}
	c.results.runs[0]["mean-wait"], c.results.runs[0]["utilization"] = 90_000, 0.5
	s := c.definition.Summarize(c.values)[0]
	require.Negative(t, s.Rows[0].Mean.Low, "the interval contains impossible values")
	x := c.plot()
	assert.Contains(t, x.Points[0].Text, "h\u00a0", "a duration is on one line")
	assert.Zero(t, *x.Points[0].Low)
	assert.Positive(t, *x.Points[0].High)
	c.view.metric = "utilization"
	assert.InDelta(t, 100, *c.plot().Points[0].High, 1e-9)
}

func TestALogarithmicAxisNeedsPositiveValues(t *testing.T) {
	c := opened(t, small)
	makeRuns(t, c, 100)
	for _, v := range c.results.runs {
		v["mean-wait"]++
	}
	log := true
	c.view.log = &log
	assert.Empty(t, c.LogHelp())
	assert.True(t, c.plot().Log)
	c.view.kind = kindHeat
	assert.Equal(t, "A heat map has no value axis.", c.LogHelp())
	c.view.kind = kindBox
	c.results.runs[1]["mean-wait"] = 0
	assert.Equal(t, "A logarithmic axis needs values above 0. Too small: EASY on lublin, load factor 1, seed 1: 0 s.", c.LogHelp())
	assert.False(t, c.plot().Log)
	assert.False(t, c.IsLog())
}

func TestAxisIsLogarithmicForAWideRange(t *testing.T) {
	c := opened(t, small)
	makeRuns(t, c, 100)
	for _, v := range c.results.runs {
		v["mean-wait"] = 10
	}
	assert.Empty(t, c.LogHelp())
	c.view.kind = kindBox
	c.results.runs[0]["mean-wait"] = 12_340
	assert.Equal(t, "The axis is logarithmic, because the largest value is 1,234 times the smallest.", c.LogHelp())
	assert.True(t, c.IsLog())
	log := false
	c.view.log = &log
	assert.Equal(t, "The largest value is 1,234 times the smallest. A logarithmic axis shows small values better.", c.LogHelp())
	assert.False(t, c.IsLog(), "as the user has selected")
}

// The help text of the load factors mentions the offered load even before the first run.
func TestFormNamesTheOfferedLoad(t *testing.T) {
	c := opened(t, small)
	help := func() string { return c.LoadAndSeedFields()[0].Help }
	x := c.offered()
	require.Less(t, x.low, x.mean)
	require.Less(t, x.mean, x.high)
	number := func(v float64) string { return format.Decimals(v, 2) }
	assert.Equal(t, "Separated by commas. With factor 2, the jobs arrive twice as fast. Factor 1 is an offered load of "+number(x.mean)+" (for individual seeds, "+number(x.low)+" to "+number(x.high)+")", help())
	c.SetText(strings.Replace(small, `"count": 3`, `"count": 1`, 1))
	require.NoError(t, c.err)
	assert.True(t, strings.HasSuffix(help(), " is an offered load of "+number(c.offered().mean)), help())
	c.SetText("{}")
	assert.NotContains(t, c.loadFieldHelp(), "offered")
}

// If the user types offered loads, the page computes the load factors from them, and does so again after the jobs
// change. Load factors that the user types later replace the offered loads.
func TestTypedOfferedLoads(t *testing.T) {
	c := opened(t, small)
	field := func(place int) string { return c.LoadAndSeedFields()[place].Text }
	factors := func(loads ...float64) string {
		var words []string
		for _, l := range loads {
			words = append(words, strconv.FormatFloat(l/c.offered().mean, 'g', 4, 64))
		}
		return strings.Join(words, ", ")
	}
	require.Equal(t, convertLoads(c.draft.Loads, func(v float64) string { return format.Decimals(v*c.offered().mean, 2) }), field(1))
	require.Equal(t, loadAxis, c.axis())
	known := c.view.offered
	c.view.offered = offered{key: known.key, pending: true}
	assert.Empty(t, field(1), "still unknown")
	c.setOffered("0.2,0.3")
	assert.Equal(t, "0.2,0.3", field(1), "nothing typed is lost")
	c.view.offered = known
	c.updateLoadFactors()
	require.NoError(t, c.err)
	assert.Equal(t, factors(0.2, 0.3), field(0))
	assert.Equal(t, "0.2,0.3", field(1), "as typed")
	makeRuns(t, c, 100)
	assert.Equal(t, "0.2", c.plot().Points[0].X)
	assert.Equal(t, "Offered load (mean over the seeds)", c.plot().XLabel)
	before := c.draft.Loads
	c.draft.Seeds = "1-5"
	c.handleEdit()
	assert.Equal(t, before, c.draft.Loads, "the finished runs stay useful")
	assert.Equal(t, convertLoads(before, func(v float64) string { return format.Decimals(v*c.offered().mean, 2) }), field(1))
	c.draft.Workloads[0].Model.Nodes = "64"
	c.handleEdit()
	assert.NotEqual(t, before, c.draft.Loads)
	assert.Equal(t, factors(0.2, 0.3), field(0))
	c.setOffered("0.2, x")
	assert.Equal(t, "0.2, x", field(1))
	assert.Equal(t, `Offered loads: expected numbers above 0 and at most 10^9, got "x".`, c.Problem())
	assert.Equal(t, "true", c.LoadAndSeedFields()[1].Invalid)
	c.setOffered("0.2, 0.20")
	assert.Equal(t, `Offered loads: expected each number only once, got "0.20" again.`, c.Problem())
	c.setOffered("0.2")
	c.AddModel()
	assert.False(t, c.usesOfferedLoads(), "another workload has another offered load")
	c.DropWorkload(1)
	c.setOffered("")
	assert.Empty(t, field(0)+field(1), "the field can be cleared")
	c.draft.Loads = "1"
	c.handleEdit()
	assert.Equal(t, format.Decimals(c.offered().mean, 2), field(1))
	assert.Equal(t, loadAxis, c.axis())
}

// On a logarithmic axis, the unit of the values suits the middle of the axis, not the largest value.
func TestUnitOfLogarithmicAxis(t *testing.T) {
	c := opened(t, small)
	makeRuns(t, c, 100)
	for i, r := range c.results.runs {
		if r["mean-wait"] = 400_000; i%len(c.definition.Policies) == 0 {
			r["mean-wait"] = 2000
		}
	}
	require.True(t, c.plot().Log)
	assert.Equal(t, "Mean wait, h", c.plot().Label)
	assert.InDelta(t, 2000.0/3600, c.plot().Points[0].Y, 1e-9)
	log := false
	c.view.log = &log
	assert.Equal(t, "Mean wait, d", c.plot().Label)
}

func TestOfferedLoadGrowsWithTheFactor(t *testing.T) {
	c := opened(t, small)
	makeRuns(t, c, 100)
	base := c.offered().mean
	require.Positive(t, base)
	c.definition.Loads = []float64{1.5}
	for seed := range c.definition.Seeds {
		// The offered load is the work divided by the capacity from the first to the last submission.
		up, err := c.definition.Scenario(sweep.Group{Load: 1.5, Seed: c.definition.Seeds[seed]}, 0).Setup()
		require.NoError(t, err)
		jobs, work := up.Work.Jobs, 0.0
		for _, j := range jobs {
			work += float64(j.Procs) * float64(j.Runtime)
		}
		base -= work / float64(jobs[len(jobs)-1].Submit-jobs[0].Submit) / 32 / 1.5 / 3
	}
	assert.InDelta(t, 0, base, 1e-3, "submit times are rounded to seconds")

	c = opened(t, strings.Replace(small, `"jobs": 60`, `"jobs": 60000`, 1))
	assert.Zero(t, c.offered().mean, "drawing all jobs would take long")
	assert.Equal(t, "Load factor", c.loadLabel())
}

func TestOfferedLoadIsComputedAgainOnlyForOtherJobs(t *testing.T) {
	c := opened(t, small)
	require.Positive(t, c.offered().mean)
	c.view.offered.mean = 77
	c.SetText(strings.Replace(small, "[1, 1.5]", "[2]", 1))
	assert.EqualValues(t, 77, c.offered().mean, "other load factors")
	c.SetText(strings.Replace(small, `"count": 3`, `"count": 4`, 1))
	assert.NotEqualValues(t, 77, c.offered().mean, "other seeds")
}

func TestRowsNameTheOfferedLoad(t *testing.T) {
	c := opened(t, small)
	makeRuns(t, c, 100)
	rows := c.Rows()
	offered := format.Decimals(c.offered().mean, 2)
	assert.Equal(t, "Load factor 1 (offered load "+offered+")", rows[0].Load)
	assert.True(t, rows[0].FirstOfLoad)
	assert.False(t, rows[1].FirstOfLoad)
	assert.NotContains(t, rows[3].Load, offered)
	assert.Contains(t, c.plot().Points[0].Text, ", load factor 1 (offered load "+offered+"): ")
	assert.Equal(t, "Load factor (1 = offered load "+offered+")", c.plot().XLabel)
}

func TestOverloadIsWarnedOf(t *testing.T) {
	c := opened(t, small)
	makeRuns(t, c, 100)
	full := 1 / c.offered().mean // load factor with an offered load of 1
	warnings := func(loads ...float64) []string {
		c := opened(t, strings.Replace(small, "[1, 1.5]", strings.ReplaceAll(fmt.Sprint(loads), " ", ", "), 1))
		makeRuns(t, c, 100)
		return c.Warnings()
	}
	below, above := math.Floor(99*full)/100, math.Ceil(101*full)/100
	assert.Contains(t, warnings(below, above, 2*above), "Load factor "+sweep.Number(above)+", "+sweep.Number(2*above)+": The offered load is 1 or more. The queue grows as long as jobs arrive, so waits depend on the number of jobs.")
	high := 0.999 / c.offered().mean
	require.GreaterOrEqual(t, high*c.offered().high, 1.0)
	assert.Contains(t, warnings(high), "With some seeds, the offered load is 1 or more, although the mean is below 1. With these seeds, the queue grows as long as jobs arrive.")
	assert.NotContains(t, strings.Join(warnings(below/2), " "), "offered load")
}

func TestExcludedJobsAreSaid(t *testing.T) {
	c := opened(t, small)
	assert.Empty(t, c.ExcludedText())
	c = opened(t, sample)
	assert.Equal(t, "Excluded from the metrics: the first 5 % and the last 5 % of the jobs. That is 15 + 15 of 300 jobs in each run.", c.ExcludedText())
	c.ChangeExcluded()
	assert.Equal(t, "x-workload-0-warmup", c.Focus)
	c.view.workload = 1
	c.ChangeExcluded()
	assert.Equal(t, textID, c.Focus)
}

func TestLaTeXHasOneUnitPerColumn(t *testing.T) {
	c := opened(t, small)
	makeRuns(t, c, 100)
	c.results.runs[0]["mean-wait"] = 9_000_000 // the run of FCFS
	c.results.runs[2]["mean-wait"] = 30
	tex := c.latex()
	assert.Contains(t, tex, `Load factor & Policy & Mean wait, min & $\pm$ & Change, \% & $\pm$ \\`)
	for _, line := range strings.Split(tex, "\n") {
		if cells := strings.Split(strings.TrimSuffix(line, ` \\`), " & "); len(cells) == 6 && cells[2] != "Mean wait, min" {
			assert.Regexp(t, `^(\d\d+\.\d|\d\.\d\d)$`, cells[2], "three significant digits and no comma, although another mean is months long")
			assert.Regexp(t, `^\d+\.\d+$`, cells[3])
			assert.Regexp(t, `^(baseline|(\$-\$|\+)[\d.]+)$`, cells[4])
		}
	}
	assert.NotContains(t, tex, "sim", "all differences are significant")
	for i, v := range c.results.runs {
		v["mean-wait"] = 6000
		if i%3 == 1 { // EASY
			v["mean-wait"] = []float64{5400, 6000, 7200}[i/3%3]
		}
	}
	tex = c.latex()
	assert.Contains(t, tex, ` & EASY & 103 & 38 & $\sim$ +3.3 & 37.9 \\`)
	assert.Contains(t, tex, "\\bottomrule\n\\multicolumn{6}{l}{$\\sim$: the 95 \\% interval of the change contains 0} \\\\\n\\end{tabular}\n")
	c.view.metric = "utilization"
	assert.Contains(t, c.latex(), `Utilization, \% & `)
	assert.NotContains(t, c.latex(), "Excluded")
	c = opened(t, sample)
	makeRuns(t, c, 10)
	assert.Contains(t, c.latex(), "\n% "+c.ExcludedText()+"\n")
}

func TestReplacingTheDefinitionCanBeUndone(t *testing.T) {
	c := opened(t, small)
	require.NoError(t, c.err)
	c.ComparePolicies()
	require.NoError(t, c.err)
	assert.Equal(t, 200, c.definition.Runs(), "1 workload x 5 loads x 10 seeds x 4 policies")
	assert.NotEqual(t, small, c.text)
	require.True(t, c.CanUndo())
	c.Undo()
	assert.Equal(t, small, c.text)
	assert.False(t, c.CanUndo())

	c.DropPolicy(1)
	require.Len(t, c.draft.Policies, 1)
	c.Undo()
	require.Len(t, c.draft.Policies, 2)

	c.DropPolicy(1)
	c.draft.Title = "typed"
	c.handleEdit()
	assert.False(t, c.CanUndo(), "an edit after it would be lost")

	c.ComparePolicies()
	c.Forget()
	assert.False(t, c.CanUndo(), "the text before has names")
}

func TestStartFromCurrentKeepsTheDefinitionOfAnInvalidScenario(t *testing.T) {
	c := New(session.New())
	c.started = true
	c.SetText(small)
	c.StartFromCurrent() // shows a message, because there is no valid scenario
	assert.Equal(t, small, c.text)
	assert.Contains(t, c.Message(), "The current scenario has errors.")
}

func TestDeletedResultsCanBeRestored(t *testing.T) {
	c := opened(t, small)
	makeRuns(t, c, 100)
	c.store.waiting = nil
	c.DeleteResults()
	assert.Zero(t, c.results.done)
	assert.Empty(t, c.results.known)
	c.Undo()
	assert.Equal(t, 18, c.results.done)
	assert.Len(t, c.store.waiting, 18, "they are stored again")
}

// scenarioOf puts the policy of the opened run first. The other policies follow, except those with exact estimates.
// Only the first four policies have charts.
func TestScenarioOf(t *testing.T) {
	d, err := sweep.Parse([]byte(`{"version": 1, "workloads": [{"name": "w", "scenario": {"version": 1, "machine": {"nodes": 8}, "workload": {"generator": "lublin", "parameters": {"jobs": 9}, "seed": 1}}}],
		"loads": [1, 2], "seeds": [5], "metrics": ["mean-wait"], "policies": [{"name": "fcfs"}, {"name": "easy", "baseline": true, "knobs": {"order": ["fifo", "sjf"]}},
		{"name": "easy", "exact-estimates": 50}, {"name": "conservative"}, {"name": "first-fit"}]}`))
	require.NoError(t, err)
	s := scenarioOf(d, d.Group(1), 4)
	var got []string
	for _, p := range s.Policies {
		got = append(got, fmt.Sprint(p.Name, p.Knobs["order"], " ", p.Baseline, !p.NoChart))
	}
	require.Equal(t, []string{"conservative false true", "fcfs false true", "easyfifo true true", "easysjf false true", "first-fit false false"}, got)
	require.Equal(t, 2.0, s.Rules.LoadFactor)
	require.Equal(t, "w, load factor 2, seed 5", s.Title)
}
