package experiment_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/experiment"
)

// TestLeinbergerFigure1 compares the computed epochs with Figure 1 of Leinberger, Karypis and Kumar
// 1999. It also checks that the file in public/studies is up to date.
func TestLeinbergerFigure1(t *testing.T) {
	w := workedFigure(t, "leinberger-fig1")
	g, err := w.Make()
	require.NoError(t, err)
	ff := []string{"J0 J1 J4 J5 14/28", "J2 07/16", "J3 11/20", ""}
	want := [][]string{
		{"0", "J0 J1 12/06", ff[0], ff[0], ff[0], ff[0], "J0 J2 J4 16/32"},
		{"1", "J2 07/16", ff[1], ff[1], ff[1], ff[1], "J1 J3 J5 16/32"},
		{"2", "J3 J4 12/32", ff[2], ff[2], ff[2], ff[2], ""},
		{"3", "J5 01/10", "", "", "", "", ""},
	}
	require.Equal(t, want, g.Rows)
	var made bytes.Buffer
	require.NoError(t, g.CSV(&made))
	kept, err := os.ReadFile("../../public/studies/leinberger-fig1.csv")
	require.NoError(t, err)
	require.Equal(t, string(kept), made.String(), "the file in public/studies is out of date: run make studies")
}

// TestWorkedFiguresAreValid checks that no two worked figures or studies have the same name, that
// Make returns no error, and that all rows are as long as the header.
func TestWorkedFiguresAreValid(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range experiment.All() {
		seen[s.Name] = true
	}
	for _, w := range experiment.AllWorkedFigures {
		require.False(t, seen[w.Name], w.Name)
		seen[w.Name] = true
		g, err := w.Make()
		require.NoError(t, err, w.Name)
		for _, row := range g.Rows {
			require.Len(t, row, len(g.Head), w.Name)
		}
	}
}

// TestWuFigure3 checks the example of Wu et al. 2015, Table 1 and Figure 3. With backfilling, the
// strategies A, B and C have mean turnarounds of 9, 9.67 and 11 s, and one interpretation of the
// policy "highest revenue first" selects the sizes of strategy A. The test also checks that the
// file in public/studies is up to date.
func TestWuFigure3(t *testing.T) {
	g, err := workedFigure(t, "wu-fig3").Make()
	require.NoError(t, err)
	got := map[string][]string{}
	for _, row := range g.Rows {
		got[row[0]+", "+row[1]] = row[2:]
	}
	a, twoEach := []string{"2 2 1", "0 5 0", "5 12 10", "8", "9.00"}, []string{"2 2 2", "0 5 12", "5 12 21", "9", "12.67"}
	for name, want := range map[string][]string{
		"A, backfilling": a,
		"A, FCFS":        {"2 2 1", "0 5 5", "5 12 15", "8", "10.67"},
		"B, backfilling": {"2 1 2", "0 0 5", "5 10 14", "6", "9.67"},
		"C, backfilling": {"1 2 2", "0 0 7", "10 7 16", "4", "11.00"},
		"HRF, first processors count, backfilling":              a,
		"HRF, sizes chosen again after each start, backfilling": twoEach,
		"HRF, first processors outside the budget, backfilling": twoEach,
	} {
		require.Equal(t, want, got[name], name)
	}
	var made bytes.Buffer
	require.NoError(t, g.CSV(&made))
	kept, err := os.ReadFile("../../public/studies/wu-fig3.csv")
	require.NoError(t, err)
	require.Equal(t, string(kept), made.String(), "the file in public/studies is out of date: run make studies")
}
