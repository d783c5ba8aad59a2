package app

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/workload"
	"backfill-lab/public/examples"
	"backfill-lab/ui/document"
	"backfill-lab/ui/lessons/lesson"
	"backfill-lab/ui/machine"
	"backfill-lab/ui/policies"
)

// TestEveryEditCanBeUndone checks that each edit is one undo step, that the tooltips of Undo and Redo describe the
// edit, and that Undo and Redo restore the right documents.
func TestEveryEditCanBeUndone(t *testing.T) {
	c := New()
	hardware, compared := &machine.Machine{Session: c.session}, policies.New(c.session)
	edit := func(f func(d document.Doc) document.Doc) func() {
		return func() { c.session.Do("", f(*c.session.Doc())) }
	}
	rules := func(r workload.Rules) func() {
		return edit(func(d document.Doc) document.Doc {
			d, _, err := d.ApplyRules(r, document.NoPause)
			require.NoError(t, err)
			return d
		})
	}
	steps := []struct {
		name string
		do   func()
	}{
		{"runtime of row 4 changed", edit(func(d document.Doc) document.Doc { return d.SetCell(3, document.Runtime, "4 s") })},
		{"title changed", edit(func(d document.Doc) document.Doc { d.Title = "x"; return d })},
		{"text changed", edit(func(d document.Doc) document.Doc { d.Text = "x"; return d })},
		{"machine changed", edit(func(d document.Doc) document.Doc { return d.SetMachineText(0, "16") })},
		{"extra resources changed", hardware.AddResource},
		{"extra resources changed", edit(func(d document.Doc) document.Doc { return d.SetMachineText(4, "7") })},
		{"extra resources changed", func() { hardware.DropResource(0) }},
		{"slowdowns changed", edit(func(d document.Doc) document.Doc {
			return d.EditSlowdown(func(s *document.Slowdown) { s.Pairs = "1 next to 2: 1.1\n" })
		})},
		{"policy added", func() { compared.Add("fcfs") }},
		{"policy removed", func() { compared.DropPolicy(2) }},
		{"policy changed to fcfs", edit(func(d document.Doc) document.Doc { return d.SetPolicy(0, "fcfs") })},
		{"knobs of fcfs changed", edit(func(d document.Doc) document.Doc { return d.SetKnob(0, "order", "sjf") })},
		{"warm-up and cool-down changed", edit(func(d document.Doc) document.Doc { d.Warmup = 10; return d })},
		{"11 rows changed", rules(workload.Rules{LoadFactor: 0.5})},
		{"6 rows deleted", rules(workload.Rules{Limit: 6})},
		{"jobs from “" + examples.List[1].Title + "”, an example", func() { c.files.ShowExample(examples.List[1]) }},
		{"jobs from “" + lesson.All()[0].Title + "”, an example", func() { c.lessons.OpenLesson(lesson.All()[0]) }},
	}
	docs := []document.Doc{*c.session.Doc()}
	for _, s := range steps {
		s.do()
		require.Equal(t, "Undo: "+s.name+" (Ctrl+Z)", c.session.UndoTitle())
		docs = append(docs, *c.session.Doc())
	}
	for i := len(steps) - 1; i >= 0; i-- {
		c.session.Undo()
		require.Equal(t, docs[i], *c.session.Doc(), steps[i].name)
		require.Equal(t, "Redo: "+steps[i].name+" (Ctrl+Shift+Z)", c.session.RedoTitle())
	}
	require.False(t, c.session.CanUndo())
	for i := range steps {
		c.session.Redo()
		require.Equal(t, docs[i+1], *c.session.Doc(), steps[i].name)
	}
}
