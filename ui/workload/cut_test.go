package workload

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/ui/document"
	"backfill-lab/ui/session/sessiontest"
)

// In the form of the operation cut, times count from the first submission, or are dates. In the
// data rule and in the flag of the command backfill, times count from time 0.
func TestCutCountsFromTheFirstSubmission(t *testing.T) {
	c := New(sessiontest.Scenario(t, `{"version": 1, "machine": {"nodes": 4}, "calendar": {"start": 1772323200},
		"workload": {"jobs": [{"submit": 86400, "procs": 1, "runtime": 9}, {"submit": 259200, "procs": 1, "runtime": 9}]}, "policies": [{"name": "easy"}]}`), nil)
	c.work.open = cut
	for _, x := range []struct{ from, to, window, kept string }{
		{"", "1d", ":172800", " Keeps the jobs submitted from 86400 s until just before 172800 s."},
		{"60", "2d", "86460:259200", " Keeps the jobs submitted from 86460 s until just before 259200 s."},
		{"2026-03-03", "", "172800:", " Keeps the jobs submitted from 172800 s on."},
		{"2026-03-01", "2026-03-03 12:00", "0:216000", " Keeps the jobs submitted from 86400 s until just before 216000 s."},
	} {
		c.work.typed = map[string]string{"op-cut-from": x.from, "op-cut-to": x.to}
		rules, err := c.rules(&operations[0])
		require.NoError(t, err)
		if x.window[0] == ':' {
			x.window = "0" + x.window
		}
		require.Equal(t, x.window, rules.Window.String())
		require.Equal(t, x.kept, c.windowText())
		require.Equal(t, "Flags of the command backfill for the same operation: -window "+x.window+".", c.commandText(&operations[0]))
	}
	c.work.typed = map[string]string{"op-cut-from": "5", "op-cut-to": "4"}
	_, err := c.rules(&operations[0])
	require.EqualError(t, err, `expected a time after “From” (5 s), got 4 s`)
	require.Equal(t, "Flags of the command backfill for the same operation: -window FROM:TO, -shift.", c.commandText(&operations[0]))
}

// The filter takes durations with units, but no dates.
func TestFilterTakesDurations(t *testing.T) {
	c := New(sessiontest.Scenario(t, `{"version": 1, "machine": {"nodes": 4}, "calendar": {"start": 1772323200},
		"workload": {"jobs": [{"submit": 0, "procs": 1, "runtime": 9}]}, "policies": [{"name": "easy"}]}`), nil)
	filter := &operations[slices.IndexFunc(operations, func(o operation) bool { return o.id == "filter" })]
	for text, want := range map[string]string{"90": "90", "1h": "3600", "1m:1h 30m": "60:5400"} {
		c.work.typed = map[string]string{"op-filter-runtime": text}
		rules, err := c.rules(filter)
		require.NoError(t, err)
		require.Equal(t, "runtime="+want, rules.Keep.String())
	}
	c.work.typed = map[string]string{"op-filter-runtime": "2026-03-03"}
	_, err := c.rules(filter)
	require.ErrorContains(t, err, `"2026-03-03"`)
}

// Texts about a single job use the singular.
func TestRemaining(t *testing.T) {
	require.Equal(t, "1 of 12 jobs remains", remaining(&document.Prediction{Remaining: 1, Total: 12}))
	require.Equal(t, "1 of 1 job remains", remaining(&document.Prediction{Remaining: 1, Total: 1}))
	require.Equal(t, "0 of 1 job remain", remaining(&document.Prediction{Total: 1}))
}
