package policytest

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/fairstart"
	"backfill-lab/core/format"
	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
	"backfill-lab/core/schedule"
	"backfill-lab/core/sim"
	"backfill-lab/core/speed"
)

// A scenario file is a list of commands, each followed by its expected output.
// Run go test -rewrite to replace the expected output, then review the diff.
//
// The command scenario describes the machine and its jobs, one job per line (see ParseJobs). The
// argument m is the number of processors. The argument extra=32 or extra=(32,10) adds extra
// resources. The argument block=5-9:2 or block=(5-9:2,7-8:1) adds outages, here of 2 processors from
// 5 to 9.
//
//	scenario m=4
//	J1 2/5
//	J2 1/3(2)@1
//	----
//	2 jobs
//
// The command run takes a policy and its knobs. It prints one line per job (see FormatIntervals),
// and then the moves of planned starts.
//
//	run easy order=sjf
//	----
//	J1 0-5
//	J2 1-3
//
// The arguments nodes, processors (per node) and cores (per processor) replace m if two jobs may
// share a node. A line with "beside" gives the slowdown of the first job when it shares nodes with
// the second.
//
//	scenario nodes=4 processors=2 cores=2
//	A 8/4000 ~1,1.3
//	B 4/3000 ~1,1.3
//	A beside B 1.1
//
// The other commands report on the last run:
//
//	groups           the group search and the groups that were formed
//	sets             the candidate sets of the search and the selected set
//	reasons          why jobs started or waited, and how moldable jobs got their sizes
//	gantt            the schedule as a text chart
//	fair sabin       fair start times, which later metrics commands use; the definition is
//	                 jin, sabin or sabin-estimates (see package fairstart)
//	metrics tau=10 high-load=12 mean-wait ...
//	                 the named metrics, here mean-wait; tau and high-load are optional (see metrics.Options)
//
// Every run must also pass the checks of package schedule.

// Scenarios runs every scenario file in a folder as a subtest.
func Scenarios(t *testing.T, folder string) {
	datadriven.Walk(t, folder, func(t *testing.T, path string) {
		s := &scenario{}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string { return s.runCommand(t, d) })
	})
}

// scenario holds the state that the commands of one file share.
type scenario struct {
	Workload
	model    speed.Model // slowdowns of jobs that share nodes; nil if nodes cannot be shared
	lastCase *Case
	lastLog  *log.Log
	fair     []job.Time // fair start times by job; nil means the times recorded by the last run
}

// runCommand executes one command and returns its output.
func (s *scenario) runCommand(t *testing.T, d *datadriven.TestData) string {
	switch d.Cmd {
	case "scenario":
		s.Workload, s.model = parseWorkload(t, d)
		return fmt.Sprintf("%d jobs\n", len(s.Jobs))
	case "run":
		knobs := map[string]string{}
		for _, a := range d.CmdArgs[1:] {
			knobs[a.Key] = strings.Join(a.Vals, ",")
		}
		s.lastCase = s.Case(t, d.CmdArgs[0].Key, knobs)
		s.lastCase.Speed = s.model
		s.lastLog, s.fair = s.lastCase.Run(t), nil
		require.Empty(t, schedule.CheckLog(s.lastLog, true), d.Pos)
		return FormatIntervals(s.lastLog) + FormatMoves(s.lastLog)
	case "reasons":
		return FormatReasons(s.lastLog)
	case "sets":
		return FormatSets(s.lastLog)
	case "groups":
		return FormatGroups(s.lastLog)
	case "gantt":
		var b strings.Builder
		require.NoError(t, gantt.ASCII(&b, s.lastLog, gantt.TextOptions{Width: 60, Clock: format.ClockFor(gantt.New(s.lastLog).End, nil)}))
		return b.String()
	case "fair":
		s.fair = FairStarts(t, s.lastCase, s.lastLog, d.CmdArgs[0].Key)
		return s.formatFairStarts()
	case "metrics":
		return s.formatMetrics(t, d)
	}
	d.Fatalf(t, "expected scenario, run, reasons, sets, groups, gantt, fair or metrics, got %q", d.Cmd)
	return ""
}

// parseWorkload parses the command scenario: its arguments, its jobs and their pairwise slowdowns.
func parseWorkload(t *testing.T, d *datadriven.TestData) (w Workload, model speed.Model) {
	w.Machine = parseMachine(t, d)
	for _, a := range d.CmdArgs {
		for k, text := range a.Vals {
			if a.Key == "block" {
				w.Machine.Outages = append(w.Machine.Outages, parseOutage(t, text))
			}
			if a.Key == "extra" {
				capacity, err := strconv.ParseInt(text, 10, 64)
				require.NoError(t, err, d.Pos)
				w.Machine.Resources = append(w.Machine.Resources, cluster.Resource{Name: fmt.Sprintf("r%d", k+1), Capacity: capacity})
			}
		}
	}
	jobs, pairs, err := parsePairs(d.Input)
	require.NoError(t, err, d.Pos)
	w.Jobs, err = ParseJobs(jobs)
	require.NoError(t, err, d.Pos)
	if w.Machine.JobsPerNode > 0 {
		model = pairs.Speed(w.Jobs)
		require.NoError(t, pairs.Check(w.Jobs), d.Pos)
	}
	return w, model
}

// parseOutage parses an outage such as 5-9:2: two processors are unavailable during [5,9).
func parseOutage(t *testing.T, text string) (b cluster.Outage) {
	_, err := fmt.Sscanf(text, "%d-%d:%d", &b.From, &b.To, &b.Procs)
	require.NoError(t, err, text)
	return b
}

// parseMachine parses the size of the machine from the arguments of the command scenario.
func parseMachine(t *testing.T, d *datadriven.TestData) (m cluster.Machine) {
	if !d.HasArg("nodes") {
		var procs int
		d.ScanArgs(t, "m", &procs)
		return cluster.Flat(procs)
	}
	m.JobsPerNode = 2
	d.ScanArgs(t, "nodes", &m.Nodes)
	d.ScanArgs(t, "processors", &m.Processors)
	d.ScanArgs(t, "cores", &m.Cores)
	return m
}

// formatMetrics returns the requested metrics of the last run, one per line.
func (s *scenario) formatMetrics(t *testing.T, d *datadriven.TestData) string {
	o := metrics.Default
	d.MaybeScanArgs(t, "tau", &o.Tau)
	d.MaybeScanArgs(t, "high-load", &o.HighLoad)
	table := schedule.FromLog(s.lastLog)
	for j, at := range s.fair {
		table.Rows[j].Fair = at
	}
	values := metrics.Compute(table, s.lastLog.Machine, o)
	var b strings.Builder
	for _, a := range d.CmdArgs {
		if len(a.Vals) > 0 {
			continue
		}
		v := metrics.Find(values, a.Key)
		require.NotNil(t, v.Metric, "%s: no metric %s", d.Pos, a.Key)
		fmt.Fprintf(&b, "%s %s\n", a.Key, strconv.FormatFloat(v.Number, 'g', 5, 64))
	}
	return b.String()
}

// formatFairStarts returns the fair start times, one job per line.
func (s *scenario) formatFairStarts() string {
	var b strings.Builder
	for j, at := range s.fair {
		fmt.Fprintf(&b, "%s %d\n", s.Jobs[j].ID, at)
	}
	return b.String()
}

// FairStarts returns the fair start time of each job of a finished case, in seconds. The given
// definition of the fair start time is jin, sabin or sabin-estimates (see package fairstart).
func FairStarts(t TB, c *Case, l *log.Log, definition string) []job.Time {
	t.Helper()
	if definition == "jin" {
		times, err := fairstart.Jin(l)
		require.NoError(t, err)
		return times
	}
	require.Contains(t, []string{"sabin", "sabin-estimates"}, definition)
	s, err := fairstart.NewSabin(sim.Config{Machine: c.Machine, Jobs: c.Jobs, Policy: c.Policy(t), Speed: c.Speed}, definition == "sabin-estimates")
	require.NoError(t, err)
	for more := true; more; {
		more, err = s.Step()
		require.NoError(t, err)
	}
	return s.Times()
}
