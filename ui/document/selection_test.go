package document

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// many returns a document of n jobs, which fill several chunks if n is large.
func many(n int) Doc {
	d := small()
	rows := make([]Row, n)
	for i := range rows {
		rows[i] = Row{Name: fmt.Sprint(i + 1), Values: [4]int64{int64(i), 1, 10, 10}}
	}
	d.Rows = NewRows(rows)
	return d
}

// with replaces the text of one cell in a line. The line has the format of the lines that texts() returns.
func with(line string, c Column, text string) string {
	cells := strings.Fields(line)
	cells[c] = text
	return strings.Join(cells, " ") + " "
}

// An edit of a few rows, or of several chunks, must produce the same rows as the same edit of a plain slice. It
// must not change the previous document.
func TestEditsOfManyRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := many(rapid.SampledFrom([]int{1, 5, 3000, 7000}).Draw(t, "rows"))
		for range rapid.IntRange(1, 4).Draw(t, "edits") {
			list, size := texts(d), d.Rows.Len()
			i := rapid.IntRange(0, size-1).Draw(t, "from")
			n := rapid.IntRange(1, size-i).Draw(t, "rows")
			var next Doc
			var err error
			want := slices.Clone(list)
			switch rapid.IntRange(0, 4).Draw(t, "what") {
			case 0:
				next = d.MoveRows(i, n, true)
				if i+n < size {
					want = slices.Concat(list[:i], list[i+n:i+n+1], list[i:i+n], list[i+n+1:])
				}
			case 1:
				next = d.MoveRows(i, n, false)
				if i > 0 {
					want = slices.Concat(list[:i-1], list[i:i+n], list[i-1:i], list[i+n:])
				}
			case 2:
				next, err = d.DuplicateAll(i, n, NoPause)
				require.Equal(t, texts(d.Duplicate(i, n)), texts(next))
				want = texts(next)
				require.Equal(t, list, slices.Delete(slices.Clone(want), i+n, i+2*n))
			case 3:
				next, err = d.Fill(i, n, Submit, NoPause)
				for k := i; k < i+n; k++ {
					want[k] = with(list[k], Submit, text(d, i, Submit))
				}
			case 4:
				next, err = d.SetColumn(i, n, Procs, Change{op: '+', n: 2}, NoPause)
				for k := i; k < i+n; k++ {
					want[k] = with(list[k], Procs, fmt.Sprint(d.Rows.At(k).Values[Procs-1]+2))
				}
			}
			require.NoError(t, err)
			require.Equal(t, want, texts(next))
			require.Equal(t, list, texts(d))
			at, gone, fresh := next.Rows.Since(d.Rows)
			require.Equal(t, want, slices.Concat(list[:at], want[at:at+fresh], list[at+gone:]))
			d = next
		}
	})
}

// An edited list shares the chunks that the edit did not change. Chunks with equal rows
// compare as equal, so that lists need not be compared row by row.
func TestEditsShareChunks(t *testing.T) {
	d := many(9000)
	twice, err := d.DuplicateAll(0, 9000, NoPause)
	require.NoError(t, err)
	for k, c := range d.Rows.chunks {
		require.Same(t, c, twice.Rows.chunks[k])
	}
	up, err := d.SetColumn(0, 9000, Runtime, Change{op: '+', n: 1}, NoPause)
	require.NoError(t, err)
	down, err := up.SetColumn(0, 9000, Runtime, Change{op: '-', n: 1}, NoPause)
	require.NoError(t, err)
	require.NotSame(t, d.Rows.chunks[0], down.Rows.chunks[0])
	require.True(t, d.Rows.chunks[0].same(down.Rows.chunks[0]))
	require.False(t, d.Rows.chunks[0].same(up.Rows.chunks[0]))
}

func TestChanges(t *testing.T) {
	for _, c := range []struct{ change, cell, want string }{
		{"5", "1", "5"}, {"=-5", "1", "-5"}, {"=+5", "1", "+5"}, {"abc", "1", "abc"}, {"=", "1", ""},
		{"+60", "10", "70"}, {"-3", "10", "7"}, {"*2", "10", "20"}, {"*1.5", "5", "8"}, {"/ 4", "10", "3"}, {"-11", "10", "-1"},
		{"*2", "1.5", "3"}, {"+1", "0.25", "1.25"},
		{"+1", "", "-"}, {"+1", "ten", "-"}, {"*9e15", "10", "-"},
	} {
		x, err := ParseChange(c.change)
		require.NoError(t, err)
		text, ok := x.apply(c.cell)
		if !ok {
			text = "-"
		}
		require.Equal(t, c.want, text, "%q of %q", c.change, c.cell)
	}
	for _, bad := range []string{"", "+", "*x", "/0", "+1e16", "-NaN"} {
		_, err := ParseChange(bad)
		require.Error(t, err, bad)
	}
}

// SetColumn leaves computed cells and invalid numbers unchanged.
func TestSetColumnSkipsComputedAndInvalidCells(t *testing.T) {
	d, _ := small().MakeMoldable(0, 1, 4, 1)
	was := texts(d)
	d, err := d.SetColumn(0, 2, Runtime, Change{op: '+', n: 1}, NoPause)
	require.NoError(t, err)
	require.Equal(t, was[0], texts(d)[0], "the runtime follows from the curve")
	require.Equal(t, "3", text(d, 1, Runtime))
	d = small().SetCell(0, Procs, "two")
	d, err = d.SetColumn(0, 2, Procs, Change{op: '*', n: 2}, NoPause)
	require.NoError(t, err)
	require.Equal(t, []string{"two", "2"}, []string{text(d, 0, Procs), text(d, 1, Procs)})
}

// Pasting a copied block over itself changes nothing.
func TestCopyAndPasteRoundTrips(t *testing.T) {
	d := small().AddResource().SetCell(0, Class, `the "big", one`).SetCell(1, Amounts, "1").SetCell(1, SLnos, "1.50").SetCell(0, Estimate, "x")
	columns := d.AllColumns()
	again, err := d.Paste(0, columns, d.SpreadsheetText(0, 2, columns), nil, NoPause)
	require.NoError(t, err)
	for row := range 2 {
		for _, c := range columns {
			require.Equal(t, text(d, row, c), text(again, row, c))
		}
	}
}

func TestLongEditsCanBeCancelled(t *testing.T) {
	d := many(9000)
	stop := func(int) error { return ErrNoneLeft }
	for _, do := range []func() (Doc, error){
		func() (Doc, error) { return d.DuplicateAll(0, 9000, stop) },
		func() (Doc, error) { return d.Fill(0, 9000, Submit, stop) },
	} {
		_, err := do()
		require.ErrorIs(t, err, ErrNoneLeft)
	}
}
