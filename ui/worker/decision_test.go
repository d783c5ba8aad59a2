package worker_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/policy/policytest"
	"backfill-lab/ui/protocol"
)

// figure4 returns a page that has run the jobs of the lesson jin-decision. The given number of short jobs runs before
// these jobs.
func figure4(t *testing.T, before int, policies ...protocol.Policy) *page {
	var text strings.Builder
	for i := range before {
		fmt.Fprintf(&text, "B%d 8/1@%d\n", i, i)
	}
	for _, j := range []string{"R 4/1000@%d", "Q 4/100@%d", "H 8/500@%d", "X 4/950@1%d", "Y 2/880@2%d", "Z 2/1000@3%d"} {
		at := before
		if n := strings.Index(j, "@"); j[n+1] != '%' {
			at += 10 * int(j[n+1]-'0')
			j = j[:n+1] + "%d"
		}
		fmt.Fprintf(&text, j+"\n", at)
	}
	jobs, err := policytest.ParseJobs(text.String())
	require.NoError(t, err)
	p := newPage(t)
	p.ask("ran", "run", protocol.Run{Machine: nodes(8), Policies: policies}, protocol.EncodeJobs(jobs)...)
	return p
}

func TestDecision(t *testing.T) {
	p := figure4(t, 0, protocol.Policy{Name: "easy"}, protocol.Policy{Name: "fair-slack"})
	ask := func(q protocol.DecisionQuery) protocol.DecisionAnswer {
		q.Result = 1
		return read[protocol.DecisionAnswer](t, p.ask("decided", "decision", q))
	}
	d := ask(protocol.DecisionQuery{At: 150, MaxRows: 100})
	assert.Equal(t, []int{1, 2}, []int{d.Number, d.Total})
	assert.Equal(t, int64(100), d.At, "the last decision not after the requested time")
	assert.Contains(t, d.Summary, "goal fairness started {Y}")
	require.Len(t, d.Tables, 3)
	assert.Equal(t, "{X, Y}\trejected: needs 6 processors, 4 are free", d.Tables[1].Rows[1].Cells)
	assert.Equal(t, 1, d.Tables[1].Rows[1].Depth)
	assert.Equal(t, d.Tables, ask(protocol.DecisionQuery{Number: 1}).Tables)
	folded := ask(protocol.DecisionQuery{Number: 1, Toggled: []int{1}})
	assert.Equal(t, "{Y}\tkept as number 2", folded.Tables[1].Rows[1].Cells)
	assert.Equal(t, int64(980), ask(protocol.DecisionQuery{Number: 99}).At)
	none := ask(protocol.DecisionQuery{At: 99})
	assert.Zero(t, none.Number)
	assert.Equal(t, "Up to t = 99, the policy has not tried any set of jobs.", none.Summary)
	other := read[protocol.DecisionAnswer](t, p.ask("decided", "decision", protocol.DecisionQuery{At: 200}))
	assert.Zero(t, other.Total, "EASY tries no sets")
	p.fault("decision", protocol.DecisionQuery{Result: 2})

	why := read[protocol.Answers](t, p.ask("why", "why", protocol.Why{Job: 4, At: 500}))
	assert.Nil(t, why.Answers[0].Decided)
	assert.Equal(t, timePointer(100), why.Answers[1].Decided, "when it started")
	why = read[protocol.Answers](t, p.ask("why", "why", protocol.Why{Job: 5, At: 980}))
	assert.Equal(t, timePointer(980), why.Answers[1].Decided, "at the requested time")
}

// The logs of large runs do not contain the sets that a policy tried, so the worker runs the policy
// again up to the decision. The expected answer comes from a run without the short jobs.
func TestDecisionAgain(t *testing.T) {
	small := figure4(t, 0, protocol.Policy{Name: "fair-slack"})
	want := read[protocol.DecisionAnswer](t, small.ask("decided", "decision", protocol.DecisionQuery{Number: 1}))
	p := figure4(t, 2000, protocol.Policy{Name: "fair-slack"})
	ask := func(q protocol.DecisionQuery) protocol.DecisionAnswer {
		return read[protocol.DecisionAnswer](t, p.ask("decided", "decision", q))
	}
	d := ask(protocol.DecisionQuery{At: 2100})
	assert.Equal(t, int64(2100), d.At)
	assert.True(t, d.NotRecorded)
	assert.Empty(t, d.Tables)
	again := ask(protocol.DecisionQuery{Number: d.Number, Rerun: true})
	assert.False(t, again.NotRecorded)
	assert.Equal(t, want.Tables[1:], again.Tables[1:])
	assert.Equal(t, strings.ReplaceAll(want.Summary, "At 100,", "At 2100,"), again.Summary)
	assert.Equal(t, again, ask(protocol.DecisionQuery{Number: d.Number}), "the rerun decision is cached")
}

// sharing returns a page that has run three jobs on four nodes with four cores each. The jobs form
// one group. The given number of short jobs runs before them.
func sharing(t *testing.T, before int) *page {
	var text strings.Builder
	for i := range before {
		fmt.Fprintf(&text, "B%d 4/1@%d ~1,1.3\n", i, i)
	}
	fmt.Fprintf(&text, "A 8/4000@%d ~1,1.3\nJ1 4/3000@%d ~1,1.3\nJ2 4/1500@%d ~1,1.3\n", before, before, before)
	jobs, err := policytest.ParseJobs(text.String())
	require.NoError(t, err)
	p := newPage(t)
	p.ask("ran", "run", protocol.Run{Machine: protocol.Machine{Nodes: 4, Processors: 2, Cores: 2}, Policies: []protocol.Policy{{Name: "glomarc-ts"}}}, protocol.EncodeJobs(jobs)...)
	return p
}

// A decision about a group of jobs includes an SVG image of the group. After a large run,
// the image requires a rerun of the policy.
func TestGroupDrawing(t *testing.T) {
	p := sharing(t, 0)
	d := read[protocol.DecisionAnswer](t, p.ask("decided", "decision", protocol.DecisionQuery{Number: 1}))
	require.Contains(t, d.Summary, "{A + J1, J2} starts, with U = 2.5.")
	require.Len(t, d.Tables, 2)
	require.Equal(t, 4, strings.Count(d.SVG, "<rect"))

	many := sharing(t, 2000)
	d = read[protocol.DecisionAnswer](t, many.ask("decided", "decision", protocol.DecisionQuery{At: 2000}))
	require.True(t, d.NotRecorded)
	require.Empty(t, d.SVG)
	d = read[protocol.DecisionAnswer](t, many.ask("decided", "decision", protocol.DecisionQuery{At: 2000, Rerun: true}))
	require.False(t, d.NotRecorded)
	require.Contains(t, d.Summary, "{A + J1, J2} starts")
	require.NotEmpty(t, d.SVG)
}
