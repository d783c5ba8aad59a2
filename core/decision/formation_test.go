package decision_test

import (
	"math"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/decision"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/glomarc/gain"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/registry"
)

// readFormation reads a formation with the limits from Zeng's thesis.
func readFormation(l *log.Log, place int) decision.Description {
	return decision.ReadFormation(l, place, &gain.ThesisLimits)
}

// header is the first part of a log of four jobs on four nodes of four cores. Jobs B, C and D can
// share nodes with job A, the primary.
const header = `backfill-lab log 1
machine: nodes=4 processors=2 cores=2 jobs-per-node=2
level: full
jobs 4
A submit=0 procs=8 estimate=4000 runtime=4000 slnos=1 slcrs=1.3
B submit=0 procs=2 estimate=3000 runtime=3000 slnos=1.1 slcrs=1.3
C submit=0 procs=2 estimate=1500 runtime=1500 slnos=1.2 slcrs=1.3
D submit=0 procs=1 estimate=1000 runtime=1000
`

// parseFormation reads the last formation of a log that consists of the constant header and the
// given records.
func parseFormation(t *testing.T, records ...string) *decision.Formation {
	text := header + "records " + strconv.Itoa(len(records)) + "\n" + strings.Join(records, "\n") + "\n"
	l, _, err := log.Read(strings.NewReader(text))
	require.NoError(t, err)
	places := decision.ChoiceRecords(l)
	return readFormation(l, int(places[len(places)-1])).(*decision.Formation)
}

// TestGroupAtTheChoice checks the remaining work, processes per node and slowdowns of a group.
// Before the choice, the primary was suspended and ran at different speeds.
func TestGroupAtTheChoice(t *testing.T) {
	d := parseFormation(t,
		"0 start A slots=0-15 per-node=2 why=alone x=2 y=4",
		"0 rate A rate=0.5",
		"100 suspend A",
		"500 resume A why=filled",
		"600 rate A rate=0.8",
		"700 form A why=case-join nodes=4 free=0",
		"700 candidate C why=suited with=A slowed=1200000 slows=1100000",
		"700 candidate B why=suited with=A slowed=1210000 slows=1000000",
		"700 candidate D why=suited with=A slowed=1000000 slows=1000000",
		"700 member C set=4", "700 member B set=4", "700 member D set=4",
		"700 gains A why=window set=4 gain=1000000",
		"700 purge B set=4 gain=1100000",
		"700 judge A why=tolerated set=4",
		"700 choice - why=case-join set=4 tried=1")
	g := d.Group()
	require.Equal(t, []string{"A", "C", "D"}, g.Names)
	require.InDelta(t, 4000-50-100-80, g.Primary.Left, 1e-9)
	require.Equal(t, 2, g.Primary.PerNode, "it runs with two processes per node")
	require.Equal(t, 1, g.Matched[0].PerNode, "a self-slowdown of 1.2 is too large for two processes per node")
	require.InDelta(t, 1.2, g.Matched[0].Suffers, 1e-12)
	require.InDelta(t, 1.2, g.MatchedSlowdown(0), 1e-12)
	require.InDelta(t, 1.1, g.PrimarySlowdown(0), 1e-12)
	require.Equal(t, 1500.0, g.Matched[0].Left)
	require.True(t, d.Complete())
}

// TestManyCandidates checks that a long table at first hides the rows below each primary job,
// except the set that starts.
func TestManyCandidates(t *testing.T) {
	var records []string
	for range 15 {
		records = append(records, "0 form A why=case-waiting nodes=4 free=4")
		for _, j := range []string{"B", "C", "D"} {
			records = append(records, "0 candidate "+j+" why=suited with=A slowed=1000000 slows=1000000")
		}
	}
	for i := range 15 {
		records = append(records, "0 member B set="+strconv.Itoa(i+1), "0 gains A why=window set="+strconv.Itoa(i+1)+" gain=1000000")
	}
	records = append(records, "0 choice - why=case-waiting set=15 tried=15")
	d := parseFormation(t, records...)
	table := d.Tables(&decision.Options{MaxRows: 12, Toggled: []int{5}})[0]
	require.Len(t, table.Rows, 12)
	require.False(t, table.Rows[0].Open)
	require.True(t, table.Rows[1].Open)
	require.Equal(t, 1, table.Rows[2].Depth)
	require.Equal(t, 15+3+1, len(table.Rows)+table.More, "the primaries, the candidates of one, and the set that starts")
	table = d.Tables(&decision.Options{})[0]
	require.Equal(t, "taken", table.Rows[15].Mark)
}

// TestLogWithoutFormation checks that, if the log does not record the sets, the text of a formation
// still says how many were tried and which one started.
func TestLogWithoutFormation(t *testing.T) {
	full := parseFormation(t, "0 form A why=case-waiting nodes=4 free=4", "0 member B set=1", "0 gains A why=window set=1 gain=1000000", "0 choice - why=case-waiting set=1 tried=1")
	require.True(t, full.Complete())
	l, _, err := log.Read(strings.NewReader(strings.Replace(header, "level: full", "level: decisions", 1) + "records 1\n0 choice - why=case-waiting set=1 tried=1\n"))
	require.NoError(t, err)
	d := readFormation(l, 0)
	require.False(t, d.Complete())
	require.Equal(t, "At 0, of 1 set of jobs that could share nodes, set number 1 starts. The log does not record the sets that were tried.\n", decision.Text(d))
	require.Nil(t, d.Group())
}

// TestSoakFormations checks that formations read from logs agree with what the policy recorded,
// with and without time slices. The gain of the group that Group returns must equal the gain in the
// log, and each group that starts must be the chosen set.
func TestSoakFormations(t *testing.T) {
	soak.Check(t, 0.05, func(t *rapid.T) {
		name, knobs := "glomarc-ts", map[string]string{"short-max": "3", "medium-max": "20", "slack": "4", "min-gain": "0.1"}
		if rapid.Bool().Draw(t, "sliced") {
			name, knobs = "scojo-pect", map[string]string{"inner": "glomarc-ts", "interval": "40", "short-max": "3", "medium-max": "20", "inner.slack": "8", "inner.min-gain": "0.1"}
		}
		w, model := policytest.DrawShared(t, func(q *job.Job, m *cluster.Machine) bool {
			return q.Procs > 0 && q.Procs <= m.Nodes
		})
		c := w.Case(t, name, knobs)
		c.Speed = model.Speed(w.Jobs)
		l := c.Run(t)
		read, places := registry.DecisionReader(name, knobs), decision.ChoiceRecords(l)
		require.NotNil(t, read)
		for _, place := range places {
			d := read(l, int(place)).(*decision.Formation)
			require.True(t, d.Complete())
			decision.Text(d) // must not panic
			r := l.Record(int(place))
			require.Equal(t, r.X > 0, d.Chosen != nil)
			shown, most := d.Chosen, int64(math.MinInt64)
			for _, s := range d.Sets {
				if len(s.Jobs) > 0 && (d.Chosen == nil || len(d.Chosen.Jobs) == 0) && s.Gain > most {
					shown, most = s, s.Gain
				}
			}
			g := d.Group()
			if shown == nil || len(shown.Jobs) == 0 {
				require.Nil(t, g)
				continue
			}
			require.InDelta(t, float64(shown.Gain)/1e6, g.Gain().U, 1e-4, "%s at %d", c, r.At)
			require.Len(t, g.Names, len(shown.Jobs)+1)
		}
		for i := range l.Len() {
			if r := l.Record(i); r.Kind == log.Group {
				next := sort.Search(len(places), func(k int) bool { return int(places[k]) >= i })
				d := read(l, int(places[next])).(*decision.Formation)
				require.Equal(t, r.Other, d.Chosen.Primary)
				require.Contains(t, d.Chosen.Jobs, r.Job)
				require.Equal(t, r.X, d.Chosen.Gain)
			}
		}
	})
}

// TestOddFormations checks that reading a log that no policy would write does not panic.
func TestOddFormations(t *testing.T) {
	for _, records := range [][]string{
		{"0 judge A why=tolerated set=3"},
		{"0 purge B set=1 gain=1", "0 candidate B why=none with=-"},
		{"0 form - why=none", "0 candidate - why=suited with=A", "0 member - set=1", "0 gains - set=1"},
		{"0 gains A why=fair-set set=1 gain=-5", "0 gains A why=window set=1 gain=9"},
		{"0 candidate A why=suited with=A", "0 member A set=1", "0 gains A why=window set=1 gain=1"},
		{"0 member B set=1", "0 gains A why=window set=1 gain=1"},
	} {
		d := parseFormation(t, append(records, "0 choice - why=case-join set=1 tried=9")...)
		require.NotEmpty(t, decision.Text(d))
		if g := d.Group(); g != nil {
			require.False(t, math.IsNaN(g.Gain().U), "%v", records)
		}
	}
}
