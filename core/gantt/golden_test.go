package gantt_test

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/sim"
)

// TestGolden compares text and SVG charts of small runs with the expected ones.
func TestGolden(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var l *log.Log
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var out bytes.Buffer
			var n, m int
			switch d.MaybeScanArgs(t, "width", &n); d.Cmd {
			case "example":
				var policy string
				d.ScanArgs(t, "policy", &policy)
				l = runExample(t, policy)
			case "sliced":
				l = slicedLog(t, nil)
			case "group":
				var slow string
				d.ScanArgs(t, "slow", &slow)
				v, err := strconv.ParseFloat(slow, 64)
				require.NoError(t, err)
				l = sharedLog(t, v)
			case "ascii":
				d.MaybeScanArgs(t, "rows", &m)
				require.NoError(t, gantt.ASCII(&out, l, gantt.TextOptions{Width: n, Rows: m}))
			case "svg":
				require.NoError(t, gantt.SVG(&out, l, gantt.SVGOptions{Width: n, Title: strings.TrimSpace(d.Input), Dark: d.HasArg("dark")}))
			case "plan":
				d.ScanArgs(t, "at", &n)
				for _, p := range gantt.NewPlans(gantt.New(l)).Pieces(int64(n)) {
					fmt.Fprintf(&out, "job %s: %d to %d on lanes %d to %d\n", l.Jobs[p.Job].ID, p.From, p.To, p.Lane0, p.Lane1-1)
				}
			case "series":
				d.ScanArgs(t, "columns", &m)
				c := gantt.New(l)
				for i, s := range c.Series(0, c.End, m) {
					fmt.Fprintf(&out, "%d: busy %.3f waiting %d\n", i, s.Busy, s.Waiting)
				}
			default:
				d.Fatalf(t, "unknown command")
			}
			return out.String()
		})
	})
}

// exampleRows holds the jobs of the first example of the page: submit time, processors,
// estimate and runtime.
var exampleRows = [][4]int64{
	{0, 5, 10, 5}, {1, 5, 6, 3}, {1, 3, 6, 6}, {3, 2, 10, 7}, {4, 2, 6, 3}, {5, 1, 16, 16},
	{6, 4, 4, 4}, {8, 4, 12, 9}, {8, 5, 6, 3}, {11, 2, 20, 15}, {13, 3, 20, 20}, {13, 5, 20, 10},
}

// runExample runs the example under a policy.
func runExample(t testing.TB, policy string) *log.Log { return run(t, policy, exampleRows) }

// run runs jobs, numbered from 1, on eight nodes.
func run(t require.TestingT, policy string, rows [][4]int64) *log.Log {
	var jobs []job.Job
	for i, r := range rows {
		jobs = append(jobs, job.Job{ID: strconv.Itoa(i + 1), Runtime: r[3],
			Request: job.Request{Submit: r[0], Procs: int(r[1]), Estimate: r[2]}})
	}
	p, err := registry.New(policy, nil)
	require.NoError(t, err)
	e, err := sim.New(sim.Config{Machine: cluster.Flat(8), Jobs: jobs, Policy: p, Level: log.Full})
	require.NoError(t, err)
	require.NoError(t, e.Run())
	return e.Log()
}
