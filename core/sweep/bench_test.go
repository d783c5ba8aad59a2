package sweep

import (
	"bytes"
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// manySeeds returns a sweep of 4 policies with a number of seeds.
func manySeeds(tb testing.TB, seeds int) *Definition {
	tb.Helper()
	d, err := Parse(fmt.Appendf(nil, `{"version": 1,
  "workloads": [{"name": "drawn", "scenario": {"version": 1, "machine": {"nodes": 128}, "workload": {"generator": "lublin", "parameters": {"jobs": 300}, "seed": 1}}}],
  "seeds": {"from": 1, "count": %d},
  "policies": [{"name": "easy", "knobs": {"order": ["fifo", "sjf"]}}, {"name": "fcfs"}, {"name": "conservative"}]}`, seeds))
	require.NoError(tb, err)
	return d
}

// madeUp returns results without a simulation. One metric does not apply in every third run.
func madeUp(group, policy int) Values {
	v := Values{"mean-wait": float64(group*7+policy) / 3, "mean-bounded-slowdown": 1 + float64(policy)/7, "utilization": 1 / float64(group+2)}
	if (group+policy)%3 > 0 {
		v["max-wait"] = float64(group + policy)
	}
	return v
}

// BenchmarkCollect joins the tables of 10^6 runs in 1,000 parts, writes the whole table and compares
// the policies. Run it with -benchtime=1x.
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
