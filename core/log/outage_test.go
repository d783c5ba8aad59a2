package log

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

const outageLog = `backfill-lab log 1
machine: nodes=8 processors=1 cores=1 jobs-per-node=0
block: from=3 to=9 procs=2 label="new switch"
block: from=5 to=8 procs=1
level: decisions
jobs 0
records 2
3 block - slots=3,7 on=1 number=0
8 block - on=0 number=1
`

// TestOutages checks that the text form of a log includes the outages and their slots.
func TestOutages(t *testing.T) {
	m := cluster.Flat(8)
	m.Outages = []cluster.Outage{{From: 3, To: 9, Procs: 2, Label: "new switch"}, {From: 5, To: 8, Procs: 1}}
	l := New(m, nil, Decisions)
	l.RecordOutage(0, cluster.Set{{Lo: 3, Hi: 4}, {Lo: 7, Hi: 8}})
	l.Add(Record{At: 3, Kind: OutageEdge, Job: job.None, Other: job.None, X: 1})
	l.Add(Record{At: 8, Kind: OutageEdge, Job: job.None, Other: job.None, Y: 1})
	var b bytes.Buffer
	require.NoError(t, Write(&b, l, nil))
	require.Equal(t, outageLog, b.String())
	again, _, err := Read(&b)
	require.NoError(t, err)
	require.Equal(t, m, again.Machine)
	require.Equal(t, "3 7", again.OutageSlots(0).String())
	require.Empty(t, again.OutageSlots(1))
	require.Equal(t, *l.Record(1), *again.Record(1))
	require.Equal(t, "3 7", l.Fork(0).OutageSlots(0).String())

	_, _, err = Read(strings.NewReader(strings.Replace(outageLog, "procs=1", "procs=9", 1)))
	require.EqualError(t, err, "line 6: expected a valid machine, got machine, block 2, procs: expected 1 to 8 (processors of the machine), got 9")
	_, _, err = Read(strings.NewReader(strings.Replace(outageLog, "label=", "name=", 1)))
	require.EqualError(t, err, `line 3: expected from, to, procs or label, got "name"`)
}
