package worker_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/ui/protocol"
)

func TestCompare(t *testing.T) {
	p, head := ran(t)
	got := read[protocol.Compared](t, p.ask("compared", "compare", protocol.Compare{Base: 0, Other: 1, Generation: head.Generation}))
	// EASY starts them at 0 5 1 7 8 7 11 15 24 14 27 29, conservative at 0 7 1 5 10 5 12 16 25 13 28 28.
	assert.Equal(t, protocol.Tally{Earlier: 4, Later: 6, Same: 2, Gained: 6, Paid: 8}, got.All)
	assert.Equal(t, []protocol.Shifted{{Job: 3, ID: "4", From: 7, To: 5}, {Job: 5, ID: "6", From: 7, To: 5}, {Job: 9, ID: "10", From: 14, To: 13}, {Job: 11, ID: "12", From: 29, To: 28}}, got.Gainers)
	assert.Equal(t, protocol.Shifted{Job: 1, ID: "2", From: 5, To: 7}, got.Payers[0])
	require.Len(t, got.Sorts, 1, "all jobs are short, and none names a user")
	assert.Equal(t, protocol.Sort{Title: "size", Classes: []protocol.Tally{
		{Name: "1 processor", Earlier: 1, Gained: 2},
		{Name: "2 to 4 processors", Earlier: 2, Later: 4, Same: 1, Gained: 3, Paid: 5},
		{Name: "5 processors", Earlier: 1, Later: 2, Same: 1, Gained: 1, Paid: 3},
	}}, got.Sorts[0])

	back := read[protocol.Compared](t, p.ask("compared", "compare", protocol.Compare{Base: 1, Other: 0}))
	assert.Equal(t, protocol.Tally{Earlier: 6, Later: 4, Same: 2, Gained: 8, Paid: 6}, back.All)
	same := read[protocol.Compared](t, p.ask("compared", "compare", protocol.Compare{Base: 1, Other: 1}))
	assert.Equal(t, protocol.Tally{Same: 12}, same.All)
	assert.Empty(t, same.Gainers)
	p.fault("compare", protocol.Compare{Base: 0, Other: 2})
	p.fault("compare", protocol.Compare{Generation: head.Generation + 1})
}

func TestSpread(t *testing.T) {
	p, head := ran(t)
	got := read[protocol.Spreads](t, p.ask("spreads", "spread", protocol.Spread{Result: 0, Generation: head.Generation}))
	require.Len(t, got.Sorts, 2)
	// Waits by EASY: 0 4 0 4 4 2 5 7 16 3 14 16.
	all := got.Sorts[0].Boxes[0]
	assert.Equal(t, []float64{0, 0, 2, 3, 4, 4, 4, 5, 7, 14, 16, 16}, all.Few)
	assert.Equal(t, metric(t, head.Results[0], "mean-wait"), all.Mean)
	assert.Equal(t, metric(t, head.Results[0], "median-wait"), all.At[3])
	assert.Equal(t, metric(t, head.Results[0], "max-wait"), all.At[6])
	assert.Equal(t, []string{"1 processor", "2 to 4 processors", "5 processors"}, []string{got.Sorts[1].Boxes[0].Name, got.Sorts[1].Boxes[1].Name, got.Sorts[1].Boxes[2].Name})
	slow := read[protocol.Spreads](t, p.ask("spreads", "spread", protocol.Spread{Result: 1, Slowdown: true}))
	assert.InDelta(t, metric(t, head.Results[1], "mean-bounded-slowdown"), slow.Sorts[0].Boxes[0].Mean, 1e-12)
	p.fault("spread", protocol.Spread{Result: 2})
}
