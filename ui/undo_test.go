package ui

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/scenario"
	"backfill-lab/core/workload"
	"backfill-lab/public/examples"
	"backfill-lab/ui/document"
	"backfill-lab/ui/lesson"
	"backfill-lab/ui/link"
)

// Every way in which the document changes is one step back, and says what it was.
func TestEveryEditCanBeUndone(t *testing.T) {
	c := NewApp()
	edit := func(f func(d document.Doc) document.Doc) func() { return func() { c.do("", f(*c.Doc())) } }
	rules := func(r workload.Rules) func() {
		return edit(func(d document.Doc) document.Doc {
			d, _, err := d.Shape(r, document.Unpaused)
			require.NoError(t, err)
			return d
		})
	}
	steps := []struct {
		name string
		do   func()
	}{
		{"runtime of row 4", edit(func(d document.Doc) document.Doc { return d.SetCell(3, document.Runtime, "4 s") })},
		{"1 row added", c.Add},
		{"1 row added", c.Duplicate},
		{"1 row deleted", c.Delete},
		{"3 rows added", func() { c.choose(1, 3, 0); c.Duplicate() }},
		{"4 rows changed", func() { c.choose(1, 3, 0); c.Shift(true) }},
		{"5 rows changed", func() { c.choose(4, 9, 2); c.FillDown() }},
		{"3 rows changed", func() { c.choose(5, 7, 1); c.grid.chosen.text = "+60"; c.Set() }},
		{"3 rows deleted", func() { c.choose(5, 7, 1); c.Delete() }},
		{"7 rows added", func() { c.paste(10, 0, strings.Repeat("a\t1\t1\t1\t1\n", 10)) }},
		{"runtime of row 2", func() { c.moldRows(1, 1) }},
		{"the title", edit(func(d document.Doc) document.Doc { d.Title = "x"; return d })},
		{"the text", edit(func(d document.Doc) document.Doc { d.Text = "x"; return d })},
		{"the machine", edit(func(d document.Doc) document.Doc { return d.SetText(0, "16") })},
		{"extra resources", c.AddResource},
		{"extra resources", edit(func(d document.Doc) document.Doc { return d.SetText(4, "7") })},
		{"extra resources", func() { c.DropResource(0) }},
		{"slowdowns", edit(func(d document.Doc) document.Doc {
			return d.Slow(func(s *document.Slowdown) { s.Pairs = "1 next to 2: 1.1\n" })
		})},
		{"a policy added", c.AddPolicy},
		{"a policy removed", func() { c.DropPolicy(2) }},
		{"policy fcfs", edit(func(d document.Doc) document.Doc { return d.SetPolicy(0, "fcfs") })},
		{"knobs of fcfs", edit(func(d document.Doc) document.Doc { return d.SetKnob(0, "order", "sjf") })},
		{"trimming", func() { c.trim(scenario.Rules{Warmup: 10}) }},
		{"17 rows changed", rules(workload.Rules{LoadFactor: 0.5})},
		{"14 rows deleted", rules(workload.Rules{Limit: 6})},
		{"6 rows deleted", c.Clear},
		{"jobs of “" + examples.List[1].Title + "”, an example", func() { c.Show(examples.List[1]) }},
		{"jobs of “" + lesson.All()[0].Title + "”, an example", func() { c.Learn(lesson.All()[0]) }},
		{"jobs of a link", func() {
			f := link.Fragment{Version: link.Version, Payload: link.Payload(link.Stored(link.Pack(oddApp(t).linked())))}
			require.True(t, c.follows(f.String(), false))
		}},
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
