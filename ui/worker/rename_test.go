package worker_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/anonymise"
	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/ui/protocol"
)

// named contains jobs whose names and dates must not appear after the scenario is anonymised.
// byClock and byStart are schedules of these jobs. The time 0 of byClock is 4000 s later than the time 0
// of the jobs. byStart contains only start times.
var (
	named = []job.Job{
		{ID: "secret-a", Request: job.Request{Submit: 5000, Procs: 4, Estimate: 10}, Runtime: 5},
		{ID: "secret-b", Request: job.Request{Submit: 5001, Procs: 2, Estimate: 6}, Runtime: 3},
		{ID: "secret-b", Request: job.Request{Submit: 5002, Procs: 2, Estimate: 6}, Runtime: 6},
	}
	byClock = "job,submit,start,procs\nsecret-b,1001,1005,2\nsecret-a,1000,1000,4\nsecret-b#2,1002,1005,2\nsecret-x,1002,1005,2\n"
	byStart = "job,start\nsecret-a,5000\nsecret-b,5005\nsecret-b#2,5005\nsecret-x,5005\n"
)

// If a scenario is anonymised, its external schedule is anonymised too. The chart stays the same,
// names and dates disappear, and the checker finds nothing new. Undo restores the names. After an edit, a
// scenario can be anonymised again.
func TestRename(t *testing.T) {
	for _, file := range []string{byClock, byStart} {
		p := newPage(t)
		run := func(jobs []job.Job) protocol.Ran {
			r := p.ask("ran", "run", protocol.Run{Machine: nodes(4), Policies: policies("fcfs")}, protocol.EncodeJobs(jobs)...)
			head := read[protocol.Ran](t, r)
			require.Len(t, head.Results, 2, head.External)
			return head
		}
		exports := func() (out []string) {
			for _, what := range []string{"jobs", "log", "policy-metrics", "metrics", "svg"} {
				out = append(out, string(p.ask("exported", "export", protocol.Export{What: what, Result: 1}).bufs[0]))
			}
			return out
		}
		p.ask("external", "external", protocol.OpenExternal{Name: "secret-file.csv"}, []byte(file))
		was := run(named)
		before := exports()
		require.Contains(t, strings.Join(before, ""), "secret-file")

		anonymous := func(jobs []job.Job, last *anonymise.Names) ([]job.Job, *anonymise.Names) {
			s, n := anonymise.Scenario(&scenario.Scenario{}, jobs)
			n.Previous = last
			r := n.RenamingSince(nil)
			p.send("rename", protocol.Rename{Anonymous: true, Earlier: r.Shift}, protocol.EncodeTexts(r.Pairs))
			return s.Workload.Jobs, n
		}
		jobs, names := anonymous(named, nil)
		head := run(jobs)
		after := exports()
		for i, text := range after {
			assert.NotContains(t, text, "secret", i)
			assert.NotContains(t, text, "500", i)
		}
		assert.Equal(t, anonymise.ScheduleTitle, head.Results[1].Title)
		assert.Equal(t, anonymise.ScheduleTitle, head.External.Name)
		assert.Equal(t, len(was.Results[1].Findings), len(head.Results[1].Findings))
		assert.Equal(t, []string{"0", "5", "5"}, starts(t, []byte(after[0])))
		assert.NotContains(t, strings.Join(head.External.Notes, ""), "ahead")
		assert.Contains(t, strings.Join(head.External.Notes, ""), "Rows ignored because the scenario has no such job: 1")

		less, _ := anonymous(jobs[1:], names)
		head = run(less)
		assert.Equal(t, anonymise.ScheduleTitle, head.Results[1].Title)
		assert.Equal(t, []string{"4", "4"}, starts(t, p.ask("exported", "export", protocol.Export{What: "jobs", Result: 1}).bufs[0]))

		p.send("rename", protocol.Rename{})
		head = run(named)
		assert.Equal(t, "secret-file.csv", head.Results[1].Title)
		assert.Equal(t, before, exports())
		p.send("rename", protocol.Rename{Drop: true})
		require.Len(t, read[protocol.Ran](t, p.ask("ran", "run", protocol.Run{Machine: nodes(4), Policies: policies("fcfs")})).Results, 1)
	}
}

// A rename message that cannot be decoded is an error. After the scenario is anonymised, errors in
// an external schedule do not name its file.
func TestBadRename(t *testing.T) {
	p := newPage(t)
	assert.Equal(t, "rename: expected 1 buffer of names, got 0", p.fault("rename", protocol.Rename{Anonymous: true}).Text)
	assert.Contains(t, p.fault("rename", protocol.Rename{Anonymous: true}, []byte{9, 'a'}).Text, "truncated")
	p.send("rename", protocol.Rename{Anonymous: true}, protocol.EncodeTexts(nil))
	assert.Equal(t, "external schedule: line 2, column start: expected a time or nothing, got \"soon\"",
		p.fault("external", protocol.OpenExternal{Name: "secret.csv"}, []byte("job,start\n1,soon\n")).Text)
}
