package sweep

import (
	"bytes"
	"fmt"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/scenario"
	"backfill-lab/core/sim"
)

// manySeeds returns a sweep of 4 policies with the given number of seeds.
func manySeeds(tb testing.TB, seeds int) *Definition {
	tb.Helper()
	d, err := Parse(fmt.Appendf(nil, `{"version": 1,
  "workloads": [{"name": "drawn", "scenario": {"version": 1, "machine": {"nodes": 128}, "workload": {"generator": "lublin", "parameters": {"jobs": 300}, "seed": 1}}}],
  "seeds": {"from": 1, "count": %d},
  "policies": [{"name": "easy", "knobs": {"order": ["fifo", "sjf"]}}, {"name": "fcfs"}, {"name": "conservative"}]}`, seeds))
	require.NoError(tb, err)
	return d
}

// madeUp returns invented results for a run, without a simulation. In about a third of the runs,
// one metric is missing.
func madeUp(group, policy int) Values {
	v := Values{"mean-wait": float64(group*7+policy) / 3, "mean-bounded-slowdown": 1 + float64(policy)/7, "utilization": 1 / float64(group+2)}
	if (group+policy)%3 > 0 {
		v["max-wait"] = float64(group + policy)
	}
	return v
}

// BenchmarkCollect joins 1,000 tables with 10^6 runs in total, writes the whole table and compares the
// policies. Run it with -benchtime=1x.
func BenchmarkCollect(b *testing.B) {
	const parts = 1000
	d := manySeeds(b, 250_000)
	tables := make([][]byte, parts)
	for i := range tables {
		var w bytes.Buffer
		require.NoError(b, d.WriteTable(&w, Shard{i, parts}, madeUp))
		tables[i] = w.Bytes()
	}
	for b.Loop() {
		c := d.Collect()
		for i, table := range tables {
			require.NoError(b, c.Add(fmt.Sprint(i), table))
		}
		var w bytes.Buffer
		require.NoError(b, d.WriteTable(&w, Shard{}, c.Values))
		d.Summarize(c.Values)
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		b.ReportMetric(float64(m.HeapInuse)/1e6, "MB-heap")
		b.ReportMetric(float64(w.Len())/1e6, "MB-table")
	}
}

// processorTime returns the processor time of this process. Unlike wall-clock time, it hardly
// depends on other programs.
func processorTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkRun makes runs of a small workload in the same way as a sweep. It prepares the jobs,
// simulates the policy and writes the row of the table.
func BenchmarkRun(b *testing.B) {
	d := manySeeds(b, 1)
	began := processorTime()
	for b.Loop() {
		jobs, err := d.Prepare(d.Group(0), (*scenario.Scenario).Setup)
		require.NoError(b, err)
		for p := range d.Policies {
			values, err := jobs.Run(p)
			require.NoError(b, err)
			d.Row(0, p, values)
		}
	}
	b.ReportMetric(float64((processorTime()-began).Microseconds())/float64(b.N*len(d.Policies)), "µs-CPU/run")
}

// BenchmarkSimulation only simulates the runs of BenchmarkRun. The difference between the two times
// is the cost of a run without its simulation.
func BenchmarkSimulation(b *testing.B) {
	d := manySeeds(b, 1)
	jobs, err := d.Prepare(d.Group(0), (*scenario.Scenario).Setup)
	require.NoError(b, err)
	began := processorTime()
	for b.Loop() {
		for p := range d.Policies {
			up, err := d.Scenario(d.Group(0), p).SetupWithWorkload(jobs.setup.Work)
			require.NoError(b, err)
			c, err := up.Config(0, d.level())
			require.NoError(b, err)
			e, err := sim.New(c)
			require.NoError(b, err)
			require.NoError(b, e.Run())
		}
	}
	b.ReportMetric(float64((processorTime()-began).Microseconds())/float64(b.N*len(d.Policies)), "µs-CPU/run")
}
