package format

import (
	"strconv"
	"strings"
	"time"
)

const minute, hour, day = 60, 3600, 86400 // seconds

// Clock determines the format of times. The zero Clock writes seconds.
type Clock struct {
	Units    bool      `json:"units,omitempty"`    // write days, hours, minutes and seconds
	Calendar *Calendar `json:"calendar,omitempty"` // write dates; requires Units
}

// Units is the clock that writes times in days, hours, minutes and seconds.
var Units = Clock{Units: true}

// unitsFrom is the minimum length, in seconds, of a workload whose times are shown in hours and
// minutes.
const unitsFrom = hour

// ClockFor returns the clock for a workload. The argument end is the time, in seconds, at which all
// jobs would have ended if no job had to wait. Short workloads use seconds, as in examples in
// papers.
func ClockFor(end int64, c *Calendar) Clock {
	return Clock{Units: c != nil || end >= unitsFrom, Calendar: c}
}

// Instant returns a time of the run: 90, 1 d 12:00 or 2026-03-01 08:00. It writes the
// seconds of a minute only if they are not 0.
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

// isoDate returns a date such as 2026-03-01. It does not use Time.Format, which would add 40 KB to
// the program of the page.
func isoDate(t time.Time) string {
	year, month, date := t.Date()
	return strconv.Itoa(year) + "-" + twoDigits(int(month)) + "-" + twoDigits(date)
}

// clockTime returns the time of day, such as 08:00 or 08:00:27.
func clockTime(t time.Time, withSeconds bool) string {
	hour, minute, second := t.Clock()
	text := twoDigits(hour) + ":" + twoDigits(minute)
	if withSeconds {
		text += ":" + twoDigits(second)
	}
	return text
}

// twoDigits returns a number below 100 with a leading zero if needed.
func twoDigits(n int) string { return string([]byte{byte('0' + n/10), byte('0' + n%10)}) }

// elapsed returns a time since time 0, such as 1:28 or 1 d 12:00.
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

// Name returns the name of the format: seconds, days and hours, or local time.
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

// At returns a time for a sentence: "t = 90", or the text that Instant returns.
func (c Clock) At(t int64) string {
	if c.Units {
		return c.Instant(t)
	}
	return "t = " + c.Instant(t)
}

// Duration returns a whole number of seconds exactly: 90 s or 1 min 30 s. A negative
// duration has a minus sign.
func (c Clock) Duration(seconds int64) string {
	if !c.Units {
		return strings.Replace(strconv.FormatInt(seconds, 10), "-", minus, 1) + " s"
	}
	return inUnits(seconds, 4)
}

// Mean returns a duration in seconds that need not be a whole number, such as a mean. It rounds to
// the two largest units.
func (c Clock) Mean(seconds float64) string {
	if !c.Units || seconds > -minute && seconds < minute {
		return Number(seconds) + " s"
	}
	return inUnits(roundToUnits(seconds), 2)
}

// Difference returns a difference of two times with its sign.
func (c Clock) Difference(seconds int64) string {
	return signed(seconds > 0, c.Duration(max(seconds, -seconds)))
}

// MeanDifference returns a difference of two means with its sign.
func (c Clock) MeanDifference(seconds float64) string {
	return signed(seconds > 0, c.Mean(max(seconds, -seconds)))
}

// signed returns the text of a difference, given its sign and the text of its absolute value.
func signed(positive bool, size string) string {
	switch {
	case size == "0 s":
		return size
	case positive:
		return "+" + size
	}
	return minus + size
}

// Suffix returns the unit to append to a plain number of seconds, or "" if times are written in
// units.
func (c Clock) Suffix() string {
	if c.Units {
		return ""
	}
	return " s"
}

// Unit returns the unit of a column of numbers. It returns "" for seconds if the clock writes them in
// units.
func (c Clock) Unit(unit string) string {
	if unit == "s" && c.Units {
		return ""
	}
	return unit
}

// Heading returns the heading of a column of durations. It appends the unit if the cells have none.
func (c Clock) Heading(text string) string {
	if c.Units {
		return text
	}
	return text + ", s"
}

// roundToUnits rounds to whole hours from one day on, to whole minutes from one hour on, and else to
// whole seconds.
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

// minus is the sign of a negative number.
const minus = "\u2212"

// inUnits returns a duration in days, hours, minutes and seconds. It omits units that are 0, and
// keeps at most the maxUnits largest units.
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
