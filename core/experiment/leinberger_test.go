package experiment_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/experiment"
)

// Figure 1 of Leinberger, Karypis and Kumar 1999 (spec 3.3, claims K1 to K3),
// and the file in the project is what the program gives.
func TestLeinbergerFigure1(t *testing.T) {
	w := worked(t, "leinberger-fig1")
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
	require.Equal(t, string(kept), made.String(), "make studies")
}

// Worked figures have names of their own and can be made.
func TestWorkedAreSound(t *testing.T) {
	met := map[string]bool{}
	for _, s := range experiment.All() {
		met[s.Name] = true
	}
	for _, w := range experiment.AllWorked {
		require.False(t, met[w.Name], w.Name)
		met[w.Name] = true
		g, err := w.Make()
		require.NoError(t, err, w.Name)
		for _, row := range g.Rows {
			require.Len(t, row, len(g.Head), w.Name)
		}
	}
}
