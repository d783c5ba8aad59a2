package gantt_test

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/format"
	"backfill-lab/core/gantt"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/timeline"
)

// TestGolden compares text and SVG charts of small runs with testdata.
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
				require.NoError(t, gantt.ASCII(&out, l, gantt.TextOptions{Width: n, Rows: m, Clock: clockOf(l)}))
			case "svg":
				require.NoError(t, gantt.SVG(&out, l, gantt.SVGOptions{Width: n, Title: strings.TrimSpace(d.Input), Dark: d.HasArg("dark"), Clock: clockOf(l)}))
			case "plan":
				d.ScanArgs(t, "at", &n)
				c := gantt.New(l)
				for _, p := range c.ReservationPieces(timeline.NewPlans(c.Timeline), int64(n)) {
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

// clockOf returns the clock for the times of a log's chart.
func clockOf(l *log.Log) format.Clock { return format.ClockFor(gantt.New(l).End, nil) }

// runExample runs the first example of the page under a policy, on eight nodes.
func runExample(t testing.TB, policy string) *log.Log {
	return policytest.SimulateRows(t, 8, policytest.ExampleRows, policy, nil)
}
