package policies

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/ui/document"
	"backfill-lab/ui/session/sessiontest"
	"backfill-lab/ui/widgets"
)

// The form of an outer policy shows the knobs of its selected inner policy.
func TestInnerKnobs(t *testing.T) {
	c := New(sessiontest.Example(t))
	c.Do("", c.Doc().SetPolicy(0, "scojo-pect"))
	names := func() (out []string) {
		for _, f := range slices.Concat(c.Choices()[0].Knobs, c.Choices()[0].Folded) {
			out = append(out, f.Name)
		}
		return out
	}
	require.Contains(t, names(), "inner.compress")
	require.NotContains(t, names(), "inner.pick")
	c.Do("", c.Doc().SetKnob(0, "inner", "easy"))
	require.Contains(t, names(), "inner.pick")
	require.NotContains(t, names(), "inner.compress")
}

// The form hides a knob that has no effect, and the help text of the knob says why. The knob stays
// visible if its value differs from the default.
func TestFoldedKnobs(t *testing.T) {
	c := New(sessiontest.Example(t))
	c.Do("", c.Doc().SetPolicy(0, "easy"))
	list := func(fields []widgets.Field) (out []string) {
		for _, f := range fields {
			out = append(out, f.Name)
		}
		return out
	}
	require.Equal(t, []string{"order", "backfill-order", "reservations"}, list(c.Choices()[0].Knobs))
	require.Equal(t, []string{"pick", "fullness", "fallback"}, list(c.Choices()[0].Folded))
	require.Contains(t, c.Choices()[0].Folded[0].Help, "No effect here: the machine has no extra resources. ")
	require.Contains(t, c.Choices()[0].Folded[1].Help, "No effect here: only with backfill candidate: least used resource (BL) or best balance (BB). ")
	x := c.Choices()[0]
	require.Equal(t, "Knobs without effect here (3)", x.FoldedText())
	require.Empty(t, x.Shown())
	c.ToggleFold(0)
	x = c.Choices()[0]
	require.Len(t, x.Shown(), 3)

	c.Do("", c.Doc().SetKnob(0, "pick", "bb"))
	require.Equal(t, []string{"order", "backfill-order", "reservations", "pick", "fullness"}, list(c.Choices()[0].Knobs))
	require.Contains(t, c.Choices()[0].Knobs[3].Help, "No effect here: ")
	c.Do("", c.Doc().SetKnob(0, "fullness", "sum"))
	require.NotContains(t, c.Choices()[0].Knobs[3].Help, "No effect here: ", "with this fullness it has one")
	c.Do("", c.Doc().AddResource())
	require.Equal(t, []string{"fallback"}, list(c.Choices()[0].Folded))
}

// The presets are grouped by paper.
func TestPapers(t *testing.T) {
	var papers []string
	for _, p := range New(sessiontest.Example(t)).Papers() {
		papers = append(papers, p.Paper)
	}
	require.Equal(t, []string{"Leinberger et al. 1999", "Tsafrir, Etsion and Feitelson 2007", "Lelong, Reis and Trystram 2017", "Jin 2009", "Zeng 2009", "Wu et al. 2015"}, papers)
}

// Selecting "formula" in the list of orders starts with a formula that is equivalent to the
// previously selected order. The user edits the formula below the list, which shows its errors.
func TestFormulaField(t *testing.T) {
	c := New(sessiontest.Example(t))
	order := func() *widgets.Field { return &c.Choices()[0].Knobs[0] }
	set := func(text string) { c.set(*order(), text) }
	require.Equal(t, []string{"fifo", "sjf", "ljf", "wjf", "njf", "formula"}, order().Options)
	set("ljf")
	require.True(t, order().IsSelected("ljf"))
	require.False(t, order().IsFormula())
	set("formula")
	require.Equal(t, "-estimate", order().Text)
	require.True(t, order().IsFormula())
	require.True(t, order().IsSelected("formula"))
	require.Empty(t, c.Problems())

	drawn := *order() // the field as drawn; two selections then arrive before the page is drawn again
	c.set(drawn, "sjf")
	c.set(drawn, "formula")
	require.Equal(t, "estimate", order().Text)

	set("-wait/(estimate")
	require.True(t, order().IsFormula())
	require.Equal(t, "true", order().Invalid)
	require.Contains(t, order().Problem, `column 16: expected ")", got the end`)
	set("res:gpu")
	require.Contains(t, order().Problem, `expected no resource, because the machine has none, got "gpu"`)
	set("")
	require.True(t, order().IsFormula())
	require.Contains(t, order().Problem, "column 1: expected submit")
	set("-wait/estimate")
	require.Empty(t, c.Problems())
	set("sjf")
	require.False(t, order().IsFormula())
}

// formOf returns the form of a document that contains only this policy.
func formOf(c *Policies, name string, knobs map[string]string) Choice {
	d := *c.Doc()
	d.Policies = []document.Policy{{Name: name, Knobs: knobs}}
	c.ReplaceUnchecked("", d)
	return c.Choices()[0]
}

// The slack curve has the values of Jin's thesis (2009, figure 6) and changes with the knobs.
func TestSlackCurve(t *testing.T) {
	c := New(sessiontest.Example(t))
	require.Empty(t, formOf(c, "easy", nil).Slack)
	require.Empty(t, formOf(c, "scojo-pect", nil).Slack)
	x := formOf(c, "fair-slack", nil)
	require.Equal(t, 2, strings.Count(string(x.Slack), "<svg"))
	require.Equal(t, 6, strings.Count(string(x.Slack), "<circle"))
	for _, text := range []string{
		"Factor 1.4995 at 5000 s, 1.2093 at 65000 s, 1.2003 at 125000 s.", "Factor 1.1000 at 0 s, 1.1546 at 32500 s, 1.2093 at 65000 s.",
		"The example job may start at most 78604 s after its submission.", ">1.50<", ">130000 s<",
	} {
		require.Contains(t, string(x.Slack), text)
	}

	none := string(formOf(c, "fair-slack", map[string]string{"slack-up": "1", "slack-down": "1"}).Slack)
	require.Contains(t, none, "1.0000 at 5000 s")
	require.NotContains(t, none, "NaN")
	inside := formOf(c, "scojo-pect", map[string]string{"inner": "fair-slack", "inner.slack-down": "1.3"})
	require.Contains(t, string(inside.Slack), "1.3093 at 65000 s")
	bad := formOf(c, "fair-slack", map[string]string{"k1": "x"})
	require.Empty(t, bad.Slack, "a knob is invalid")
	require.Equal(t, "policy-0-wait", bad.Knobs[len(bad.Knobs)-1].ID)

	for text, good := range map[string]bool{"0": true, "1000": true, "": false, "-1": false, "x": false, "99999999999": false} {
		c.slackWait = text
		x := formOf(c, "fair-slack", nil)
		require.Equal(t, good, x.Knobs[len(x.Knobs)-1].Problem == "", text)
		require.NotContains(t, string(x.Slack), "NaN")
		require.Equal(t, good, x.Slack != "", text)
	}
}
