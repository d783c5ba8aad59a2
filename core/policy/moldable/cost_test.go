package moldable

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/schedule"
	"backfill-lab/core/sim"
)

// randomJobs returns n moldable jobs that follow Downey's model. The mean time between submissions
// is gap, in seconds. The jobs stand in for the workload of Wu et al. 2015.
func randomJobs(n int, gap float64) []job.Job {
	r := rand.New(rand.NewPCG(7, 7))
	jobs, now := make([]job.Job, n), 0.0
	for i := range jobs {
		s := &job.Speedup{
			A:     math.Exp(r.Float64() * math.Log(128)),
			Sigma: 2 * r.Float64(),
			L:     min(2e6, math.Exp(math.Log(30000)+1.6*r.NormFloat64())),
		}
		now += gap * r.ExpFloat64()
		t := max(1, job.Time(math.Ceil(s.L)))
		jobs[i] = job.Job{ID: fmt.Sprint(i + 1), Runtime: t,
			Request: job.Request{Submit: job.Time(now), Procs: 1, Estimate: t, More: &job.More{Speedup: s}}}
	}
	return jobs
}

// meanGap returns the mean time between submissions, in seconds, for the given offered load on m
// processors. The load counts the sequential work of the jobs.
func meanGap(load float64, m int) float64 {
	work := 0.0
	jobs := randomJobs(100_000, 0)
	for i := range jobs {
		work += jobs[i].More.Speedup.L
	}
	return work / float64(len(jobs)) / (load * float64(m))
}

// knobs returns the values of all knobs: the given values, and the defaults of the other knobs. It panics
// if a value is invalid.
func knobs(set map[string]string) policy.Values {
	v, err := Spec.Settings(set)
	if err != nil {
		panic(err)
	}
	return v
}

// hrfWithCost wraps hrf and records the cost of each allocation.
type hrfWithCost struct {
	*hrf
	cost []int64 // by allocation: number of heap steps plus number of revenues computed
}

func (c *hrfWithCost) allocate(p *sim.Pass, w *waiting) {
	before := c.revenues + c.secondOffers.steps + c.openOffers.steps
	c.hrf.allocate(p, w)
	c.cost = append(c.cost, c.revenues+c.secondOffers.steps+c.openOffers.steps-before)
}

// TestCostOfAllocation checks that an allocation costs O(alpha m log(alpha m)) for any queue length
// n. The product alpha m is the budget on m processors. (Wu et al. 2015, section 5, state O(alpha m
// log n).) It also checks that each change of the queue takes few heap steps.
func TestCostOfAllocation(t *testing.T) {
	const m = 128
	var costAt1000 int64 // cost of the allocation for n = 1000
	for n := 10; n <= 100_000; n *= 10 {
		p := build(knobs(nil)).(*Moldable)
		c := &hrfWithCost{hrf: p.sizer.(*hrf)}
		p.sizer = c
		e, err := sim.New(sim.Config{Machine: cluster.Flat(m), Jobs: randomJobs(n, 0), Policy: p, Level: log.Spans})
		require.NoError(t, err)
		_, err = e.Step()
		require.NoError(t, err)
		change := float64(c.secondOffers.steps) / float64(n)
		t.Logf("n = %6d: %d steps and revenues for the allocation, %.1f steps for each change of the queue", n, c.cost[0], change)
		if n == 1000 {
			costAt1000 = c.cost[0]
		}
		require.Less(t, c.cost[0], int64(m*16), "n = %d", n)
		require.True(t, n <= 1000 || c.cost[0] < 2*costAt1000, "n = %d", n)
		require.Less(t, change, 4*math.Log2(float64(n)), "n = %d", n)
	}
}

// TestRandomJobs schedules random jobs with every value of the knobs allocation and select. It checks
// that package schedule finds no error in the logs.
func TestRandomJobs(t *testing.T) {
	jobs := randomJobs(3000, meanGap(0.9, 128))
	for _, allocation := range []string{byRevenue, byRuntime, bySubmit, bySchedule} {
		for _, selection := range []string{"fcfs", "sjf", "easy"} {
			l := simulate(t, 128, jobs, map[string]string{"allocation": allocation, "select": selection})
			require.Empty(t, schedule.CheckLog(l, false), "%s %s", allocation, selection)
		}
	}
}

// simulate runs jobs on m processors with the given knob values and returns the log. All other knobs have
// their defaults.
func simulate(t testing.TB, m int, jobs []job.Job, set map[string]string) *log.Log {
	e, err := sim.New(sim.Config{Machine: cluster.Flat(m), Jobs: jobs, Policy: build(knobs(set)), Level: log.Decisions})
	require.NoError(t, err)
	require.NoError(t, e.Run())
	return e.Log()
}

// BenchmarkRandomJobs runs 100,000 jobs at load 0.9 on 128 processors, with every value of the knobs
// allocation and select.
func BenchmarkRandomJobs(b *testing.B) {
	jobs := randomJobs(100_000, meanGap(0.9, 128))
	for _, allocation := range []string{byRevenue, bySubmit, bySchedule, byRuntime} {
		for _, selection := range []string{"fcfs", "sjf", "easy"} {
			b.Run(allocation+"/"+selection, func(b *testing.B) {
				for b.Loop() {
					l := simulate(b, 128, jobs, map[string]string{"allocation": allocation, "select": selection})
					b.ReportMetric(float64(l.Len())/float64(len(jobs)), "records/job")
				}
			})
		}
	}
}
