package app

import (
	"os"
	"path/filepath"
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

// TestEveryEventHasAListener checks that New sets a listener for every event of the session. Raising an event
// without a listener would crash the page.
func TestEveryEventHasAListener(t *testing.T) {
	events := reflect.ValueOf(New().session.Events)
	for i := range events.NumField() {
		require.False(t, events.Field(i).IsNil(), events.Type().Field(i).Name)
	}
}

// TestExpectsAnswer checks that ExpectsAnswer returns true only while the page waits for the results of a small run
// or for an event of the player.
func TestExpectsAnswer(t *testing.T) {
	c := New()
	c.session.Check()
	require.False(t, c.ExpectsAnswer())
	c.session.ShowResults(&protocol.Ran{Results: make([]protocol.Result, 2)}, c.session.Plan, nil)
	c.charts.Player.SeekEvent(protocol.PlayerQuery{})
	require.True(t, c.ExpectsAnswer())
	c.workerLost()
	require.False(t, c.ExpectsAnswer())
	c.session.Task, c.session.RunPlan = 9, c.session.Plan
	require.True(t, c.ExpectsAnswer())
}

// If a scenario has no jobs, the page shows a button that calls AddJob. AddJob adds a row, shows the jobs table and
// moves the keyboard focus to the new row.
func TestAddJob(t *testing.T) {
	c := New()
	c.jobs.Clear()
	c.session.ShowTab("machine")
	c.AddJob()
	require.Equal(t, []string{"jobs", "edit", "cell-0-1"}, []string{c.session.Tab, c.session.Drawer, c.session.Focus})
	require.Equal(t, 1, c.session.Doc().Rows.Len())
}

// Both docs/links.md and docs/embedding.md name every panel.
func TestPanelsAreDocumented(t *testing.T) {
	for _, name := range []string{"links.md", "embedding.md"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
		require.NoError(t, err)
		for _, p := range New().Panels() {
			require.Contains(t, string(text), "`"+p.Name+"`", name)
		}
	}
}

// When a scenario is anonymised, the page calls the Forget method of each panel that has one.
func TestPanelsForget(t *testing.T) {
	c, forgot := New(), false
	c.panels = append(c.panels, Panel{"x", "X", &forgetful{forgot: &forgot}})
	c.session.Events.Anonymised()
	require.True(t, forgot)
}

type forgetful struct {
	TextForm
	forgot *bool
}

func (f *forgetful) Forget() { *f.forgot = true }
