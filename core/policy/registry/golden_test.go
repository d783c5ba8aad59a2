package registry_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/sim"
	"backfill-lab/core/slowdown"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/swf"
)

// goldenTraces names the traces with reference schedules.
var goldenTraces = []string{
	"KTH-SP2-1996-2.1-cln", "SDSC-SP2-1998-4.2-cln", "CTC-SP2-1996-3.1-cln", "lublin256", "over256",
}

// goldenRuns lists the policies with reference schedules. A reference schedule holds the start time
// of every job, and several independent programs agree on it.
var goldenRuns = []struct {
	file, policy string
	knobs        map[string]string
}{
	{"fcfs", "fcfs", nil},
	{"easy", "easy", nil},
	{"cons-start", "conservative", map[string]string{"compress": "start"}},
	{"cons-compress", "conservative", map[string]string{"compress": "submit"}},
}

// TestGolden compares the start time of every job with the reference schedules. It runs each case
// at the log levels Decisions and Starts.
func TestGolden(t *testing.T) {
	folder := os.Getenv("BACKFILL_REFERENCE")
	if folder == "" {
		t.Skip("BACKFILL_REFERENCE is not set: skipping the reference schedules")
	}
	for _, trace := range goldenTraces {
		data := readFile(t, filepath.Join(folder, "golden", trace+".norm.swf.gz"))
		w, err := workload.Read(bytes.NewReader(data), swf.Options{}, 0, workload.Rules{})
		require.NoError(t, err)
		for _, run := range goldenRuns {
			t.Run(trace+"/"+run.file, func(t *testing.T) {
				want := readStarts(t, filepath.Join(folder, "golden", trace+"."+run.file+".csv.gz"))
				require.Len(t, want, len(w.Jobs))
				requireStarts(t, want, simulate(t, w, run.policy, run.knobs))
				p, err := registry.New(run.policy, run.knobs)
				require.NoError(t, err)
				e, err := sim.New(sim.Config{Machine: cluster.Flat(w.Procs), Jobs: w.Jobs, Policy: p, Level: log.Starts})
				require.NoError(t, err)
				require.NoError(t, e.Run())
				requireStarts(t, want, e.Log())
			})
		}
	}
}

// requireStarts checks the start times of a log against a reference schedule.
func requireStarts(t *testing.T, want map[string]int64, l *log.Log) {
	t.Helper()
	differ := 0
	for j, o := range l.Outcomes() {
		if o.Start != want[l.Jobs[j].ID] {
			if differ++; differ <= 5 {
				t.Errorf("job %s: start %d, expected %d", l.Jobs[j].ID, o.Start, want[l.Jobs[j].ID])
			}
		}
	}
	require.Zero(t, differ, "number of jobs whose start differs from the reference")
}

// simulate runs a workload on a machine with the number of processors that the workload states.
func simulate(t testing.TB, w *workload.Workload, name string, knobs map[string]string) *log.Log {
	t.Helper()
	return simulateOn(t, w, cluster.Flat(w.Procs), name, knobs)
}

// simulateOn runs a workload on machine m. Jobs that share nodes slow each other down.
func simulateOn(t testing.TB, w *workload.Workload, m cluster.Machine, name string, knobs map[string]string) *log.Log {
	t.Helper()
	p, err := registry.New(name, knobs)
	require.NoError(t, err)
	c := sim.Config{Machine: m, Jobs: w.Jobs, Policy: p, Level: log.Decisions}
	if m.SlotsPerNode() > 1 {
		c.Speed = (&slowdown.Model{Drawn: true, Seed: 1}).Speed(w.Jobs)
	}
	e, err := sim.New(c)
	require.NoError(t, err)
	require.NoError(t, e.Run())
	return e.Log()
}

// readStarts reads a reference schedule: the start times by job ID.
func readStarts(t *testing.T, file string) map[string]int64 {
	z, err := gzip.NewReader(bytes.NewReader(readFile(t, file)))
	require.NoError(t, err)
	out := map[string]int64{}
	s := bufio.NewScanner(z)
	s.Scan() // header
	for s.Scan() {
		id, at, _ := strings.Cut(s.Text(), ",")
		out[id], err = strconv.ParseInt(at, 10, 64)
		require.NoError(t, err)
	}
	require.NoError(t, s.Err())
	return out
}

// readFile returns the contents of a file.
func readFile(t testing.TB, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	return data
}

// BenchmarkGolden runs the policies with reference schedules on the reference traces.
func BenchmarkGolden(b *testing.B) {
	folder := os.Getenv("BACKFILL_REFERENCE")
	if folder == "" {
		b.Skip("BACKFILL_REFERENCE is not set")
	}
	for _, trace := range goldenTraces {
		data := readFile(b, filepath.Join(folder, "golden", trace+".norm.swf.gz"))
		w, err := workload.Read(bytes.NewReader(data), swf.Options{}, 0, workload.Rules{})
		require.NoError(b, err)
		for _, run := range goldenRuns {
			b.Run(trace+"/"+run.file, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					simulate(b, w, run.policy, run.knobs)
				}
			})
		}
	}
}
