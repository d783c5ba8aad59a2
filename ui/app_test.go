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
