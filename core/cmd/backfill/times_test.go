package main

import (
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
