// Package workload turns the records of a file or a generator into jobs that a machine can run. Its
// rules drop or adjust records, and a report counts the changes. Packages swf, csv and sacct parse
// files, and the generators draw random jobs.
package workload

import (
	"fmt"
	"strings"

	"backfill-lab/core/job"
)

// MaxLoadFactor is the maximum load factor.
const MaxLoadFactor = 1e9

// MaxWallFactor is the maximum wall-time factor.
const MaxWallFactor = 1000

// Rules selects how to handle records that are incomplete, inconsistent or unwanted. The zero value
// selects all defaults. Each JSON tag is also the name of the flag, the scenario key and the form
// field. Each value has a text form, for encoding/json and flag.TextVar.
type Rules struct {
	Overrun    Overrun     `json:"overrun,omitempty"`      // for a runtime above the estimate
	Size       Size        `json:"size,omitempty"`         // which processor count of a trace becomes the size of a job
	Filter     Filter      `json:"filter,omitempty"`       // which records of a trace to drop
	Zero       ZeroRuntime `json:"zero-runtime,omitempty"` // for a runtime of 0 seconds
	Oversize   Oversize    `json:"oversize,omitempty"`     // for a job that needs more processors than the machine has
	Limit      int         `json:"limit,omitempty"`        // keep only this many jobs, the first ones; 0 = all
	Window     Window      `json:"window,omitzero"`        // submit times to keep, before the load factor applies
	Keep       Keep        `json:"keep,omitzero"`          // jobs to keep, selected by their requests
	Shift      bool        `json:"shift,omitempty"`        // move the first remaining job to time 0
	LoadFactor float64     `json:"load-factor,omitempty"`  // multiplies the load; 0 and 1 mean no change
	WallFactor float64     `json:"wall-factor,omitempty"`  // multiplies the estimates, before the rule Overrun applies; 0 and 1 mean no change
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

// Overrun selects how to handle a job that ran longer than its estimate.
type Overrun uint8

// Raise (the default) raises the estimate to the runtime, which preserves the work of the trace
// (Lindsay et al.). Truncate cuts the runtime to the estimate. Kill cuts the runtime too, and marks
// the job as killed.
const (
	Raise Overrun = iota
	Truncate
	Kill
)

// Size selects which processor count of a trace record becomes the size of the job.
type Size uint8

// Requested (the default) uses SWF field 8 or, if that is missing, field 5. Allocated prefers field
// 5.
const (
	Requested Size = iota
	Allocated
)

// Filter selects which records of a trace to drop.
type Filter uint8

// Lindsay drops partial executions (status 2, 3, 4), jobs cancelled before they started (status 5,
// runtime <= 0), jobs without a runtime, and jobs without allocated processors. The paper does not
// mention the last condition, but its counts only match with it.
const (
	NoFilter Filter = iota
	Lindsay
)

// ZeroRuntime selects how to handle a job with a runtime of 0 seconds.
type ZeroRuntime uint8

// OneSecond (the default) sets the runtime to 1 second. DropZero drops the job.
const (
	OneSecond ZeroRuntime = iota
	DropZero
)

// Oversize selects how to handle a job that is wider than the machine.
type Oversize uint8

// DropWide (the default) drops the job. Clamp reduces it to the size of the machine.
const (
	DropWide Oversize = iota
	Clamp
)

// Window selects the jobs with From <= submit < To. To = 0 means no upper limit.
type Window struct{ From, To job.Time }

// Has reports whether a job submitted at t is in the window.
func (w Window) Has(t job.Time) bool {
	return t >= w.From && (w.To == 0 || t < w.To)
}

// ParseWindow parses FROM:TO in seconds. FROM or TO may be omitted. An empty text gives the window
// that selects all jobs.
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

// MarshalText returns the text form of w.
func (w Window) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText parses a window as ParseWindow does.
func (w *Window) UnmarshalText(text []byte) error {
	v, err := ParseWindow(string(text))
	if err == nil {
		*w = v
	}
	return err
}
