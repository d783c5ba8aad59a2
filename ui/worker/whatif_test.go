package worker_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/worker"
)

// exported returns the start times of a result and the hash of its scenario.
func exported(t *testing.T, p *page, result int) (at []string, hash string) {
	at = starts(t, p.ask("exported", "export", protocol.Export{What: "jobs", Result: result}).bufs[0])
	var meta []struct{ Scenario string }
	text := p.ask("exported", "export", protocol.Export{What: "metrics"}).bufs[0]
	if text[0] != '[' {
		text = append([]byte("["), append(text, ']')...)
	}
	require.NoError(t, json.Unmarshal(text, &meta))
	return at, meta[result].Scenario
}

func parseInt(t *testing.T, text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	require.NoError(t, err)
	return n
}

// A what-if about one job runs each policy and skips an external schedule. The effects are the same as before the
// external schedule was added.
func TestWhatIfLeavesOutAnExternalSchedule(t *testing.T) {
	p, _ := ran(t)
	ask := func(generation int) protocol.WhatIfAnswer {
		return read[protocol.WhatIfAnswer](t, p.ask("supposed", "whatif", protocol.WhatIf{Job: 3, Changes: []string{"exact"}, Generation: generation}))
	}
	was := ask(0)
	head := read[protocol.Ran](t, p.ask("ran", "external", protocol.OpenExternal{Name: "fcfs.csv"}, []byte(byFCFS)))
	got := ask(head.Generation)
	assert.Len(t, got.Effects, 2)
	assert.Equal(t, was.Effects, got.Effects)
	found := read[protocol.Predicted](t, p.ask("predicted", "predict", protocol.Predict{Generation: head.Generation, At: 5}))
	assert.Len(t, found.Results, 2)
	assert.Contains(t, p.fault("sooner", protocol.StartEarlier{Job: 3, Result: 2, Generation: head.Generation}).Text, "got an external schedule")
}

// A change of the machine is not about a job. The answer contains the metrics of every policy,
// which equal the metrics of a run on the changed machine. It omits the external schedule.
func TestWhatIfOfTheMachine(t *testing.T) {
	p, _ := ran(t)
	head := read[protocol.Ran](t, p.ask("ran", "external", protocol.OpenExternal{Name: "fcfs.csv"}, []byte(byFCFS)))
	require.Len(t, head.Results, 3)
	got := read[protocol.WhatIfAnswer](t, p.ask("supposed", "whatif", protocol.WhatIf{Job: -1, Changes: []string{"nodes=2"}, Generation: head.Generation}))
	assert.Equal(t, "the machine had 2 nodes more", got.Words)
	require.Len(t, got.Effects, 2)
	q := protocol.Run{Machine: nodes(10), Policies: policies("easy", "conservative")}
	larger := read[protocol.Ran](t, p.ask("ran", "run", q, protocol.EncodeJobs(read12(t))...))
	for i, e := range got.Effects {
		assert.Equal(t, larger.Results[i].Metrics, e.Metrics)
		assert.NotEqual(t, head.Results[i].Metrics, e.Metrics)
	}
	assert.Equal(t, "remove: expected a job to change, got none",
		p.fault("whatif", protocol.WhatIf{Job: -1, Changes: []string{"remove"}}).Text)
}

// The effects in a what-if answer equal those of a run of the changed scenario, and both have the
// same scenario hash. The current results do not change.
func TestWhatIfEqualsARun(t *testing.T) {
	for text, edit := range map[string]func(jobs []job.Job, q *protocol.Run) []job.Job{
		"procs=2":    func(jobs []job.Job, _ *protocol.Run) []job.Job { jobs[8].Procs = 2; return jobs },
		"exact":      func(jobs []job.Job, _ *protocol.Run) []job.Job { jobs[8].Estimate = jobs[8].Runtime; return jobs },
		"estimate=9": func(jobs []job.Job, _ *protocol.Run) []job.Job { jobs[8].Estimate = 9; return jobs },
		"submit=1":   func(jobs []job.Job, _ *protocol.Run) []job.Job { jobs[8].Submit = 1; return jobs },
		"remove":     func(jobs []job.Job, _ *protocol.Run) []job.Job { return append(jobs[:8:8], jobs[9:]...) },
		"remove=2":   func(jobs []job.Job, _ *protocol.Run) []job.Job { return append(jobs[:1:1], jobs[2:]...) },
		"nodes=1":    func(jobs []job.Job, q *protocol.Run) []job.Job { q.Machine = nodes(9); return jobs },
		"drain=2 from=5 to=20": func(jobs []job.Job, q *protocol.Run) []job.Job {
			q.Machine.Outages = []protocol.Outage{{From: 5, To: 20, Procs: 2, Label: "2 nodes drained"}}
			return jobs
		},
		"exact-all": func(jobs []job.Job, _ *protocol.Run) []job.Job {
			for i := range jobs {
				jobs[i].Estimate = jobs[i].Runtime
			}
			return jobs
		},
		"wall-factor=0.5 overrun=kill": func(jobs []job.Job, q *protocol.Run) []job.Job {
			for i := range jobs {
				e := (jobs[i].Estimate + 1) / 2
				jobs[i].Killed = jobs[i].Runtime > e
				jobs[i].Estimate, jobs[i].Runtime = e, min(jobs[i].Runtime, e)
			}
			q.Scenario = []byte(`{"version":1,"machine":{"nodes":8},"workload":{"jobs":[]},"policies":[],"changes":["wall times ×0.5, longer jobs killed"]}`)
			return jobs
		},
		"policy=fcfs": func(jobs []job.Job, q *protocol.Run) []job.Job { q.Policies = policies("fcfs"); return jobs },
	} {
		t.Run(text, func(t *testing.T) {
			p, head := ran(t)
			before := make([][]string, 2)
			for i := range before {
				before[i], _ = exported(t, p, i)
			}
			got := read[protocol.WhatIfAnswer](t, p.ask("supposed", "whatif", protocol.WhatIf{Job: 8, Changes: []string{text}, Generation: head.Generation}))
			for i := range before {
				same, _ := exported(t, p, i)
				require.Equal(t, before[i], same, "the results stay")
			}
			require.Len(t, got.Effects, 2)

			was := read12(t)
			ids := map[string]int{}
			q := protocol.Run{Machine: nodes(8), Policies: policies("easy", "conservative"), Scenario: []byte(`{"version":1,"machine":{"nodes":8},"workload":{"jobs":[]},"policies":[]}`)}
			jobs := edit(read12(t), &q)
			p.ask("ran", "run", q, protocol.EncodeJobs(jobs)...)
			job.Sort(jobs)
			for k := range jobs {
				ids[jobs[k].ID] = k
			}
			for i, x := range got.Effects {
				place := min(i, len(q.Policies)-1)
				after, hash := exported(t, p, place)
				require.Equal(t, hash, got.Scenario)
				sooner, later, gained, paid := 0, 0, int64(0), int64(0)
				for k := range was {
					at, there := ids[was[k].ID]
					from := parseInt(t, before[i][k])
					switch {
					case k == 8 && !there:
						require.Nil(t, x.After)
					case k == 8:
						require.Equal(t, parseInt(t, after[at]), *x.After)
						require.Equal(t, from, x.Before)
					case !there:
					case parseInt(t, after[at]) < from:
						sooner, gained = sooner+1, gained+from-parseInt(t, after[at])
					case parseInt(t, after[at]) > from:
						later, paid = later+1, paid+parseInt(t, after[at])-from
					}
				}
				if sooner+later == 0 {
					require.Equal(t, "All other jobs start as before.", x.OthersText)
				}
				for n, by := range map[int]int64{sooner: gained, later: paid} {
					if n > 1 {
						require.Regexp(t, fmt.Sprintf(`\b%d start (sooner|later) by %d s in total`, n, by), x.OthersText)
					}
				}
				require.Len(t, x.MostEarlier, min(sooner, 5))
				require.Len(t, x.MostDelayed, min(later, 5))
			}
		})
	}
}

// read12 returns the jobs of the example.
func read12(t *testing.T) []job.Job {
	r := newPage(t).ask("opened", "open", protocol.Open{Name: "example.csv", Procs: 8}, []byte(example))
	jobs, err := protocol.DecodeJobs(r.bufs)
	require.NoError(t, err)
	return jobs
}

// If a generator drew the jobs, the changed scenario lists the jobs, like a scenario with edited
// jobs.
func TestWhatIfOfDrawnJobs(t *testing.T) {
	const text = `{"version":1,"machine":{"nodes":16},"workload":{"generator":"lublin","parameters":{"jobs":60},"seed":7},"rules":{"warmup":5},"policies":[{"name":"easy"}]}`
	p := newPage(t)
	r := p.ask("opened", "open", protocol.Open{Name: "x.json"}, []byte(text))
	jobs, err := protocol.DecodeJobs(r.bufs)
	require.NoError(t, err)
	p.ask("ran", "run", protocol.Run{Machine: nodes(16), Policies: policies("easy"), Scenario: []byte(text)})
	got := read[protocol.WhatIfAnswer](t, p.ask("supposed", "whatif", protocol.WhatIf{Job: 30, Changes: []string{"procs=1"}}))
	sc, err := scenario.Parse([]byte(text))
	require.NoError(t, err)
	sc.Workload.Generator = nil
	jobs[30].Procs = 1
	p.ask("ran", "run", protocol.Run{Machine: nodes(16), Policies: policies("easy"), Scenario: scenario.Format(sc)}, protocol.EncodeJobs(jobs)...)
	at, hash := exported(t, p, 0)
	assert.Equal(t, hash, got.Scenario)
	assert.Equal(t, at[30], fmt.Sprint(*got.Effects[0].After))
}

func TestStartEarlier(t *testing.T) {
	p, _ := ran(t)
	found := read[protocol.StartEarlierAnswer](t, p.ask("found", "sooner", protocol.StartEarlier{Job: 8}))
	assert.Equal(t, int64(24), found.Start)
	assert.Equal(t, protocol.Improvement{Changes: []string{"earlier=3600"}, Words: "it were submitted at 0", Start: 5}, found.Improvements[0])
	var others [][]string // all but the policy changes; the number of policy changes grows with each new policy
	for _, x := range found.Improvements {
		if !strings.HasPrefix(x.Changes[0], "policy=") {
			others = append(others, x.Changes)
		}
	}
	assert.Equal(t, [][]string{{"earlier=3600"}, {"procs=2"}, {"procs=2", "estimate=12", "runtime=6"}, {"remove=8"}, {"remove=7"}, {"nodes=1"}, {"remove=6"}}, others)
	require.Len(t, found.Rest, 2)
	assert.Contains(t, found.Rest[0], "It would start at the same time if its estimate were exact (3 s); if all estimates were exact; if job 10 were removed; if the policy were FCFS;")
	assert.Contains(t, found.Rest[1], "It would start later if the policy were Conservative;")
	for _, x := range found.Improvements {
		got := read[protocol.WhatIfAnswer](t, p.ask("supposed", "whatif", protocol.WhatIf{Job: 8, Changes: x.Changes}))
		assert.Equal(t, x.Start, *got.Effects[0].After, "%v", x.Changes)
	}
	found = read[protocol.StartEarlierAnswer](t, p.ask("found", "sooner", protocol.StartEarlier{Job: 0, Result: 1}))
	assert.Empty(t, found.Improvements)
	assert.Equal(t, []string{"It starts when it is submitted."}, found.Rest)
}

func TestPredict(t *testing.T) {
	p, _ := ran(t)
	got := read[protocol.Predicted](t, p.ask("predicted", "predict", protocol.Predict{At: 8}))
	assert.Equal(t, []protocol.ExpectedStarts{{Jobs: []int{6, 7, 8}, Starts: []int64{14, 18, 30}}, {Jobs: []int{4, 6, 7, 8}, Starts: []int64{13, 15, 19, 31}}}, got.Results)
	got = read[protocol.Predicted](t, p.ask("predicted", "predict", protocol.Predict{At: 99}))
	assert.Empty(t, got.Results[0].Jobs)
}

func TestWhatIfErrors(t *testing.T) {
	p := newPage(t)
	assert.Equal(t, "there is no result yet", p.fault("whatif", protocol.WhatIf{}).Text)
	p, _ = ran(t)
	for text, want := range map[string]string{
		"procs=9": "job 9, procs: expected at most the machine's 8, got 9",
		"procs=":  `procs: expected a whole number from 1 to 10^12, got ""`,
	} {
		f := p.fault("whatif", protocol.WhatIf{Job: 8, Changes: []string{text}})
		assert.Equal(t, want, f.Text)
		assert.Nil(t, f.Row)
	}
	assert.Equal(t, "what if: expected a job from 0 to 11, got 12", p.fault("sooner", protocol.StartEarlier{Job: 12}).Text)
	assert.Contains(t, p.fault("predict", protocol.Predict{Generation: 9}).Text, "run 9 is no longer available")
}

// The user or a new run can cancel a what-if. A what-if never cancels a run.
func TestWhatIfNeverCancelsARun(t *testing.T) {
	p := busy(t, 4)
	p.ask("ran", "run", long, protocol.EncodeJobs(many(5000))...)
	orders := []string{"sjf", "ljf", "wjf", "njf", "submit", "procs"}
	fresh := func() protocol.Run { // a cached run would not yield
		r := protocol.Run{Machine: nodes(8), Policies: policies("fcfs", "easy")}
		for i := range r.Policies {
			r.Policies[i].Knobs = map[string]string{"order": orders[0]}
		}
		orders = orders[1:]
		return r
	}
	for _, kind := range []string{"whatif", "sooner", "predict"} {
		head := map[string]any{"whatif": protocol.WhatIf{Job: 4000, Changes: []string{"exact"}}, "sooner": protocol.StartEarlier{Job: 4000}, "predict": protocol.Predict{At: 12000}}[kind]
		at := p.yields + 3
		p.onYield = func(yield int) {
			if yield == at {
				p.Handle(worker.Message{Kind: "cancel", ID: p.asked})
			}
		}
		assert.Equal(t, "cancelled", p.wait(p.send(kind, head)).kind, kind)

		run := make(chan int, 1)
		at = p.yields + 3
		p.onYield = func(yield int) {
			if yield == at {
				run <- p.send("run", fresh())
			}
		}
		first := p.send(kind, head)
		assert.Equal(t, "cancelled", p.wait(first).kind, kind)
		assert.Equal(t, "ran", p.wait(<-run).kind)

		other := make(chan int, 1)
		at = p.yields + 3
		p.onYield = func(yield int) {
			if yield == at {
				other <- p.send(kind, head)
			}
		}
		second := p.send("run", fresh())
		assert.Equal(t, "ran", p.wait(second).kind, "the run continues")
		assert.Equal(t, "cancelled", p.wait(<-other).kind)
		p.onYield = nil
	}
	assert.Less(t, p.worst, int64(60), "the session yields often enough")
}
