package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/format"
)

// TestZoneOffsets checks the offsets of a time zone for 200 years. ZoneBounds does not advance at
// some ends of years after 2037.
func TestZoneOffsets(t *testing.T) {
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	list := zoneOffsets("Europe/Berlin", start.Unix(), start.Unix()+windowYears)
	c := &format.Calendar{Start: start.Unix(), Zone: "Europe/Berlin", Offsets: list}
	got, err := format.Clock{Units: true, Calendar: c}.ParseInstant("2050-07-01 02:00")
	require.NoError(t, err)
	require.Equal(t, time.Date(2050, 7, 1, 0, 0, 0, 0, time.UTC).Unix()-start.Unix(), got)
}

// TestTimesInChanges checks that changes accept times in the forms that docs/commands.md lists, and that such
// a change has the same effect as the same time in seconds.
func TestTimesInChanges(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("a.sacct", []byte(unsortedAcc), 0o600))
	require.NoError(t, os.WriteFile("a.csv", []byte(unsortedCSV), 0o600))
	answer := func(file, change string) (string, string, int) {
		return execute(nil, "whatif", "-in", file, "-nodes", "4", "-policy", "easy", "-quiet", "-job", "2", "-change", change)
	}
	for change, seconds := range map[string]string{
		"later=1h": "later=3600", "later=1h 30m": "later=5400", "earlier=2 s": "earlier=2", "estimate=02:00:00": "estimate=7200",
		"runtime=1m": "runtime=60", "submit=1:30": "submit=5400", "submit=0-01:00:00": "submit=3600", "submit=2026-01-02 03:10": "submit=600",
	} {
		want, errs, code := answer("a.sacct", seconds)
		require.Zero(t, code, errs)
		got, errs, code := answer("a.sacct", change)
		require.Zero(t, code, errs)
		require.Equal(t, want, got, change)
	}
	for change, want := range map[string]string{
		"later=1x":          "later: expected a time from 1 to 10^12 s, such as 90 or 1h 30m, got \"1x\"",
		"later=-1":          "later: expected a time from 1 to 10^12 s, such as 90 or 1h 30m, got \"-1\"",
		"submit=2026-01-02": "submit: the dates of this workload are unknown: expected a time such as 90, 1h 30m or 1-12:00:00 after the start, got 2026-01-02",
		"submit=soon":       "submit: expected a time from 0 to 10^12 s, such as 90 or 1h 30m, got \"soon\"",
		"procs=1h":          "procs: expected a whole number from 1 to 10^12, got \"1h\"",
	} {
		_, errs, code := answer("a.csv", change)
		require.Equal(t, 2, code, errs)
		require.Contains(t, errs, want)
	}
}

// TestTimesToKeep checks that -keep accepts durations with units.
func TestTimesToKeep(t *testing.T) {
	t.Chdir(t.TempDir())
	require.NoError(t, os.WriteFile("a.csv", []byte(unsortedCSV), 0o600))
	args := strings.Fields("run -in a.csv -nodes 4 -policy easy -quiet -jobs - -keep runtime=")
	for text, seconds := range map[string]string{"15s:2m": "15:120", "0:1m": ":60", "00:01:40": "100"} {
		last := len(args) - 1
		want, errs, code := execute(nil, append(args[:last:last], args[last]+seconds)...)
		require.Zero(t, code, errs)
		got, errs, code := execute(nil, append(args[:last:last], args[last]+text)...)
		require.Zero(t, code, errs)
		require.Equal(t, want, got)
	}
}
