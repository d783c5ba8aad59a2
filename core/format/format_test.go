package format_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/format"
)

// berlin is a clock with the calendar of 2026 in Berlin. Time 0 is 1 March, 08:00 local time. The
// clocks skip 02:00 to 03:00 on 29 March, and repeat 02:00 to 03:00 on 25 October.
var berlin = format.Clock{Units: true, Calendar: &format.Calendar{
	Start: time.Date(2026, 3, 1, 7, 0, 0, 0, time.UTC).Unix(), Zone: "Europe/Berlin",
	Offsets: []format.Offset{
		{From: 0, Seconds: 3600},
		{From: time.Date(2026, 3, 29, 1, 0, 0, 0, time.UTC).Unix(), Seconds: 7200},
		{From: time.Date(2026, 10, 25, 1, 0, 0, 0, time.UTC).Unix(), Seconds: 3600},
	}}}

const day = 86400

func TestInstant(t *testing.T) {
	for _, x := range []struct {
		clock format.Clock
		t     int64
		text  string
	}{
		{format.Clock{}, 5307, "5307"},
		{format.UnitClock, 0, "0:00"},
		{format.UnitClock, 5307, "1:28:27"},
		{format.UnitClock, 36 * 3600, "1 d 12:00"},
		{berlin, 0, "2026-03-01 08:00"},
		{berlin, 27, "2026-03-01 08:00:27"},
		{berlin, 28*day - 6*3600, "2026-03-29 03:00"},
	} {
		require.Equal(t, x.text, x.clock.Instant(x.t))
	}
}

func TestDuration(t *testing.T) {
	for _, x := range []struct {
		seconds int64
		text    string
	}{{0, "0 s"}, {59, "59 s"}, {90, "1 min 30 s"}, {3600, "1 h"}, {3605, "1 h 5 s"}, {5307, "1 h 28 min 27 s"}, {-90, "−1 min 30 s"}, {3*day + 1, "3 d 1 s"}} {
		require.Equal(t, x.text, format.UnitClock.Duration(x.seconds))
	}
	require.Equal(t, "−90 s", format.Clock{}.Duration(-90))
}

func TestMean(t *testing.T) {
	for _, x := range []struct {
		seconds float64
		text    string
	}{{0, "0 s"}, {12.345, "12.35 s"}, {59.999, "60.00 s"}, {90.4, "1 min 30 s"}, {3599.6, "1 h"}, {5307, "1 h 28 min"}, {5339.9, "1 h 29 min"}, {86399, "1 d"}, {100000, "1 d 4 h"}, {-5307, "−1 h 28 min"}} {
		require.Equal(t, x.text, format.UnitClock.Mean(x.seconds), "%v", x.seconds)
	}
	require.Equal(t, "5,307 s", format.Clock{}.Mean(5307.26))
}

func TestLargestUnit(t *testing.T) {
	for seconds, want := range map[float64]string{0: "s", 179: "s", 180: "min", 10799: "min", 10800: "h", 259199: "h", 259200: "d"} {
		unit, length := format.LargestUnit(seconds)
		require.Equal(t, want, unit, seconds)
		require.Equal(t, map[string]float64{"s": 1, "min": 60, "h": 3600, "d": 86400}[unit], length)
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]int64{
		"90": 90, " 90 s": 90, "30m": 1800, "1h": 3600, "1.5h": 5400, "1h30m": 5400, "1 h 28 min 27 s": 5307, "2 days 1 hour": 2*day + 3600,
		"1-12:00:00": 36 * 3600, "02:30:00": 9000, "100:00:00": 360000, "1-12": 36 * 3600, "1-12:30": 36*3600 + 1800,
	} {
		got, err := format.ParseDuration(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
		got, err = format.UnitClock.ParseInstant(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "x", "-5", "1.5", "1m1h", "5 5", "1h 5", "1h1h", "12:30", "1:2:3:4", "00:60:00", "1-25:00:00", "1e3", "+5", "9999999999999", "2026-03-01", "h", "1 d d"} {
		_, err := format.ParseDuration(text)
		require.ErrorContains(t, err, "expected a duration such as 90, 30m", text)
	}
	_, err := format.ParseDuration("12:30")
	require.EqualError(t, err, "expected a duration such as 90, 30m, 1h 30m, 1-12:00:00 or 02:30:00, got 12:30: write 12:30:00 for hours and minutes, 0:12:30 for minutes and seconds")
}

func TestParseDates(t *testing.T) {
	for text, want := range map[string]int64{
		"1 Mar 2026 08:00": 0, "01 Mar 2026 08:00:27": 27, "2 Mar 2026": 16 * 3600, "2026-03-01 08:00": 0, "2026-03-01T08:00:27": 27, "2026-03-02": 16 * 3600, "2026-03-29 03:00": 28*day - 6*3600,
		"2026-10-25 02:30": int64(time.Date(2026, 10, 25, 0, 30, 0, 0, time.UTC).Sub(time.Date(2026, 3, 1, 7, 0, 0, 0, time.UTC)).Seconds()),
	} {
		got, err := berlin.ParseInstant(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
	for text, words := range map[string]string{
		"2026-03-29 02:30": "2026-03-29 02:30 does not exist in Europe/Berlin: the clocks skip it",
		"2026-03-01 07:59": "2026-03-01 07:59 is before 2026-03-01 08:00, the start of the run",
		"2026-02-30 00:00": "or 2026-03-01 08:00, got",
		"1 Mai 2026 08:00": "or 2026-03-01 08:00, got",
		"1 Mar 26 08:00":   "or 2026-03-01 08:00, got",
		"2026-03-01 8h":    "or 2026-03-01 08:00, got",
	} {
		_, err := berlin.ParseInstant(text)
		require.ErrorContains(t, err, words)
	}
	_, err := format.UnitClock.ParseInstant("2026-03-01 08:00")
	require.EqualError(t, err, "the dates of this workload are unknown: expected a time such as 90, 1h 30m or 1-12:00:00 after the start, got 2026-03-01 08:00")
}

func TestWithOffsets(t *testing.T) {
	asked := ""
	lookup := func(zone string) []format.Offset {
		if asked = zone; zone == "Europe/Berlin" {
			return berlin.Calendar.Offsets
		}
		return nil
	}
	resolve := func(zone string) (*format.Calendar, bool) {
		asked = ""
		return (&format.Calendar{Start: 1, Zone: zone}).WithOffsets(lookup)
	}
	for seconds, name := range map[int]string{0: "UTC+00:00", 3600: "UTC+01:00", -28800: "UTC-08:00", 20700: "UTC+05:45"} {
		require.Equal(t, name, format.FixedZone(seconds))
		got, known := resolve(name)
		require.True(t, known)
		require.Equal(t, &format.Calendar{Start: 1, Zone: name, Offsets: []format.Offset{{Seconds: seconds}}}, got)
		require.Empty(t, asked)
	}
	got, known := resolve("Europe/Berlin")
	require.True(t, known)
	require.Equal(t, berlin.Calendar.Offsets, got.Offsets)
	again, known := got.WithOffsets(nil)
	require.True(t, known)
	require.Same(t, got, again)
	for _, name := range []string{"UTC", "Mars/Olympus", "UTC*01:00", "UTC+1x:00", "UTC+01-00"} {
		got, known := resolve(name)
		require.False(t, known, name)
		require.Equal(t, name, asked)
		require.Equal(t, &format.Calendar{Start: 1, Zone: "UTC+00:00"}, got)
	}
	local, known := resolve("")
	require.True(t, known)
	require.Empty(t, local.Offsets)
	nothing, known := (*format.Calendar)(nil).WithOffsets(nil)
	require.True(t, known)
	require.Nil(t, nothing)
}

// TestParseRoundTrip checks that ParseInstant and ParseDuration accept every text that a clock
// writes.
func TestParseRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.Int64Range(0, 400*day).Draw(t, "at")
		for _, c := range []format.Clock{{}, format.UnitClock, berlin} {
			got, err := c.ParseInstant(c.Instant(at))
			require.NoError(t, err)
			require.Equal(t, c.Instant(at), c.Instant(got), "the clocks may repeat an hour")
			if c.Calendar == nil {
				require.Equal(t, at, got)
			}
			got, err = format.ParseDuration(c.Duration(at))
			require.NoError(t, err)
			require.Equal(t, at, got)
		}
	})
}

// TestTicks checks that ticks are in order and within the axis, that there are not too many, and
// that labels differ.
func TestTicks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		t0 := rapid.Int64Range(0, 300*day).Draw(t, "t0")
		t1 := t0 + rapid.SampledFrom([]int64{1, 10, 100, 3000, 50_000, day, 20 * day, 500 * day, 9000 * day}).Draw(t, "order") + rapid.Int64Range(0, 1000).Draw(t, "more")
		maxTicks := rapid.IntRange(1, 20).Draw(t, "most")
		for _, c := range []format.Clock{{}, format.UnitClock, berlin} {
			ticks := c.Ticks(t0, t1, maxTicks)
			require.LessOrEqual(t, len(ticks), maxTicks+2)
			for i, x := range ticks {
				require.True(t, x.At >= t0 && x.At <= t1)
				if i > 0 {
					require.Greater(t, x.At, ticks[i-1].At)
					require.NotEqual(t, ticks[i-1].Label, x.Label)
				}
			}
		}
	})
}

// TestAxisTicks checks that an axis of any length has at least three ticks. If an axis of more than
// 20 s has exactly three, they must be more than a fifth of the axis apart.
func TestAxisTicks(t *testing.T) {
	fewer := 0
	for _, c := range []format.Clock{{}, format.UnitClock, berlin} {
		for _, span := range []int64{2, 5, 17, 50, 99, 251, 1900, 7000, 40000, 86400, 200000, 999999, 5000000} {
			for most := range 8 {
				for _, from := range []int64{0, 7, 86399} {
					if len(c.Ticks(from, from+span, most)) < 3 {
						fewer++
					}
					got := c.AxisTicks(from, from+span, most)
					require.GreaterOrEqual(t, len(got), 3, "%v from %d for %d", c, from, span)
					for i := range got[1:] {
						require.Greater(t, got[i+1].At, got[i].At)
						if len(got) == 3 && span > 20 {
							require.Greater(t, (got[i+1].At-got[i].At)*5, span, "%v from %d for %d", c, from, span)
						}
					}
				}
			}
		}
	}
	require.Positive(t, fewer)
}

// TestLabelWidth checks that LabelWidth leaves room for a tick at each second of a short axis in
// seconds. With units or dates, the width must not depend on the end of the axis.
func TestLabelWidth(t *testing.T) {
	const chars = 109 // on a chart of 700 pixels
	require.Len(t, format.Clock{}.AxisTicks(0, 18, chars/format.Clock{}.LabelWidth(18)), 19)
	require.Len(t, format.Clock{}.AxisTicks(0, 47, chars/format.Clock{}.LabelWidth(47)), 10, "a tick for each 5 s")
	require.Equal(t, format.Clock{}.TickWidth(), format.Clock{}.LabelWidth(123_456_789))
	for _, c := range []format.Clock{format.UnitClock, berlin} {
		require.Equal(t, c.TickWidth(), c.LabelWidth(18))
	}
}

func TestTickLabels(t *testing.T) {
	labels := func(c format.Clock, t0, t1 int64, maxTicks int) (out []string) {
		for _, x := range c.Ticks(t0, t1, maxTicks) {
			out = append(out, x.Label)
		}
		return out
	}
	require.Equal(t, []string{"0", "20", "40", "60"}, labels(format.Clock{}, 0, 60, 4))
	require.Equal(t, []string{"0:00", "12:00", "1 d 0:00", "1 d 12:00"}, labels(format.UnitClock, 0, 40*3600, 4))
	require.Equal(t, []string{"0 d", "5 d", "10 d"}, labels(format.UnitClock, 0, 12*day, 3))
	require.Equal(t, []string{"1 Mar 12:00", "2 Mar 00:00", "2 Mar 12:00"}, labels(berlin, 0, 36*3600, 4))
	require.Equal(t, []string{"29 Mar 00:00", "29 Mar 06:00", "29 Mar 12:00"}, labels(berlin, 27*day+16*3600, 28*day+4*3600, 4))
	require.Equal(t, []string{"6 Mar 2026", "11 Mar 2026", "16 Mar 2026"}, labels(berlin, 2*day, 16*day, 4))
	require.Equal(t, []string{"Apr 2026", "Jul 2026", "Oct 2026"}, labels(berlin, 2*day, 220*day, 3))
	require.Equal(t, []string{"2030", "2035"}, labels(berlin, 2*day, 10*365*day, 3))
}

func TestDifference(t *testing.T) {
	for seconds, text := range map[int64]string{0: "0 s", 90: "+1 min 30 s", -3605: "−1 h 5 s"} {
		require.Equal(t, text, format.UnitClock.Difference(seconds))
	}
	require.Equal(t, "+5 s", format.Clock{}.Difference(5))
	for seconds, text := range map[float64]string{0: "0 s", 5307: "+1 h 28 min", -12.5: "−12.50 s", 0.0042: "+0.004 s"} {
		require.Equal(t, text, format.UnitClock.MeanDifference(seconds))
	}
}

// TestUnits checks that columns and sentences name the unit only if times are plain numbers of
// seconds.
func TestUnits(t *testing.T) {
	require.Equal(t, []string{" s", "s", "jobs", "wait, s"}, []string{format.Clock{}.Suffix(), format.Clock{}.Unit("s"), format.Clock{}.Unit("jobs"), format.Clock{}.Heading("wait")})
	require.Equal(t, []string{"", "", "jobs", "wait"}, []string{format.UnitClock.Suffix(), format.UnitClock.Unit("s"), format.UnitClock.Unit("jobs"), format.UnitClock.Heading("wait")})
}

// TestCount checks that the noun and the verb agree with the number.
func TestCount(t *testing.T) {
	for n, want := range []string{"0 jobs remain", "1 job remains", "2 jobs remain"} {
		require.Equal(t, want, format.Count(n, "job")+" "+format.SingularOrPlural(n, "remains", "remain"))
	}
}
