package job

import (
	"fmt"
	"strconv"
)

// These constants limit the input. Larger values are rejected with an error.
const (
	MaxJobs = 5_000_000
	MaxTime = 1_000_000_000_000

	MaxEndTime = 1_000 * MaxTime // latest time at which a run may end: enough for a thousand of the longest jobs in sequence

	MaxName      = 1 << 17 // bytes in the name of a job, user, class or resource
	MaxResources = 16      // maximum number of extra resources
	MaxTable     = 1 << 16 // runtimes in the table of a moldable job

	// MaxSlowdown is the limit of three factors: SLnos, SLcrs and the slowdown next to another job.
	// The product of a runtime and all three factors still fits into 64 bits.
	MaxSlowdown = 100
)

// Sort sorts jobs by submit time. Jobs with equal submit times keep their order. Afterwards, the
// position of a job in the slice is its Index.
func Sort(jobs []Job) {
	SortByTime(jobs, func(j *Job) Time { return j.Submit })
}

// Invalid reports an invalid field of a job, with what was expected.
type Invalid struct {
	Row      int // position in the list, counted from 0
	ID       string
	Field    string
	Expected string
	Got      string
}

func (e *Invalid) Error() string {
	return fmt.Sprintf("job %d (id %s), %s: expected %s, got %s", e.Row+1, QuoteShort(e.ID), e.Field, e.Expected, e.Got)
}

// Validate returns an error for the first invalid field of j. The error contains the given row,
// which is the job's position. The machine has procs processors; if procs <= 0, the size of the job
// is not checked.
func (j *Job) Validate(row, procs int) error {
	bad := func(field, expected string, got any) error {
		return &Invalid{row, j.ID, field, expected, fmt.Sprint(got)}
	}
	switch {
	case j.ID == "":
		return bad("id", "a name", "nothing")
	case len(j.ID) > MaxName:
		return bad("id", expectedName, len(j.ID))
	}
	if j.More != nil {
		for i := range TextFields {
			if n := len(*TextFields[i].Pointer(j.More)); n > MaxName {
				return bad(TextFields[i].Name, expectedName, n)
			}
		}
	}
	switch {
	case j.Submit < 0 || j.Submit > MaxTime:
		return bad("submit", fmt.Sprintf("0 to %d", int64(MaxTime)), j.Submit)
	case j.Procs < 1:
		return bad("procs", "at least 1", j.Procs)
	case procs > 0 && j.Procs > procs:
		return bad("procs", fmt.Sprintf("at most the machine's %d", procs), j.Procs)
	case j.Estimate < 1 || j.Estimate > MaxTime:
		return bad("estimate", fmt.Sprintf("1 to %d", int64(MaxTime)), j.Estimate)
	case j.Runtime < 1 || j.Runtime > j.Estimate:
		return bad("runtime", fmt.Sprintf("1 to the estimate %d", j.Estimate), j.Runtime)
	case j.More != nil && !validSlowdown(j.More.SLnos):
		return bad("slnos", fmt.Sprintf("0 to %d", MaxSlowdown), j.More.SLnos)
	case j.More != nil && !validSlowdown(j.More.SLcrs):
		return bad("slcrs", fmt.Sprintf("0 to %d", MaxSlowdown), j.More.SLcrs)
	}
	return nil
}

// QuoteShort returns name in quotes for an error message, cut to 100 bytes.
func QuoteShort(name string) string {
	const maxBytes = 100
	if len(name) > maxBytes {
		return strconv.Quote(name[:maxBytes]) + "..."
	}
	return strconv.Quote(name)
}

// expectedName describes a valid name in error messages.
var expectedName = fmt.Sprintf("a name of at most %d bytes", MaxName)

// LastEnd returns the time by which all jobs would end if each started when it is submitted and ran
// for its estimate, or for its runtime if that is longer.
func LastEnd(jobs []Job) (end Time) {
	for i := range jobs {
		end = max(end, jobs[i].Submit+max(jobs[i].Estimate, jobs[i].Runtime))
	}
	return end
}

// validSlowdown reports whether x is a valid slowdown factor. The value 0 is also valid; it means
// that no factor is given.
func validSlowdown(x float64) bool { return x >= 0 && x <= MaxSlowdown }
