package charts

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/colour"
	"backfill-lab/ui/link"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/session/sessiontest"
	"backfill-lab/ui/widgets"
)

func TestLegendOfClasses(t *testing.T) {
	c := New(sessiontest.Example(t)).Colours
	require.Empty(t, c.Title()+c.Note())
	c.SetScale(`{"kind":"wait","title":"Wait","palette":"steps","shades":[0,3],"words":["none","up to 1 s"],"tell":["","no wait"],"seconds":true}`)
	require.Equal(t, "Wait", c.Title())
	require.Equal(t, []widgets.Key{{Class: "key steps-0", Text: "none"}, {Class: "key steps-3", Text: "up to 1 s"}}, c.Keys())
	c.SetScale(`{"kind":"user","title":"User","palette":"hues","shades":[7],"words":["ann"],"tell":[]}`)
	require.Equal(t, []widgets.Key{{Class: "key hues-7", Text: "ann"}}, c.Keys())
	c.SetScale("null")
	require.Empty(t, c.Keys())
}

// If a run is too large for the page to check its schedules, the chart of each unchecked schedule has a note that
// says so.
func TestUncheckedSchedules(t *testing.T) {
	c := New(sessiontest.Ran(t, 1, "EASY", "FCFS"))
	require.Empty(t, c.Charts()[0].Note, "a small run is checked soon")
	c.Ran.Jobs = protocol.CheckBelow
	require.Contains(t, c.Charts()[0].Note, "the page checks only schedules of fewer than 50,000 jobs")
	c.Ran.Results[0].Checked = true
	require.Empty(t, c.Charts()[0].Note)
	require.NotEmpty(t, c.Charts()[1].Note)
}

func TestColourIsKeptInTheLink(t *testing.T) {
	s := sessiontest.Ran(t, 1, "EASY", "FCFS")
	c := New(s).Colours
	c.ColourBy(colour.Difference, 1)
	v := link.Whole
	c.LinkView(&v)
	require.Equal(t, "v=1&colour=difference&base=1", link.Fragment{View: v}.String())
	require.Equal(t, []widgets.Option{{Value: "0", Text: "EASY"}, {Value: "1", Text: "FCFS", Selected: true}}, c.BaseOptions())
	c.Ran.Results = c.Ran.Results[:1]
	require.Empty(t, c.BaseOptions(), "there is no other schedule")

	c.ColourBy("rainbow", 3)
	require.Empty(t, c.ColouredBy, "a property that only a later version knows")
	require.Zero(t, c.base)
}
