// Package workload turns what a file or a generator says about jobs into jobs
// that a machine can run: it drops, cuts, raises and counts by stated rules. It
// parses no format (that is swf and csv), draws no random numbers (that is the
// generators) and simulates nothing.
package workload

import (
	"fmt"
	"strings"

	"backfill-lab/core/job"
)

// MostLoad is the largest load factor.
const MostLoad = 1e9

// Rules say what becomes of records that do not describe a job plainly. The
// zero value is the default of everything. Each tag is the name of the rule as
// flag, scenario key and form field; each value reads and writes as text, so
// encoding/json and flag.TextVar take them as they are.
type Rules struct {
	Overrun    Overrun     `json:"overrun,omitempty"`      // runtime above the estimate
	Size       Size        `json:"size,omitempty"`         // which processor count a trace's job has
	Filter     Filter      `json:"filter,omitempty"`       // records of a trace that are left out
	Zero       ZeroRuntime `json:"zero-runtime,omitempty"` // runtime of 0 seconds
	Oversize   Oversize    `json:"oversize,omitempty"`     // more processors than the machine has
	Limit      int         `json:"limit,omitempty"`        // the first jobs only; 0 = all
	Window     Window      `json:"window,omitzero"`        // of submit times, before the load factor
	Keep       Keep        `json:"keep,omitzero"`          // which jobs stay by what they ask for
	Shift      bool        `json:"shift,omitempty"`        // the first job left is submitted at 0
	LoadFactor float64     `json:"load-factor,omitempty"`  // multiplies the load; 0 means 1, unchanged
}

// Validate reports a rule that makes no sense.
func (r *Rules) Validate() error {
	switch {
	case r.Limit < 0:
		return fmt.Errorf("limit: expected 0 (all) or a number of jobs, got %d", r.Limit)
	case !(r.LoadFactor >= 0 && r.LoadFactor <= MostLoad):
		return fmt.Errorf("load-factor: expected a number above 0 and at most 10^9, got %v", r.LoadFactor)
	case r.Window.To != 0 && r.Window.From >= r.Window.To:
		return fmt.Errorf("window: expected FROM before TO, got %s", r.Window)
	}
	return nil
}

// Overrun says what becomes of a job that ran longer than its estimate.
type Overrun uint8

// Raise (the default) raises the estimate to the runtime and so keeps the work
// of the trace (Lindsay et al.); Truncate cuts the runtime to the estimate;
// Kill does so and marks the job as killed.
const (
	Raise Overrun = iota
	Truncate
	Kill
)

// Size says which processor count of a trace is the size of a job.
type Size uint8

// Requested (the default) is field 8, else field 5; Allocated the reverse.
const (
	Requested Size = iota
	Allocated
)

// Filter says which records of a trace are left out.
type Filter uint8

// Lindsay leaves out the partial executions (status 2, 3, 4), jobs cancelled
// before they ran (status 5, runtime <= 0), jobs without a runtime and jobs
// without allocated processors. The last is not in the text of the paper but
// gives its counts.
const (
	NoFilter Filter = iota
	Lindsay
)

// ZeroRuntime says what becomes of a job that ran 0 seconds.
type ZeroRuntime uint8

// One (the default) makes it 1 second, DropZero leaves the job out.
const (
	One ZeroRuntime = iota
	DropZero
)

// Oversize says what becomes of a job wider than the machine.
type Oversize uint8

// DropWide (the default) leaves it out, Clamp gives it the whole machine.
const (
	DropWide Oversize = iota
	Clamp
)

// Window keeps the jobs with From <= submit < To. The zero value keeps all.
type Window struct{ From, To job.Time }

// Has reports whether a job submitted at t lies in the window.
func (w Window) Has(t job.Time) bool {
	return t >= w.From && (w.To == 0 || t < w.To)
}

// ParseWindow reads FROM:TO in seconds; either side may be empty, and empty
// text is the window that keeps all.
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

// MarshalText returns String.
func (w Window) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// UnmarshalText returns ParseWindow.
func (w *Window) UnmarshalText(text []byte) error {
	v, err := ParseWindow(string(text))
	if err == nil {
		*w = v
	}
	return err
}
