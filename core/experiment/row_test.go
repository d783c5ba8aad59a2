package experiment

import (
	"bytes"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// A row of several parts shows the means over them, with the knobs of each part
// set in every case; what is not known of all parts is left out.
func TestMade(t *testing.T) {
	sized := func(name string, procs int) *fixed {
		f := &fixed{name: name, load: Load{Machine: cluster.Flat(4)}}
		for i := range 3 {
			f.load.Jobs = append(f.load.Jobs, job.Job{ID: string(rune('a' + i)), Runtime: int64(i + 1), Request: job.Request{Estimate: int64(i + 1), Procs: procs}})
		}
		return f
	}
	narrow, wide := sized("narrow", 2), sized("wide", 4)
	fcfs := &Case{Policy: "fcfs"}
	s := &Study{Name: "x", Columns: []Column{
		{Title: "jobs", Metric: "jobs", How: OfLoad},
		{Title: "wait", Metric: "mean-wait", Case: fcfs, Digits: 3},
	}, Rows: []Row{
		{Name: "fifo", Parts: []Part{{Source: narrow}, {Source: wide}}},
		{Name: "ljf", Parts: []Part{{Source: wide, Knobs: map[string]string{"order": "ljf"}}}},
	}}
	ran := map[string]Cell{}
	for source, c := range s.Needs {
		l, _, err := source.Load()
		require.NoError(t, err)
		ran[source.Key()+" "+c.String()], err = Run(l, c)
		require.NoError(t, err)
	}
	require.Len(t, ran, 3)
	table := s.Made(
		func(x Source) Cell { _, about, _ := x.Load(); return about },
		func(x Source, c *Case) Cell { return ran[x.Key()+" "+c.String()] })
	var csv bytes.Buffer
	require.NoError(t, table.CSV(&csv))
	// fifo: waits 0 0 1 on two processors each, 0 1 3 on four; ljf 0 3 5.
	require.Equal(t, "workload,jobs,jobs ±,wait,wait ±\nfifo,3,0,0.833,6.353\nljf,3,,2.667,\n", csv.String())
	require.Empty(t, fcfs.Knobs, "a case stays as it is")

	require.InDelta(t, 12.706*0.5, table.Halves[0][1], 1e-3, "waits of 1/3 and 4/3; t(1) = 12.706, standard error 0.5")
	require.True(t, math.IsNaN(table.Halves[1][1]), "a single workload has no interval")

	require.Equal(t, []float64{1, 3}, metricOf([]Cell{{"both": 1, "one": 1}, {"both": 3}}, "both"))
	require.Nil(t, metricOf([]Cell{{"both": 1, "one": 1}, {"both": 3}}, "one"))
}

// Intervals need independent values: parts on the same workload count as one.
func TestPartsThatShareAWorkload(t *testing.T) {
	one, two := &fixed{name: "one"}, &fixed{name: "two"}
	row := Row{Parts: []Part{{Source: one}, {Source: two}, {Source: one, Knobs: map[string]string{"alpha": "2"}}}}
	n := 0.0
	got := row.cells(func(*Part) Cell {
		n++
		return Cell{"wait": n}
	})
	require.Equal(t, []Cell{{"wait": 2}, {"wait": 2}}, got, "1 and 3 on the first workload, 2 on the second")
}

// fixed is a workload written down.
type fixed struct {
	name string // unique among the sources
	load Load
}

func (f *fixed) Key() string    { return f.name }
func (f *fixed) String() string { return f.name }

func (f *fixed) Load() (*Load, Cell, error) {
	return &f.load, Cell{"jobs": float64(len(f.load.Jobs)), "processors": float64(f.load.Machine.Slots())}, nil
}

// Knobs of an inner policy are for the cases that name theirs.
func TestInnerKnobsOfParts(t *testing.T) {
	p := Part{Knobs: map[string]string{"inner.lookahead": "5", "overhead": "60"}}
	require.Equal(t, "scojo-pect overhead=60", p.On(&Case{Policy: "scojo-pect"}).String())
	slack := &Case{Policy: "scojo-pect", Knobs: map[string]string{"inner": "fair-slack"}}
	require.Equal(t, "scojo-pect inner=fair-slack inner.lookahead=5 overhead=60", p.On(slack).String())
	require.Len(t, p.Knobs, 2, "the part stays as it is")

	few := &Case{Policy: "scojo-pect", Knobs: map[string]string{"inner": "fair-slack", "inner.lookahead": "9"}}
	require.Equal(t, "scojo-pect inner=fair-slack inner.lookahead=5 overhead=60", p.On(few).String())
	few.Firm = true
	require.Equal(t, "scojo-pect inner=fair-slack inner.lookahead=9 overhead=60", p.On(few).String())
}
