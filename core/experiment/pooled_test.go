package experiment

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/workload/generator/registry"
)

// Seeds count once, with the mean over their parts. Less other parts, gains differ in
// percentage points and values in percent.
func TestPooled(t *testing.T) {
	w := func(seed int64, procs int) Source {
		return &generated{registry.Order{Model: "uniform", Procs: procs, Seed: seed}}
	}
	slow, fast := &Case{Policy: "fcfs"}, &Case{Policy: "easy"}
	// Waits on 2 and 4 processors with seed 1, then with seed 2.
	waits := map[string][2]float64{
		w(1, 2).Key(): {100, 80}, w(1, 4).Key(): {100, 60},
		w(2, 2).Key(): {200, 100}, w(2, 4).Key(): {200, 180},
	}
	cell := func(s Source, c *Case) Cell {
		x := waits[s.Key()]
		if c.Policy == "fcfs" {
			return Cell{"mean-wait": x[0]}
		}
		return Cell{"mean-wait": x[1]}
	}
	two, four := []Part{{Source: w(1, 2)}, {Source: w(2, 2)}}, []Part{{Source: w(1, 4)}, {Source: w(2, 4)}}
	s := &Study{Columns: []Column{
		{Title: "gain, %", Metric: "mean-wait", Case: fast, Base: slow, How: Improvement, Digits: 1},
		{Title: "wait", Metric: "mean-wait", Case: fast, Digits: 1},
	}, Rows: []Row{
		{Name: "both", Parts: append(append([]Part{}, two...), four...), Pair: true},
		{Name: "four less two", Parts: four, Than: two, Pair: true},
	}}
	n := 0
	for range s.Needs {
		n++
	}
	require.Equal(t, 2*8, n, "also what is compared with is run")
	table := s.Made(func(Source) Cell { return Cell{} }, cell)
	// Gains: seed 1 20 and 40, seed 2 50 and 10. Waits: 70 and 140.
	require.InDeltaSlice(t, []float64{30, 105}, table.Values[0], 1e-9)
	require.InDelta(t, 0, table.Halves[0][0], 1e-9, "both seeds gain 30 on average")
	require.InDelta(t, 12.706*35, table.Halves[0][1], 0.1)
	// Differences: 20 and -40 points. Waits: 240 over 180 is a third more.
	require.InDeltaSlice(t, []float64{-10, 100.0 / 3}, table.Values[1], 1e-9)
	require.InDelta(t, 12.706*30, table.Halves[1][0], 0.1)
	require.Empty(t, table.Short(), "rows that overlap are not counted")
}

// Over traces the list has the mean and the share of traces, each log counted once.
func TestShortOverTraces(t *testing.T) {
	s := &Study{Tally: true, Columns: []Column{
		{Title: "PC, %", Metric: "mean-wait", Case: &Case{Policy: "pc", Knobs: map[string]string{"order": "sjf"}}, Base: conservative, How: Improvement, Digits: 1},
	}}
	waits := []float64{90, 50, 110, 95}
	table := s.Tabled([]string{"KTH-SP2-1996-2", "KTH-SP2-1996-2.1-cln", "A-1-cln", "B-1-cln"}, nil, func(i int, c *Case) []Cell {
		if c == conservative {
			return []Cell{{"mean-wait": 100}}
		}
		return []Cell{{"mean-wait": waits[i]}}
	})
	require.Equal(t, []string{
		"PC: better on 2, worse on 1 of 3 traces, from -10.0 % to 10.0 %; mean 1.7 ± 25.9 %, better on 9 to 99 % of traces",
		"All orders: worse in 1 of 3 combinations of a trace, an algorithm and an order, in 33.3 ± 143.4 % of those of a trace",
		"In this list a log of which there are two versions counts once, with the first. Intervals are 95 %, over the traces (Student's t) and of the share of traces (binomial, Clopper and Pearson).",
	}, table.Short())
	var b bytes.Buffer
	require.NoError(t, table.CSV(&b))
	require.Contains(t, b.String(), "KTH-SP2-1996-2.1-cln,50.0\n", "the table has both versions")
}
