package worker_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload/sacct"
	"backfill-lab/public/lessons"
	"backfill-lab/ui/lessons/lesson"
	"backfill-lab/ui/protocol"
)

const week = "JobID|User|Partition|State|Submit|Start|Elapsed|Timelimit|NNodes|AllocCPUS|AllocTRES\n" +
	"7|ann|a|COMPLETED|2026-01-02T03:04:05|2026-01-02T03:04:05|00:01:00|01:00:00|1|2|cpu=2,gres/gpu=1,mem=4G\n" +
	"7.0||||2026-01-02T03:04:05|2026-01-02T03:04:05|00:01:00||1|2|cpu=2,gres/gpu=1,mem=4G\n" +
	"8|bob|b|COMPLETED|2026-01-02T03:04:05|2026-01-02T03:04:35|00:01:00|01:00:00|3|9|cpu=9,mem=4G\n"

// The worker opens accounting records with a machine of the size that they imply, and with the
// extra resources that the user has selected.
func TestAccountingRecords(t *testing.T) {
	p := newPage(t)
	opened := func(q protocol.Open) (protocol.Opened, *scenario.Scenario, []job.Job) {
		q.Name, q.CurrentProcs = "week.sacct.gz", 8
		q.Extras = []protocol.Resource{{Name: "disk", Capacity: 9}}
		r := p.ask("opened", "open", q, []byte(week))
		head := read[protocol.Opened](t, r)
		sc, err := scenario.Parse(head.Scenario)
		require.NoError(t, err)
		head.Scenario, head.Millis = nil, 0
		jobs, err := protocol.DecodeJobs(r.bufs)
		require.NoError(t, err)
		return head, sc, jobs
	}
	head, sc, _ := opened(protocol.Open{})
	proposed := cluster.Flat(4)
	proposed.Cores = 3
	assert.Equal(t, proposed, sc.Machine.Machine)
	assert.Equal(t, sacct.Default, sc.Workload.File.Choice)
	assert.Equal(t, protocol.Opened{Name: "week.sacct.gz", Jobs: 2, Procs: 12, MachineKnown: true, Dropped: "1 record of job steps", HasStarts: true, Report: []string{
		"3 records read, 2 jobs kept.",
		"Dropped 1 record of job steps (first: line 3).",
		"Time 0 is the first submission, 2026-01-02T03:04:05.",
		"Jobs of several partitions, which the model treats as one machine: a (1), b (1).",
		"The records have no field Eligible. Jobs enter the queue when they are submitted (Submit).",
		"Ignored, because the machine does not have these resources: gres/gpu (1), mem (2).",
	}, Records: &protocol.Records{
		RecordsChoice: protocol.RecordsChoice{Unit: "cpus", SubmitTime: "eligible"},
		Partitions:    []protocol.Partition{{Name: "a", Records: 1}, {Name: "b", Records: 1}},
		Uses:          []protocol.Use{{Name: "gres/gpu", Jobs: 1, MinCapacity: 1}, {Name: "mem", Jobs: 2, MinCapacity: 8192}},
		Nodes:         4, Cores: 3, InUse: 11,
		Why: []string{"No record names its nodes (NodeList), so the proposal has just enough nodes for these jobs.", "A job used up to 3 CPUs on one node.",
			"At most 11 CPUs were in use at the same time.", "The widest job had 9 CPUs."},
		SubmitNote: "The records have no field Eligible. Jobs enter the queue when they are submitted (Submit).",
		Actual:     protocol.Waits{Jobs: 2, Mean: 15, Max: 30, Slowdown: 1.25},
	}}, head)

	choice := protocol.RecordsChoice{Unit: "nodes", Partition: "b", SubmitTime: "submit", Limits: "b=60", Resources: []string{"mem"}}
	head, sc, jobs := opened(protocol.Open{Records: &choice})
	m := cluster.Flat(3)
	m.Resources = []cluster.Resource{{Name: "mem", Capacity: 4096}}
	assert.Equal(t, m, sc.Machine.Machine)
	assert.Equal(t, sacct.Choice{Partition: "b", Unit: sacct.Nodes, Limits: "b=60"}, sc.Workload.File.Choice)
	require.Len(t, jobs, 1)
	assert.Equal(t, 3, jobs[0].Procs)
	assert.Equal(t, &job.More{Extra: []int64{4096}, User: "bob"}, jobs[0].More)
	assert.Equal(t, choice, head.Records.RecordsChoice)

	head, _, _ = opened(protocol.Open{Procs: 5})
	assert.Equal(t, []any{1, 1, 9, false}, []any{head.Jobs, head.TooWide, head.Widest, head.MachineKnown})
	assert.Equal(t, protocol.Fault{Text: `week.sacct: partition: expected one of a (1), b (1), got "c"`},
		p.fault("open", protocol.Open{Name: "week.sacct", Records: &protocol.RecordsChoice{Unit: "cpus", Partition: "c"}}, []byte(week)))
}

// The proposed machine has the nodes that the records name. The estimate of a job without a limit
// is the limit that the user typed. The test reads the records of two partitions.
func TestProposedMachine(t *testing.T) {
	text := "JobID|Partition|State|Submit|Eligible|Start|Elapsed|Timelimit|NNodes|AllocCPUS|NodeList\n" +
		"1|a|COMPLETED|0|60|60|00:01:00|UNLIMITED|2|8|n[1-2]\n" +
		"2|b|COMPLETED|30|30|30|00:01:00|01:00:00|1|4|n1\n" +
		"3|c|COMPLETED|30|30|30|00:01:00|01:00:00|1|40|n3\n"
	p := newPage(t)
	r := p.ask("opened", "open", protocol.Open{Name: "x.sacct", Records: &protocol.RecordsChoice{Unit: "cpus", Partition: "a,b", Limits: "a=1h"}}, []byte(text))
	head := read[protocol.Opened](t, r)
	sc, err := scenario.Parse(head.Scenario)
	require.NoError(t, err)
	m := cluster.Flat(2)
	m.Cores = 6
	assert.Equal(t, m, sc.Machine.Machine)
	assert.Equal(t, []int{12, 2, 6}, []int{head.Procs, head.Records.Nodes, head.Records.Cores})
	assert.Equal(t, []protocol.Partition{{Name: "a", Records: 1}}, head.Records.Unlimited)
	assert.Equal(t, "Jobs enter the queue when they become eligible (Eligible). For 1 job, this is later than the submission (Submit).", head.Records.SubmitNote)
	jobs, err := protocol.DecodeJobs(r.bufs)
	require.NoError(t, err)
	require.Len(t, jobs, 2)
	assert.Equal(t, []job.Time{0, 30, 3600}, []job.Time{jobs[0].Submit, jobs[1].Submit, jobs[1].Estimate})
}

// Opening a lesson opens its scenario. The page receives the text of the lesson unchanged.
func TestLessonFiles(t *testing.T) {
	p := newPage(t)
	for _, f := range lessons.List {
		r := p.ask("opened", "open", protocol.Open{Name: f.Name + ".json"}, []byte(f.Text))
		head := read[protocol.Opened](t, r)
		l, err := lesson.Parse(head.Lesson)
		require.NoError(t, err)
		jobs, err := protocol.DecodeJobs(r.bufs)
		require.NoError(t, err)
		require.Equal(t, strings.Count(string(l.Scenario), `"submit":`), len(jobs))
	}
	r := p.ask("opened", "open", protocol.Open{Name: "x.json"}, []byte(exampleScenario))
	require.Empty(t, read[protocol.Opened](t, r).Lesson)

	text := string(lessons.List[0].Text)
	bad := strings.Replace(text, `"event": "start"`, `"event": "begin"`, 1)
	line := strings.Count(text[:strings.Index(text, `"event": "start"`)], "\n") + 1
	require.Equal(t, "mine.json, line "+strconv.Itoa(line)+": step 1, place, event: expected before, after, submit, start, finish, promise, move, hold or another kind of event, got \"begin\"",
		p.fault("open", protocol.Open{Name: "mine.json"}, []byte(bad)).Text)
}
