package ui

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vugu/vugu"
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
