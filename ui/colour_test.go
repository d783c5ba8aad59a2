package ui

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/shade"
	"backfill-lab/ui/link"
	"backfill-lab/ui/protocol"
)

func TestColourIsKeptInTheLink(t *testing.T) {
	c := NewApp()
	require.True(t, c.follows("v=1&colour=difference&base=1&lesson=none", true))
	require.Equal(t, colouring{kind: shade.Difference, base: 1}, c.colour)
	c.sought = nil
	require.Equal(t, "v=1&colour=difference&base=1", link.Fragment{View: c.view()}.String())

	c.lab.ran = &protocol.Ran{Results: []protocol.Result{{Title: "EASY"}, {Title: "FCFS"}}}
	require.Equal(t, []Pick{{"0", "EASY", false}, {"1", "FCFS", true}}, c.ColourBases())
	c.lab.ran.Results = c.lab.ran.Results[:1]
	require.Empty(t, c.ColourBases(), "there is no other")

	require.True(t, c.follows("v=1&colour=rainbow&base=3", false))
	require.Equal(t, colouring{}, c.colour, "a kind of a later version")
}

func TestLegendOfClasses(t *testing.T) {
	c := NewApp()
	require.Empty(t, c.ScaleTitle()+c.ScaleNote())
	c.scaled(`{"kind":"wait","title":"Wait","palette":"steps","shades":[0,3],"words":["none","to 1 s"],"tell":["","no wait"],"seconds":true}`)
	require.Equal(t, "Wait", c.ScaleTitle())
	require.Equal(t, []Key{{"key steps-0", "none"}, {"key steps-3", "to 1 s"}}, c.ScaleKeys())
	c.scaled(`{"kind":"user","title":"User","palette":"hues","shades":[7],"words":["ann"],"tell":[]}`)
	require.Equal(t, []Key{{"key hues-7", "ann"}}, c.ScaleKeys())
	c.scaled("null")
	require.Empty(t, c.ScaleKeys())
}
