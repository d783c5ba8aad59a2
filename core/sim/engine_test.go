package sim_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/sim"
	"backfill-lab/core/speed"
)

// script is a policy without state. It consists of one function, which is called with each pass.
type script func(p *sim.Pass)

func (s script) Schedule(p *sim.Pass) { s(p) }
func (s script) Clone() sim.Policy    { return s }

// greedy starts every waiting job that fits.
func greedy(p *sim.Pass) {
	for j := range p.Waiting() {
		if p.Job(j).Procs <= p.Free() {
			p.Start(j, sim.Claim{}, log.Reason{Other: job.None})
		}
	}
}

// parseJobs parses jobs in the notation of package policytest.
func parseJobs(t *testing.T, text string) []job.Job {
	t.Helper()
	js, err := policytest.ParseJobs(text)
	require.NoError(t, err)
	return js
}

func newEngine(t *testing.T, c sim.Config) *sim.Engine {
	t.Helper()
	e, err := sim.New(c)
	require.NoError(t, err)
	return e
}

// TestNewRefusesInvalid checks the errors of New for invalid machines and jobs.
func TestNewRefusesInvalid(t *testing.T) {
	memory := cluster.Flat(4)
	memory.Resources = []cluster.Resource{{Name: "memory", Capacity: 8}}
	tooMuch := parseJobs(t, "A 1/1")
	tooMuch[0].More = &job.More{Extra: []int64{9}}
	unsorted := []job.Job{parseJobs(t, "A 1/1@2")[0], parseJobs(t, "B 1/1@1")[0]}
	for want, c := range map[string]sim.Config{
		"machine, nodes: expected 1 to 1000000, got 0":                                      {Machine: cluster.Flat(0)},
		"jobs: expected jobs in order of submit time":                                       {Machine: cluster.Flat(4), Jobs: unsorted},
		`job 1 (id "A"), procs: expected at most the machine's 4, got 5`:                    {Machine: cluster.Flat(4), Jobs: parseJobs(t, "A 5/1")},
		`job 1 (id "A"), runtime: expected 1 to the estimate 2, got 3`:                      {Machine: cluster.Flat(4), Jobs: parseJobs(t, "A 1/2(3)")},
		`job 1 (id "A"), resource memory: expected 0 to 8 (capacity of the machine), got 9`: {Machine: memory, Jobs: tooMuch},
		`job 1 (id "A"), estimate: expected 1 to 1000000000000, got 0`:                      {Machine: cluster.Flat(4), Jobs: parseJobs(t, "A 1/0")},
		`job 1 (id "A"), submit: expected 0 to 1000000000000, got -1`:                       {Machine: cluster.Flat(4), Jobs: parseJobs(t, "A 1/1@-1")},
		`job 2 (id "B"), procs: expected at least 1, got 0`:                                 {Machine: cluster.Flat(4), Jobs: parseJobs(t, "A 1/1\nB 0/1")},
	} {
		_, err := sim.New(c)
		require.EqualError(t, err, want)
	}
}

// TestViolations checks that a forbidden action ends the run with an error that names the time, the
// job and what was expected. Later steps return the same error.
func TestViolations(t *testing.T) {
	start := func(p *sim.Pass, j job.Index, c sim.Claim) { p.Start(j, c, log.Reason{Other: job.None}) }
	for want, act := range map[string]script{
		"expected 2 free processors, got 1":                           func(p *sim.Pass) { start(p, 0, sim.Claim{}); start(p, 1, sim.Claim{}) },
		"expected a waiting job to start, got one that does not wait": func(p *sim.Pass) { start(p, 0, sim.Claim{}); start(p, 0, sim.Claim{}) },
		`job "late": expected a waiting job to start`:                 func(p *sim.Pass) { start(p, 2, sim.Claim{}) },
		"expected 2 processors (as requested), got 1":                 func(p *sim.Pass) { start(p, 0, sim.Claim{Procs: 1}) },
		"expected 2 free slots, got 0-2":                              func(p *sim.Pass) { start(p, 0, sim.Claim{Slots: cluster.Set{{Lo: 0, Hi: 3}}}) },
		"expected 2 free slots, got 2-3":                              func(p *sim.Pass) { start(p, 0, sim.Claim{Slots: cluster.Set{{Lo: 2, Hi: 4}}}) },
		"expected a running job to suspend":                           func(p *sim.Pass) { p.Suspend(0, log.Reason{Other: job.None}) },
		"expected a suspended job to resume":                          func(p *sim.Pass) { start(p, 0, sim.Claim{}); p.Resume(0, log.Reason{}) },
		"expected slots 0-1 to be free, got only 2": func(p *sim.Pass) {
			start(p, 0, sim.Claim{})
			p.Suspend(0, log.Reason{Other: job.None})
			start(p, 1, sim.Claim{})
			p.Resume(0, log.Reason{})
		},
	} {
		e := newEngine(t, sim.Config{Machine: cluster.Flat(3), Jobs: parseJobs(t, "A 2/4\nB 2/4\nlate 1/1@9"), Policy: act})
		err := e.Run()
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "at 0, job ")
		_, again := e.Step()
		require.Equal(t, err, again)
	}
}

// TestStuckAndPanic checks that a run in which jobs wait forever ends with an error, and that a
// panic of the policy is not caught.
func TestStuckAndPanic(t *testing.T) {
	e := newEngine(t, sim.Config{Machine: cluster.Flat(1), Jobs: parseJobs(t, "A 1/4\nB 1/4@3"), Policy: script(func(*sim.Pass) {})})
	require.EqualError(t, e.Run(), "at 3: no event remains, with 2 of 2 jobs still waiting")
	e = newEngine(t, sim.Config{Machine: cluster.Flat(1), Jobs: parseJobs(t, "A 1/4"), Policy: script(func(*sim.Pass) { panic("mine") })})
	require.PanicsWithValue(t, "mine", func() { _ = e.Run() })
}

// TestExtras checks that jobs hold extra resources while they run.
func TestExtras(t *testing.T) {
	m := cluster.Flat(4)
	m.Resources = []cluster.Resource{{Name: "memory", Capacity: 8}}
	js := parseJobs(t, "A 1/4\nB 1/4")
	for i := range js {
		js[i].More = &job.More{Extra: []int64{5}}
	}
	careful := script(func(p *sim.Pass) {
		for j := range p.Waiting() {
			if p.Job(j).Extra(0) <= p.FreeExtra(0) {
				p.Start(j, sim.Claim{}, log.Reason{Other: job.None})
			}
		}
	})
	e := newEngine(t, sim.Config{Machine: m, Jobs: js, Policy: careful})
	require.NoError(t, e.Run())
	require.Equal(t, "A 0-4\nB 4-8\n", policytest.FormatIntervals(e.Log()))
	err := newEngine(t, sim.Config{Machine: m, Jobs: js, Policy: script(greedy)}).Run()
	require.EqualError(t, err, `at 0, job "B": resource memory: expected at most 3 (the free amount), got 5`)
}

// TestWake checks that only the earliest of several WakeAt requests counts. Requests for the current
// time or an earlier time must be ignored.
func TestWake(t *testing.T) {
	var passes []job.Time
	var woken []bool
	e := newEngine(t, sim.Config{Machine: cluster.Flat(1), Jobs: parseJobs(t, "A 1/9\nB 1/1@7"), Policy: script(func(p *sim.Pass) {
		passes = append(passes, p.Now())
		woken = append(woken, len(p.Events()) > 0 && p.Events()[0].Kind == sim.Woke)
		greedy(p)
		if p.Now() == 0 {
			p.WakeAt(6)
			p.WakeAt(3)
			p.WakeAt(5)
			p.WakeAt(0)
		}
		if p.Now() == 3 {
			p.WakeAt(7)
			p.WakeAt(2)
		}
	})})
	require.NoError(t, e.Run())
	require.Equal(t, []job.Time{0, 3, 7, 9, 10}, passes)
	require.Equal(t, []bool{false, true, true, false, false}, woken)
}

// TestWakeRequestExpires checks that a WakeAt request is dropped at the next pass, even if that
// pass comes before the requested time.
func TestWakeRequestExpires(t *testing.T) {
	var passes []job.Time
	e := newEngine(t, sim.Config{Machine: cluster.Flat(1), Jobs: parseJobs(t, "A 1/9\nB 1/1@2"), Policy: script(func(p *sim.Pass) {
		passes = append(passes, p.Now())
		greedy(p)
		if p.Now() == 0 {
			p.WakeAt(5)
		}
	})})
	require.NoError(t, e.Run())
	require.Equal(t, []job.Time{0, 2, 9, 10}, passes)
}

// TestSuspend checks that a suspended job makes no progress.
func TestSuspend(t *testing.T) {
	e := newEngine(t, sim.Config{Machine: cluster.Flat(2), Jobs: parseJobs(t, "A 2/10(6)"), Policy: script(func(p *sim.Pass) {
		switch p.Now() {
		case 0:
			greedy(p)
			p.WakeAt(4)
		case 4:
			require.Equal(t, job.Time(6), p.Remaining(0))
			p.Suspend(0, log.Reason{Other: job.None})
			require.Equal(t, 2, p.Free())
			p.WakeAt(9)
		case 9:
			require.Equal(t, job.Time(6), p.Remaining(0))
			p.Resume(0, log.Reason{Other: job.None})
			require.Equal(t, job.Time(15), p.PredictedEnd(0))
		}
	})})
	require.NoError(t, e.Run())
	require.Equal(t, "A 0-4;9-11\n", policytest.FormatIntervals(e.Log()))
}

// newSharedEngine returns an engine that runs the jobs in text on one node of two cores. Two jobs that
// run at the same time slow each other down by the factor cos.
func newSharedEngine(t *testing.T, text string, cos float64, p sim.Policy) *sim.Engine {
	m := cluster.Machine{Nodes: 1, Processors: 1, Cores: 2}
	model := speed.Contention{Cos: func(_, _ job.Index) float64 { return cos }}
	return newEngine(t, sim.Config{Machine: m, Jobs: parseJobs(t, text), Policy: p, Speed: model})
}

// TestRateChange checks that a job runs at full speed again when the other job on its node ends. In
// the 4 s next to B, job A does 2 s of work.
func TestRateChange(t *testing.T) {
	var changed []job.Time
	e := newSharedEngine(t, "A 1/10\nB 1/2", 2, script(func(p *sim.Pass) {
		greedy(p)
		for _, ev := range p.Events() {
			if ev.Kind == sim.EndChanged {
				changed = append(changed, p.Now(), job.Time(ev.Job), p.PredictedEnd(ev.Job))
			}
		}
	}))
	require.NoError(t, e.Run())
	require.Equal(t, "A 0-12\nB 0-4\n", policytest.FormatIntervals(e.Log()))
	require.Equal(t, []job.Time{4, 0, 12}, changed)
}

// TestEndTogether checks that two equal jobs on one node end at the same time, despite rounding
// errors in their rates.
func TestEndTogether(t *testing.T) {
	e := newSharedEngine(t, "A 1/10\nB 1/10", 1.1, script(greedy))
	require.NoError(t, e.Run())
	require.Equal(t, "A 0-11\nB 0-11\n", policytest.FormatIntervals(e.Log()))
}
