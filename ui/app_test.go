package ui

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vugu/vugu"

	"backfill-lab/ui/document"
)

func TestAppBuildsNatively(t *testing.T) {
	app := NewApp()
	require.Empty(t, app.Notice)
	env, err := vugu.NewBuildEnv()
	require.NoError(t, err)
	out := env.RunBuild(app).Out
	require.Len(t, out.Out, 1)
	require.Equal(t, "div", out.Out[0].Data)
}

// A policy around another shows the knobs of the one that is chosen.
func TestInnerKnobs(t *testing.T) {
	app := NewApp()
	app.do("", app.Doc().SetPolicy(0, "scojo-pect"))
	names := func() (out []string) {
		for _, f := range app.Choices()[0].Knobs {
			out = append(out, f.Name)
		}
		return out
	}
	require.Contains(t, names(), "inner.compress")
	require.NotContains(t, names(), "inner.pick")
	app.do("", app.Doc().SetKnob(0, "inner", "easy"))
	require.Contains(t, names(), "inner.pick")
	require.NotContains(t, names(), "inner.compress")
}

// The list of orders leads to a formula that says the same as the word before; it
// is typed below the list, with its faults.
func TestFormulaField(t *testing.T) {
	app := NewApp()
	order := func() *Field { return &app.Choices()[0].Knobs[0] }
	set := func(text string) {
		f := order()
		app.do("", app.Doc().SetKnob(f.Place, f.Name, f.taken(text)))
	}
	require.Equal(t, []string{"fifo", "sjf", "ljf", "wjf", "njf", "formula"}, order().Options)
	set("ljf")
	require.True(t, order().Chosen("ljf"))
	require.False(t, order().IsFormula())
	set("formula")
	require.Equal(t, "-estimate", order().Text)
	require.True(t, order().IsFormula())
	require.True(t, order().Chosen("formula"))
	require.Empty(t, app.Problems())
	set("-wait/(estimate")
	require.True(t, order().IsFormula())
	require.Equal(t, "true", order().Invalid)
	require.Contains(t, order().Problem, `column 16: expected ")", got the end`)
	set("res:gpu")
	require.Contains(t, order().Problem, `expected no resource, as the machine has none, got "gpu"`)
	set("")
	require.True(t, order().IsFormula())
	require.Contains(t, order().Problem, "column 1: expected submit")
	set("-wait/estimate")
	require.Empty(t, app.Problems())
	set("sjf")
	require.False(t, order().IsFormula())
}

// Slowdowns between jobs have their fields where they mean something.
func TestSlowdownFields(t *testing.T) {
	app := NewApp()
	ids := func() (out []string) {
		for _, f := range app.SlowdownFields() {
			out = append(out, f.ID)
		}
		return out
	}
	require.Equal(t, []string{"slowdown", document.SlowdownPairs}, ids())
	pairs := func(text string) {
		app.do("", app.Doc().Slow(func(s *document.Slowdown) { s.Pairs = text }))
	}
	pairs("1 next to 2: 1.2")
	require.Equal(t, []string{"slowdown", document.SlowdownPairs, "slowdown-classes"}, ids())
	require.Empty(t, app.Problems())
	require.Equal(t, "class", app.Columns()[5].Title)
	app.do("", app.Doc().Slow(func(s *document.Slowdown) { s.Drawn = true }))
	require.Equal(t, []string{"slowdown", document.SlowdownSeed, document.SlowdownPairs, "slowdown-classes"}, ids())
	pairs("1 next to 2: 0.1")
	f := app.SlowdownFields()[2]
	require.Equal(t, []string{"true", app.Problems()[0]}, []string{f.Invalid, f.Problem})
	pairs(strings.Repeat("1 next to 2: 1.2\n", 200))
	require.NotContains(t, ids(), document.SlowdownPairs)
	require.Contains(t, app.SlowdownFields()[0].Help, "edited in the file")

	app.do("", app.Doc().SetText(2, "0"))
	require.Equal(t, "true", app.machine()[2].Invalid)
	require.Equal(t, "false", app.machine()[3].Invalid)
}
