package main

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"backfill-lab/core/cluster"
	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/opening"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/sacct"
)

// windowFlag implements the flag -window. It keeps the text of its times, because the calendar of
// the workload, which gives dates a meaning, is known only when the workload has been read.
type windowFlag struct{ text, from, to string }

func (w *windowFlag) String() string { return w.text }
func (w *windowFlag) Type() string   { return "FROM:TO" }

// Set parses FROM:TO. Times may contain colons, so it looks for the colon that has a time, or
// nothing, on both sides. If several colons do, the text is ambiguous and Set returns an error.
func (w *windowFlag) Set(text string) error {
	*w = windowFlag{text: text}
	splits := 0
	for i := range len(text) {
		if text[i] == ':' && isTime(text[:i]) && isTime(text[i+1:]) {
			w.from, w.to = text[:i], text[i+1:]
			splits++
		}
	}
	if text != "" && splits != 1 {
		return w.invalid()
	}
	if w.hasDates() {
		return nil
	}
	_, err := w.window(nil)
	return err
}

// invalid returns the error for a text that is not a window.
func (w *windowFlag) invalid() error {
	return fmt.Errorf("expected FROM:TO with FROM before TO, such as 3600:7200, 1h:1h 30m, 1-12:00:00:2-00:00:00 or 2026-03-01:2026-03-08, got %q", w.text)
}

// hasDates reports whether FROM or TO is a date.
func (w *windowFlag) hasDates() bool { return format.IsDate(w.from) || format.IsDate(w.to) }

// window returns the window in seconds. The calendar holds the dates of the workload. It is nil if
// they are unknown, and dates are then an error.
func (w *windowFlag) window(c *format.Calendar) (workload.Window, error) {
	if w.text == "" {
		return workload.Window{}, nil
	}
	out := workload.Window{To: job.Never}
	if err := errors.Join(parseTime(w.from, c, &out.From), parseTime(w.to, c, &out.To)); err != nil {
		return workload.Window{}, err
	}
	if out.From >= out.To {
		return workload.Window{}, w.invalid()
	}
	return out, nil
}

// windowYears is the time, in seconds, for which the flag -window knows the UTC offsets of a time zone.
const windowYears = 200 * 366 * 86400

// resolveWindow returns the window of the flag -window, in seconds. If the window has dates, it calls
// calendar, which returns the dates of the workload, or nil if they are unknown.
func (e *env) resolveWindow(w *windowFlag, calendar func() (*format.Calendar, error)) (workload.Window, error) {
	var c *format.Calendar
	if w.hasDates() {
		var err error
		if c, err = calendar(); err != nil {
			return workload.Window{}, err
		}
	}
	out, err := w.window(e.withOffsets(c, windowYears))
	if err != nil {
		return out, usageErrorf("-window: %v", err)
	}
	return out, nil
}

// fileCalendar returns the dates of a file that contains only jobs, or nil if it has none. The choice
// says which accounting records to use.
func fileCalendar(kind string, data []byte, c sacct.Choice) (*format.Calendar, error) {
	switch kind {
	case opening.SWF:
		h, err := traceHeader(data)
		return h.Calendar(), err
	case opening.SACCT:
		f, err := sacct.Read(bytes.NewReader(data), sacct.Options{Choice: c})
		if err != nil {
			return nil, err
		}
		return f.Calendar, nil
	}
	return nil, nil
}

// scenarioCalendar returns the dates of scenario x without the effects of the flags, or nil if it
// has none.
func (e *env) scenarioCalendar(s *source, x *scenario.Scenario) (*format.Calendar, error) {
	f := x.Workload.File
	switch {
	case x.Calendar != nil && x.Rules.Shift:
		return nil, usageErrorf("-window: expected times without dates, because the rule shift of the scenario moves the dates, got %q", s.window.text)
	case x.Calendar != nil:
		return &x.Calendar.Calendar, nil
	case f == nil:
		return nil, nil
	}
	name, kind, data, err := e.readNamedFile(s, f)
	if err != nil {
		return nil, err
	}
	c, err := fileCalendar(kind, data, f.Choice)
	if err != nil {
		return nil, withFile(name, err)
	}
	return c, nil
}

// anyDate is a calendar that begins before every date that a user may write.
var anyDate = &format.Calendar{Start: time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC).Unix()}

// isTime reports whether a text is empty, or is a time in a form that the flag -window accepts.
func isTime(text string) bool {
	var t job.Time
	return parseTime(text, anyDate, &t) == nil
}

// parseTime parses a time such as 90, 1h 30m, 1-12:00:00 or, if the calendar c is not nil, 2026-03-01.
// It rejects hours and minutes without seconds, such as 1:30. If text is empty, t does not change.
func parseTime(text string, c *format.Calendar, t *job.Time) (err error) {
	switch {
	case text == "":
	case format.IsDate(text):
		*t, err = format.Clock{Units: true, Calendar: c}.ParseInstant(text)
	default:
		*t, err = format.ParseDuration(text)
	}
	return err
}

// parseOutage parses an outage such as "3600-7200:8:new switch" or "1h-2h:8". It rejects times that
// contain a dash or a colon.
func parseOutage(text string) (b cluster.Outage, ok bool) {
	times, rest, _ := strings.Cut(text, ":")
	procs, label, _ := strings.Cut(rest, ":")
	from, to, _ := strings.Cut(times, "-")
	var bad [3]error
	b.From, bad[0] = format.ParseDuration(from)
	b.To, bad[1] = format.ParseDuration(to)
	b.Procs, bad[2] = strconv.Atoi(procs)
	b.Label = label
	return b, errors.Join(bad[:]...) == nil && !strings.Contains(to, "-")
}

// maxLimit is the maximum value of a limitTime: 10^9 s.
const maxLimit = 1e9 * time.Second

// limitTime implements flags that limit how long another program may run. It also accepts fractions of
// a second, such as 500ms.
type limitTime time.Duration

func (l *limitTime) String() string { return time.Duration(*l).String() }
func (l *limitTime) Type() string   { return "TIME" }
func (l *limitTime) Set(text string) error {
	d, err := time.ParseDuration(text)
	if seconds, e := format.ParseDuration(text); e == nil {
		d, err = time.Duration(min(seconds, int64(maxLimit/time.Second)+1))*time.Second, nil
	}
	if err != nil {
		return fmt.Errorf("expected a duration such as 90, 500ms, 30m, 1h 30m, 1-12:00:00 or 02:30:00, got %q", text)
	}
	if d > maxLimit {
		return fmt.Errorf("expected at most 10^9 s, got %q", text)
	}
	*l = limitTime(d)
	return nil
}
