package experiment

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// TestRowsOfParts checks that a row with several parts shows means over these parts. The knobs of a
// part must be set in every case, and a metric that is missing in a part must be omitted.
func TestRowsOfParts(t *testing.T) {
	sized := func(name string, procs int) *fixed {
		f := &fixed{name: name, load: Workload{Machine: cluster.Flat(4)}}
		for i := range 3 {
			f.load.Jobs = append(f.load.Jobs, job.Job{ID: string(rune('a' + i)), Runtime: int64(i + 1), Request: job.Request{Estimate: int64(i + 1), Procs: procs}})
		}
		return f
	}
	narrow, wide := sized("narrow", 2), sized("wide", 4)
	fcfs := &Case{Policy: "fcfs"}
	s := &Study{Name: "x", Columns: []Column{
		{Title: "jobs", Metric: "jobs", Comparison: WorkloadFact},
		{Title: "wait", Metric: "mean-wait", Case: fcfs, Digits: 3},
	}, Rows: []Row{
		{Name: "fifo", Parts: []Part{{Source: narrow}, {Source: wide}}},
		{Name: "ljf", Parts: []Part{{Source: wide, Knobs: map[string]string{"order": "ljf"}}}},
	}}
	ran := map[string]Results{}
	for source, c := range s.Runs {
		l, _, err := source.Load()
		require.NoError(t, err)
		ran[source.Key()+" "+c.String()], err = Run(l, c)
		require.NoError(t, err)
	}
	require.Len(t, ran, 3)
	table := s.GeneratedTable(
		func(x Source) Results { _, about, _ := x.Load(); return about },
		func(x Source, c *Case) Results { return ran[x.Key()+" "+c.String()] })
	var csv bytes.Buffer
	require.NoError(t, table.CSV(&csv))
	// The waits in the row fifo are 0 0 1 with two processors per job and 0 1 3 with four. The waits
	// in the row ljf are 0 3 5.
	require.Equal(t, "workload,jobs,jobs ±,wait,wait ±\nfifo,3,0,0.833,6.353\nljf,3,,2.667,\n", csv.String())
	require.Empty(t, fcfs.Knobs, "making a table does not change a case")

	require.InDelta(t, 12.706*0.5, table.HalfWidths[0][1], 1e-3, "waits of 1/3 and 4/3; t(1) = 12.706, standard error 0.5")
	require.True(t, math.IsNaN(table.HalfWidths[1][1]), "a single workload has no interval")

	require.Equal(t, []float64{1, 3}, metricValues([]Results{{"both": 1, "one": 1}, {"both": 3}}, "both"))
	require.Nil(t, metricValues([]Results{{"both": 1, "one": 1}, {"both": 3}}, "one"))
}

// TestPartsThatShareAWorkload checks that parts with the same workload count as one part, because
// confidence intervals need independent values.
func TestPartsThatShareAWorkload(t *testing.T) {
	one, two := &fixed{name: "one"}, &fixed{name: "two"}
	row := Row{Parts: []Part{{Source: one}, {Source: two}, {Source: one, Knobs: map[string]string{"alpha": "2"}}}}
	n := 0.0
	got := row.resultsByWorkload(func(*Part) Results {
		n++
		return Results{"wait": n}
	})
	require.Equal(t, []Results{{"wait": 2}, {"wait": 2}}, got, "1 and 3 on the first workload, 2 on the second")
}

// fixed is a source that always returns the same workload.
type fixed struct {
	name string // key of the workload
	load Workload
}

func (f *fixed) Key() string    { return f.name }
func (f *fixed) String() string { return f.name }

func (f *fixed) Load() (*Workload, Results, error) {
	return &f.load, Results{"jobs": float64(len(f.load.Jobs)), "processors": float64(f.load.Machine.Slots())}, nil
}

// TestInnerKnobsOfParts checks that knobs of an inner policy apply only to cases with an inner
// policy.
func TestInnerKnobsOfParts(t *testing.T) {
	p := Part{Knobs: map[string]string{"inner.lookahead": "5", "overhead": "60"}}
	require.Equal(t, "scojo-pect overhead=60", p.CaseWithKnobs(&Case{Policy: "scojo-pect"}).String())
	slack := &Case{Policy: "scojo-pect", Knobs: map[string]string{"inner": "fair-slack"}}
	require.Equal(t, "scojo-pect inner=fair-slack inner.lookahead=5 overhead=60", p.CaseWithKnobs(slack).String())
	require.Len(t, p.Knobs, 2, "CaseWithKnobs does not change the part")

	few := &Case{Policy: "scojo-pect", Knobs: map[string]string{"inner": "fair-slack", "inner.lookahead": "9"}}
	require.Equal(t, "scojo-pect inner=fair-slack inner.lookahead=5 overhead=60", p.CaseWithKnobs(few).String())
	few.KeepsKnobs = true
	require.Equal(t, "scojo-pect inner=fair-slack inner.lookahead=9 overhead=60", p.CaseWithKnobs(few).String())
}

// TestPairedValues checks that each seed counts as one sample, which is the mean over the parts
// with this seed. Differences from the parts of Base are in percentage points for improvements, and
// in percent for values.
func TestPairedValues(t *testing.T) {
	w := func(seed int64, procs int) Source {
		return drawnFrom(t, procs, `"generator": "lublin"`, seed, "")
	}
	slow, fast := &Case{Policy: "fcfs"}, &Case{Policy: "easy"}
	// waits holds the mean waits under the slow case and the fast case, by workload.
	waits := map[string][2]float64{
		w(1, 2).Key(): {100, 80}, w(1, 4).Key(): {100, 60},
		w(2, 2).Key(): {200, 100}, w(2, 4).Key(): {200, 180},
	}
	cell := func(s Source, c *Case) Results {
		x := waits[s.Key()]
		if c.Policy == "fcfs" {
			return Results{"mean-wait": x[0]}
		}
		return Results{"mean-wait": x[1]}
	}
	two, four := []Part{{Source: w(1, 2)}, {Source: w(2, 2)}}, []Part{{Source: w(1, 4)}, {Source: w(2, 4)}}
	s := &Study{Columns: []Column{
		{Title: "gain, %", Metric: "mean-wait", Case: fast, Base: slow, Comparison: Improvement, Digits: 1},
		{Title: "wait", Metric: "mean-wait", Case: fast, Digits: 1},
	}, Rows: []Row{
		{Name: "both", Parts: append(append([]Part{}, two...), four...), PairSeeds: true},
		{Name: "four less two", Parts: four, Base: two, PairSeeds: true},
	}}
	n := 0
	for range s.Runs {
		n++
	}
	require.Equal(t, 2*8, n, "parts in Base run too")
	table := s.GeneratedTable(func(Source) Results { return Results{} }, cell)
	// Under the fast case, the gains are 20 and 40 on the workloads of seed 1, and 50 and 10 on
	// those of seed 2. Its mean waits are 70 with seed 1 and 140 with seed 2.
	require.InDeltaSlice(t, []float64{30, 105}, table.Values[0], 1e-9)
	require.InDelta(t, 0, table.HalfWidths[0][0], 1e-9, "both seeds gain 30 on average")
	require.InDelta(t, 12.706*35, table.HalfWidths[0][1], 0.1)
	// With 4 processors instead of 2, the gain is 20 points higher for seed 1 and 40 points lower
	// for seed 2. The sum of the waits is 240 instead of 180, which is a third more.
	require.InDeltaSlice(t, []float64{-10, 100.0 / 3}, table.Values[1], 1e-9)
	require.InDelta(t, 12.706*30, table.HalfWidths[1][0], 0.1)
	require.Empty(t, table.Summary(), "rows that combine other rows do not count")
}

// TestSummaryOverTraces checks that the summary of a study on traces contains means over the
// traces, and the share of the traces on which a policy is better or worse. Two versions of a trace
// must count as one trace.
func TestSummaryOverTraces(t *testing.T) {
	base := &Case{Policy: "conservative"}
	s := &Study{Tally: true, Columns: []Column{
		{Title: "PC, %", Metric: "mean-wait", Case: &Case{Policy: "pc", Knobs: map[string]string{"order": "sjf"}}, Base: base, Comparison: Improvement, Digits: 1},
		{Title: "PC / CONS", Metric: "mean-wait", Case: &Case{Policy: "pc", Knobs: map[string]string{"order": "sjf"}}, Base: base, Comparison: Ratio, Digits: 2},
	}}
	waits := []float64{90, 50, 110, 95, 100}
	table := s.NewTable([]string{"KTH-SP2-1996-2", "KTH-SP2-1996-2.1-cln", "A-1-cln", "B-1-cln", "C-1-cln"}, nil, func(i int, c *Case) []Results {
		if c == base {
			return []Results{{"mean-wait": 100}}
		}
		return []Results{{"mean-wait": waits[i]}}
	})
	require.Equal(t, []string{
		"If a trace has several versions, this list counts only the first. Intervals are 95 % confidence intervals: of means over the traces (Student's t), and of shares of traces (binomial, Clopper and Pearson).",
		"PC: better on 2, worse on 1 and equal on 1 of 4 traces (95 % confidence interval of the share with an improvement: 7 to 93 %); improvements from -10.0 % to 10.0 %, mean 1.2 ± 13.6 %",
		"PC / CONS: mean 0.99 ± 0.14 over 4 traces, from 0.90 to 1.10",
		"All orders: worse in 1 of 4 combinations of a trace, a policy and an order; mean share per trace 25.0 ± 79.6 %",
	}, table.Summary())
	var b bytes.Buffer
	require.NoError(t, table.CSV(&b))
	require.Contains(t, b.String(), "KTH-SP2-1996-2.1-cln,50.0,0.50\n", "the table has both versions")
}
