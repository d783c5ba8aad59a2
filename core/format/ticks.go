package format

import (
	"strconv"
	"time"
)

// Tick is a mark on a time axis.
type Tick struct {
	At    int64 // seconds
	Label string
}

// TickWidth returns the maximum number of characters in a tick label, including a space before the
// next label.
func (c Clock) TickWidth() int {
	if c.Calendar != nil {
		return 14
	}
	return 10
}

// LabelWidth is like TickWidth, but for an axis that ends at t1. For plain seconds, the width depends
// on the number of digits of t1, so that small examples have a tick for each second or two.
func (c Clock) LabelWidth(t1 int64) int {
	if c.Units || c.Calendar != nil {
		return c.TickWidth()
	}
	return min(c.TickWidth(), len(strconv.FormatInt(t1, 10))+3)
}

// clockSteps lists the possible distances between ticks, in seconds, up to half a day. Ticks uses
// the shortest one that does not give too many ticks.
var clockSteps = []int64{1, 2, 5, 10, 15, 30, minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute, hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour}

// Ticks returns about maxTicks ticks at round times on an axis from t0 to t1.
func (c Clock) Ticks(t0, t1 int64, maxTicks int) []Tick {
	minStep := (t1-t0)/int64(max(maxTicks, 1)) + 1
	if !c.Units || minStep > clockSteps[len(clockSteps)-1] && c.Calendar == nil {
		return c.decimalTicks(t0, t1, max(minStep, 1))
	}
	for _, step := range clockSteps {
		if step >= minStep {
			return c.evenTicks(t0, t1, step)
		}
	}
	return c.dayTicks(t0, t1, minStep)
}

// minTicks is the number of ticks that a reader needs to recognise the scale of an axis.
const minTicks = 3

// AxisTicks returns about maxTicks ticks, but at least three if the axis contains three whole
// seconds. If Ticks returns fewer than three, AxisTicks computes ticks with a finer spacing, and
// returns three of these, evenly spaced.
func (c Clock) AxisTicks(t0, t1 int64, maxTicks int) []Tick {
	ticks := c.Ticks(t0, t1, maxTicks)
	if len(ticks) >= minTicks {
		return ticks
	}
	all := c.Ticks(t0, t1, 20)
	if len(all) <= minTicks {
		return all
	}
	out := make([]Tick, 0, minTicks)
	for i := 0; len(out) < minTicks; i += (len(all) - 1) / (minTicks - 1) {
		out = append(out, all[i])
	}
	return out
}

// decimalTicks returns ticks at all multiples of a step. The step is 1, 2 or 5 times a power of ten,
// in days if c.Units is set, and otherwise in seconds.
func (c Clock) decimalTicks(t0, t1, minStep int64) (out []Tick) {
	unit := int64(1)
	if c.Units {
		unit = day
	}
	step := decimalStep((minStep + unit - 1) / unit)
	for n := (t0 + step*unit - 1) / (step * unit) * step; n*unit <= t1; n += step {
		label := strconv.FormatInt(n, 10)
		if c.Units {
			label += " d"
		}
		out = append(out, Tick{n * unit, label})
	}
	return out
}

// decimalStep returns the smallest number in the series 1, 2, 5, 10, 20, ... that is at least
// minStep.
func decimalStep(minStep int64) int64 {
	for unit := int64(1); ; unit *= 10 {
		for _, n := range []int64{1, 2, 5} {
			if n*unit >= minStep {
				return n * unit
			}
		}
	}
}

// evenTicks returns ticks from t0 to t1 at multiples of step in local time. The step must be below one
// day. If an hour occurs twice, at the end of daylight saving time, only the first one gets ticks.
func (c Clock) evenTicks(t0, t1, step int64) (out []Tick) {
	if c.Calendar == nil {
		for t := (t0 + step - 1) / step * step; t <= t1; t += step {
			out = append(out, Tick{t, c.tickLabel(t, step)})
		}
		return out
	}
	first, last := c.Calendar.local(t0).Unix(), c.Calendar.local(t1).Unix()
	for wall := (first + step - 1) / step * step; wall <= last; wall += step {
		if t, ok := c.Calendar.instant(time.Unix(wall, 0).UTC()); ok && t >= t0 && t <= t1 {
			out = append(out, Tick{t, c.tickLabel(t, step)})
		}
	}
	return out
}

// tickLabel returns the label of a tick at time t. The next tick is step seconds later, which must
// be less than one day.
func (c Clock) tickLabel(t, step int64) string {
	if c.Calendar == nil {
		return elapsed(t, step < minute)
	}
	local := c.Calendar.local(t)
	return dayAndMonth(local) + " " + clockTime(local, step < minute)
}

// dayTicks returns ticks at local midnights: at the starts of years or months, or every few days
// within each month.
func (c Clock) dayTicks(t0, t1, minStep int64) (out []Tick) {
	last := c.Calendar.local(t1)
	next, label := calendarSteps((minStep + day - 1) / day)
	for date := time.Date(c.Calendar.local(t0).Year(), 1, 1, 0, 0, 0, 0, time.UTC); !date.After(last); date = next(date) {
		t, ok := c.Calendar.instant(date)
		if !ok { // clocks skip midnight on this date
			t, _ = c.Calendar.instant(date.Add(time.Hour))
		}
		if text := label(date); text != "" && t >= t0 && t <= t1 {
			out = append(out, Tick{t, text})
		}
	}
	return out
}

// calendarSteps returns two functions for ticks that are about the given number of days apart, or
// further. The first function takes a date and returns the next date that may get a tick. The
// second one returns the label of a date, or "" if the date gets no tick.
func calendarSteps(days int64) (next func(time.Time) time.Time, label func(time.Time) string) {
	switch {
	case days > 366:
		years := int(decimalStep((days + 365) / 366))
		return func(t time.Time) time.Time { return t.AddDate(1, 0, 0) }, func(t time.Time) string {
			if t.Year()%years != 0 {
				return ""
			}
			return strconv.Itoa(t.Year())
		}
	case days > 15:
		return func(t time.Time) time.Time { return t.AddDate(0, monthsFor(days), 0) },
			func(t time.Time) string { return months[t.Month()-1] + " " + strconv.Itoa(t.Year()) }
	}
	return func(t time.Time) time.Time {
		after := t.AddDate(0, 0, dateStep(days))
		if after.Month() != t.Month() || after.Day() > 31-int(days)/2 { // too close to the start of the next month
			return time.Date(t.Year(), t.Month()+1, 1, 0, 0, 0, 0, time.UTC)
		}
		return after
	}, func(t time.Time) string { return dayAndMonth(t) + " " + strconv.Itoa(t.Year()) }
}

var months = [...]string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}

// dayAndMonth formats a date without its year, such as 1 Mar.
func dayAndMonth(t time.Time) string {
	return strconv.Itoa(t.Day()) + " " + months[t.Month()-1]
}

// monthsFor returns the smallest divisor n of 12 for which n months of 30 days last at least the given
// number of days. If there is none, it returns 12.
func monthsFor(days int64) int {
	for _, n := range []int{1, 2, 3, 4, 6} {
		if int64(n)*30 >= days {
			return n
		}
	}
	return 12
}

// dateStep returns the number of days between ticks within a month: 1, 2, 5, 10 or 15.
func dateStep(days int64) int {
	for _, n := range []int{1, 2, 5, 10} {
		if int64(n) >= days {
			return n
		}
	}
	return 15
}
