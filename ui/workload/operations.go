package workload

import (
	"errors"
	"fmt"
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload"
	"backfill-lab/ui/document"
)

// operation describes an operation on all jobs and its form. The form sets data rules. The command
// applies the same rules, so both give the same jobs.
type operation struct {
	id, title, help, act string
	fields               []operationField
	flags                string // flags of the command that does the same
}

// operationField is a field of the form of an operation. Its function read parses the text of the
// field and sets a data rule.
type operationField struct {
	name, label, help string
	kind              policy.Kind
	times             bool     // the text contains times; they are converted to seconds before read is called
	options           []string // options of a choice, the default first
	read              func(text string, to *scenario.Rules) error
}

// hasNoEffect reports whether the field filters by a property, user or class, that no job has.
func (b *operationField) hasNoEffect(s *document.Survey) bool {
	return s != nil && (b.name == "user" && !s.Users || b.name == "class" && !s.Classes)
}

// trim is the id of the operation that changes only the metrics and no job.
const trim = "trim"

// cut is the id of the operation that keeps the jobs of a time window.
const cut = "cut"

// walls is the id of the operation that scales wall times.
const walls = "walls"

var operations = []operation{
	{cut, "Keep a time window", "Keeps the jobs that are submitted in a window of time. Times count from the first submission.", "Keep", []operationField{
		{name: "from", label: "From", help: "a time after the first submission, such as 1d, or a date. Earlier jobs are left out. If empty, the window begins with the first job", times: true,
			read: func(text string, to *scenario.Rules) error { return whole64(text, 0, &to.Window.From) }},
		{name: "to", label: "To", help: "a time after the first submission, such as 60d, or a date. Jobs at this time or later are left out. If empty, the window has no end", times: true,
			read: func(text string, to *scenario.Rules) error {
				if err := whole64(text, 1, &to.Window.To); err != nil || text == "" || to.Window.To > to.Window.From {
					return err
				}
				return fmt.Errorf("expected a time after %d, got %q", to.Window.From, text)
			}},
		{name: "shift", label: "Begin at 0", help: "shift all submissions so that the first job is submitted at 0", kind: policy.Switch,
			read: func(text string, to *scenario.Rules) error { to.Shift = text == "true"; return nil }},
	}, "-window FROM:TO, -shift"},
	{"scale", "Scale the load", "Multiplies the load by dividing the times between submissions. Nothing else about the jobs changes.", "Scale", []operationField{
		{name: "factor", label: "Factor", help: "a factor above 1 moves submissions closer together, a factor below 1 further apart",
			read: func(text string, to *scenario.Rules) error {
				return factor(text, workload.MaxLoadFactor, "10^9", &to.LoadFactor)
			}},
	}, "-load-factor X"},
	{walls, "Scale wall times", "Multiplies the estimates (wall time limits) of all jobs. Choose what happens to jobs that run longer than their new estimates. The scenario records this operation.", "Scale", []operationField{
		{name: "factor", label: "Factor", help: document.WallFactorHelp,
			read: func(text string, to *scenario.Rules) error {
				return factor(text, workload.MaxWallFactor, "1000", &to.WallFactor)
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
				err := required(text, func() error { return whole64(text, 1, &n) })
				to.Limit = int(n)
				return err
			}},
	}, "-limit N"},
	{trim, "Trim warm-up and cool-down", "Leaves the first and last jobs by submit time out of the metrics: the machine is empty at the beginning, and no more jobs arrive at the end. All jobs are still scheduled.", "Trim", []operationField{
		{name: "warmup", label: "Warm-up", help: "percentage of the jobs left out at the beginning",
			read: func(text string, to *scenario.Rules) error { return percentage(text, &to.Warmup, 0) }},
		{name: "cooldown", label: "Cool-down", help: "percentage of the jobs left out at the end",
			read: func(text string, to *scenario.Rules) error { return percentage(text, &to.Cooldown, to.Warmup) }},
	}, "-warmup P, -cooldown P"},
}

// filterField returns a field of the filter: only jobs that match it are kept.
func filterField(name, label, help string) operationField {
	return operationField{name: name, label: label, help: help, times: name == "runtime" || name == "estimate",
		read: func(text string, to *scenario.Rules) error { return to.Keep.Set(name, text) }}
}

// required calls read. If the field is empty, it returns an error instead.
func required(text string, read func() error) error {
	if text == "" {
		return errors.New("expected a number, got nothing")
	}
	return read()
}

// whole64 parses a whole number that must not be below least. It does not change to if the text is
// empty.
func whole64(text string, least int64, to *int64) error {
	if text == "" {
		return nil
	}
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil || v < least || v > job.MaxTime {
		return fmt.Errorf("expected a whole number from %d to 10^12, got %q", least, text)
	}
	*to = v
	return nil
}

// percentage parses the percentage of jobs to leave out at one end. other is the percentage at the
// other end. Both together must be below 100.
func percentage(text string, to *float64, other float64) error {
	return required(text, func() error {
		v, err := strconv.ParseFloat(text, 64)
		switch {
		case err != nil || !(v >= 0 && v < 100):
			return fmt.Errorf("expected 0 or more and less than 100, got %q", text)
		case v+other >= 100:
			return fmt.Errorf("expected less than %g, because the warm-up is %g and both must stay below 100 together, got %q", 100-other, other, text)
		}
		*to = v
		return nil
	})
}

// factor parses a positive number up to most. limit is the text of most in the error message.
func factor(text string, most float64, limit string, to *float64) error {
	return required(text, func() error {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || !(v > 0 && v <= most) {
			return fmt.Errorf("expected a number above 0 and at most %s, got %q", limit, text)
		}
		*to = v
		return nil
	})
}
