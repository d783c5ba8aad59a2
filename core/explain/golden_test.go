package explain_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/explain"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest"
)

// TestGolden answers questions about the page's example and other small runs.
func TestGolden(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var l *log.Log
		var x *explain.Index
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var at, most int
			d.MaybeScanArgs(t, "at", &at)
			d.MaybeScanArgs(t, "most", &most)
			switch d.Cmd {
			case "example":
				var policy string
				d.ScanArgs(t, "policy", &policy)
				l = twelve(t, policy)
				x = explain.NewIndex(l)
				return ""
			case "run":
				var policy string
				d.ScanArgs(t, "policy", &policy)
				procs, knobs := 8, map[string]string{}
				d.MaybeScanArgs(t, "m", &procs)
				for _, a := range d.CmdArgs {
					if a.Key != "policy" && a.Key != "m" {
						knobs[a.Key] = a.Vals[0]
					}
				}
				l = simulate(t, procs, policy, knobs, read(t, d.Input))
				x = explain.NewIndex(l)
				return ""
			case "resources": // jobs in the notation of the scenario files
				var policy string
				var procs int
				var memory int64
				d.ScanArgs(t, "policy", &policy)
				d.ScanArgs(t, "m", &procs)
				d.ScanArgs(t, "memory", &memory)
				knobs := map[string]string{}
				if pick := ""; d.HasArg("pick") {
					d.ScanArgs(t, "pick", &pick)
					knobs["pick"] = pick
				}
				w := policytest.Workload{Machine: cluster.Flat(procs)}
				w.Machine.Resources = []cluster.Resource{{Name: "memory", Capacity: memory}}
				var err error
				w.Jobs, err = policytest.ParseJobs(d.Input)
				require.NoError(t, err)
				l = w.Case(t, policy, knobs).Run(t)
				x = explain.NewIndex(l)
				return ""
			case "moldable": // jobs in the notation of scenario files
				var procs int
				d.ScanArgs(t, "m", &procs)
				jobs, err := policytest.ParseJobs(d.Input)
				require.NoError(t, err)
				knobs := map[string]string{}
				for _, a := range d.CmdArgs[1:] {
					knobs[a.Key] = a.Vals[0]
				}
				l = policytest.Simulate(t, procs, jobs, "moldable", knobs)
				x = explain.NewIndex(l)
				return ""
			case "sliced":
				l = sliced()
				x = explain.NewIndex(l)
				return ""
			case "log":
				var err error
				l, _, err = log.Read(strings.NewReader(d.Input + "\n"))
				require.NoError(t, err)
				x = explain.NewIndex(l)
				return ""
			case "tell": // each record
				var text strings.Builder
				for r := range l.All() {
					fmt.Fprintf(&text, "%d %s\n", r.At, x.Tell(r).Text())
				}
				return text.String()
			case "why":
				var id string
				d.ScanArgs(t, "job", &id)
				a := x.Why(find(t, l, id), int64(at), explain.Options{Most: most})
				return a.Text()
			case "machine":
				return machine(l, x.At(int64(at)))
			}
			d.Fatalf(t, "unknown command")
			return ""
		})
	})
}

func find(t *testing.T, l *log.Log, id string) job.Index {
	for j := range l.Jobs {
		if l.Jobs[j].ID == id {
			return job.Index(j)
		}
	}
	require.Fail(t, "no such job", id)
	return job.None
}

func machine(l *log.Log, m explain.Machine) string {
	var b strings.Builder
	for _, h := range m.Running {
		fmt.Fprintf(&b, "job %s on %d until %d\n", l.Jobs[h.Job].ID, h.Slots, h.Until)
	}
	for _, j := range m.Waiting {
		fmt.Fprintf(&b, "job %s waits\n", l.Jobs[j].ID)
	}
	fmt.Fprintf(&b, "%d free\n", m.Free)
	return b.String()
}

// read reads jobs: submit, processors, estimate, runtime in each line.
func read(t *testing.T, text string) (rows [][4]int64) {
	for _, line := range strings.Split(text, "\n") {
		var r [4]int64
		_, err := fmt.Sscan(line, &r[0], &r[1], &r[2], &r[3])
		require.NoError(t, err)
		rows = append(rows, r)
	}
	return rows
}
