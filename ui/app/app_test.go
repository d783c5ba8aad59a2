package app

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vugu/vugu"

	"backfill-lab/ui/protocol"
)

func TestPageBuildsNatively(t *testing.T) {
	c := New()
	require.Empty(t, c.session.Notice)
	env, err := vugu.NewBuildEnv()
	require.NoError(t, err)
	out := env.RunBuild(c).Out
	require.Len(t, out.Out, 1)
	require.Equal(t, "div", out.Out[0].Data)
}

// Every event has a listener: one without would end the page when it is raised.
func TestEveryEventIsHeard(t *testing.T) {
	events := reflect.ValueOf(New().session.Events)
	for i := range events.NumField() {
		require.False(t, events.Field(i).IsNil(), events.Type().Field(i).Name)
	}
}

// A page that waits for quick results, or for an event, is drawn when they are there.
func TestSoon(t *testing.T) {
	c := New()
	c.session.Check()
	require.False(t, c.Soon())
	c.session.ShowResults(&protocol.Ran{Results: make([]protocol.Result, 2)}, c.session.Plan, nil)
	c.charts.Player.SeekEvent(protocol.Player{})
	require.True(t, c.Soon())
	c.lost()
	require.False(t, c.Soon())
	c.session.Task, c.session.Running = 9, c.session.Plan
	require.True(t, c.Soon())
}
