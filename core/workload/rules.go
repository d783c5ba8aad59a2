// Package workload turns the records of a file or a generator into jobs that a machine can
// run. Its rules drop and adjust records, and a report counts what they did. Parsing is the
// task of packages swf, csv and sacct, and drawing random jobs that of the generators.
package workload

import (
	"fmt"
	"strings"

	"backfill-lab/core/job"
)

// MaxLoadFactor is the largest load factor.
const MaxLoadFactor = 1e9

// MaxWallFactor is the largest factor on wall times.
const MaxWallFactor = 1000

// Rules says how to handle records that are incomplete, inconsistent or unwanted. The zero
// value selects all defaults. Each JSON tag is also the name of the flag, the scenario key
// and the form field. Each value has a text form, for encoding/json and flag.TextVar.
type Rules struct {
	Overrun    Overrun     `json:"overrun,omitempty"`      // when the runtime exceeds the estimate
	Size       Size        `json:"size,omitempty"`         // which processor count of a trace is the size of a job
	Filter     Filter      `json:"filter,omitempty"`       // which records of a trace are dropped
	Zero       ZeroRuntime `json:"zero-runtime,omitempty"` // when the runtime is 0 seconds
	Oversize   Oversize    `json:"oversize,omitempty"`     // when a job needs more processors than the machine has
	Limit      int         `json:"limit,omitempty"`        // keep only the first jobs; 0 = all
	Window     Window      `json:"window,omitzero"`        // range of submit times to keep, before the load factor applies
	Keep       Keep        `json:"keep,omitzero"`          // which jobs to keep, by what they request
	Shift      bool        `json:"shift,omitempty"`        // move the first remaining job to time 0
	LoadFactor float64     `json:"load-factor,omitempty"`  // multiplies the load; 0 means 1, unchanged
	WallFactor float64     `json:"wall-factor,omitempty"`  // multiplies the estimates, before the rule Overrun applies; 0 means 1, unchanged
}

// Validate returns an error for the first rule that is invalid.
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

// Overrun says how to handle a job that ran longer than its estimate.
type Overrun uint8

// Raise (the default) raises the estimate to the runtime, which preserves the work of the
// trace (Lindsay et al.). Truncate cuts the runtime to the estimate. Kill does so too and
// marks the job as killed.
const (
	Raise Overrun = iota
	Truncate
	Kill
)

// Size says which processor count of a trace record is the size of the job.
type Size uint8

// Requested (the default) takes SWF field 8, or field 5 if that is missing. Allocated
// prefers field 5.
const (
	Requested Size = iota
	Allocated
)

// Filter says which records of a trace are dropped.
type Filter uint8

// Lindsay drops partial executions (status 2, 3, 4), jobs cancelled before they ran
// (status 5, runtime <= 0), jobs without a runtime, and jobs without allocated processors.
// The paper does not mention the last condition, but only with it do the counts match.
const (
	NoFilter Filter = iota
	Lindsay
)

// ZeroRuntime says how to handle a job with a runtime of 0 seconds.
type ZeroRuntime uint8

// One (the default) sets the runtime to 1 second. DropZero drops the job.
const (
	One ZeroRuntime = iota
	DropZero
)

// Oversize says how to handle a job that is wider than the machine.
type Oversize uint8

// DropWide (the default) drops the job. Clamp reduces it to the size of the machine.
const (
	DropWide Oversize = iota
	Clamp
)

// Window selects the jobs with From <= submit < To. To = 0 means no upper bound.
type Window struct{ From, To job.Time }

// Has reports whether a job submitted at t is in the window.
func (w Window) Has(t job.Time) bool {
	return t >= w.From && (w.To == 0 || t < w.To)
}

// ParseWindow parses FROM:TO in seconds. FROM or TO may be empty. An empty text gives the
// window that selects all jobs.
func ParseWindow(s string) (Window, error) {
	if s == "" {
		return Window{}, nil
	}
	from, to, found := strings.Cut(s, ":")
	w := Window{To: job.Never}
	bad := fmt.Errorf("window: expected FROM:TO in seconds with FROM before TO, got %q", s)
	if !found || !side(from, &w.From) || !side(to, &w.To) || w.From >= w.To {
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
