package schedule_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/schedule"
)

// outageLog returns the log of a job on two of four processors. An outage takes the other two processors in [2,6).
// According to the log, the outage takes the given slots. The function edit can change the records.
func outageLog(edit func([]log.Record) []log.Record, slots ...cluster.Range) *log.Log {
	m := cluster.Flat(4)
	m.Outages = []cluster.Outage{{From: 2, To: 6, Procs: 2, Label: "new switch"}}
	l := log.New(m, []job.Job{{Request: job.Request{Estimate: 8, Procs: 2}, ID: "a", Runtime: 8}}, log.Full)
	l.RecordSlots(0, cluster.Set{{Lo: 0, Hi: 2}}, log.Layout{Procs: 2})
	l.RecordOutage(0, slots)
	outage := func(at, on int64) log.Record {
		return log.Record{At: at, Kind: log.OutageEdge, Job: job.None, Other: job.None, X: on}
	}
	for _, r := range edit([]log.Record{record(0, log.Start, 0), outage(2, 1), outage(6, 0), record(8, log.Finish, 0)}) {
		l.Add(r)
	}
	return l
}

// outageChanges lists changes made to the log of outageLog, and the codes of the errors that
// CheckLog must then report.
var outageChanges = []struct {
	name   string
	slots  cluster.Range
	change func(r []log.Record) []log.Record
	want   []schedule.Code
}{
	{"nothing wrong", cluster.Range{Lo: 2, Hi: 4}, func(r []log.Record) []log.Record { return r }, nil},
	{"starts late", cluster.Range{Lo: 2, Hi: 4}, func(r []log.Record) []log.Record { r[1].At = 3; return r }, []schedule.Code{schedule.OutageEdge}},
	{"ends twice", cluster.Range{Lo: 2, Hi: 4}, func(r []log.Record) []log.Record { r[1].X = 0; return r }, []schedule.Code{schedule.OutageEdge, schedule.OutageEdge}},
	{"unknown outage", cluster.Range{Lo: 2, Hi: 4}, func(r []log.Record) []log.Record { r[1].Y = 1; return r }, []schedule.Code{schedule.OutageEdge, schedule.OutageEdge}},
	{"too few slots", cluster.Range{Lo: 2, Hi: 3}, func(r []log.Record) []log.Record { return r }, []schedule.Code{schedule.OutageEdge, schedule.SlotCount}},
	{"slots of a job", cluster.Range{Lo: 1, Hi: 3}, func(r []log.Record) []log.Record { return r }, []schedule.Code{schedule.SlotShared}},
}

func TestOutages(t *testing.T) {
	for _, c := range outageChanges {
		t.Run(c.name, func(t *testing.T) {
			found := schedule.CheckLog(outageLog(c.change, c.slots), false)
			requireCodes(t, found, c.want...)
			for _, f := range found {
				assert.NotContains(t, f.String(), "%!")
			}
		})
	}
}

// TestOutagesWithoutSlots checks that outages reduce the capacity even if their slots are unknown.
func TestOutagesWithoutSlots(t *testing.T) {
	m := cluster.Flat(4)
	m.Outages = []cluster.Outage{{From: 2, To: 6, Procs: 3}}
	s := schedule.FromLog(outageLog(func(r []log.Record) []log.Record { return r }))
	s.Rows[0].Alloc, s.OutageSlots = nil, nil
	found := schedule.Check(s, m, schedule.Options{})
	requireCodes(t, found, schedule.Capacity)
	assert.Equal(t, `at 2, 5 processors are in use when an outage begins, but the machine has 4`, found[0].Text)
}
