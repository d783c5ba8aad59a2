package ui

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/ui/state"
)

// slackOf is the curve that the form shows for a policy, nil if it shows none.
func slackOf(c *App, p state.Policy) *SlackCurve {
	d := *c.Doc()
	d.Policies = []state.Policy{p}
	c.history.Do("", d)
	return c.Choices()[0].Slack
}

// The values are those of the thesis (Jin 2009, figure 6), and they follow the knobs.
func TestSlackCurve(t *testing.T) {
	c := NewApp()
	require.Nil(t, slackOf(c, state.Policy{Name: "easy"}))
	require.Nil(t, slackOf(c, state.Policy{Name: "scojo-pect"}))
	s := slackOf(c, state.Policy{Name: "fair-slack"})
	require.True(t, s.Ready() && s.Drawn())
	require.Equal(t, "Slack factor 1.5000 with nothing to wait for, 1.4995 at 5000 s, 1.2093 at 65000 s, 1.2003 at 125000 s.", s.FactorLabel())
	require.Equal(t, "A job that expects to wait 65000 s may wait 1.1000 times as long at its submission, 1.1546 times after half of that, and 1.2093 times from then on: it may start until 78604 s after its submission.", s.PartLabel())
	for _, text := range []string{">5000 s: 1.4995<", ">65000 s: 1.2093<", ">125000 s: 1.2003<", ">1.50<", ">130000<"} {
		require.Contains(t, string(s.Factors()), text)
	}
	require.Equal(t, 3, strings.Count(string(s.Parts()), "<circle"))
	require.Empty(t, s.Rows())
	c.UnfoldSlack()
	require.Len(t, c.Choices()[0].Slack.Rows(), 14)

	none := slackOf(c, state.Policy{Name: "fair-slack", Knobs: map[string]string{"slack-up": "1", "slack-down": "1"}})
	require.Contains(t, none.FactorLabel(), "1.0000 at 5000 s")
	require.NotContains(t, string(none.Factors())+string(none.Parts()), "NaN")
	inside := slackOf(c, state.Policy{Name: "scojo-pect", Knobs: map[string]string{"inner": "fair-slack", "inner.slack-down": "1.3"}})
	require.Contains(t, inside.FactorLabel(), "1.3093 at 65000 s")
	require.False(t, slackOf(c, state.Policy{Name: "fair-slack", Knobs: map[string]string{"k1": "x"}}).Ready(), "a knob has a fault")

	for text, drawn := range map[string]bool{"0": true, "1000": true, "": false, "-1": false, "x": false} {
		c.slackWait = text
		require.Equal(t, drawn, slackOf(c, state.Policy{Name: "fair-slack"}).Drawn(), text)
	}
	c.slackWait = "0"
	require.NotContains(t, string(slackOf(c, state.Policy{Name: "fair-slack"}).Parts()), "NaN")
}
