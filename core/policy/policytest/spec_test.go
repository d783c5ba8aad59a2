package policytest_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/policy"
	"backfill-lab/core/policy/registry"
)

var kebab = regexp.MustCompile(`^(inner\.)?[a-z0-9]+(-[a-z0-9]+)*$`)

// Every registered policy presents itself in full, and its defaults and all
// its choices are settings that it takes.
func TestSpecs(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range registry.All {
		require.Regexp(t, kebab, s.Name)
		require.False(t, seen[s.Name], "%s is entered twice", s.Name)
		seen[s.Name] = true
		require.NotEmpty(t, s.Title, s.Name)
		require.NotEmpty(t, s.Summary, s.Name)
		require.NotEmpty(t, s.Paper, s.Name)
		for _, k := range s.Knobs {
			require.Regexp(t, kebab, k.Name, s.Name)
			require.NotEmpty(t, k.Help, "%s, %s", s.Name, k.Name)
			for _, value := range append([]string{k.Default}, k.Choices...) {
				v, err := s.Settings(map[string]string{k.Name: value})
				require.NoError(t, err)
				require.Equal(t, value, v.Text(k.Name))
				require.NotNil(t, s.New(v))
			}
		}
	}
}

// What a policy does not take is refused with the knob and what was expected.
func TestSettings(t *testing.T) {
	s := &policy.Spec{Name: "p", Knobs: []policy.Knob{
		{Name: "n", Kind: policy.Integer, Default: "1", Min: 0, Max: 9, Choices: []string{"all"}},
		{Name: "f", Kind: policy.Number, Default: "0.5", Max: 1},
		{Name: "on", Kind: policy.Switch, Default: "true"},
		policy.OrderKnob("order", ""),
	}}
	v, err := s.Settings(map[string]string{"f": "1", "on": "false"})
	require.NoError(t, err)
	require.Equal(t, 1, v.Int("n"))
	require.Equal(t, 1.0, v.Float("f"))
	require.False(t, v.On("on"))
	require.Equal(t, "fifo", v.Text("order"))
	v, err = s.Settings(map[string]string{"n": "all"})
	require.NoError(t, err)
	require.Equal(t, -1, v.Int("n"))
	for _, c := range [][3]string{
		{"n", "10", `policy p, knob n: expected 0 to 9 or all, got "10"`},
		{"n", "1.5", `policy p, knob n: expected 0 to 9 or all, got "1.5"`},
		{"f", "-0.1", `policy p, knob f: expected 0 to 1, got "-0.1"`},
		{"f", "NaN", `policy p, knob f: expected 0 to 1, got "NaN"`},
		{"on", "yes", `policy p, knob on: expected true or false, got "yes"`},
		{"order", "FIFO", `policy p, knob order: expected fifo, sjf, ljf, wjf, njf, got "FIFO"`},
		{"x", "1", `policy p, knob x: expected one of its knobs: n, f, on, order, got "x"`},
	} {
		_, err := s.Settings(map[string]string{c[0]: c[1]})
		require.EqualError(t, err, c[2])
	}
	_, err = registry.New("nope", nil)
	require.ErrorContains(t, err, "policy: expected one of fcfs, first-fit, easy, conservative")
	require.ErrorContains(t, err, `got "nope"`)
}
