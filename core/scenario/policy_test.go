package scenario_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/scenario"
)

// scenarioWith returns a scenario file with the given policies.
func scenarioWith(policies string) string {
	return `{"version":1,"machine":{"nodes":4},"workload":{"jobs":[{"id":"1","submit":0,"procs":1,"runtime":5}]},"policies":[` + policies + `]}`
}

func TestPolicyFields(t *testing.T) {
	s := parse(t, scenarioWith(`{"name":"easy","baseline":false,"chart":true},{"name":"easy","title":"Mine","baseline":true,"chart":false,"colour":"blue"}`))
	require.NoError(t, s.Validate())
	require.Contains(t, string(scenario.Format(s)), `    {"name": "easy"},
    {"name": "easy", "title": "Mine", "baseline": true, "chart": false, "colour": "blue"}
`)
	require.Equal(t, s, parse(t, string(scenario.Format(s))))
	require.Equal(t, 1, s.Baseline())
	s.Policies[1].Baseline = false
	require.Equal(t, 0, s.Baseline(), "the first by default")
}

func TestPolicyFieldErrors(t *testing.T) {
	long := strings.Repeat("ä", scenario.MaxTitle)
	require.NoError(t, parse(t, scenarioWith(`{"name":"easy","title":"`+long+`"}`)).Validate())
	for policies, want := range map[string]string{
		`{"name":"easy","title":"` + long + `x"}`:                                       "policies, row 1, title, expected at most 100 characters, got 101",
		`{"name":"easy","title":"a\nb"}`:                                                "policies, row 1, title, expected one line of text",
		`{"name":"easy","title":3}`:                                                     "policies, row 1, title: expected a text in double quotes, got 3",
		`{"name":"easy","chart":"no"}`:                                                  "policies, row 1, chart: expected true or false, got \"no\"",
		`{"name":"easy","baseline":1}`:                                                  "policies, row 1, baseline: expected true or false, got 1",
		`{"name":"fcfs"},{"name":"easy","baseline":true},{"name":"dc","baseline":true}`: "policies, row 3, baseline: expected only one baseline (policy 2 already is the baseline), got a second one",
	} {
		s, err := scenario.Parse([]byte(scenarioWith(policies)))
		if err == nil {
			err = s.Validate()
		}
		require.EqualError(t, err, want)
	}
	many := strings.Repeat(`{"name":"easy"},`, scenario.MaxPolicies)
	require.NoError(t, parse(t, scenarioWith(strings.TrimSuffix(many, ","))).Validate())
	require.ErrorContains(t, parse(t, scenarioWith(many+`{"name":"fcfs"}`)).Validate(), "policies: expected 1 to 32, got 33")
}

// TestPolicyTitles checks that equal titles get numbers, whether users entered them or they are
// derived.
func TestPolicyTitles(t *testing.T) {
	s := parse(t, scenarioWith(`{"name":"easy"},{"name":"easy"},{"name":"easy","knobs":{"order":"sjf"}},{"name":"easy","knobs":{"order":"fifo"}},
		{"name":"fcfs","title":"EASY (2)"},{"name":"fcfs","title":"Mine"},{"name":"dc","title":"Mine"},{"name":"dc","title":" "}`))
	require.Equal(t, []string{"EASY", "EASY (2)", "EASY, queue order: shortest first (SJF)", "EASY (3)", "EASY (2) (2)", "Mine", "Mine (2)", "Delayed compression"}, s.Titles())
}
