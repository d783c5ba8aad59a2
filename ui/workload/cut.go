package workload

import (
	"fmt"
	"strconv"

	"backfill-lab/core/format"
	"backfill-lab/core/workload"
	"backfill-lab/ui/session"
)

// sinceFirst converts a time typed in the form of the operation cut to seconds since the first
// submission. It returns other texts unchanged.
func (c *Workload) sinceFirst(text string) string {
	seconds := session.InSeconds(text, c.Dates().ParseInstant)
	if t, err := strconv.ParseInt(seconds, 10, 64); err == nil && format.IsDate(text) {
		return strconv.FormatInt(max(t-c.firstSubmit(), 0), 10)
	}
	return seconds
}

// firstSubmit returns the time of the first submission.
func (c *Workload) firstSubmit() int64 { return c.Doc().Rows.Summary().First }

// commandText says with which flags the command applies the same operation. For the operation cut,
// the flags contain the typed times.
func (c *Workload) commandText(o *operation) string {
	flags := o.flags
	if rules, err := c.rules(o); err == nil && rules.Window != (workload.Window{}) {
		flags = "-window " + rules.Window.String()
		if rules.Shift {
			flags += " -shift"
		}
	}
	return fmt.Sprintf("Flags of the command backfill for the same operation: %s.", flags)
}

// keptText says which time window the form of the operation cut specifies. It returns "" if the
// form is empty or invalid.
func (c *Workload) keptText() string {
	rules, err := c.rules(c.work.operation())
	w := rules.Window
	if err != nil || w == (workload.Window{}) {
		return ""
	}
	clock := c.Clock()
	instant := func(t int64) string { return clock.Instant(t) + clock.Suffix() }
	text := " Keeps the jobs submitted from " + instant(max(w.From, c.firstSubmit()))
	if w.To > 0 {
		return text + " until just before " + instant(w.To) + "."
	}
	return text + " on."
}
