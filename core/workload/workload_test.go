package workload_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/swf"
)

// record returns an SWF line with the fields that the rules use. All others are -1.
func record(id, submit, runtime, allocated, requested, time, status int) string {
	return fmt.Sprintf("%d %d -1 %d %d -1 -1 %d %d -1 %d -1 -1 -1 -1 -1 -1 -1\n",
		id, submit, runtime, allocated, requested, time, status)
}

func load(t *testing.T, text string, procs int, rules workload.Rules) *workload.Workload {
	t.Helper()
	w, err := workload.Read(strings.NewReader(text), swf.Options{}, procs, rules)
	require.NoError(t, err)
	requireValid(t, w)
	return w
}

// TestOverrunRule checks what each value of the rule Overrun does to a job that ran longer than its estimate.
// A missing estimate must become the runtime, and the filter of Lindsay et al. must drop a cancelled job.
func TestOverrunRule(t *testing.T) {
	text := record(1, 0, 120, 4, 4, 100, 1) + record(2, 1, 50, 4, 4, -1, 1) + record(3, 2, 0, 4, 4, 100, 5)
	for _, c := range []struct {
		overrun           workload.Overrun
		runtime, estimate job.Time
		killed            bool
	}{
		{workload.Raise, 120, 120, false},
		{workload.Truncate, 100, 100, false},
		{workload.Kill, 100, 100, true},
	} {
		t.Run(c.overrun.String(), func(t *testing.T) {
			w := load(t, text, 8, workload.Rules{Overrun: c.overrun, Filter: workload.Lindsay})
			require.Len(t, w.Jobs, 2)
			assert.Equal(t, job.Job{ID: "1", Runtime: c.runtime, Killed: c.killed,
				Request: job.Request{Submit: 0, Estimate: c.estimate, Procs: 4}}, w.Jobs[0])
			assert.EqualValues(t, 50, w.Jobs[1].Estimate)
			assert.Equal(t, 1, w.Report.N(workload.Cancelled))
		})
	}
}

func TestRules(t *testing.T) {
	for _, c := range []struct {
		name, text string
		rules      workload.Rules
		want       string // jobs as id:submit:procs:estimate:runtime
		report     string
	}{
		{"requested size", record(1, 0, 9, 4, 6, 9, 1), workload.Rules{}, "1:0:6:9:9", "Dropped: none. Altered: none."},
		{"requested size missing", record(1, 0, 9, 4, -1, 9, 1), workload.Rules{}, "1:0:4:9:9", "Altered: none."},
		{"allocated size", record(1, 0, 9, 4, 6, 9, 1), workload.Rules{Size: workload.Allocated}, "1:0:4:9:9", "Altered: none."},
		{"allocated size missing", record(1, 0, 9, -1, 6, 9, 1), workload.Rules{Size: workload.Allocated}, "1:0:6:9:9", "Altered: none."},
		{"no size", record(1, 0, 9, 0, -1, 9, 1) + record(2, 0, 9, 1, 1, 9, 1), workload.Rules{}, "2:0:1:9:9",
			"Dropped: 1 record without a number of processors (first: line 1)."},
		{"no filter", record(1, 0, 9, -1, 2, 9, 3), workload.Rules{}, "1:0:2:9:9", "Altered: none."},
		{"lindsay", record(1, 0, 9, 2, 2, 9, 2) + record(2, 0, 9, 2, 2, 9, 4) + record(3, 0, 0, 2, 2, 9, 5) + record(4, 0, -1, 2, 2, 9, 1) +
			record(5, 0, 9, 0, 2, 9, 1) + record(6, 0, 9, 2, 2, 9, 5) + record(7, 0, 9, 2, 2, 9, 0), workload.Rules{Filter: workload.Lindsay},
			"6:0:2:9:9 7:0:2:9:9", "7 records read, 2 jobs kept. Dropped: 2 records of partial executions (status 2, 3 or 4) (first: line 1); " +
				"1 record cancelled before they started (status 5, no runtime) (first: line 3); 1 record without a runtime (first: line 4); " +
				"1 record without allocated processors (first: line 5). Altered: none."},
		{"no runtime, no filter", record(1, 0, -1, 2, 2, 9, 1) + record(2, 0, 5, 2, 2, 9, 1), workload.Rules{}, "2:0:2:9:5", "1 record without a runtime"},
		{"zero runtime", record(1, 0, 0, 2, 2, 9, 1), workload.Rules{}, "1:0:2:9:1", "1 record with runtime 0: set to 1 second (first: line 1)"},
		{"zero runtime and estimate", record(1, 0, 0, 2, 2, 0, 1), workload.Rules{}, "1:0:2:1:1", "1 record without an estimate"},
		{"zero runtime dropped", record(1, 0, 0, 2, 2, 9, 1) + record(2, 0, 5, 2, 2, 9, 1), workload.Rules{Zero: workload.DropZero}, "2:0:2:9:5", "Dropped: 1 record with runtime 0 (first: line 1)."},
		{"too wide", record(1, 0, 5, 9, 9, 9, 1) + record(2, 0, 5, 8, 8, 9, 1), workload.Rules{}, "2:0:8:9:5", "Dropped: 1 record wider than the machine (first: line 1)."},
		{"clamped", record(1, 0, 5, 9, 9, 9, 1), workload.Rules{Oversize: workload.Clamp}, "1:0:8:9:5", "Altered: 1 record wider than the machine: cut to its size (first: line 1)."},
		{"negative submit", record(1, -5, 5, 1, 1, 9, 1) + record(2, 0, 5, 1, 1, 9, 1), workload.Rules{}, "2:0:1:9:5", "1 record with a negative submit time"},
		{"too long", record(1, 0, 5, 1, 1, 1e12+1, 1) + record(2, 0, 5, 1, 1, 1e12, 1), workload.Rules{}, "2:0:1:1000000000000:5", "1 record with a time above 10^12 seconds"},
		{"sorted, ties in order of input", record(1, 7, 5, 1, 1, 9, 1) + record(2, 3, 5, 1, 1, 9, 1) + record(3, 7, 5, 1, 1, 9, 1) + record(4, 3, 5, 1, 1, 9, 1),
			workload.Rules{}, "2:3:1:9:5 4:3:1:9:5 1:7:1:9:5 3:7:1:9:5", "2 records submitted before the previous record: sorted (first: line 2)"},
		{"repeated ids", record(12, 0, 5, 1, 1, 9, 1) + record(12, 1, 5, 1, 1, 9, 1) + record(3, 2, 5, 1, 1, 9, 1) + record(12, 3, 5, 1, 1, 9, 1),
			workload.Rules{}, "12:0:1:9:5 12#2:1:1:9:5 3:2:1:9:5 12#3:3:1:9:5", "2 records with the id of an earlier job"},
		{"no id", record(-1, 0, 5, 1, 1, 9, 1) + record(-1, 1, 5, 1, 1, 9, 1), workload.Rules{}, "1:0:1:9:5 2:1:1:9:5", "2 records without an id"},
		{"window", record(1, 9, 5, 1, 1, 9, 1) + record(2, 10, 5, 1, 1, 9, 1) + record(3, 19, 5, 1, 1, 9, 1) + record(4, 20, 5, 1, 1, 9, 1),
			workload.Rules{Window: workload.Window{From: 10, To: 20}}, "2:10:1:9:5 3:19:1:9:5", "2 records submitted outside the window (first: line 1)"},
		{"open window", record(1, 9, 5, 1, 1, 9, 1) + record(2, 10, 5, 1, 1, 9, 1), workload.Rules{Window: workload.Window{From: 10}}, "2:10:1:9:5", "1 record submitted outside"},
		{"limit", record(1, 9, 5, 1, 1, 9, 1) + record(2, 3, 5, 1, 1, 9, 1) + record(3, 4, 5, 1, 1, 9, 1), workload.Rules{Limit: 2},
			"2:3:1:9:5 3:4:1:9:5", "Dropped: 1 record beyond the limit on the number of jobs (first: line 1)."},
		{"alterations of kept jobs", record(1, 9, 0, 9, 9, -1, 7) + record(2, 3, 9, 1, 1, 5, 1) + record(3, 2, 9, 1, 1, 5, 1) + record(4, 4, 9, 1, 1, 5, 1), workload.Rules{Limit: 2, Oversize: workload.Clamp},
			"3:2:1:9:9 2:3:1:9:9", "Dropped: 2 records beyond the limit on the number of jobs (first: line 4). " +
				"Altered: 2 records that ran longer than the estimate: estimate raised to the runtime (first: line 2); 2 records submitted before the previous record: sorted (first: line 2)."},
		{"load doubled", record(1, 100, 5, 1, 1, 9, 1) + record(2, 103, 5, 1, 1, 9, 1) + record(3, 200, 5, 1, 1, 9, 1), workload.Rules{LoadFactor: 2},
			"1:100:1:9:5 2:102:1:9:5 3:150:1:9:5", "2 records submitted at another time because of the load factor (first: line 2)"},
		{"load halved", record(1, 100, 5, 1, 1, 9, 1) + record(2, 103, 5, 1, 1, 9, 1), workload.Rules{LoadFactor: 0.5}, "1:100:1:9:5 2:106:1:9:5", "1 record submitted"},
		{"load so low that a submit time exceeds the maximum", record(1, 0, 5, 1, 1, 9, 1) + record(2, 103, 5, 1, 1, 9, 1), workload.Rules{LoadFactor: 1e-11}, "1:0:1:9:5", "1 record with a time above"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := load(t, c.text, 8, c.rules)
			assert.Equal(t, c.want, jobsText(w.Jobs))
			assert.Contains(t, w.Report.String(), c.report)
		})
	}
}

// jobsText returns jobs as text, each in the form id:submit:procs:estimate:runtime.
func jobsText(jobs []job.Job) string {
	var list []string
	for _, j := range jobs {
		list = append(list, fmt.Sprintf("%s:%d:%d:%d:%d", j.ID, j.Submit, j.Procs, j.Estimate, j.Runtime))
	}
	return strings.Join(list, " ")
}

func TestMachineFromHeader(t *testing.T) {
	line := record(1, 0, 5, 1, 1, 9, 1)
	assert.Equal(t, 64, load(t, "; MaxNodes: 32\n; MaxProcs: 64\n"+line, 0, workload.Rules{}).Procs)
	assert.Equal(t, 32, load(t, "; MaxNodes: 32\n"+line, 0, workload.Rules{}).Procs)
	assert.Equal(t, 5, load(t, "; MaxNodes: 32\n"+line, 5, workload.Rules{}).Procs)

	_, err := workload.Read(strings.NewReader(line), swf.Options{}, 0, workload.Rules{})
	assert.EqualError(t, err, "the size of the machine is unknown: the file's header has neither MaxProcs nor MaxNodes; set the size")

	_, err = workload.Read(strings.NewReader(record(1, 0, 5, 9, 9, 9, 1)), swf.Options{}, 8, workload.Rules{})
	require.ErrorIs(t, err, workload.ErrNoJobs)
	assert.EqualError(t, err, "no job is left: 1 record read, 0 jobs kept. Dropped: 1 record wider than the machine (first: line 1). Altered: none.")
}

func TestApplyEqualsRead(t *testing.T) {
	text := "; MaxProcs: 9\n" + record(2, 5, 9, 4, 6, 9, 1) + record(1, 3, 120, 4, 4, 100, 1)
	f, err := swf.Read(strings.NewReader(text), swf.Options{})
	require.NoError(t, err)
	applied, err := workload.Apply(f, 0, workload.Rules{})
	require.NoError(t, err)
	assert.Equal(t, load(t, text, 0, workload.Rules{}), applied)
	assert.Equal(t, []int32{1, 0}, applied.Rows)
}

func TestClean(t *testing.T) {
	more := &job.More{Class: "x"}
	jobs := []job.Job{
		{ID: "b", Runtime: 9, Request: job.Request{Submit: 5, Estimate: 3, Procs: 2, More: more}},
		{ID: "b", Runtime: 9, Request: job.Request{Submit: 6, Procs: 2}},
		{ID: "b#2", Runtime: 9, Request: job.Request{Submit: 6, Procs: 2}},
		{Runtime: 9, Request: job.Request{Submit: 1, Procs: 2}},
	}
	w, err := workload.Clean(jobs, []int{2, 3, 4, 5}, 4, workload.Rules{Overrun: workload.Kill})
	require.NoError(t, err)
	requireValid(t, w)
	assert.Equal(t, "4:1:2:9:9 b:5:2:3:3 b#3:6:2:9:9 b#2:6:2:9:9", jobsText(w.Jobs))
	assert.Equal(t, []int32{3, 0, 1, 2}, w.Rows)
	assert.Same(t, more, w.Jobs[1].More)
	assert.True(t, w.Jobs[1].Killed)
	assert.Equal(t, []workload.Entry{
		{Kind: "no-estimate", Count: 3, Line: 3, Words: workload.NoEstimate.Description()},
		{Kind: "killed", Count: 1, Line: 2, Words: workload.Killed.Description()},
		{Kind: "out-of-order", Count: 1, Line: 5, Words: workload.OutOfOrder.Description()},
		{Kind: "no-id", Count: 1, Line: 5, Words: workload.NoID.Description()},
		{Kind: "id-repeated", Count: 1, Line: 3, Words: workload.IDRepeated.Description()},
	}, w.Report.Entries())
	assert.Equal(t, "b", jobs[1].ID, "the given jobs do not change")
}

func TestRulesAsText(t *testing.T) {
	rules := workload.Rules{Overrun: workload.Kill, Size: workload.Allocated, Filter: workload.Lindsay,
		Zero: workload.DropZero, Oversize: workload.Clamp, Limit: 9, Window: workload.Window{From: 5, To: 10}, LoadFactor: 1.5,
		Keep: workload.Keep{Procs: workload.Span{From: 1, To: 16}, User: "ann,bob"}, Shift: true}
	text, err := json.Marshal(rules)
	require.NoError(t, err)
	assert.JSONEq(t, `{"overrun":"kill","size":"allocated","filter":"lindsay","zero-runtime":"drop","oversize":"clamp",
		"limit":9,"window":"5:10","load-factor":1.5,"keep":{"procs":"1:16","user":"ann,bob"},"shift":true}`, string(text))
	var back workload.Rules
	require.NoError(t, json.Unmarshal(text, &back))
	assert.Equal(t, rules, back)

	text, err = json.Marshal(workload.Rules{})
	require.NoError(t, err)
	assert.Equal(t, "{}", string(text))

	for text, want := range map[string]string{
		`{"overrun":"x"}`:      `overrun: expected raise or truncate or kill, got "x"`,
		`{"size":""}`:          `size: expected requested or allocated, got ""`,
		`{"filter":"x"}`:       `filter: expected none or lindsay, got "x"`,
		`{"zero-runtime":"x"}`: `zero-runtime: expected one or drop, got "x"`,
		`{"oversize":"x"}`:     `oversize: expected drop or clamp, got "x"`,
		`{"window":"9:5"}`:     `window: expected FROM:TO in seconds with FROM before TO, got "9:5"`,
	} {
		assert.EqualError(t, json.Unmarshal([]byte(text), &back), want)
	}
}

func TestWindowText(t *testing.T) {
	for text, want := range map[string]string{"": "", "5:10": "5:10", "5:": "5:", ":10": "0:10", ":": "0:"} {
		w, err := workload.ParseWindow(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, w.String())
		require.NoError(t, (&workload.Rules{Window: w}).Validate())
	}
	for _, text := range []string{"5", "5:5", "a:b", "-1:5", "1:2:3", "9999999999999:"} {
		_, err := workload.ParseWindow(text)
		assert.Error(t, err, text)
	}
}

func TestInvalidRules(t *testing.T) {
	for want, r := range map[string]workload.Rules{
		"limit: expected 0 (all) or a number of jobs, got -1":               {Limit: -1},
		"load-factor: expected a number above 0 and at most 10^9, got -2":   {LoadFactor: -2},
		"wall-factor: expected a number above 0 and at most 1000, got 2000": {WallFactor: 2000},
		"window: expected FROM before TO, got 9:5":                          {Window: workload.Window{From: 9, To: 5}},
	} {
		_, err := workload.Clean(nil, nil, 1, r)
		assert.EqualError(t, err, want)
	}
}

// TestWallFactor checks that scaled estimates are rounded, and that the rule Overrun then applies
// to jobs with longer runtimes. A job without a wall time limit is never killed.
func TestWallFactor(t *testing.T) {
	curve := &job.More{Speedup: &job.Speedup{Table: []job.Time{60}}}
	jobs := []job.Job{
		{ID: "a", Runtime: 50, Request: job.Request{Procs: 1, Estimate: 101}},
		{ID: "b", Runtime: 60, Request: job.Request{Procs: 1, Estimate: 100}},
		{ID: "c", Runtime: 70, Request: job.Request{Procs: 1}}, // its estimate becomes its runtime
		{ID: "d", Runtime: 60, Request: job.Request{Procs: 1, Estimate: 100, More: curve}},
		{ID: "e", Runtime: 80, Request: job.Request{Procs: 1, Estimate: 80, More: &job.More{NoLimit: true}}},
	}
	for _, c := range []struct {
		rules  workload.Rules
		want   [][2]job.Time // estimate and runtime
		kind   workload.Kind
		n      int
		scaled int
	}{
		{workload.Rules{WallFactor: 0.5}, [][2]job.Time{{51, 50}, {60, 60}, {70, 70}, {60, 60}, {80, 80}}, workload.EstimateRaised, 1, 3},
		{workload.Rules{WallFactor: 0.5, Overrun: workload.Kill}, [][2]job.Time{{51, 50}, {50, 50}, {70, 70}, {60, 60}, {80, 80}}, workload.Killed, 1, 3},
		{workload.Rules{WallFactor: 2, Overrun: workload.Kill}, [][2]job.Time{{202, 50}, {200, 60}, {140, 70}, {200, 60}, {160, 80}}, workload.Killed, 0, 5},
	} {
		w, err := workload.Clean(jobs, nil, 1, c.rules)
		require.NoError(t, err)
		for i, j := range w.Jobs {
			assert.Equal(t, c.want[i], [2]job.Time{j.Estimate, j.Runtime}, j.ID)
			assert.Equal(t, c.kind == workload.Killed && c.n > 0 && i == 1, j.Killed)
			assert.Equal(t, i == 2 || i == 4, j.Unlimited(), "a job without an estimate is known as one later")
		}
		assert.Equal(t, []int{c.scaled, c.n}, []int{w.Report.N(workload.WallScaled), w.Report.N(c.kind)})
	}
}

// TestSWFRoundTrip checks that writing jobs as SWF and reading them back gives the same jobs.
func TestSWFRoundTrip(t *testing.T) {
	w := load(t, "; MaxProcs: 9\n; Note: x\n"+record(2, 3, 9, 4, 6, 9, 1)+record(1, 5, 120, 4, 4, 100, 1), 0, workload.Rules{})
	records, renumbered := swf.FromJobs(w.Jobs)
	require.False(t, renumbered)
	var b strings.Builder
	require.NoError(t, swf.Write(&b, w.Header, records))
	again := load(t, b.String(), 0, workload.Rules{Filter: workload.Lindsay})
	assert.Equal(t, w.Jobs, again.Jobs)
	assert.Equal(t, w.Header, again.Header)
	assert.Zero(t, again.Report.Altered())
}

func TestOverrunText(t *testing.T) {
	for _, c := range []struct {
		overrun workload.Overrun
		n       int
		want    string
	}{
		{workload.Kill, 0, "No job runs longer than its new estimate."},
		{workload.Kill, 1, "1 of 1,800 jobs runs longer than its new estimate and is killed."},
		{workload.Kill, 663, "663 of 1,800 jobs run longer than their new estimates and are killed."},
		{workload.Truncate, 1, "This cuts the runtime of 1 of 1,800 jobs to its new estimate."},
		{workload.Truncate, 2, "This cuts the runtimes of 2 of 1,800 jobs to their new estimates."},
		{workload.Raise, 1, "This raises the estimate of 1 of 1,800 jobs to its runtime."},
		{workload.Raise, 2, "This raises the estimates of 2 of 1,800 jobs to their runtimes."},
	} {
		rules := workload.Rules{Overrun: c.overrun}
		require.Equal(t, c.want, rules.OverrunText(c.n, 1800))
	}
}
