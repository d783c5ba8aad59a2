package session

import (
	"strconv"
	"strings"

	"backfill-lab/core/format"
)

// typedTime holds the text that the user typed last in a time field, because the scenario stores only
// its value in seconds.
type typedTime struct{ field, text, seconds string }

// TypeDuration returns the seconds of a duration, such as 1h 30m, that the user typed in a
// field. It returns an invalid text unchanged, so that the field shows an error.
func (c *Session) TypeDuration(field, text string) string {
	return c.typeTime(field, text, format.ParseDuration)
}

// TypeInstant returns the seconds of a time of the run, possibly a date, that the user typed in a field.
// It returns an invalid text unchanged.
func (c *Session) TypeInstant(field, text string) string {
	return c.typeTime(field, text, c.Dates().ParseInstant)
}

// typeTime returns the value of a typed text in seconds, and stores the text.
func (c *Session) typeTime(field, text string, parse func(string) (int64, error)) string {
	seconds := InSeconds(text, parse)
	c.typed = typedTime{field, text, seconds}
	return seconds
}

// EnterField drops the text that was typed in another time field, which then shows its value.
func (c *Session) EnterField(field string) {
	if c.typed.field != field {
		c.typed = typedTime{}
	}
}

// IsTyped reports whether a time field holds what the user typed in it last.
func (c *Session) IsTyped(field, seconds string) bool {
	return c.typed.field == field && c.typed.seconds == seconds
}

// InSeconds returns the number of seconds that a text stands for, as text. It returns a plain
// number and an invalid text unchanged.
func InSeconds(text string, parse func(string) (int64, error)) string {
	if _, err := strconv.ParseFloat(strings.TrimSpace(text), 64); err == nil {
		return text
	}
	if t, err := parse(text); err == nil {
		return strconv.FormatInt(t, 10)
	}
	return text
}

// Dates returns a time format with the dates of the scenario. It does not need results.
func (c *Session) Dates() format.Clock { return format.Clock{Units: true, Calendar: c.calendar()} }

// TextOf returns the text of a time field whose value is a number of seconds: what the user
// typed in it last, or otherwise the seconds.
func (c *Session) TextOf(field, seconds string) string {
	if c.IsTyped(field, seconds) {
		return c.typed.text
	}
	return seconds
}
