package jobs

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/ui/document"
	"backfill-lab/ui/session/sessiontest"
)

// The key of a line contains every field that is rendered. If a field were missing, the page would not show edits of
// this field.
func TestLineKeyCoversEveryField(t *testing.T) {
	l := Line{Cells: make([]Cell, 2)}
	seen := map[string]string{l.key(): "nothing"}
	each := func(where string, v reflect.Value) {
		for i := range v.NumField() {
			f, name := v.Field(i), where+v.Type().Field(i).Name
			if name == "Key" || name == "Cells" {
				continue
			}
			before := reflect.ValueOf(f.Interface())
			if f.Kind() == reflect.String {
				f.SetString("x")
			} else {
				f.Set(reflect.ValueOf(7).Convert(f.Type()))
			}
			require.NotContains(t, seen, l.key(), "%s is not in the key", name)
			seen[l.key()] = name
			f.Set(before)
		}
	}
	each("", reflect.ValueOf(&l).Elem())
	for i := range l.Cells {
		each("Cells.", reflect.ValueOf(&l.Cells[i]).Elem())
	}
	l.Cells = l.Cells[:1]
	require.NotContains(t, seen, l.key())
}

// The format of times in the table follows from the jobs. It changes at once, without waiting for results.
func TestUnitsDoNotWaitForResults(t *testing.T) {
	c := New(sessiontest.Example(t), func() bool { return false })
	runtime := func() string {
		return c.text(&document.Row{Values: [4]int64{0, 1, 0, 5400}}, 0, document.Runtime, c.TableClock())
	}
	require.Nil(t, c.Ran)
	require.Equal(t, "5400", runtime())
	c.Do("", c.Doc().SetCell(0, document.Runtime, "3600"))
	require.Equal(t, "1 h 30 min", runtime())
	c.Seconds = true
	require.Equal(t, "5400", runtime())
}

// Every edit of the table is a single undo step, and the tooltips of Undo and Redo describe the edit.
func TestEveryEditCanBeUndone(t *testing.T) {
	c := New(sessiontest.Example(t), func() bool { return false })
	c.Events.Edited = c.Update
	steps := []struct {
		name string
		do   func()
	}{
		{"1 row added", c.Add},
		{"1 row added", c.Duplicate},
		{"1 row deleted", c.Delete},
		{"3 rows added", func() { c.selectRows(1, 3, 0); c.Duplicate() }},
		{"4 rows changed", func() { c.selectRows(1, 3, 0); c.MoveRows(true) }},
		{"5 rows changed", func() { c.selectRows(4, 9, 2); c.FillDown() }},
		{"3 rows changed", func() { c.selectRows(5, 7, 1); c.grid.selection.text = "+60"; c.ApplyValue() }},
		{"3 rows deleted", func() { c.selectRows(5, 7, 1); c.Delete() }},
		{"7 rows added", func() { c.Paste(10, 0, strings.Repeat("a\t1\t1\t1\t1\n", 10)) }},
		{"runtime of row 2 changed", func() { c.convertRows(1, 1) }},
		{"20 rows deleted", c.Clear},
	}
	docs := []document.Doc{*c.Doc()}
	for _, s := range steps {
		s.do()
		require.Equal(t, "Undo: "+s.name+" (Ctrl+Z)", c.UndoTitle())
		docs = append(docs, *c.Doc())
	}
	for i := len(steps) - 1; i >= 0; i-- {
		c.Undo()
		require.Equal(t, docs[i], *c.Doc(), steps[i].name)
		require.Equal(t, "Redo: "+steps[i].name+" (Ctrl+Shift+Z)", c.RedoTitle())
	}
	require.False(t, c.CanUndo())
	for i := range steps {
		c.Redo()
		require.Equal(t, docs[i+1], *c.Doc(), steps[i].name)
	}
}

// Add appends a row that has only an ID, wherever the focus and the selection are. The page shows the errors of
// the new row only when the focus leaves it.
func TestAddAppendsAnEmptyRow(t *testing.T) {
	c := New(sessiontest.Example(t), func() bool { return false })
	c.Events.Edited = c.Update
	last := c.Doc().Rows.Len()
	add := func() {
		c.Add()
		require.Equal(t, cellID(last, document.Submit), c.Focus)
		r := c.Doc().Rows.At(last)
		for col := document.Submit; col <= document.Runtime; col++ {
			require.Empty(t, r.Text(col))
		}
		require.Empty(t, c.grid.problems)
		require.Empty(t, c.Errors())
		require.Contains(t, c.WaitingText(), "is new. Fill in submit, procs, estimate and runtime;")
		c.Undo()
	}
	add()
	c.EnterCell(3, cellID(3, document.Submit))
	add()
	c.selectRows(1, 5, 0)
	add()
	c.Add()
	c.EnterCell(0, cellID(0, document.ID))
	require.NotEmpty(t, c.Errors(), "the row was left with empty cells")
}

// TestPastedTimes checks that pasted times may have units, as typed ones.
func TestPastedTimes(t *testing.T) {
	c := New(sessiontest.Example(t), func() bool { return false })
	c.Events.Edited = c.Update
	c.Paste(0, int(document.Submit), "1m\t2\t1h 30m\t0-01:00:00\n 7 \t2\t0:00:22\t 20s\n")
	r := c.Doc().Rows.At(0)
	require.Equal(t, [4]int64{60, 2, 5400, 3600}, r.Values)
	r = c.Doc().Rows.At(1)
	require.Equal(t, [4]int64{7, 2, 22, 20}, r.Values)
}
