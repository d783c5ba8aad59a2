package format

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// In error messages, these texts describe the forms of durations and times that the parsers accept.
const (
	durationForm = "a duration such as 90, 30m, 1h 30m, 1-12:00:00 or 02:30:00"
	instantForm  = "a time such as 90, 1h 30m or 1-12:00:00 after the start"
	dateForm     = instantForm + ", or 2026-03-01 08:00"
)

// ParseDuration returns the number of seconds in a duration that a user typed: 90, 90s, 1.5h, 1 h
// 28 min, [D-]HH:MM:SS or D-HH[:MM]. It rejects 12:30, which could mean 12 h 30 min or 12 min 30 s.
func ParseDuration(text string) (int64, error) {
	word := strings.TrimSpace(text)
	if strings.Count(word, ":") == 1 && !strings.Contains(word, "-") {
		return 0, fmt.Errorf("expected %s, got %s: write %s:00 for hours and minutes, 0:%s for minutes and seconds", durationForm, text, word, word)
	}
	if t, ok := parseClock(word); ok {
		return t, nil
	}
	if t, ok := parseUnits(word); ok {
		return t, nil
	}
	return 0, fmt.Errorf("expected %s, got %s", durationForm, strconv.Quote(text))
}

// ParseInstant parses a time that a user typed or that Instant formatted. It returns the seconds
// since time 0. It accepts a duration since time 0, such as 1h 30m, and a day with a time of day,
// such as "1 d 12:00". If the clock has a calendar, it also accepts a local date.
func (c Clock) ParseInstant(text string) (int64, error) {
	word := strings.TrimSpace(text)
	if IsDate(word) {
		return c.parseDate(word)
	}
	if days, clock, ok := strings.Cut(word, " d "); ok && strings.Contains(clock, ":") {
		word = days + "-" + clock
	} else if strings.Count(word, ":") == 1 && !strings.Contains(word, "-") {
		word += ":00"
	}
	if t, ok := parseClock(word); ok {
		return t, nil
	}
	if t, ok := parseUnits(word); ok {
		return t, nil
	}
	expected := instantForm
	if c.Calendar != nil {
		expected = dateForm
	}
	return 0, fmt.Errorf("expected %s, got %s", expected, strconv.Quote(text))
}

// IsDate reports whether a text looks like a date, such as 2026-03-01 08:00 or 1 Mar 2026 08:00.
func IsDate(text string) bool {
	word := numericDate(strings.TrimSpace(text))
	return len(word) >= len(time.DateOnly) && word[4] == '-'
}

// numericDate converts a date in the form used on the axes of charts, such as 1 Mar 2026 08:00, to
// the form 2026-03-01 08:00. It returns other texts unchanged.
func numericDate(word string) string {
	parts := strings.SplitN(word, " ", 4)
	if len(parts) < 3 {
		return word
	}
	month := slices.Index(months[:], parts[1])
	if month < 0 {
		return word
	}
	d := parts[0]
	if len(d) == 1 {
		d = "0" + d
	}
	return strings.Join(append([]string{fmt.Sprintf("%s-%02d-%s", parts[2], month+1, d)}, parts[3:]...), " ")
}

// parseDate returns the first time of the run at which local clocks show the given date and time.
func (c Clock) parseDate(word string) (int64, error) {
	if c.Calendar == nil {
		return 0, errors.New("the dates of this workload are unknown: expected " + instantForm + ", got " + word)
	}
	local, ok := localTime(word)
	if !ok {
		return 0, fmt.Errorf("expected %s, got %s", dateForm, strconv.Quote(word))
	}
	t, ok := c.Calendar.instant(local)
	switch {
	case !ok:
		return 0, fmt.Errorf("%s does not exist in %s: the clocks skip it", word, c.Calendar.Zone)
	case t < 0:
		return 0, fmt.Errorf("%s is before %s, the start of the run", word, c.Instant(0))
	}
	return t, nil
}

// localTime parses a date such as 2026-03-01, 2026-03-01 08:00, 2026-03-01T08:00:27 or 1 Mar 2026 08:00.
func localTime(word string) (local time.Time, ok bool) {
	date, clock, hasClock := strings.Cut(strings.Replace(numericDate(word), "T", " ", 1), " ")
	ymd := strings.Split(date, "-")
	if len(ymd) != 3 || len(date) != len("2026-03-01") {
		return local, false
	}
	var n [3]int
	for i, text := range ymd {
		v, err := strconv.ParseUint(text, 10, 16)
		if err != nil {
			return local, false
		}
		n[i] = int(v)
	}
	seconds := int64(0)
	if strings.Count(clock, ":") == 1 {
		clock += ":00"
	}
	if hasClock {
		if seconds, ok = parseClock(clock); !ok || strings.Contains(clock, "-") || seconds >= day {
			return local, false
		}
	}
	midnight := time.Date(n[0], time.Month(n[1]), n[2], 0, 0, 0, 0, time.UTC)
	exists := midnight.Year() == n[0] && int(midnight.Month()) == n[1] && midnight.Day() == n[2]
	return midnight.Add(time.Duration(seconds) * time.Second), exists
}

// parseClock returns the seconds of a duration in the form [D-]HH:MM:SS or D-HH[:MM].
func parseClock(word string) (total int64, ok bool) {
	days, clock, withDays := strings.Cut(word, "-")
	if !withDays {
		days, clock = "0", word
	}
	parts := strings.Split(clock, ":")
	if len(parts) > 3 || !withDays && len(parts) < 3 {
		return 0, false
	}
	for len(parts) < 3 {
		parts = append(parts, "0")
	}
	limits := []int64{maxSeconds / day, maxSeconds / hour, 59, 59}
	units := []int64{day, hour, minute, 1}
	if withDays {
		limits[1] = 23
	}
	for i, part := range append([]string{days}, parts...) {
		n, err := strconv.ParseInt(part, 10, 64)
		if err != nil || n < 0 || n > limits[i] || part[0] == '+' {
			return 0, false
		}
		total += n * units[i]
	}
	return total, total <= maxSeconds
}

// ExpectedWhole says, for an error message, what was expected instead of a text that strconv.ParseInt
// or strconv.Atoi rejected with the given error. If the text is a number that needs more than 64 bits,
// ExpectedWhole names the limit: most, or 0 for a negative number.
func ExpectedWhole(err error, most int64) string {
	var number *strconv.NumError
	switch {
	case !errors.Is(err, strconv.ErrRange):
		return "a whole number"
	case errors.As(err, &number) && strings.HasPrefix(number.Num, "-"):
		return "a whole number of at least 0"
	}
	return "a whole number of at most " + strconv.FormatInt(most, 10)
}

// maxSeconds is the maximum duration that the parser accepts.
const maxSeconds = 1_000_000_000_000

// unitNames holds the number of seconds in each unit of time, by the names that users may type.
var unitNames = map[string]int64{
	"": 1, "s": 1, "sec": 1, "second": 1, "seconds": 1,
	"m": minute, "min": minute, "mins": minute, "minute": minute, "minutes": minute,
	"h": hour, "hour": hour, "hours": hour, "d": day, "day": day, "days": day,
}

// parseUnits parses numbers with units, such as 1h30m, and returns the total in whole seconds.
// Larger units must come first. A number without a unit is in seconds, and must be the only number.
func parseUnits(word string) (total int64, ok bool) {
	last := int64(math.MaxInt64)
	for rest := word; rest != ""; ok = true {
		n := len(rest) - len(strings.TrimLeft(rest, "0123456789."))
		number, err := strconv.ParseFloat(rest[:n], 64)
		rest = strings.TrimLeft(rest[n:], " ")
		k := len(rest) - len(strings.TrimLeft(rest, "abcdefghijklmnopqrstuvwxyz"))
		unit, known := unitNames[rest[:k]]
		seconds := number * float64(unit)
		if err != nil || !known || k == 0 && ok || unit >= last || seconds != math.Trunc(seconds) || seconds > maxSeconds {
			return 0, false
		}
		total, last = total+int64(seconds), unit
		if rest = strings.TrimLeft(rest[k:], " "); k == 0 && rest != "" {
			return 0, false
		}
	}
	return total, ok && total <= maxSeconds
}
