package ui

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/ui/document"
)

// formOf is what the form shows of a policy.
func formOf(c *App, name string, knobs map[string]string) Choice {
	d := *c.Doc()
	d.Policies = []document.Policy{{Name: name, Knobs: knobs}}
	c.history.Do("", d)
	return c.Choices()[0]
}

// The values are those of the thesis (Jin 2009, figure 6), and they follow the knobs.
func TestSlackCurve(t *testing.T) {
	c := NewApp()
	require.Empty(t, formOf(c, "easy", nil).Slack)
	require.Empty(t, formOf(c, "scojo-pect", nil).Slack)
	x := formOf(c, "fair-slack", nil)
	require.Equal(t, 2, strings.Count(string(x.Slack), "<svg"))
	require.Equal(t, 6, strings.Count(string(x.Slack), "<circle"))
	for _, text := range []string{
		"Factor 1.4995 at 5000 s, 1.2093 at 65000 s, 1.2003 at 125000 s.", "Factor 1.1000 at 0 s, 1.1546 at 32500 s, 1.2093 at 65000 s.",
		"The example may start until 78604 s after its submission.", ">1.50<", ">130000 s<",
	} {
		require.Contains(t, string(x.Slack), text)
	}

	none := string(formOf(c, "fair-slack", map[string]string{"slack-up": "1", "slack-down": "1"}).Slack)
	require.Contains(t, none, "1.0000 at 5000 s")
	require.NotContains(t, none, "NaN")
	inside := formOf(c, "scojo-pect", map[string]string{"inner": "fair-slack", "inner.slack-down": "1.3"})
	require.Contains(t, string(inside.Slack), "1.3093 at 65000 s")
	bad := formOf(c, "fair-slack", map[string]string{"k1": "x"})
	require.Empty(t, bad.Slack, "a knob has a fault")
	require.Equal(t, "policy-0-wait", bad.Knobs[len(bad.Knobs)-1].ID)

	for text, good := range map[string]bool{"0": true, "1000": true, "": false, "-1": false, "x": false, "99999999999": false} {
		c.slackWait = text
		x := formOf(c, "fair-slack", nil)
		require.Equal(t, good, x.Knobs[len(x.Knobs)-1].Problem == "", text)
		require.NotContains(t, string(x.Slack), "NaN")
		require.Equal(t, good, x.Slack != "", text)
	}
}
