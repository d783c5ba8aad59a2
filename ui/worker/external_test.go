package worker_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/schedule"
	"backfill-lab/ui/protocol"
)

// byFCFS contains the starts of the example under FCFS, as a CSV file that another program could have written.
const byFCFS = "job,start\n1,0\n2,5\n3,5\n4,8\n5,8\n6,8\n7,11\n8,15\n9,24\n10,24\n11,27\n12,39\n"

func TestExternalSchedule(t *testing.T) {
	p, _ := ran(t)
	head := read[protocol.Ran](t, p.ask("ran", "external", protocol.OpenExternal{Name: "C:/fcfs.csv"}, []byte(byFCFS)))
	require.Len(t, head.Results, 3)
	r := head.Results[2]
	assert.Equal(t, "C:/fcfs.csv", "C:/"+r.Title)
	assert.True(t, r.IsExternal)
	assert.True(t, r.Checked)
	assert.Equal(t, 2, head.Generation)
	assert.Equal(t, "fcfs.csv", head.External.Name)
	assert.Len(t, head.External.Notes, 1)
	assert.Contains(t, r.Summary, "fcfs.csv: 12 jobs on 8 nodes")

	got := read[protocol.Compared](t, p.ask("compared", "compare", protocol.Compare{Base: 0, Other: 2}))
	assert.Equal(t, 12, got.All.Earlier+got.All.Later+got.All.Same)
	p.ask("spreads", "spread", protocol.Spread{Result: 2})
	for _, x := range [][2]string{{"view", "view"}, {"series", "series"}, {"plan", "plan"}, {"event", "event"}, {"outcomes", "outcomes"}, {"checked", "check"}, {"played", "player"}, {"decided", "decision"}} {
		p.ask(x[0], x[1], map[string]any{"result": 2, "from": 0, "to": 48, "columns": 100, "lane1": 8, "rows": 80, "at": 8, "number": 1})
	}
	why := read[protocol.Answers](t, p.ask("why", "why", protocol.Why{Job: 3, At: -1}))
	require.Len(t, why.Answers, 3)
	assert.Equal(t, int64(8), *why.Answers[2].Start)
	why = read[protocol.Answers](t, p.ask("why", "why", protocol.Why{Job: 3, At: 7}))
	text := ""
	for _, part := range why.Answers[2].Lines[0].Parts {
		text += part.Text
	}
	assert.Equal(t, "So far, job 4 has waited 4 s; the records do not say why.", text)
	for what, want := range map[string]string{"jobs": "job,submit,start", "svg": "scenario ", "log": "schedule: fcfs.csv", "metrics": `"schedule": "fcfs.csv"`} {
		assert.Contains(t, string(p.ask("exported", "export", protocol.Export{What: what, Result: 2}).bufs[0]), want)
	}

	head = read[protocol.Ran](t, p.ask("ran", "run", protocol.Run{Machine: nodes(8), Policies: policies("fcfs")}))
	require.Len(t, head.Results, 2, "the external schedule stays when policies change")
	assert.Equal(t, "fcfs.csv", head.Results[1].Title)
	head = read[protocol.Ran](t, p.ask("ran", "external", protocol.OpenExternal{}))
	require.Len(t, head.Results, 1)
	assert.Nil(t, head.External)
}

// If an exported schedule is opened as an external schedule, it equals the original.
func TestExternalScheduleOfOurOwn(t *testing.T) {
	p, _ := ran(t)
	file := p.ask("exported", "export", protocol.Export{What: "jobs", Result: 1})
	head := read[protocol.Ran](t, p.ask("ran", "external", protocol.OpenExternal{Name: "own.csv"}, file.bufs[0]))
	assert.Empty(t, head.External.Notes)
	assert.Empty(t, head.Results[2].Findings)
	got := read[protocol.Compared](t, p.ask("compared", "compare", protocol.Compare{Base: 1, Other: 2}))
	assert.Equal(t, protocol.Tally{Same: 12}, got.All)
	again := p.ask("exported", "export", protocol.Export{What: "jobs", Result: 2})
	was, err := schedule.ReadCSV(strings.NewReader(string(file.bufs[0])))
	require.NoError(t, err)
	now, err := schedule.ReadCSV(strings.NewReader(string(again.bufs[0])))
	require.NoError(t, err)
	for i := range was.Rows {
		was.Rows[i].Promised = now.Rows[i].Promised // the external schedule has no promised starts
	}
	assert.Equal(t, was, now)
}

func TestExternalScheduleOfOtherJobs(t *testing.T) {
	p, _ := ran(t)
	head := read[protocol.Ran](t, p.ask("ran", "external", protocol.OpenExternal{Name: "x.csv"}, []byte("job,procs,start\n1,5,0\n2,7,5\n")))
	require.Len(t, head.Results, 2)
	assert.Equal(t, protocol.External{Name: "x.csv", Unfit: `expected a schedule of the same jobs: the number of processors of job "2" is 7 in the file and 5 in the scenario`}, *head.External)
	assert.Equal(t, `y.csv: line 2, column start: expected a time or nothing, got "soon"`, p.fault("external", protocol.OpenExternal{Name: "y.csv"}, []byte("job,start\n1,soon\n")).Text)
	head = read[protocol.Ran](t, p.ask("ran", "run", protocol.Run{Machine: nodes(8), Policies: policies("fcfs")}))
	assert.Equal(t, "x.csv", head.External.Name, "an unreadable file does not remove the schedule")
	p.fault("external", protocol.OpenExternal{Name: "z.csv"}, []byte("id,submit,procs\n"))
}

func TestExternalScheduleBeforeAnyResult(t *testing.T) {
	p := opened(t)
	p.ask("external", "external", protocol.OpenExternal{Name: "fcfs.csv"}, []byte(byFCFS))
	head := read[protocol.Ran](t, p.ask("ran", "run", protocol.Run{Machine: nodes(8), Policies: policies("easy")}))
	require.Len(t, head.Results, 2)
}

// A file of jobs can also contain the actual schedule, which the page shows as an external
// schedule. This schedule has only the selected records, and its times count from time 0 of the scenario.
func TestExternalScheduleOfRecords(t *testing.T) {
	for _, c := range []struct {
		name, text string
		choice     *protocol.RecordsChoice
		want       []string
	}{
		{"week.sacct", week, nil, []string{"0", "30"}},
		{"week.sacct", week, &protocol.RecordsChoice{Partition: "b", Unit: "nodes"}, []string{"30"}},
		{"trace.swf", "; MaxProcs: 4\n4 100 5 60 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n5 120 50 60 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1\n", nil, []string{"105", "170"}},
	} {
		p := newPage(t)
		r := p.ask("opened", "open", protocol.Open{Name: c.name, CurrentProcs: 8, Records: c.choice}, []byte(c.text))
		opened := read[protocol.Opened](t, r)
		require.True(t, opened.HasStarts)
		p.ask("ran", "run", protocol.Run{Machine: nodes(opened.Procs), Policies: policies("fcfs")}, r.bufs...)
		head := read[protocol.Ran](t, p.ask("ran", "external", protocol.OpenExternal{Name: c.name, Records: c.choice}, []byte(c.text)))
		require.Len(t, head.Results, 2, head.External)
		assert.Empty(t, head.Results[1].Findings)
		assert.Len(t, head.External.Notes, 1, "the file has no slots")
		assert.Equal(t, c.want, starts(t, p.ask("exported", "export", protocol.Export{What: "jobs", Result: 1}).bufs[0]))
	}
}

// Records with the same job id are runs of a requeued job. The actual schedule contains all of these runs, even if the
// file has them in another order.
func TestActualScheduleOfARequeuedJob(t *testing.T) {
	head := "JobID|State|Submit|Eligible|Start|Elapsed|Timelimit|AllocCPUS\n"
	first, second := "7|REQUEUED|0|0|600|00:10:00|02:00:00|16\n", "7|COMPLETED|1200|1200|1800|01:00:00|02:00:00|16\n"
	other := "8|COMPLETED|300|300|300|01:25:00|UNLIMITED|16\n"
	for _, text := range []string{head + first + second + other, head + second + first + other} {
		p := newPage(t)
		r := p.ask("opened", "open", protocol.Open{Name: "r.sacct"}, []byte(text))
		opened := read[protocol.Opened](t, r)
		p.ask("ran", "run", protocol.Run{Machine: nodes(opened.Procs), Policies: policies("fcfs")}, r.bufs...)
		head := read[protocol.Ran](t, p.ask("ran", "external", protocol.OpenExternal{Name: "r.sacct"}, []byte(text)))
		require.Empty(t, head.External.Unfit)
		assert.Len(t, head.External.Notes, 1, "the file has no slots")
		assert.Empty(t, head.Results[1].Findings)
		assert.Equal(t, []string{"600", "300", "1800"}, starts(t, p.ask("exported", "export", protocol.Export{What: "jobs", Result: 1}).bufs[0]))
	}
}

// The page formats the time in an error of the schedule like all other times.
func TestTimeOfFinding(t *testing.T) {
	jobs := []job.Job{
		{ID: "a", Request: job.Request{Procs: 3, Estimate: 100000}, Runtime: 90000},
		{ID: "b", Request: job.Request{Procs: 2, Estimate: 100000}, Runtime: 90000},
	}
	p := newPage(t)
	p.ask("external", "external", protocol.OpenExternal{Name: "real.csv"}, []byte("job,start\na,0\nb,3700\n"))
	head := read[protocol.Ran](t, p.ask("ran", "run", protocol.Run{Machine: nodes(4), Policies: policies("fcfs")}, protocol.EncodeJobs(jobs)...))
	require.Len(t, head.Results, 2)
	require.NotEmpty(t, head.Results[1].Findings)
	assert.Contains(t, head.Results[1].Findings[0], "The utilization cannot be computed, because jobs use more processors than the machine has: 5 of 4 at 1:01:40. ")
	assert.Contains(t, head.Results[1].Findings[1], `at 1:01:40, 5 processors are in use when job "b" starts to run`)
}

// A schedule that uses too many processors only for a short time has an error, but also a utilization.
func TestUtilizationOfAShortOveruse(t *testing.T) {
	jobs := []job.Job{
		{ID: "a", Request: job.Request{Procs: 3, Estimate: 100}, Runtime: 100},
		{ID: "b", Request: job.Request{Procs: 2, Estimate: 10}, Runtime: 10},
	}
	p := newPage(t)
	p.ask("external", "external", protocol.OpenExternal{Name: "real.csv"}, []byte("job,start\na,0\nb,0\n"))
	head := read[protocol.Ran](t, p.ask("ran", "run", protocol.Run{Machine: nodes(4), Policies: policies("fcfs")}, protocol.EncodeJobs(jobs)...))
	require.Len(t, head.Results[1].Findings, 1)
	assert.Contains(t, head.Results[1].Findings[0], "capacity: ")
	assert.Contains(t, head.Results[1].Summary, "utilization 80.0 %")
}

// Both times of a start before the submission have the format of the page.
func TestTimesOfAnEarlyStart(t *testing.T) {
	jobs := []job.Job{{ID: "a", Request: job.Request{Submit: 7200, Procs: 3, Estimate: 100000}, Runtime: 90000}}
	p := newPage(t)
	p.ask("external", "external", protocol.OpenExternal{Name: "real.csv"}, []byte("job,start\na,3700\n"))
	head := read[protocol.Ran](t, p.ask("ran", "run", protocol.Run{Machine: nodes(4), Policies: policies("fcfs")}, protocol.EncodeJobs(jobs)...))
	assert.Equal(t, []string{`start-before-submit: job "a" starts at 1:01:40, before its submission at 2:00`}, head.Results[1].Findings)
}

// The mean wait that the report gives for the real machine is the mean wait of the actual schedule.
func TestMeanWaitOfTheActualSchedule(t *testing.T) {
	text := "JobID|State|Submit|Eligible|Start|Elapsed|Timelimit|AllocCPUS\n" +
		"7|COMPLETED|0|0|600|00:10:00|02:00:00|16\n8|COMPLETED|300|300|300|01:25:00|02:00:00|16\n9|COMPLETED|360|960|600|00:20:00|02:00:00|16\n"
	p := newPage(t)
	r := p.ask("opened", "open", protocol.Open{Name: "early.sacct"}, []byte(text))
	opened := read[protocol.Opened](t, r)
	assert.Equal(t, protocol.Waits{Jobs: 3, Mean: 200, Max: 600, Slowdown: 4. / 3}, opened.Records.Actual)
	p.ask("ran", "run", protocol.Run{Machine: nodes(opened.Procs), Policies: policies("fcfs")}, r.bufs...)
	head := read[protocol.Ran](t, p.ask("ran", "external", protocol.OpenExternal{Name: "early.sacct"}, []byte(text)))
	require.Len(t, head.Results, 2, head.External)
	assert.Empty(t, head.Results[1].Findings)
	var metrics []struct{ Metrics map[string]any }
	require.NoError(t, json.Unmarshal(p.ask("exported", "export", protocol.Export{What: "metrics", Result: 1}).bufs[0], &metrics))
	assert.EqualValues(t, 200, metrics[1].Metrics["mean-wait"])
}
