package document

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/core/slowdown"
)

func TestClassesAndSlowdownsOfJobs(t *testing.T) {
	d := small()
	require.False(t, d.ShowsSharing())
	require.Equal(t, []Column{ID, Submit, Procs, Estimate, Runtime}, d.Columns(d.Rows.Groups()))
	d = d.SetCell(0, Class, "cg").SetCell(0, SLnos, "1.10").SetCell(1, SLcrs, "1.3")
	require.True(t, d.ShowsSharing(), "a job has values in these columns")
	require.Equal(t, []Column{Class, SLnos, SLcrs}, d.Columns(Shares)[5:])
	require.Equal(t, "1.10", text(d, 0, SLnos), "the text is kept as typed")
	plan, bad := d.Check()
	require.Empty(t, bad)
	require.Equal(t, &job.More{Class: "cg", SLnos: 1.1}, plan.Jobs()[0].More)
	require.Equal(t, &job.More{SLcrs: 1.3}, plan.Jobs()[1].More)
	for typed, want := range map[string]string{
		"x": `expected a number, got "x"`, "NaN": `expected a number, got "NaN"`,
		"101": "expected 0 to 100, got 101", "-1": "expected 0 to 100, got -1",
	} {
		e := d.SetCell(0, SLnos, typed)
		require.Equal(t, typed, text(e, 0, SLnos))
		_, bad = e.Check()
		require.Equal(t, []Problem{cellProblem(0, SLnos, want)}, bad)
	}
	d = d.SetCell(0, SLnos, "x").SetCell(0, SLnos, "").SetCell(0, Class, "").SetCell(1, SLcrs, "0")
	require.Equal(t, "0", text(d, 1, SLcrs))
	plan, bad = check(d.SetCell(1, SLcrs, ""))
	require.Empty(t, bad)
	require.Nil(t, plan.Jobs()[0].More, "empty cells leave no optional data")
	require.False(t, plan.Rows.Groups()&Shares != 0)

	two := small().SetMachineText(2, "2")
	require.True(t, two.ShowsSharing(), "jobs may share nodes with several cores")
	d, err := two.Paste(0, two.Columns(Shares)[5:], "lu\t1.2\t\n", nil, NoPause)
	require.NoError(t, err)
	require.Equal(t, []string{"lu", "1.2", ""}, []string{text(d, 0, Class), text(d, 0, SLnos), text(d, 0, SLcrs)})
	d, err = rich().Paste(0, richColumns(0), "slcrs,class,res:gpu\n1.5,ft,1\n", nil, NoPause)
	require.NoError(t, err)
	plan, bad = check(d.DropResource(0))
	require.Empty(t, bad)
	require.Equal(t, &job.More{Class: "ft", SLcrs: 1.5, Extra: []int64{1}}, plan.Jobs()[0].More)
}

func TestJobsPerNode(t *testing.T) {
	d := small().SetMachineText(3, "2")
	plan, bad := d.Check()
	require.Empty(t, bad)
	require.Equal(t, 2, plan.Run.Machine.JobsPerNode)
	_, bad = check(d.SetMachineText(3, "-1"))
	require.Equal(t, []Problem{machineProblem("jobs-per-node", "machine, jobs-per-node: expected 0 (no limit) to 4000000, got -1")}, bad)
	_, bad = check(d.SetMachineText(3, ""))
	require.Equal(t, []Problem{machineProblem("jobs-per-node", `machine, jobs-per-node: expected a whole number, got ""`)}, bad)
}

// paired returns the document that small returns, with slowdowns between its two jobs, which are named 1 and 2.
func paired(lines string) Doc {
	return small().EditSlowdown(func(s *Slowdown) { s.Pairs = lines })
}

func TestSlowdownsBetweenJobs(t *testing.T) {
	d := small().EditSlowdown(func(s *Slowdown) { s.RandomUnlisted = true })
	part, bad := d.Slowdowns()
	require.Empty(t, bad)
	require.Equal(t, slowdown.Model{Drawn: true, Seed: 1}, part.Model)
	require.Nil(t, small().Slowdown, "an edit does not change the previous document")
	require.Nil(t, d.EditSlowdown(func(s *Slowdown) { s.RandomUnlisted = false }).Slowdown)
	for typed, want := range map[string]string{
		"-1": "slowdown, seed: expected 0 to 4294967295, got -1", "4294967296": "slowdown, seed: expected 0 to 4294967295, got 4294967296",
		"": `slowdown, seed: expected a whole number, got ""`, "1.5": `slowdown, seed: expected a whole number, got "1.5"`,
	} {
		_, bad := check(d.SetMachineText(d.JobsPerNodeTextIndex()+1, typed))
		require.Equal(t, []Problem{machineProblem(SlowdownSeed, want)}, bad)
	}

	d = paired("1 next to 2: 1.1\n\n 2 next to 1:1.20")
	part, bad = d.Slowdowns()
	require.Empty(t, bad)
	require.Equal(t, []slowdown.Pair{{Of: "1", NextTo: "2", Slow: 1.1}, {Of: "2", NextTo: "1", Slow: 1.2}}, part.Pairs)
	_, bad = check(d.SetCell(0, ID, "A"))
	require.Equal(t, []Problem{
		machineProblem(SlowdownPairs, `slowdown, pairs, 1 next to 2: expected a job of the workload, got "1"`),
		machineProblem(SlowdownPairs, `slowdown, pairs, 2 next to 1: expected a job of the workload, got "1"`),
	}, bad)
}

func TestInvalidPairs(t *testing.T) {
	for line, want := range map[string]string{
		"1 next to 3: 1.5":                   `, 1 next to 3: expected a job of the workload, got "3"`,
		"2 next to 2: 1.5":                   ", 2 next to 2: expected another job, got itself",
		"1 next to 2: 0.5":                   ", 1 next to 2: expected a number from 0.9 to 100, got 0.5",
		"1 next to 2: 101":                   ", 1 next to 2: expected a number from 0.9 to 100, got 101",
		"1 next to 2: NaN":                   `, 1 next to 2: expected a number, got "NaN"`,
		"1 next to 2: ":                      `, 1 next to 2: expected a number, got ""`,
		"1 next to 2":                        `: expected lines such as “A next to B: 1.2”, got "1 next to 2"`,
		"1 2: 1.5":                           `: expected lines such as “A next to B: 1.2”, got "1 2: 1.5"`,
		"next to 2: 1.5":                     `: expected lines such as “A next to B: 1.2”, got "next to 2: 1.5"`,
		"1 next to 2: 1.5\n1 next to 2: 1.6": ", 1 next to 2: expected each pair once, got this one twice",
	} {
		_, bad := check(paired(line))
		require.Equal(t, []Problem{machineProblem(SlowdownPairs, "slowdown, pairs"+want)}, bad)
	}
	d := paired("cg next to cg: 1.5").SetCell(0, Class, "cg").EditSlowdown(func(s *Slowdown) { s.Classes = true })
	_, bad := d.Check()
	require.Empty(t, bad, "two jobs of a class may share a node")
	_, bad = check(d.SetMachineText(d.JobsPerNodeTextIndex()+2, "lu next to cg: 1.5"))
	require.Equal(t, []Problem{machineProblem(SlowdownPairs, `slowdown, pairs, lu next to cg: expected an application class of the workload, got "lu"`)}, bad)
}

// TestPairsAreGroupedByFirstJob checks that pairs may be typed in any order: a scenario groups them
// by the first job of each pair. Unknown scenario fields are preserved, and so are pairs with a job
// name that contains "next to", which a typed line cannot express.
func TestPairsAreGroupedByFirstJob(t *testing.T) {
	d := paired("2 next to 1: 1.1\n1 next to 2: 1.2\n2 next to 3: 1.3\n").Duplicate(1, 1)
	part, bad := d.Slowdowns()
	require.Empty(t, bad)
	require.Equal(t, []slowdown.Pair{{Of: "2", NextTo: "1", Slow: 1.1}, {Of: "2", NextTo: "3", Slow: 1.3}, {Of: "1", NextTo: "2", Slow: 1.2}}, part.Pairs)
	part.UnknownFields = scenario.Fields{{Name: "source", JSON: `"me"`}}
	part.Pairs = append(part.Pairs, slowdown.Pair{Of: "a next to b", NextTo: "2", Slow: 2})
	d = d.SetCell(0, ID, "a next to b")
	d.Slowdown = SlowdownOf(part)
	again, _ := d.SetMachineText(0, "5").EditSlowdown(func(s *Slowdown) { s.RandomUnlisted = true }).slowdowns()
	require.Equal(t, part.Pairs, again.Pairs)
	require.Equal(t, part.UnknownFields, again.UnknownFields)
	d = d.EditSlowdown(func(s *Slowdown) { s.Pairs = "" })
	require.Equal(t, part.UnknownFields, d.Slowdown.UnknownFields)
}

func (d Doc) slowdowns() (*scenario.Slowdown, []Problem) { return d.Slowdowns() }
