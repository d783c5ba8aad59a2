package refute_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/refute"
	"backfill-lab/core/scenario"
	"backfill-lab/core/sim"
)

// registered returns a subject that runs a policy of the registry.
func registered(t testing.TB, name string, knobs ...string) *refute.Subject {
	t.Helper()
	p := scenario.Policy{Name: name}
	for _, k := range knobs {
		if p.Knobs == nil {
			p.Knobs = map[string]string{}
		}
		knob, value, _ := strings.Cut(k, "=")
		p.Knobs[knob] = value
	}
	s, err := refute.SubjectOf(p)
	require.NoError(t, err)
	return s
}

// goal returns the goal with the given name.
func goal(t testing.TB, name string) *refute.Goal {
	t.Helper()
	g, err := refute.Find(name)
	require.NoError(t, err)
	return g
}

// search runs a search to its end and returns its finding, or nil if there is none. It also checks
// that the counterexample no longer reaches the goal if any one of its jobs is removed.
func search(t testing.TB, c refute.Config) *refute.Finding {
	t.Helper()
	if c.Tries == 0 {
		c.Tries = 2000
	}
	s, err := refute.NewSearch(c)
	require.NoError(t, err)
	require.NoError(t, s.Run())
	f, err := s.Finding()
	require.NoError(t, err)
	if f == nil {
		return nil
	}
	for j := range f.Scenario.Workload.Jobs {
		if len(f.Scenario.Workload.Jobs) > 1 {
			keeps, err := s.Without(f.Scenario, j)
			require.NoError(t, err)
			require.False(t, keeps, "without job %d of\n%s", j+1, scenario.Format(f.Scenario))
		}
	}
	return f
}

// TestSmallWorkloads checks, for several seeds, that a search takes less than 2 s to find a
// counterexample with few jobs.
func TestSmallWorkloads(t *testing.T) {
	const limit = 2 * time.Second
	correct := registered(t, "easy")
	for _, c := range []struct {
		name string
		a, b *refute.Subject
		jobs int
	}{
		{"pc-dc", registered(t, "pc"), registered(t, "dc"), 5},
		{"easy-conservative", correct, registered(t, "conservative"), 5},
		{"sjf-fifo", registered(t, "easy", "order=sjf"), correct, 5},
		{"limit", wrong("EASY by limits", easy(true, false, false)), correct, 6},
		{"no-extra", wrong("EASY without extra processors", easy(false, true, false)), correct, 6},
		{"forgets", wrong("EASY that forgets", easy(false, false, true)), correct, 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			for seed := range uint32(8) {
				begin := time.Now()
				f := search(t, refute.Config{A: c.a, B: c.b, Goals: []*refute.Goal{refute.Differ}, Seed: seed})
				require.NotNil(t, f)
				require.LessOrEqual(t, len(f.Scenario.Workload.Jobs), c.jobs, "seed %d\n%s", seed, scenario.Format(f.Scenario))
				t.Logf("seed %d: %s, %v: %s", seed, f.Size(), time.Since(begin), f.Title)
				if !testing.Short() {
					require.Less(t, time.Since(begin), limit)
				}
			}
		})
	}
}

// TestEasyWithoutMistakes checks that a search finds no difference between the registered policy
// EASY and the rule that easy returns if no mistake is selected. This shows that the differences in
// other tests come from the mistakes.
func TestEasyWithoutMistakes(t *testing.T) {
	require.Nil(t, search(t, refute.Config{A: wrong("EASY", easy(false, false, false)), B: registered(t, "easy"), Goals: []*refute.Goal{refute.Differ}, Seed: 1}))
}

// TestContractGoals checks that, for each goal in Contract, a search finds a workload on which a
// wrong policy reaches the goal.
func TestContractGoals(t *testing.T) {
	for name, rule := range map[string]func(*wrongPolicy, *sim.Pass){
		"violation":    startAll,
		"promise":      fcfs(promiseAll),
		"never-starts": fcfs(dropWide),
		"runtimes":     fcfs(sortByRuntime),
		"idle":         waitForEmpty,
		"head":         easy(false, false, true),
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint32(4) {
				f := search(t, refute.Config{A: wrong("Wrong", rule), Goals: []*refute.Goal{goal(t, name)}, Seed: seed})
				require.NotNil(t, f)
				require.LessOrEqual(t, len(f.Scenario.Workload.Jobs), 4)
				t.Log(f.Size(), f.Title)
			}
		})
	}
}

// TestHeldHead checks a policy that leaves the head waiting although the head fits. The policy
// reaches the goal idle, but not the goal head, because no backfilled job delays the head.
func TestHeldHead(t *testing.T) {
	c := refute.Config{A: wrong("Wrong", holdHead), Goals: []*refute.Goal{goal(t, "head")}, Seed: 1}
	require.Nil(t, search(t, c))
	c.Goals = []*refute.Goal{goal(t, "idle")}
	require.NotNil(t, search(t, c))
}

// TestEndlessRun checks that a search ends even if a policy asks to be called again and again, so
// that its run would never end.
func TestEndlessRun(t *testing.T) {
	f := search(t, refute.Config{A: wrong("Wrong", fcfs(wakeAndDropWide)), Goals: []*refute.Goal{goal(t, "never-starts")}, Seed: 1})
	require.NotNil(t, f)
	require.Contains(t, f.Text(), "did not end within 100000 passes")
}

// TestBuiltInPolicies checks that each policy of the registry reaches exactly the goals that the table
// of docs/refute.md states. With -short, it tries fewer workloads, which need not reach all goals.
func TestBuiltInPolicies(t *testing.T) {
	tries := 2000
	if testing.Short() {
		tries = 300
	}
	documented := documentedResults(t)
	for _, spec := range registry.All {
		t.Run(spec.Name, func(t *testing.T) {
			want, row := documented[spec.Name], []string{}
			for i, g := range refute.Contract {
				s, err := refute.NewSearch(refute.Config{A: registered(t, spec.Name), Goals: []*refute.Goal{g}, Seed: 1, Tries: tries})
				require.NoError(t, err)
				require.NoError(t, s.Run())
				result := "kept"
				switch {
				case s.Found():
					result = "not kept"
				case s.Applicable(0) == 0:
					result = "does not apply"
				case testing.Short() && i < len(want) && want[i] == "not kept":
					result = "not kept"
				}
				row = append(row, result)
			}
			require.Equal(t, want, row, "expected the row | `%s` | %s | in docs/refute.md", spec.Name, strings.Join(row, " | "))
		})
	}
}

// TestOrders checks that EASY keeps the rules about the head of the queue in every queue order and
// with several reservations. It also checks that EASY breaks these rules if the search assumes a
// queue order that EASY does not use.
func TestOrders(t *testing.T) {
	tries := 2000
	if testing.Short() {
		tries = 500
	}
	for _, knob := range []string{"order=sjf", "order=ljf", "order=wjf", "order=njf", "order=-wait/estimate", "reservations=3", "reservations=all"} {
		a := registered(t, "easy", knob)
		c := refute.Config{A: a, Goals: []*refute.Goal{goal(t, "idle"), goal(t, "head")}, Tries: tries, Seed: 1}
		require.Nil(t, search(t, c), knob)
		if a.Order != "fifo" {
			a.Order = "fifo"
			require.NotNil(t, search(t, c), knob)
		}
	}
}

// documentedResults returns, for each policy, the cells of its row in the table of docs/refute.md.
func documentedResults(t *testing.T) map[string][]string {
	t.Helper()
	data, err := os.ReadFile("../../docs/refute.md")
	require.NoError(t, err)
	rows := map[string][]string{}
	for line := range strings.Lines(string(data)) {
		if cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|"); len(cells) == 1+len(refute.Contract) {
			for i := range cells {
				cells[i] = strings.Trim(cells[i], " `")
			}
			rows[cells[0]] = cells[1:]
		}
	}
	return rows
}

// TestSteps checks that a search in single steps finds the same counterexample as a search in large
// steps. Finding must return a counterexample as soon as Found reports true.
func TestSteps(t *testing.T) {
	c := refute.Config{A: registered(t, "pc"), B: registered(t, "dc"), Goals: []*refute.Goal{refute.Differ}, Seed: 3, Tries: 2000}
	s, err := refute.NewSearch(c)
	require.NoError(t, err)
	last := 0
	for more := true; more; {
		more, err = s.Step(1)
		require.NoError(t, err)
		f, err := s.Finding()
		require.NoError(t, err)
		require.Equal(t, s.Found(), f != nil)
		if f != nil {
			jobs := len(f.Scenario.Workload.Jobs)
			require.True(t, last == 0 || jobs <= last)
			last = jobs
		}
	}
	f, err := s.Finding()
	require.NoError(t, err)
	require.Equal(t, search(t, c), f)
}

// TestNothingFound checks that a search without a counterexample ends after Config.Tries workloads.
func TestNothingFound(t *testing.T) {
	a := registered(t, "easy")
	s, err := refute.NewSearch(refute.Config{A: a, B: a, Goals: []*refute.Goal{refute.Differ}, Tries: 50})
	require.NoError(t, err)
	more, err := s.Step(49)
	require.NoError(t, err)
	require.True(t, more)
	require.NoError(t, s.Run())
	require.False(t, s.Found())
	tried, skipped := s.Tried()
	require.Equal(t, 50, tried)
	require.Zero(t, skipped)
}

// TestFeatures checks that a search draws extra resources, outages and moldable jobs, and
// simplifies them.
func TestFeatures(t *testing.T) {
	f := search(t, refute.Config{A: registered(t, "easy", "pick=bb"), B: registered(t, "easy"), Goals: []*refute.Goal{refute.Differ}, Features: refute.Features{Resources: true}})
	require.NotNil(t, f)
	require.Len(t, f.Scenario.Machine.Resources, 1)
	require.NoError(t, f.Scenario.Validate())

	f = search(t, refute.Config{A: registered(t, "easy"), B: registered(t, "easy", "reservations=all"), Goals: []*refute.Goal{refute.Differ}, Features: refute.Features{Outages: true}})
	require.NotNil(t, f)
	require.NoError(t, f.Scenario.Validate())

	f = search(t, refute.Config{A: registered(t, "moldable"), B: registered(t, "easy"), Goals: []*refute.Goal{refute.Differ}, Features: refute.Features{Moldable: true}})
	require.NotNil(t, f)
	require.NoError(t, f.Scenario.Validate())
	var tables [][]job.Time
	for _, j := range f.Scenario.Workload.Jobs {
		if s := j.Speedup(); s != nil {
			tables = append(tables, s.Table)
		}
	}
	require.Equal(t, [][]job.Time{{2, 1}}, tables)

	s, err := refute.NewSearch(refute.Config{A: registered(t, "glomarc-ts"), Goals: refute.Contract, Tries: 10, Features: refute.Features{Outages: true}})
	require.NoError(t, err)
	require.NoError(t, s.Run())
	tried, skipped := s.Tried()
	require.Equal(t, 10, tried)
	require.Positive(t, skipped, "glomarc-ts does not support outages")
}

// TestEqualTitles checks that a number distinguishes two policies with the same title.
func TestEqualTitles(t *testing.T) {
	titled := func(order string) *refute.Subject {
		s, err := refute.SubjectOf(scenario.Policy{Name: "fcfs", Title: "Mine", Knobs: map[string]string{"order": order}})
		require.NoError(t, err)
		return s
	}
	f := search(t, refute.Config{A: titled("fifo"), B: titled("sjf"), Goals: []*refute.Goal{refute.Differ}})
	require.Equal(t, "Mine and Mine (2) differ first at t = 0: job 1 starts under Mine and waits under Mine (2)", f.Title)
	require.Equal(t, []string{"Mine", "Mine (2)"}, f.Scenario.Titles())
}

func TestBadConfig(t *testing.T) {
	a := registered(t, "easy")
	_, err := refute.NewSearch(refute.Config{A: a, Goals: []*refute.Goal{refute.Differ}, Tries: 1})
	require.ErrorContains(t, err, "goal differ: expected a second policy")
	_, err = refute.NewSearch(refute.Config{A: a, Tries: 1})
	require.ErrorContains(t, err, "goal: expected at least one")
	_, err = refute.NewSearch(refute.Config{A: a, Goals: refute.Contract})
	require.ErrorContains(t, err, "tries: expected at least 1 workload, got 0")
	_, err = refute.SubjectOf(scenario.Policy{Name: "easy", Knobs: map[string]string{"order": "x y"}})
	require.ErrorContains(t, err, "order")
	_, err = refute.SubjectOf(scenario.Policy{Name: "nothing"})
	require.ErrorContains(t, err, "nothing")
	_, err = refute.Find("nothing")
	require.ErrorContains(t, err, "expected one of differ, violation, promise")
}
