package format

import (
	"math"
	"strconv"
	"strings"
	"time"
)

const minute, hour, day = 60, 3600, 86400 // seconds

// Clock formats and parses times. The zero Clock formats them in seconds.
type Clock struct {
	Units    bool      `json:"units,omitempty"`    // use days, hours, minutes and seconds
	Calendar *Calendar `json:"calendar,omitempty"` // use dates; requires Units
}

// UnitClock is a clock that formats times in days, hours, minutes and seconds.
var UnitClock = Clock{Units: true}

// unitsFrom is the minimum length of a workload, in seconds, for which ClockFor sets Units.
const unitsFrom = hour

// ClockFor returns a clock that suits a workload. It takes the time, in seconds, at which the last
// job would end if no job had to wait. For short workloads without dates, the clock uses seconds,
// like the examples in papers.
func ClockFor(end int64, c *Calendar) Clock {
	return Clock{Units: c != nil || end >= unitsFrom, Calendar: c}
}

// Instant formats a time of the run, such as 90, 1 d 12:00 or 2026-03-01 08:00. It omits seconds
// that are 0.
func (c Clock) Instant(t int64) string {
	switch {
	case !c.Units:
		return strconv.FormatInt(t, 10)
	case c.Calendar != nil:
		local := c.Calendar.local(t)
		return isoDate(local) + " " + clockTime(local, local.Second() != 0)
	}
	return elapsed(t, t%minute != 0)
}

// isoDate formats a date as 2026-03-01. It does not use Time.Format, which would add 40 KB to the
// WebAssembly program of the page.
func isoDate(t time.Time) string {
	year, month, date := t.Date()
	return strconv.Itoa(year) + "-" + twoDigits(int(month)) + "-" + twoDigits(date)
}

// clockTime formats a time of day as 08:00 or 08:00:27.
func clockTime(t time.Time, withSeconds bool) string {
	hour, minute, second := t.Clock()
	text := twoDigits(hour) + ":" + twoDigits(minute)
	if withSeconds {
		text += ":" + twoDigits(second)
	}
	return text
}

// twoDigits formats a number below 100 with two digits.
func twoDigits(n int) string { return string([]byte{byte('0' + n/10), byte('0' + n%10)}) }

// elapsed formats a number of seconds since time 0, such as 1:28 or 1 d 12:00.
func elapsed(t int64, withSeconds bool) string {
	text := strconv.FormatInt(t%day/hour, 10) + ":" + twoDigits(int(t%hour/minute))
	if withSeconds {
		text += ":" + twoDigits(int(t%minute))
	}
	if t >= day {
		return strconv.FormatInt(t/day, 10) + " d " + text
	}
	return text
}

// Name returns the name of the format for users: seconds, days and hours, or local time.
func (c Clock) Name() string {
	switch {
	case !c.Units:
		return "seconds"
	case c.Calendar == nil:
		return "days and hours"
	case c.Calendar.Zone == "":
		return "the local time of the records"
	}
	return "local time (" + c.Calendar.Zone + ")"
}

// At formats a time for a sentence: as "t = 90" in plain seconds, and otherwise like Instant.
func (c Clock) At(t int64) string {
	if c.Units {
		return c.Instant(t)
	}
	return "t = " + c.Instant(t)
}

// Duration formats a number of seconds exactly, such as 90 s or 1 min 30 s. A negative duration has
// a minus sign.
func (c Clock) Duration(seconds int64) string {
	if !c.Units {
		return strings.Replace(strconv.FormatInt(seconds, 10), "-", minus, 1) + " s"
	}
	return inUnits(seconds, 4)
}

// Mean formats a duration that need not be a whole number of seconds, such as a mean. It rounds to
// at most two units, such as 3 h 20 min.
func (c Clock) Mean(seconds float64) string {
	if !c.Units || seconds > -minute && seconds < minute {
		return Number(seconds) + " s"
	}
	return inUnits(roundToUnits(seconds), 2)
}

// Difference formats a difference between two times, with its sign.
func (c Clock) Difference(seconds int64) string {
	return signed(seconds > 0, c.Duration(max(seconds, -seconds)))
}

// MeanDifference formats a difference between two means, with its sign. It rounds like Mean, but
// shows more decimals of a difference that would otherwise round to zero.
func (c Clock) MeanDifference(seconds float64) string {
	if math.Abs(seconds) < 0.01 {
		return SignedDecimals(seconds, 2) + " s"
	}
	return signed(seconds > 0, c.Mean(max(seconds, -seconds)))
}

// signed puts a sign before the text of the absolute value of a difference. If this text says zero
// seconds, it gets no sign.
func signed(positive bool, size string) string {
	switch {
	case size == "0 s":
		return size
	case positive:
		return "+" + size
	}
	return minus + size
}

// LargestUnit returns the name and the length in seconds of a unit of time, from days to seconds.
// It is the largest unit that fits at least three times into the duration. To show several
// durations in the same unit, pass the longest one.
func LargestUnit(seconds float64) (name string, length float64) {
	for i, n := range []float64{day, hour, minute} {
		if seconds >= 3*n {
			return [...]string{"d", "h", "min"}[i], n
		}
	}
	return "s", 1
}

// Suffix returns the unit to append to a number of seconds. It returns "" if the clock formats
// times with units.
func (c Clock) Suffix() string {
	if c.Units {
		return ""
	}
	return " s"
}

// Unit returns the unit to show above a column of numbers. It returns "" for seconds if the clock
// formats times with units.
func (c Clock) Unit(unit string) string {
	if unit == "s" && c.Units {
		return ""
	}
	return unit
}

// Heading returns the heading of a column of durations. It appends the unit if the cells contain no
// units.
func (c Clock) Heading(text string) string {
	if c.Units {
		return text
	}
	return text + ", s"
}

// roundToUnits rounds a duration: to hours if it is at least a day, to minutes if it is at least an
// hour, and otherwise to seconds.
func roundToUnits(seconds float64) int64 {
	if seconds < 0 {
		return -roundToUnits(-seconds)
	}
	unit := 1.0
	switch {
	case seconds >= day:
		unit = hour
	case seconds >= hour:
		unit = minute
	}
	return int64(seconds/unit+0.5) * int64(unit)
}

// minus is the sign before a negative number.
const minus = "\u2212"

// inUnits formats a duration in days, hours, minutes and seconds. It shows at most the maxUnits
// largest units, and omits units that are 0.
func inUnits(seconds int64, maxUnits int) string {
	if seconds < 0 {
		return minus + inUnits(-seconds, maxUnits)
	}
	var parts []string
	for i, unit := range []int64{day, hour, minute, 1} {
		if n := seconds / unit; n > 0 && maxUnits > 0 {
			parts = append(parts, strconv.FormatInt(n, 10)+" "+[...]string{"d", "h", "min", "s"}[i])
		}
		if seconds %= unit; len(parts) > 0 {
			maxUnits--
		}
	}
	if len(parts) == 0 {
		return "0 s"
	}
	return strings.Join(parts, " ")
}
