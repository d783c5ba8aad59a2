package worker_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/fcfs"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/scenario"
	"backfill-lab/core/schedule"
	"backfill-lab/core/sim"
	"backfill-lab/core/workload"
	"backfill-lab/ui/protocol"
)

// example contains the jobs of the first example of the page: 12 jobs for 8 nodes.
const example = `id,submit,procs,estimate,runtime
1,0,5,10,5
2,1,5,6,3
3,1,3,6,6
4,3,2,10,7
5,4,2,6,3
6,5,1,16,16
7,6,4,4,4
8,8,4,12,9
9,8,5,6,3
10,11,2,20,15
11,13,3,20,20
12,13,5,20,10
`

// opened returns a page that has opened the example.
func opened(t *testing.T) *page {
	p := newPage(t)
	p.ask("opened", "open", protocol.Open{Name: "example.csv", Procs: 8}, []byte(example))
	return p
}

// ran returns a page that has run the example under EASY and conservative backfilling, and the
// results.
func ran(t *testing.T) (*page, protocol.Ran) {
	p := opened(t)
	return p, read[protocol.Ran](t, p.ask("ran", "run", protocol.Run{Machine: nodes(8), Policies: policies("easy", "conservative")}))
}

// starts returns the start times in a CSV file of jobs.
func starts(t *testing.T, text []byte) []string {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	require.NoError(t, err)
	var out []string
	for _, r := range rows[1:] {
		out = append(out, r[2])
	}
	return out
}

func TestExample(t *testing.T) {
	p, head := ran(t)
	assert.Equal(t, 12, head.Jobs)
	assert.Equal(t, 8, head.Lanes)
	assert.Equal(t, int64(0), head.From)
	assert.Equal(t, int64(48), head.To)
	assert.Equal(t, []string{"EASY", "Conservative"}, []string{head.Results[0].Title, head.Results[1].Title})
	for i, want := range []string{"0 5 1 7 8 7 11 15 24 14 27 29", "0 7 1 5 10 5 12 16 25 13 28 28"} {
		r := head.Results[i]
		assert.True(t, r.Checked)
		assert.Empty(t, r.Findings)
		file := p.ask("exported", "export", protocol.Export{What: "jobs", Result: i})
		assert.Equal(t, want, strings.Join(starts(t, file.bufs[0]), " "))
	}
	assert.Equal(t, 6.25, metric(t, head.Results[0], "mean-wait"))
	assert.Equal(t, 47.0, metric(t, head.Results[0], "makespan"))
	assert.InDelta(t, 6.42, metric(t, head.Results[1], "mean-wait"), 0.005)
	assert.Equal(t, 48.0, metric(t, head.Results[1], "makespan"))
	assert.Equal(t, "EASY: 12 jobs on 8 nodes, utilization 80.1 %, mean wait 6.25 s, makespan 47 s.", head.Results[0].Summary)
}

func metric(t *testing.T, r protocol.Result, name string) float64 {
	t.Helper()
	for _, m := range r.Metrics {
		if m.Name == name {
			require.NotNil(t, m.Value)
			return *m.Value
		}
	}
	require.FailNow(t, "no metric", name)
	return 0
}

func TestOpened(t *testing.T) {
	p := newPage(t)
	text := "submit,procs,runtime,res:gpu,user,colour\n5,2,9,1,ann,red\n3,9,9,,,\n4,1,0,,bob,\n"
	r := p.ask("opened", "open", protocol.Open{Name: "Week.CSV", Procs: 8}, []byte(text))
	head := read[protocol.Opened](t, r)
	require.JSONEq(t, `{"version":1,"machine":{"nodes":8,"resources":[{"name":"gpu","capacity":1}]},"workload":{"file":"Week.CSV",
		"sha256":"`+fmt.Sprintf("%x", sha256.Sum256([]byte(text)))+`"},"policies":[]}`, string(head.Scenario))
	head.Scenario, head.Millis = nil, 0
	assert.Equal(t, protocol.Opened{Name: "Week.CSV", Jobs: 2, Procs: 8, Extras: []string{"gpu"}, Dropped: "1 record wider than the machine", Altered: 2, TooWide: 1, Widest: 9, Report: []string{
		"3 records read, 2 jobs kept.",
		"Dropped 1 record wider than the machine (first: line 3).",
		"Altered 1 record with runtime 0: set to 1 second (first: line 4).",
		"Altered 1 record submitted before the previous record: sorted (first: line 4).",
		"Ignored columns: colour.",
		"The file does not give the capacity of gpu. The page uses 1, the largest request.",
	}}, head)
	jobs, err := protocol.DecodeJobs(r.bufs)
	require.NoError(t, err)
	assert.Equal(t, &job.More{Extra: []int64{1}, User: "ann", NoLimit: true}, jobs[1].More)
}

func TestAmountsOfATableMatchResourcesByName(t *testing.T) {
	p := newPage(t)
	text := "submit,procs,runtime,res:gpu,res:disk\n0,2,9,1,30\n3,1,9,,40\n"
	r := p.ask("opened", "open", protocol.Open{Name: "a.csv", Procs: 8, Extras: []protocol.Resource{{Name: "memory", Capacity: 7}, {Name: "disk", Capacity: 90}}}, []byte(text))
	sc, err := scenario.Parse(read[protocol.Opened](t, r).Scenario)
	require.NoError(t, err)
	assert.Equal(t, []cluster.Resource{{Name: "memory", Capacity: 7}, {Name: "disk", Capacity: 90}, {Name: "gpu", Capacity: 1}}, sc.Machine.Resources)
	jobs, err := protocol.DecodeJobs(r.bufs)
	require.NoError(t, err)
	assert.Equal(t, []int64{0, 30, 1}, jobs[0].More.Extra)
	assert.Equal(t, []int64{0, 40, 0}, jobs[1].More.Extra)
}

func TestOpenErrorsKeepTheState(t *testing.T) {
	p, _ := ran(t)
	for _, c := range []struct{ name, text, want string }{
		{"a.csv", "id,submit,procs,runtime\n1,x,2,3\n", `a.csv: line 2, column submit: expected a whole number, got "x"`},
		{"a.csv", "", "a.csv: the file is empty"},
		{"a.swf", "1 2 3\n", "a.swf: line 1: expected 18 fields, got 3"},
		{"a.swf.gz", "\x1f\x8b\x08", "a.swf.gz: the gzip data is damaged: it is truncated"},
		{"a.swf", "; only a header\n", "a.swf: the file has no job lines"},
		{"a.xls", "x", `a.xls: line 1: expected a header row with the column submit, got "x"`},
	} {
		assert.Equal(t, protocol.Fault{Text: c.want}, p.fault("open", protocol.Open{Name: c.name, Procs: 4}, []byte(c.text)))
	}
	assert.Equal(t, "open: expected a file or a text, got neither", p.fault("open", protocol.Open{Name: "a.swf"}).Text)
	p.ask("view", "view", protocol.View{To: 48, Columns: 100, Lane1: 8, Rows: 80, Generation: 1})
	again := read[protocol.Ran](t, p.ask("ran", "run", protocol.Run{Machine: nodes(8), Policies: policies("easy")}))
	assert.Equal(t, 12, again.Jobs)
	assert.Equal(t, 2, again.Generation)
}

func TestErrorsNameTheirPlace(t *testing.T) {
	rigid := func(id string, submit int64, procs int) job.Job {
		return job.Job{ID: id, Runtime: 5, Request: job.Request{Submit: submit, Procs: procs, Estimate: 5}}
	}
	p, place := newPage(t), func(i int) *int { return &i }
	run := protocol.Run{Machine: nodes(4), Policies: policies("easy")}
	assert.Equal(t, "run: expected jobs, got none, and the worker has no jobs of an earlier run", p.fault("run", run).Text)
	assert.Equal(t, "jobs: expected at least 1, got none", p.fault("run", run, protocol.EncodeJobs(nil)...).Text)
	assert.Equal(t, protocol.Fault{Text: "jobs, row 2, procs: expected at most the machine's 4, got 5", Row: place(1), Field: "procs"},
		p.fault("run", run, protocol.EncodeJobs([]job.Job{rigid("a", 9, 1), rigid("b", 5, 5), rigid("c", 6, 1)})...))
	odd := protocol.EncodeJobs([]job.Job{rigid("a", 9, 1), rigid("b", 5, 1)})
	binary.LittleEndian.PutUint64(odd[1], math.Float64bits(9.5))
	assert.Equal(t, protocol.Fault{Text: `job 1 (id "a"), submit: expected a whole number, got 9.5`, Row: place(0), Field: "submit"}, p.fault("run", run, odd...))
	assert.Equal(t, "run: expected jobs, got none, and the worker has no jobs of an earlier run", p.fault("run", run).Text, "invalid jobs are not loaded")

	good := protocol.EncodeJobs([]job.Job{rigid("a", 9, 1)})
	run.Machine.Nodes = 0
	assert.Equal(t, protocol.Fault{Text: "machine, nodes: expected 1 to 1000000, got 0", Field: "nodes"}, p.fault("run", run, good...))
	run.Machine.Nodes, run.Policies = 4, policies("easy", "hard")
	assert.Equal(t, place(1), p.fault("run", run, good...).Policy)
	run.Policies = []protocol.Policy{{Name: "easy", Knobs: map[string]string{"reservations": "many"}}}
	f := p.fault("run", run, good...)
	assert.Equal(t, place(0), f.Policy)
	assert.Equal(t, "reservations", f.Field)
	run.Policies = nil
	assert.Equal(t, "policies: expected 1 to 32, got 0", p.fault("run", run, good...).Text)

	never := fcfs.Spec
	never.Name = "never"
	never.NeverStarts = func(_ policy.Values, m *cluster.Machine, jobs []job.Job) *job.Invalid {
		return &job.Invalid{Row: 1, ID: jobs[1].ID, Field: "procs", Expected: fmt.Sprint("less than ", m.Nodes), Got: fmt.Sprint(jobs[1].Procs)}
	}
	all := registry.All
	registry.All = append(all[:len(all):len(all)], &never)
	t.Cleanup(func() { registry.All = all })
	run.Policies = policies("easy", "never")
	assert.Equal(t, protocol.Fault{Text: `job 1 (id "a"), procs: expected less than 4, got 3`, Row: place(0), Field: "procs"},
		p.fault("run", run, protocol.EncodeJobs([]job.Job{rigid("a", 9, 3), rigid("b", 5, 1)})...), "the row as sent, of the second job by submission")
	assert.Equal(t, "there is no result yet", p.fault("view", protocol.View{}).Text, "the other policy does not run either")
}

func TestUnsortedRows(t *testing.T) {
	p := newPage(t)
	jobs := []job.Job{
		{ID: "late", Runtime: 5, Request: job.Request{Submit: 9, Procs: 1, Estimate: 5}},
		{ID: "early", Runtime: 5, Request: job.Request{Submit: 1, Procs: 1, Estimate: 5}},
	}
	r := p.ask("ran", "run", protocol.Run{Machine: nodes(4), Policies: policies("fcfs")}, protocol.EncodeJobs(jobs)...)
	assert.Equal(t, []int32{1, 0}, protocol.DecodeRows(r.bufs))
	assert.Equal(t, int64(1), read[protocol.Ran](t, r).From)
}

func TestInvalidRequests(t *testing.T) {
	p := newPage(t)
	assert.Equal(t, `expected a request that this version knows, got "dance"`, p.fault("dance", nil).Text)
	p.asked++
	p.Handle(labMessage("view", p.asked, "{"))
	assert.Equal(t, "error", p.wait(p.asked).kind)
	assert.Equal(t, "there is no result yet", p.fault("view", protocol.View{}).Text)
	assert.Equal(t, "pong", p.wait(p.send("ping", nil)).kind)
}

// exampleScenario is a scenario file with three jobs, two of which the data rules alter.
const exampleScenario = `{"version":1,"title":"Twelve jobs","machine":{"nodes":8},"workload":{"jobs":[
{"id":"1","submit":0,"procs":5,"estimate":10,"runtime":5},
{"id":"2","submit":1,"procs":5,"estimate":2,"runtime":3},
{"id":"1","submit":1,"procs":3,"estimate":6,"runtime":0}
]},"rules":{"overrun":"kill"},"policies":[{"name":"easy","knobs":{"order":"sjf"}}],"mine":[1,2]}`

func TestScenario(t *testing.T) {
	p := newPage(t)
	r := p.ask("opened", "open", protocol.Open{Name: "x.json"}, []byte(exampleScenario))
	head := read[protocol.Opened](t, r)
	assert.Equal(t, "Twelve jobs", head.Title)
	assert.Equal(t, 8, head.Procs)
	jobs, err := protocol.DecodeJobs(r.bufs)
	require.NoError(t, err)
	assert.Equal(t, int64(2), jobs[1].Estimate, "as written")

	run := protocol.Run{Machine: nodes(8), Scenario: head.Scenario, Policies: []protocol.Policy{{Name: "easy", Knobs: map[string]string{"order": "sjf"}}}}
	done := read[protocol.Ran](t, p.ask("ran", "run", run, r.bufs...))
	assert.Equal(t, "EASY, queue order: shortest first (SJF)", done.Results[0].Title)
	assert.Equal(t, []string{
		"3 records read, 3 jobs kept.",
		"Altered 1 record with runtime 0: set to 1 second.",
		"Altered 1 record that ran longer than the estimate: killed at the estimate.",
		"Altered 1 record with the id of an earlier job: made unique by a suffix.",
	}, done.Report)
	requireSameFiles(t, p)
}

// requireSameFiles checks that the exported files equal the files that the core produces from the
// scenario file.
func requireSameFiles(t *testing.T, p *page) {
	t.Helper()
	sc, err := scenario.Parse([]byte(exampleScenario))
	require.NoError(t, err)
	setup, err := sc.Setup()
	require.NoError(t, err)
	c, err := setup.Config(0, log.Decisions)
	require.NoError(t, err)
	e, err := sim.New(c)
	require.NoError(t, err)
	require.NoError(t, e.Run())
	rows := schedule.FromLog(e.Log())
	var table, numbers bytes.Buffer
	require.NoError(t, rows.WriteCSV(&table))
	var meta []metrics.Meta
	for _, m := range setup.Meta(0) {
		meta = append(meta, metrics.Meta{Key: m.Key, Value: m.Value})
	}
	values := metrics.Compute(rows, c.Machine, metrics.Default)
	require.NoError(t, metrics.WriteJSON(&numbers, values, metrics.Default, meta))
	assert.Equal(t, table.String(), string(p.ask("exported", "export", protocol.Export{What: "jobs"}).bufs[0]))
	assert.Equal(t, numbers.String(), string(p.ask("exported", "export", protocol.Export{What: "metrics"}).bufs[0]))
}

func TestScenarioErrors(t *testing.T) {
	p := newPage(t)
	for text, want := range map[string]string{
		"{\n1": "line 2, column 1: expected",
		`{"version":1,"machine":{"nodes":8},"workload":{"generator":"x"},"policies":[{"name":"easy"}]}`:                                "workload, generator: expected one of lublin, ",
		`{"version":1,"machine":{"nodes":8},"workload":{"generator":"lublin","parameters":{"alpha":-3}},"policies":[{"name":"easy"}]}`: `workload, parameters, alpha: expected 1 to 25, got "-3"`,
		`{"version":1,"machine":{"nodes":8},"workload":{"jobs":[{"submit":0,"procs":9,"runtime":1}]},"policies":[{"name":"easy"}]}`:    "jobs, row 1, procs: expected at most the machine's 8, got 9",
	} {
		assert.Contains(t, p.fault("open", protocol.Open{Name: "x.json"}, []byte(text)).Text, want)
	}
}

// Opening a scenario with a generator draws its jobs. The scenario keeps the reference to the
// generator until a job is edited. For another machine, the generator draws other jobs. A request without a scenario
// uses the loaded jobs, and drops the reference if the machine has changed.
func TestScenarioOfAGenerator(t *testing.T) {
	p := newPage(t)
	const text = `{"version":1,"machine":{"nodes":128},"workload":{"generator":"lublin","parameters":{"jobs":5000},"seed":1},"policies":[{"name":"easy"}]}`
	got := p.ask("opened", "open", protocol.Open{Name: "x.json"}, []byte(text))
	head := read[protocol.Opened](t, got)
	assert.Equal(t, 5000, head.Jobs)
	assert.Equal(t, "5,000 records read, 5,000 jobs kept.", head.Report[0])
	assert.Contains(t, head.Report[1], "Lublin-Feitelson: ")
	sc, err := scenario.Parse([]byte(text))
	require.NoError(t, err)
	d, err := sc.GeneratorSettings().Generate()
	require.NoError(t, err)
	jobs, err := protocol.DecodeJobs(got.bufs)
	require.NoError(t, err)
	assert.Equal(t, d.Jobs, jobs)

	run := protocol.Run{Machine: nodes(128), Policies: policies("easy"), Scenario: head.Scenario}
	want := scenario.Hash(sc)
	assert.Equal(t, want, p.hash(run))
	assert.Equal(t, want, p.hash(run), "again")
	table := p.ask("exported", "export", protocol.Export{What: "jobs"}).bufs[0]

	edited := jobs[7]
	edited.Runtime++
	edited.Estimate++
	inline := *sc
	inline.Workload.Generator, inline.Workload.Jobs = nil, slices.Clone(jobs)
	inline.Workload.Jobs[7] = edited
	run.Edit = &protocol.Edit{Row: 7, Removed: 1}
	assert.Equal(t, scenario.Hash(&inline), p.hash(run, protocol.EncodeJobs([]job.Job{edited})...), "edited jobs no longer count as the generator's")
	run.Edit = nil
	assert.Equal(t, want, p.hash(run), "undone")
	assert.Equal(t, table, p.ask("exported", "export", protocol.Export{What: "jobs"}).bufs[0])

	p2 := newPage(t)
	assert.Equal(t, want, p2.hash(run), "a new worker draws the jobs")
	assert.Equal(t, table, p2.ask("exported", "export", protocol.Export{What: "jobs"}).bufs[0])

	run.Machine.Nodes, sc.Machine.Nodes = 256, 256
	assert.Equal(t, scenario.Hash(sc), p.hash(run), "the generator draws other jobs for another machine")
	assert.NotEqual(t, table, p.ask("exported", "export", protocol.Export{What: "jobs"}).bufs[0])
	run.Scenario, run.Machine.Nodes = nil, 300
	inline.Machine.Nodes, inline.Workload.Jobs = 300, nil
	setup, err := sc.Setup()
	require.NoError(t, err)
	inline.Workload.Jobs = setup.Work.Jobs
	assert.Equal(t, scenario.Hash(&inline), p.hash(run), "without a scenario, the loaded jobs are used on another machine")
}

// hash runs a scenario and returns its hash.
func (p *page) hash(run protocol.Run, bufs ...[]byte) string {
	p.ask("ran", "run", run, bufs...)
	file := p.ask("exported", "export", protocol.Export{What: "metrics"})
	return read[struct{ Scenario string }](p.t, reply{head: file.bufs[0]}).Scenario
}

// A scenario with the jobs of a trace names the file of the trace until the user edits the jobs.
// The worker applies the data rules to the jobs only once.
func TestScenarioOfAFile(t *testing.T) {
	p := newPage(t)
	rules := workload.Rules{LoadFactor: 2, Overrun: workload.Truncate}
	r := p.ask("opened", "open", protocol.Open{Name: "a/big.swf", Rules: rules}, swfText(50))
	head := read[protocol.Opened](t, r)
	run := protocol.Run{Machine: nodes(8), Policies: policies("easy")}
	hash := p.hash
	sc := &scenario.Scenario{Machine: scenario.Machine{Machine: cluster.Flat(8)}, Rules: scenario.Rules{Rules: rules}, Policies: []scenario.Policy{{Name: "easy"}}}
	sc.Workload.File = &scenario.File{Name: "big.swf", SHA256: fmt.Sprintf("%x", sha256.Sum256(swfText(50)))}
	want := scenario.Hash(sc)
	assert.Equal(t, want, hash(run), "a run without scenario and jobs uses those of the file")
	run.Scenario = head.Scenario
	assert.Equal(t, want, hash(run))
	assert.Equal(t, want, hash(run, r.bufs...), "the jobs are still the same")

	jobs, err := protocol.DecodeJobs(r.bufs)
	require.NoError(t, err)
	jobs[3].Procs = 1
	sc.Workload.File, sc.Workload.Jobs, sc.Rules = nil, jobs, scenario.Rules{}
	assert.Equal(t, scenario.Hash(sc), hash(run, protocol.EncodeJobs(jobs)...), "edited")
	assert.Equal(t, scenario.Hash(sc), hash(run), "and loaded")

	p.ask("opened", "open", protocol.Open{Name: "a/big.swf", Rules: rules}, swfText(50))
	run.Scenario = bytes.ReplaceAll(head.Scenario, []byte("truncate"), []byte("kill"))
	assert.Equal(t, "rules: expected the data rules with which big.swf was opened, got other rules. To apply the other rules, open the file again", p.fault("run", run).Text)
	run.Scenario, run.Machine.Nodes = nil, 7
	assert.Equal(t, "procs", p.fault("run", run).Field, "a machine that is too small for a job")
}

// Sending an edit gives the same results as sending all jobs.
func TestEditOfTheLoadedJobs(t *testing.T) {
	p := newPage(t)
	run := protocol.Run{Machine: nodes(64), Policies: policies("easy")}
	jobs := many(50)
	p.ask("ran", "run", run, protocol.EncodeJobs(jobs)...)
	jobs = slices.Concat(jobs[:7], []job.Job{{ID: "x", Runtime: 5, Request: job.Request{Submit: 3, Procs: 2, Estimate: 9}}, {ID: "y", Runtime: 4, Request: job.Request{Submit: 1, Procs: 4, Estimate: 4}}}, jobs[8:])
	edit := run
	edit.Edit = &protocol.Edit{Row: 7, Removed: 1}
	p.ask("ran", "run", edit, protocol.EncodeJobs(jobs[7:9])...)
	got := p.ask("exported", "export", protocol.Export{What: "jobs"}).bufs
	p.ask("ran", "run", run, protocol.EncodeJobs(jobs)...)
	assert.Equal(t, p.ask("exported", "export", protocol.Export{What: "jobs"}).bufs, got)
	edit.Edit = &protocol.Edit{Row: 9, Removed: 49}
	assert.Equal(t, "run: expected an edit of the worker's 51 jobs, got an edit of 49 jobs from row 9", p.fault("run", edit, protocol.EncodeJobs(nil)...).Text)
}
