package session

import (
	"encoding/json"
	"strconv"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/ui/browser"
)

// typedTime holds the text that the user typed last in a time field. The scenario stores only the
// value of the text in seconds.
type typedTime struct{ field, text, seconds string }

// TypeDuration returns, in seconds, a duration such as 1h 30m that the user typed in a field. It
// returns an invalid text unchanged, so that the field shows an error.
func (c *Session) TypeDuration(field, text string) string {
	return c.typeTime(field, text, format.ParseDuration)
}

// TypeInstant returns, in seconds, a time of the run that the user typed in a field, possibly as a date. It
// returns an invalid text unchanged.
func (c *Session) TypeInstant(field, text string) string {
	return c.typeTime(field, text, c.ScenarioClock().ParseInstant)
}

// typeTime converts a typed text to seconds, and stores the text.
func (c *Session) typeTime(field, text string, parse func(string) (int64, error)) string {
	seconds := InSeconds(text, parse)
	c.typed = typedTime{field, text, seconds}
	return seconds
}

// EnterField drops the text that the user typed in another time field. The other field then shows
// its value.
func (c *Session) EnterField(field string) {
	if c.typed.field != field {
		c.typed = typedTime{}
	}
}

// IsTyped reports whether a time field still has the value that the user typed in it last.
func (c *Session) IsTyped(field, seconds string) bool {
	return c.typed.field == field && c.typed.seconds == seconds
}

// InSeconds converts a duration or time to seconds, as text. It returns a plain number and an
// invalid text unchanged.
func InSeconds(text string, parse func(string) (int64, error)) string {
	if _, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil {
		return text
	}
	if t, err := parse(text); err == nil {
		return strconv.FormatInt(t, 10)
	}
	return text
}

// ScenarioClock returns a time format with the dates of the scenario. Unlike Clock, it does not need
// results.
func (c *Session) ScenarioClock() format.Clock {
	return format.Clock{Units: true, Calendar: c.calendar()}
}

// TableClock returns the time format of the table of jobs, which is the format that the next
// results will have.
func (c *Session) TableClock() format.Clock {
	if c.Seconds {
		return format.Clock{}
	}
	return format.ClockFor(c.Doc().Rows.Summary().End, c.calendar())
}

// TextOf returns the text of a time field whose value is a number of seconds: what the user typed
// last, otherwise the seconds.
func (c *Session) TextOf(field, seconds string) string {
	if c.IsTyped(field, seconds) {
		return c.typed.text
	}
	return seconds
}

// InstantText returns the text of a field that holds a time of the run in seconds. It is what the user typed last,
// otherwise the time in the format of clock.
func (c *Session) InstantText(field, seconds string, clock format.Clock) string {
	if t, err := strconv.ParseInt(seconds, 10, 64); err == nil && clock.Units && !c.IsTyped(field, seconds) {
		return clock.Instant(t)
	}
	return c.TextOf(field, seconds)
}

// offsetsFor is the length in seconds of the period for which the page knows the UTC offsets of a
// time zone. The period begins at the start of the calendar and lasts 20 years.
const offsetsFor = 20 * 366 * 86400

// calendar returns the calendar of the scenario, with the UTC offsets of its time zone from the
// browser. It returns nil if the scenario has no dates.
func (c *Session) calendar() *format.Calendar {
	base := c.Doc().Base
	if base == nil || base.Calendar == nil {
		return nil
	}
	own := &base.Calendar.Calendar
	if c.dates == nil || c.datesOf.Start != own.Start || c.datesOf.Zone != own.Zone {
		c.datesOf = *own
		c.dates, _ = own.WithOffsets(func(zone string) []format.Offset { return zoneOffsets(zone, own.Start) })
	}
	return c.dates
}

// zoneOffsets returns the UTC offsets of a time zone, starting at a Unix time. It returns nil if
// the browser does not know the zone.
func zoneOffsets(zone string, start int64) (list []format.Offset) {
	text, err := browser.Call("labZoneOffsets", zone, float64(start), float64(start+offsetsFor))
	if encoded, ok := text.(string); err != nil || !ok || json.Unmarshal([]byte(encoded), &list) != nil {
		return nil
	}
	return list
}

// ToggleSeconds switches between times in seconds and times in larger units or dates. It runs the
// scenario again, because the sentences that the worker writes contain times.
func (c *Session) ToggleSeconds() {
	c.Seconds = !c.Seconds
	c.Rerun()
}

// SecondsShown returns the aria-pressed value of the button of ToggleSeconds.
func (c *Session) SecondsShown() string {
	if c.Seconds {
		return "true"
	}
	return "false"
}

// HasLongTimes reports whether the page offers to switch between seconds and larger units or dates.
func (c *Session) HasLongTimes() bool { return c.Seconds || c.Clock().Units }
