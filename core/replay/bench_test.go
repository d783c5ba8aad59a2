package replay_test

import (
	"strconv"
	"testing"

	"backfill-lab/core/explain"
	"backfill-lab/core/job"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/replay"
)

// backlog returns jobs that 128 processors can hardly keep up with, so that many wait.
func backlog(n int) []job.Job {
	x := uint64(1)
	rnd := func(k int64) int64 {
		x = x*6364136223846793005 + 1442695040888963407
		return int64(x>>33) % k
	}
	jobs, at := make([]job.Job, n), int64(0)
	for i := range jobs {
		at += rnd(540)
		run := 1 + rnd(4000)
		jobs[i] = job.Job{ID: strconv.Itoa(i + 1), Request: job.Request{Submit: at, Procs: 1 + int(rnd(32)), Estimate: run + rnd(4000)}, Runtime: run}
	}
	return jobs
}

// What a player asks of a run of 30,000 jobs, at events all over it.
func BenchmarkEvents(b *testing.B) {
	for _, name := range []string{"easy", "conservative"} {
		b.Run(name, func(b *testing.B) {
			p := replay.New(explain.NewIndex(policytest.Simulate(b, 128, backlog(30_000), name, nil)))
			most, n := 0, 0
			for b.Loop() {
				n = (n + 7919*13) % p.Len()
				before, after := p.Around(n + 1)
				before.Free(after.At)
				after.Free(after.At)
				after.Pieces()
				p.Instead(n+1, 10)
				most = max(most, len(after.Waiting))
			}
			b.ReportMetric(float64(most), "waiting")
		})
	}
}
