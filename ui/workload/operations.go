package workload

import (
	"errors"
	"fmt"
	"strconv"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload"
	"backfill-lab/ui/document"
	"backfill-lab/ui/session"
)

// operation describes an operation on all jobs and its form. The form sets data rules (see workload.Rules).
// The command backfill applies the same rules, so both give the same jobs.
type operation struct {
	id, title, help, button string // button is the label of the button that applies the operation
	fields                  []operationField
	flags                   string // flags with which the command backfill applies the same rules
}

// operationField is a field in the form of an operation. Its function read parses the text of the
// field and sets a data rule.
type operationField struct {
	name, label, help string
	kind              policy.Kind
	times             bool     // the text contains times; they are converted to seconds before read is called
	options           []string // options of a choice, the default first
	read              func(text string, to *scenario.Rules) error
}

// hasNoEffect reports whether the field filters by a property (user or class) that no job has.
func (b *operationField) hasNoEffect(s *document.Survey) bool {
	return s != nil && (b.name == "user" && !s.HasUsers || b.name == "class" && !s.HasClasses)
}

// trim is the id of the operation that only sets which jobs the metrics count. It changes no job.
const trim = "trim"

// cut is the id of the operation that keeps the jobs of a time window.
const cut = "cut"

// walls is the id of the operation that scales wall times.
const walls = "walls"

// operations lists the operations in the order of the panel. The operation trim must be the last.
var operations = []operation{
	{cut, "Keep a time window", "Keeps the jobs that are submitted in a window of time. Times count from the first submission.", "Keep", []operationField{
		{name: "from", label: "From", help: "a time after the first submission, such as 1d, or a date. Earlier jobs are left out. If this field is empty, the window begins with the first job", times: true,
			read: func(text string, to *scenario.Rules) error { return parseWindowTime(text, 0, &to.Window.From) }},
		{name: "to", label: "To", help: "a time after the first submission, such as 60d, or a date. Jobs at this time or later are left out. If this field is empty, the window has no end", times: true,
			read: func(text string, to *scenario.Rules) error {
				if err := parseWindowTime(text, 1, &to.Window.To); err != nil || text == "" || to.Window.To > to.Window.From {
					return err
				}
				return fmt.Errorf("expected a time after “From” (%d s), got %s s", to.Window.From, text)
			}},
		{name: "shift", label: "Begin at 0", help: "shift all submissions so that the first job is submitted at 0", kind: policy.Switch,
			read: func(text string, to *scenario.Rules) error { to.Shift = text == "true"; return nil }},
	}, "-window FROM:TO, -shift"},
	{"scale", "Scale the load", "Divides the times between submissions by a factor, which multiplies the load by the same factor. Nothing else about the jobs changes.", "Scale", []operationField{
		{name: "factor", label: "Factor", help: "a factor above 1 moves submissions closer together, a factor below 1 further apart",
			read: func(text string, to *scenario.Rules) error {
				return parseFactor(text, workload.MaxLoadFactor, "10^9", &to.LoadFactor)
			}},
	}, "-load-factor X"},
	{walls, "Scale wall times", "Multiplies the estimates (wall time limits) of all jobs by a factor. Choose what happens to jobs that run longer than their new estimates.", "Scale", []operationField{
		{name: "factor", label: "Factor", help: document.WallFactorHelp,
			read: func(text string, to *scenario.Rules) error {
				return parseFactor(text, workload.MaxWallFactor, "1000", &to.WallFactor)
			}},
		{name: "overrun", label: document.OverrunLabel, help: document.OverrunHelp, kind: policy.Choice, options: []string{document.RaiseEstimate, document.KillJob},
			read: func(text string, to *scenario.Rules) error {
				if text == document.KillJob {
					to.Overrun = workload.Kill
				}
				return nil
			}},
	}, "-wall-factor X, -overrun raise|kill"},
	{"filter", "Filter", "Keeps the jobs that meet every condition. A range is FROM:TO, inclusive; either side may be empty, and a single number matches only itself.", "Filter", []operationField{
		filterField("procs", "Processors", "a range such as 1:16"),
		filterField("runtime", "Runtime", "a range such as 60: or :2h"),
		filterField("estimate", "Estimate", "a range such as :3600 or 1h:2h"),
		filterField("user", "User", "user names, separated by commas"),
		filterField("class", "Class", "names of application classes, separated by commas"),
	}, "-keep procs=1:16"},
	{"first", "First jobs", "Keeps the first N jobs by submit time; ties in table order.", "Keep them", []operationField{
		{name: "n", label: "Jobs", help: "number of jobs to keep",
			read: func(text string, to *scenario.Rules) error {
				n := int64(0)
				err := parseRequired(text, func() error { return wholeNumber(text, 1, &n) })
				to.Limit = int(n)
				return err
			}},
	}, "-limit N"},
	{trim, "Trim warm-up and cool-down", "Excludes the first and last jobs (by submit time) from the metrics, because the machine is empty at the beginning, and no more jobs arrive at the end. All jobs are still scheduled.", "Trim", []operationField{
		{name: "warmup", label: "Warm-up", help: "percentage of the jobs left out at the beginning",
			read: func(text string, to *scenario.Rules) error { return parsePercentage(text, &to.Warmup, 0) }},
		{name: "cooldown", label: "Cool-down", help: "percentage of the jobs left out at the end",
			read: func(text string, to *scenario.Rules) error { return parsePercentage(text, &to.Cooldown, to.Warmup) }},
	}, "-warmup P, -cooldown P"},
}

// filterField returns a field of the filter. The filter keeps only jobs that match all its fields.
func filterField(name, label, help string) operationField {
	return operationField{name: name, label: label, help: help, times: name == "runtime" || name == "estimate",
		read: func(text string, to *scenario.Rules) error { return to.Keep.Set(name, text) }}
}

// parseRequired calls read. If the field is empty, it returns an error instead.
func parseRequired(text string, read func() error) error {
	if text == "" {
		return errors.New("expected a number, got nothing")
	}
	return read()
}

// parseWindowTime parses the start or the end of a time window. The form has already converted what the user typed to
// seconds. The error shows examples of valid times, such as 1h.
func parseWindowTime(text string, minimum int64, to *int64) error {
	if err := wholeNumber(text, minimum, to); err != nil {
		return fmt.Errorf("expected a time after the first submission, such as 90, 1h or 2d, or a date, got %q", text)
	}
	return nil
}

// wholeNumber parses a whole number from minimum to job.MaxTime and stores it in *to. If the text is empty, *to
// stays unchanged.
func wholeNumber(text string, minimum int64, to *int64) error {
	if text == "" {
		return nil
	}
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil || v < minimum || v > job.MaxTime {
		return fmt.Errorf("expected a whole number from %d to 10^12, got %q", minimum, text)
	}
	*to = v
	return nil
}

// parsePercentage parses the percentage of jobs to leave out at one end. For the warm-up, the argument warmup is 0.
// For the cool-down, it is the percentage of the warm-up. The two percentages together must be below 100.
func parsePercentage(text string, to *float64, warmup float64) error {
	return parseRequired(text, func() error {
		v, err := strconv.ParseFloat(text, 64)
		switch {
		case err != nil || !(v >= 0 && v < 100):
			return fmt.Errorf("expected 0 or more and less than 100, got %q", text)
		case v+warmup >= 100:
			return fmt.Errorf("expected less than %g, because warm-up (%g) and cool-down together must be below 100, got %q", 100-warmup, warmup, text)
		}
		*to = v
		return nil
	})
}

// parseFactor parses a positive number that is not greater than maximum. maximumText is the maximum as it appears in
// the error message.
func parseFactor(text string, maximum float64, maximumText string, to *float64) error {
	return parseRequired(text, func() error {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || !(v > 0 && v <= maximum) {
			return fmt.Errorf("expected a number above 0 and at most %s, got %q", maximumText, text)
		}
		*to = v
		return nil
	})
}

// sinceFirst converts a time or date, typed in the form of the operation cut, to seconds since the first
// submission. A date before the first submission becomes 0. Invalid texts stay unchanged.
func (c *Workload) sinceFirst(text string) string {
	seconds := session.InSeconds(text, c.ScenarioClock().ParseInstant)
	if t, err := strconv.ParseInt(seconds, 10, 64); err == nil && format.IsDate(text) {
		return strconv.FormatInt(max(t-c.firstSubmit(), 0), 10)
	}
	return seconds
}

// firstSubmit returns the time of the first submission in seconds.
func (c *Workload) firstSubmit() int64 { return c.Doc().Rows.Summary().First }

// commandText says with which flags the command backfill applies the same operation. For the
// operation cut, the flags contain the typed times, converted to seconds from time 0.
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

// windowText says which time window the form of the operation cut specifies. It returns "" if this form is empty,
// invalid or not open.
func (c *Workload) windowText() string {
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
