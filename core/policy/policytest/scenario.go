package policytest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/fairstart"
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
//	scenario m=4            jobs, a line each: id q/e(p)@submit +a,b, see ParseJobs;
//	J1 2/5                  extra=32 or extra=(32,10) gives the machine extra resources
//	J2 1/3(2)@1             block=5-9:2 or block=(5-9:2,7-8:1) takes processors away
//	----
//	2 jobs
//
//	run easy order=sjf      policy and knobs; prints a line for each job, with
//	----                    the size of a moldable one and its promised start if
//	J1 0-5                  it has one, and then the moves
//	J2 1-3
//
//	scenario nodes=4 processors=2 cores=2     nodes that two jobs may share, and how
//	A 8/4000 ~1,1.3                           much one is slowed down beside another
//	B 4/3000 ~1,1.3
//	A beside B 1.1
//
//	groups                  of the last run: the sets of jobs that were weighed, and the
//	                        groups that were formed
//	reasons                 of the last run: why jobs started or were held, and why
//	                        moldable ones are as wide as they are
//	gantt                   of the last run: as text
//	fair sabin              fair start times of the last run, for the metrics after it too:
//	                        jin, sabin or sabin-estimates (package fairstart)
//	metrics tau=10 high-load=12 mean-wait ...
//
// Every run is also checked: the checker of package schedule must find nothing.
// Other systems add their own words to jobs and to the scenario line.

// Scenarios runs every scenario file in a folder.
func Scenarios(t *testing.T, folder string) {
	datadriven.Walk(t, folder, func(t *testing.T, path string) {
		s := &scenario{}
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string { return s.do(t, d) })
	})
}

// scenario holds the state that the commands of one file share.
type scenario struct {
	Workload
	model speed.Model
	ran   *Case
	last  *log.Log
	fair  []job.Time // fair start times by job; nil means those recorded by the last run
}

func (s *scenario) do(t *testing.T, d *datadriven.TestData) string {
	switch d.Cmd {
	case "scenario":
		s.Workload, s.model = parseWorkload(t, d)
		return fmt.Sprintf("%d jobs\n", len(s.Jobs))
	case "run":
		knobs := map[string]string{}
		for _, a := range d.CmdArgs[1:] {
			knobs[a.Key] = strings.Join(a.Vals, ",")
		}
		s.ran = s.Case(t, d.CmdArgs[0].Key, knobs)
		s.ran.Speed = s.model
		s.last, s.fair = s.ran.Run(t), nil
		require.Empty(t, schedule.CheckLog(s.last, true), d.Pos)
		return Rows(s.last) + Moves(s.last)
	case "reasons":
		return Reasons(s.last)
	case "sets":
		return Sets(s.last)
	case "groups":
		return Groups(s.last)
	case "gantt":
		var b strings.Builder
		require.NoError(t, gantt.ASCII(&b, s.last, gantt.TextOptions{Width: 60}))
		return b.String()
	case "fair":
		s.fair = FairStarts(t, s.ran, s.last, d.CmdArgs[0].Key)
		return s.fairRows()
	case "metrics":
		return s.metrics(t, d)
	}
	d.Fatalf(t, "expected scenario, run, reasons, sets, groups, gantt, fair or metrics, got %q", d.Cmd)
	return ""
}

func parseWorkload(t *testing.T, d *datadriven.TestData) (w Workload, model speed.Model) {
	w.Machine = parseMachine(t, d)
	for _, a := range d.CmdArgs {
		for k, text := range a.Vals {
			if a.Key == "block" {
				w.Machine.Outages = append(w.Machine.Outages, block(t, text))
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

// block parses an outage such as 5-9:2: two processors are unavailable during [5,9).
func block(t *testing.T, text string) (b cluster.Outage) {
	_, err := fmt.Sscanf(text, "%d-%d:%d", &b.From, &b.To, &b.Procs)
	require.NoError(t, err, text)
	return b
}

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

func (s *scenario) metrics(t *testing.T, d *datadriven.TestData) string {
	o := metrics.Default
	d.MaybeScanArgs(t, "tau", &o.Tau)
	d.MaybeScanArgs(t, "high-load", &o.HighLoad)
	table := schedule.FromLog(s.last)
	for j, at := range s.fair {
		table.Rows[j].Fair = at
	}
	values := metrics.Compute(table, s.last.Machine, o)
	var b strings.Builder
	for _, a := range d.CmdArgs {
		if len(a.Vals) > 0 {
			continue
		}
		v := metrics.Find(values, a.Key)
		require.NotNil(t, v.Metric, "%s: no metric %s", d.Pos, a.Key)
		fmt.Fprintf(&b, "%s %s\n", a.Key, strconv.FormatFloat(v.V, 'g', 5, 64))
	}
	return b.String()
}

func (s *scenario) fairRows() string {
	var b strings.Builder
	for j, at := range s.fair {
		fmt.Fprintf(&b, "%s %d\n", s.Jobs[j].ID, at)
	}
	return b.String()
}

// FairStarts returns the fair start time of each job of a finished case, in seconds.
// The definition is jin, sabin or sabin-estimates (see package fairstart).
func FairStarts(t TB, c *Case, l *log.Log, reading string) []job.Time {
	t.Helper()
	if reading == "jin" {
		times, err := fairstart.Jin(l)
		require.NoError(t, err)
		return times
	}
	require.Contains(t, []string{"sabin", "sabin-estimates"}, reading)
	s, err := fairstart.NewSabin(sim.Config{Machine: c.Machine, Jobs: c.Jobs, Policy: c.Policy(t), Speed: c.Speed}, reading == "sabin-estimates")
	require.NoError(t, err)
	for more := true; more; {
		more, err = s.Step()
		require.NoError(t, err)
	}
	return s.Times()
}

// Rows returns one line per job: its execution intervals, its size if it is moldable,
// and its promised start if it has one.
func Rows(l *log.Log) string {
	rows := make([]string, len(l.Jobs))
	for _, s := range l.Spans() {
		sep := ";"
		if rows[s.Job] == "" {
			sep = " "
		}
		rows[s.Job] += fmt.Sprintf("%s%d-%d", sep, s.From, s.To)
	}
	for j, o := range l.Outcomes() {
		rows[j] = l.Jobs[j].ID + rows[j]
		if l.Jobs[j].Speedup() != nil {
			rows[j] += fmt.Sprintf(" on %d", l.Layout(job.Index(j)).Procs)
		}
		if o.Promised != job.Never {
			rows[j] += fmt.Sprintf(" promised %d", o.Promised)
		}
	}
	return strings.Join(rows, "\n") + "\n"
}

// Moves returns one line for each change of a planned start.
func Moves(l *log.Log) string {
	var b strings.Builder
	for r := range l.All() {
		if r.Kind == log.Move {
			fmt.Fprintf(&b, "at %d %s moves %d->%d because of %s\n", r.At, name(l, r.Job), r.X, r.Y, name(l, r.Other))
		}
	}
	return b.String()
}

// Reasons returns one line for each recorded reason of a start, resume, hold or size.
// It prints only the numbers that the reason's code uses.
func Reasons(l *log.Log) string {
	var b strings.Builder
	for r := range l.All() {
		if r.Kind == log.Size {
			fmt.Fprintf(&b, "at %d size %s: %s saved=%g next=%g\n", r.At, name(l, r.Job), log.Codes[r.Code].Name, float64(r.X)/1e6, float64(r.Y)/1e6)
		}
		if !slices.Contains([]log.Kind{log.Start, log.Resume, log.Hold}, r.Kind) {
			continue
		}
		code := log.Codes[r.Code]
		fmt.Fprintf(&b, "at %d %s %s: %s", r.At, log.Kinds[r.Kind].Name, name(l, r.Job), code.Name)
		if r.Other != job.None {
			fmt.Fprintf(&b, " other=%s", name(l, r.Other))
		}
		if code.X != log.Unused {
			fmt.Fprintf(&b, " x=%d", r.X)
		}
		if code.Y != log.Unused {
			fmt.Fprintf(&b, " y=%d", r.Y)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Sets returns one line for each fair start and each candidate set of the search.
// Scored sets also show the recorded lateness and earliness relative to fair starts.
// A last line for each search names the set selected.
func Sets(l *log.Log) string {
	var b strings.Builder
	var kept [][]string // saved sets as job names; element 0 holds the time of the search
	for r := range l.All() {
		switch r.Kind {
		case log.Fair:
			fmt.Fprintf(&b, "at %d fair start %s: %d\n", r.At, name(l, r.Job), r.X)
		case log.Node:
			if r.X == 0 && (len(kept) == 0 || kept[0][0] != fmt.Sprint(r.At)) {
				kept = [][]string{{fmt.Sprint(r.At)}}
			}
			set := append(slices.Clone(kept[r.X][1:]), name(l, r.Job))
			fmt.Fprintf(&b, "at %d %s: %s", r.At, strings.Join(set, ","), log.Codes[r.Code].Name)
			if r.Code == log.PastSlack {
				fmt.Fprintf(&b, " %s latest=%d", name(l, r.Other), r.Y)
			}
			b.WriteByte('\n')
			if r.Code.Keeps() {
				kept = append(kept, append([]string{""}, set...))
			}
		case log.Scored:
			fmt.Fprintf(&b, "  late=%d early=%d\n", r.X, r.Y)
		case log.Choice:
			fmt.Fprintf(&b, "at %d choice of %d tried: ", r.At, r.Y)
			if r.X == 0 {
				b.WriteString("none\n")
			} else {
				fmt.Fprintf(&b, "%s for %s\n", strings.Join(kept[r.X][1:], ","), log.Codes[r.Code].Name)
			}
		}
	}
	return b.String()
}
