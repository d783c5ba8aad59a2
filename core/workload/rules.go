// Package workload converts the records of a file or a generator to jobs that a machine can run.
// Its data rules drop or change records, and a report counts the changes. Packages swf, csv and
// sacct parse files. Packages such as lublin generate random jobs from a model.
package workload

import (
	"fmt"
	"strconv"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
)

// MaxLoadFactor is the maximum load factor.
const MaxLoadFactor = 1e9

// MaxWallFactor is the maximum wall-time factor.
const MaxWallFactor = 1000

// Rules selects what to do with records that are incomplete, inconsistent or unwanted. The zero
// value selects all defaults. Each JSON tag is also the name of the scenario field, of the form
// field and, except for Oversize, of the flag. Each value of a rule has a text form, which
// encoding/json and flag.TextVar use.
type Rules struct {
	Overrun    Overrun     `json:"overrun,omitempty"`      // what to do with a job that runs longer than its estimate
	Size       Size        `json:"size,omitempty"`         // which processor count in a trace to use as the size of a job
	Filter     Filter      `json:"filter,omitempty"`       // which records of a trace to drop
	Zero       ZeroRuntime `json:"zero-runtime,omitempty"` // what to do with a job whose runtime is 0 seconds
	Oversize   Oversize    `json:"oversize,omitempty"`     // what to do with a job that needs more processors than the machine has
	Limit      int         `json:"limit,omitempty"`        // keep only this many jobs, those submitted first; 0 means all
	Window     Window      `json:"window,omitzero"`        // keep only jobs that are submitted in this window, before the load factor applies
	Keep       Keep        `json:"keep,omitzero"`          // keep only jobs that satisfy these conditions
	Shift      bool        `json:"shift,omitempty"`        // move all submissions so that the first one is at time 0
	LoadFactor float64     `json:"load-factor,omitempty"`  // multiply the load by this factor; 0 and 1 mean no change
	WallFactor float64     `json:"wall-factor,omitempty"`  // multiply the estimates by this factor, before rule Overrun applies; 0 and 1 mean no change
}

// Validate returns an error for the first invalid rule.
func (r *Rules) Validate() error {
	switch {
	case r.Limit < 0:
		return fmt.Errorf("limit: expected 0 (all) or a number of jobs, got %d", r.Limit)
	case !(r.LoadFactor >= 0 && r.LoadFactor <= MaxLoadFactor):
		return fmt.Errorf("load-factor: expected a number above 0 and at most 10^9, got %v", r.LoadFactor)
	case !(r.WallFactor >= 0 && r.WallFactor <= MaxWallFactor):
		return fmt.Errorf("wall-factor: expected a number above 0 and at most 1000, got %v", r.WallFactor)
	case r.Window.To != 0 && r.Window.From >= r.Window.To:
		return fmt.Errorf("window: expected FROM before TO, got %s", r.Window)
	}
	return nil
}

// Overrun says what to do with a job that ran longer than its estimate.
type Overrun uint8

// Raise (the default) raises the estimate to the runtime, which preserves the work in the trace
// (Lindsay et al.). Truncate shortens the runtime to the estimate. Kill also shortens the runtime,
// and marks the job as killed.
const (
	Raise Overrun = iota
	Truncate
	Kill
)

// Size says which processor count in a trace record to use as the size of the job.
type Size uint8

// Requested (the default) uses field 8 of SWF, or field 5 if field 8 is missing. Allocated uses
// field 5, or field 8 if field 5 is missing.
const (
	Requested Size = iota
	Allocated
)

// Filter says which records of a trace to drop.
type Filter uint8

// NoFilter (the default) drops nothing. Lindsay drops partial executions (status 2, 3 and 4), jobs
// that were cancelled before they started (status 5, runtime <= 0), jobs without a runtime, and jobs
// without allocated processors. The paper by Lindsay et al. does not mention the last condition, but
// without it the filter keeps more jobs than the paper reports.
const (
	NoFilter Filter = iota
	Lindsay
)

// ZeroRuntime says what to do with a job whose runtime is 0 seconds.
type ZeroRuntime uint8

// OneSecond (the default) sets the runtime to 1 second. DropZero drops the job.
const (
	OneSecond ZeroRuntime = iota
	DropZero
)

// Oversize says what to do with a job that requests more processors than the machine has.
type Oversize uint8

// DropWide (the default) drops the job. Clamp reduces its request to the size of the machine.
const (
	DropWide Oversize = iota
	Clamp
)

// Window contains the times from From to To-1, in seconds. To = 0 means no upper limit.
type Window struct{ From, To job.Time }

// Has reports whether a job that is submitted at time t is in the window.
func (w Window) Has(t job.Time) bool {
	return t >= w.From && (w.To == 0 || t < w.To)
}

// ParseWindow parses FROM:TO, in seconds. FROM or TO can be omitted. An empty text gives the window
// that contains all times.
func ParseWindow(s string) (Window, error) {
	if s == "" {
		return Window{}, nil
	}
	from, to, found := strings.Cut(s, ":")
	w := Window{To: job.Never}
	bad := fmt.Errorf("window: expected FROM:TO in seconds with FROM before TO, got %q", s)
	if !found || !parseBound(from, &w.From) || !parseBound(to, &w.To) || w.From >= w.To {
		return Window{}, bad
	}
	return w, nil
}

func (w Window) String() string {
	switch {
	case w == Window{}:
		return ""
	case w.To == 0 || w.To == job.Never:
		return fmt.Sprintf("%d:", w.From)
	}
	return fmt.Sprintf("%d:%d", w.From, w.To)
}

// MarshalText returns the text that ParseWindow parses.
func (w Window) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText parses a text in the same way as ParseWindow.
func (w *Window) UnmarshalText(text []byte) error {
	v, err := ParseWindow(string(text))
	if err == nil {
		*w = v
	}
	return err
}

// Changes describes the rules that select jobs, move them in time or scale their estimates, for
// example "load ×1.25" or "first 500 jobs". It omits the other rules. Scenarios store these
// descriptions. Anonymising a scenario does not remove the descriptions, because they contain no
// names of users or classes.
func (r *Rules) Changes() (out []string) {
	if r.Window != (Window{}) {
		out = append(out, "window "+r.Window.String()+" s")
	}
	var kept []string
	for _, field := range KeepFields {
		switch text := r.Keep.Get(field); {
		case text == "":
		case field == "user" || field == "class":
			kept = append(kept, "by "+field)
		default:
			kept = append(kept, field+" "+text)
		}
	}
	if kept != nil {
		out = append(out, "filtered: "+strings.Join(kept, ", "))
	}
	if r.Shift {
		out = append(out, "first submission moved to 0")
	}
	if r.LoadFactor != 0 && r.LoadFactor != 1 {
		out = append(out, "load ×"+strconv.FormatFloat(r.LoadFactor, 'g', -1, 64))
	}
	if r.WallFactor != 0 && r.WallFactor != 1 {
		longer := [...]string{Raise: "", Truncate: ", longer runtimes cut", Kill: ", longer jobs killed"}[r.Overrun]
		out = append(out, "wall times ×"+strconv.FormatFloat(r.WallFactor, 'g', -1, 64)+longer)
	}
	if r.Limit > 0 {
		out = append(out, "first "+format.Count(r.Limit, "job"))
	}
	return out
}
