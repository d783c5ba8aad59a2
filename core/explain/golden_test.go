package explain_test

import (
	"fmt"
	"math"
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

// TestGolden compares answers about the page's first example and other small runs with testdata.
func TestGolden(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var l *log.Log
		var x *explain.Index
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var at, maxItems int
			d.MaybeScanArgs(t, "at", &at)
			d.MaybeScanArgs(t, "most", &maxItems)
			switch d.Cmd {
			case "example":
				var policy string
				d.ScanArgs(t, "policy", &policy)
				l = runExample(t, policy)
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
				l = policytest.SimulateRows(t, procs, parseRows(t, d.Input), policy, knobs)
				x = explain.NewIndex(l)
				return ""
			case "resources": // input: jobs in the notation of policytest.ParseJobs
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
			case "moldable": // input: jobs in the notation of policytest.ParseJobs
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
				l = suspendedLog()
				x = explain.NewIndex(l)
				return ""
			case "log":
				var err error
				l, _, err = log.Read(strings.NewReader(d.Input + "\n"))
				require.NoError(t, err)
				x = explain.NewIndex(l)
				return ""
			case "tell": // output: the time and the sentence of each record
				var text strings.Builder
				for r := range l.All() {
					fmt.Fprintf(&text, "%d %s\n", r.At, x.RecordText(r).Text())
				}
				return text.String()
			case "why":
				var id string
				d.ScanArgs(t, "job", &id)
				a := x.Why(findJob(t, l, id), int64(at), explain.Options{MaxItems: maxItems})
				return a.Text()
			case "machine":
				return machineText(l, x.At(int64(at)))
			}
			d.Fatalf(t, "unknown command")
			return ""
		})
	})
}

// findJob returns the index of the job with the given ID.
func findJob(t *testing.T, l *log.Log, id string) job.Index {
	for j := range l.Jobs {
		if l.Jobs[j].ID == id {
			return job.Index(j)
		}
	}
	require.Fail(t, "no such job", id)
	return job.None
}

// machineText returns the state of the machine as text: running jobs, waiting jobs and free
// processors.
func machineText(l *log.Log, m explain.Machine) string {
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

// parseRows parses lines of submit time, processors, estimate and runtime.
func parseRows(t *testing.T, text string) (rows [][4]int64) {
	for _, line := range strings.Split(text, "\n") {
		var r [4]int64
		_, err := fmt.Sscan(line, &r[0], &r[1], &r[2], &r[3])
		require.NoError(t, err)
		rows = append(rows, r)
	}
	return rows
}

// suspendedLog returns a hand-written log in which job a is suspended for a while. After job a
// resumes, it and job c share nodes, according to the records, and both run at half speed. Job b
// waits for a resource.
func suspendedLog() *log.Log {
	m := cluster.Flat(4)
	m.Resources = []cluster.Resource{{Name: "licences", Capacity: 2}}
	request := func(submit, procs, estimate, licences int64) job.Request {
		return job.Request{Submit: submit, Procs: int(procs), Estimate: estimate, More: &job.More{Extra: []int64{licences}}}
	}
	jobs := []job.Job{
		{ID: "a", Request: request(0, 2, 20, 2), Runtime: 15},
		{ID: "b", Request: request(1, 1, 10, 1), Runtime: 10},
		{ID: "c", Request: request(2, 2, 10, 0), Runtime: 10},
	}
	l := log.New(m, jobs, log.Full)
	add := func(at job.Time, kind log.Kind, j job.Index, code log.Code, other job.Index, x int64) {
		l.Add(log.Record{At: at, Kind: kind, Job: j, Code: code, Other: other, X: x})
	}
	half := int64(math.Float64bits(0.5))
	one := int64(math.Float64bits(1))
	l.RecordSlots(0, cluster.Set{{Lo: 0, Hi: 2}}, log.Layout{Procs: 2})
	add(0, log.Start, 0, log.Head, job.None, 4)
	add(5, log.Suspend, 0, log.NoReason, job.None, 0)
	add(10, log.Resume, 0, log.NoReason, job.None, 0)
	l.RecordSlots(2, cluster.Set{{Lo: 2, Hi: 4}}, log.Layout{Procs: 2})
	add(10, log.Start, 2, log.Grouped, 0, 0)
	add(10, log.RateChange, 0, 0, job.None, half)
	add(10, log.RateChange, 2, 0, job.None, half)
	add(30, log.Finish, 0, 0, job.None, 0)
	add(30, log.RateChange, 2, 0, job.None, one)
	l.RecordSlots(1, cluster.Set{{Lo: 0, Hi: 1}}, log.Layout{Procs: 1})
	add(30, log.Start, 1, log.FirstFit, job.None, 2)
	add(30, log.Finish, 2, 0, job.None, 0)
	add(40, log.Finish, 1, 0, job.None, 0)
	return l
}
