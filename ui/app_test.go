package ui

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vugu/vugu"
)

func TestAppBuildsNatively(t *testing.T) {
	app := &App{}
	app.Start(nil)
	require.Equal(t, "no worker: not running in a browser", app.Reply)
	env, err := vugu.NewBuildEnv()
	require.NoError(t, err)
	out := env.RunBuild(app).Out
	require.Len(t, out.Out, 1)
	require.Equal(t, "main", out.Out[0].Data)
}
