package decision_test

import (
	"math"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/decision"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/fairslack/rule"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/registry"
)

// jinExample holds the jobs of Jin's example, in the notation of policytest.ParseJobs. X, Y and Z
// could start when Q ends.
const jinExample = "R 4/1000\nQ 4/100\nH 8/500\nX 4/950@10\nY 2/880@20\nZ 2/1000@30"

func simulate(t *testing.T, policy string, knobs map[string]string) (*log.Log, *decision.Rules) {
	jobs, err := policytest.ParseJobs(jinExample)
	require.NoError(t, err)
	rules := registry.SlackRules(policy, knobs)
	require.NotNil(t, rules)
	return policytest.Simulate(t, 8, jobs, policy, knobs), rules
}

// decisionAt reads the last decision made at or before the given time.
func decisionAt(t *testing.T, l *log.Log, rules *decision.Rules, at job.Time) *decision.Decision {
	places := decision.ChoiceRecords(l)
	n := decision.CountUntil(l, places, at)
	require.Positive(t, n)
	return decision.Read(l, int(places[n-1]), rules)
}

// TestJinExample checks the four sets of Jin's example, their scores, and the set that each goal
// selects (Jin 2009, section 5.3).
func TestJinExample(t *testing.T) {
	for goal, name := range []string{"fairness", "utilization"} {
		l, rules := simulate(t, "fair-slack", map[string]string{"goal": name})
		d := decisionAt(t, l, rules, 100)
		require.Equal(t, int64(100), d.At)
		require.Equal(t, []decision.Waiter{{Job: 2, Fair: 1000, Latest: 1140}, {Job: 3, Fair: 1500, Latest: 1685}, {Job: 4, Fair: 1500, Latest: 1680}, {Job: 5, Fair: 1500, Latest: 1675}}, d.Queue)
		require.Equal(t, []int64{4}, d.Free)
		var sets [][]job.Index
		for _, node := range d.Saved {
			sets = append(sets, d.Set(node))
		}
		require.Equal(t, [][]job.Index{{3}, {4}, {5}, {4, 5}}, sets)
		require.Equal(t, []rule.Score{{Late: 150, Early: 1400, Used: 8}, {Early: 1400, Used: 6}, {Late: 200, Early: 2800, Used: 6}, {Late: 200, Early: 2800, Used: 8}}, d.Scores)
		var cut [][]job.Index
		for i, n := range d.TriedSets {
			if n.Record.Code == log.SetTooLarge {
				cut = append(cut, d.Set(i))
			}
		}
		require.Equal(t, [][]job.Index{{3, 4}, {3, 5}}, cut)
		require.Equal(t, 1, d.Picks[decision.Fairness].Taken)
		require.Equal(t, 0, d.Picks[decision.Utilization].Taken)
		require.Equal(t, goal, d.Goal)
		require.Equal(t, []int{2, 1}[goal], d.Chosen)
	}
}

// TestLogWithoutSearch checks that, if the log does not record the search, the text of a decision
// still says how many sets were tried and which one started.
func TestLogWithoutSearch(t *testing.T) {
	full, rules := simulate(t, "fair-slack", nil)
	l := log.New(full.Machine, full.Jobs, log.Decisions)
	for r := range full.All() {
		l.Add(*r)
	}
	d := decisionAt(t, l, rules, 100)
	require.False(t, d.Complete())
	require.Contains(t, decision.Text(d), "Of 6 sets tried, goal fairness started number 2 of the sets that the search kept. The log does not record the sets that were tried.")
	require.NotContains(t, decision.Text(d), "Sets tried")
}

// TestRules checks that registry.SlackRules returns nil for policies that do not choose sets and
// for invalid knobs, and otherwise returns the values of the knobs.
func TestRules(t *testing.T) {
	require.Nil(t, registry.SlackRules("easy", nil))
	require.Nil(t, registry.SlackRules("scojo-pect", nil))
	require.Nil(t, registry.SlackRules("fair-slack", map[string]string{"k1": "x"}))
	inside := registry.SlackRules("scojo-pect", map[string]string{"inner": "fair-slack", "inner.slack-up": "1.4", "inner.range-skip": "3"})
	require.Equal(t, 1.4, inside.Up)
	require.Equal(t, 3.0, inside.Goals[decision.Utilization].Early)
	require.Equal(t, 1.02, inside.Goals[decision.Fairness].Used)
}

// TestGolden compares the texts of decisions and formations with the expected texts in testdata.
func TestGolden(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var l *log.Log
		var read decision.Reader
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "run":
				procs, knobs := 8, map[string]string{}
				d.MaybeScanArgs(t, "m", &procs)
				for _, a := range d.CmdArgs[1:] {
					if a.Key != "m" {
						knobs[a.Key] = a.Vals[0]
					}
				}
				jobs, err := policytest.ParseJobs(d.Input)
				require.NoError(t, err)
				l = policytest.Simulate(t, procs, jobs, d.CmdArgs[0].Key, knobs)
				read = registry.DecisionReader(d.CmdArgs[0].Key, knobs)
				return ""
			case "log": // a log in the form that a run of glomarc-ts writes
				var err error
				l, _, err = log.Read(strings.NewReader(d.Input + "\n"))
				require.NoError(t, err)
				read = readFormation
				return ""
			case "decision":
				var at int64
				d.ScanArgs(t, "at", &at)
				places := decision.ChoiceRecords(l)
				var text strings.Builder
				for _, place := range places[decision.CountUntil(l, places, at-1):decision.CountUntil(l, places, at)] {
					text.WriteString(decision.Text(read(l, int(place))))
				}
				return text.String()
			}
			d.Fatalf(t, "unknown command")
			return ""
		})
	})
}

// TestSoakRead checks that decisions read from logs agree with what the policy did. The goal must
// select the set that the policy chose, and this must be the last set without a failed condition.
// The mean delay and the processors in use must equal the numbers in the start records of the jobs
// in the set.
func TestSoakRead(t *testing.T) {
	soak.Check(t, 0.05, func(t *rapid.T) {
		c, knobs := drawCase(t)
		t.Logf("%s", c)
		l := c.Run(t)
		rules := registry.SlackRules(c.Spec.Name, knobs)
		require.NotNil(t, rules)
		short := policytest.RunToEnd(t, c.EngineWith(t, c.Policy(t), log.Decisions))
		shortPlaces := decision.ChoiceRecords(short)
		for i, place := range decision.ChoiceRecords(l) {
			d := decision.Read(l, int(place), rules)
			require.True(t, d.Complete())
			if d.Chosen > 0 {
				require.Equal(t, d.Free, decision.Read(short, int(shortPlaces[i]), rules).Free, "the log without searches shows the same free capacity")
			}
			decision.Text(d) // must not panic
			if len(d.Saved) == 0 {
				require.Zero(t, d.Chosen)
				continue
			}
			chosen := d.Saved[d.Picks[d.Goal].Taken]
			require.Equal(t, d.Chosen, d.TriedSets[chosen].Number)
			requireStart(t, l, d, int(place), d.Scores[d.Picks[d.Goal].Taken])
			for _, p := range d.Picks {
				last := p.First
				for i, v := range p.Verdicts {
					if i != p.First && v.Fails == rule.NoCriterion {
						last = i
					}
				}
				require.Equal(t, p.Taken, last)
			}
			for i, n := range d.TriedSets {
				if n.Record.Code == log.PastSlack {
					require.Equal(t, latestStart(d, n.Record.Other), n.Record.Y, "of node %d", i)
				}
			}
		}
	})
}

func drawCase(t *rapid.T) (*policytest.Case, map[string]string) {
	name, given := "fair-slack", map[string]string{"lookahead": "8"}
	if rapid.Bool().Draw(t, "sliced") {
		name, given = "scojo-pect", map[string]string{"inner": "fair-slack", "inner.lookahead": "8"}
	}
	w := policytest.DrawWorkload(t)
	c := w.Case(t, name, nil)
	c.Knobs = policytest.DrawKnobs(t, c.Spec, given)
	return c, c.Knobs
}

// requireStart compares the score of the chosen set with the start records of its jobs, if they
// started.
func requireStart(t *rapid.T, l *log.Log, d *decision.Decision, place int, score rule.Score) {
	n := int64(len(d.Queue))
	for i := place + 1; i < l.Len(); i++ {
		r := l.Record(i)
		if r.At != d.At || r.View != d.View || r.Code != log.FairSet && r.Code != log.UtilizationSet {
			return
		}
		require.Equal(t, (score.Late+n/2)/n, r.X)
		require.Equal(t, int64(score.Used), r.Y)
	}
}

func latestStart(d *decision.Decision, j job.Index) job.Time {
	for _, w := range d.Queue {
		if w.Job == j {
			return w.Latest
		}
	}
	return math.MinInt64
}

// TestLargeTree checks that a large tree of sets first shows only its top level, and that tables
// report how many rows they leave out.
func TestLargeTree(t *testing.T) {
	var text strings.Builder
	text.WriteString("R 1/1000\nQ 8/100\nH 9/500\n")
	for i := range 9 {
		text.WriteString("J" + string(rune('a'+i)) + " 1/100@10\n")
	}
	jobs, err := policytest.ParseJobs(text.String())
	require.NoError(t, err)
	l := policytest.Simulate(t, 9, jobs, "fair-slack", nil)
	d := decisionAt(t, l, registry.SlackRules("fair-slack", nil), 100)
	require.Greater(t, len(d.TriedSets), 400)
	tree := d.Tables(&decision.Options{})[1]
	require.Len(t, tree.Rows, 9, "one row for each job")
	require.False(t, tree.Rows[0].Open)
	open := d.Tables(&decision.Options{Toggled: []int{tree.Rows[0].Set}, MaxRows: 12})
	require.True(t, open[1].Rows[0].Open)
	require.Equal(t, 1, open[1].Rows[1].Depth)
	require.Equal(t, 9+8, len(open[1].Rows)+open[1].More)
	require.Equal(t, len(d.Saved), len(open[2].Rows)+open[2].More)
	taken := 0
	for _, r := range open[2].Rows {
		if r.Mark == "taken" {
			taken++
		}
	}
	require.Equal(t, 1, taken, "the selected set is always shown")
}
