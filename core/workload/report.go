package workload

import (
	"fmt"
	"strconv"
	"strings"

	"backfill-lab/core/format"
)

// Kind is one kind of change that the rules make to records.
type Kind uint8

// Kinds of changes: first those that drop a record, then those that alter it.
const (
	Partial Kind = iota
	Cancelled
	NoRuntime
	NoAllocation
	ZeroDropped
	NoSubmit
	NoSize
	TooLong
	OutsideWindow
	TooWide
	NotKept
	OverLimit
	Step
	Waiting
	Unfinished
	NeverRan
	OtherPartition

	ZeroToOne
	Clamped
	NoEstimate
	EstimateRaised
	RuntimeCut
	Killed
	Shifted
	LoadScaled
	WallScaled
	OutOfOrder
	NoID
	IDRepeated
	OddStatus
	LongLine
	DecimalsCut

	kinds
)

const firstAltering = ZeroToOne

// kindTable gives each kind its code in JSON and its description, which follows a count.
var kindTable = [kinds]struct{ code, words string }{
	Partial:        {"partial", "partial executions (status 2, 3 or 4)"},
	Cancelled:      {"cancelled", "cancelled before they ran (status 5, no runtime)"},
	NoRuntime:      {"no-runtime", "without a runtime"},
	NoAllocation:   {"no-allocation", "without allocated processors"},
	ZeroDropped:    {"zero-runtime", "with runtime 0"},
	NoSubmit:       {"no-submit", "with a negative submit time"},
	NoSize:         {"no-size", "without a number of processors"},
	TooLong:        {"too-long", "with a time above 10^12 seconds"},
	OutsideWindow:  {"outside-window", "submitted outside the window"},
	TooWide:        {"too-wide", "wider than the machine"},
	NotKept:        {"not-kept", "not among those to keep"},
	OverLimit:      {"over-limit", "beyond the limit of jobs"},
	Step:           {"step", "of job steps, which are parts of jobs"},
	Waiting:        {"waiting", "still waiting when the file was written"},
	Unfinished:     {"unfinished", "still running when the file was written"},
	NeverRan:       {"never-ran", "ended without having run, mostly cancelled"},
	OtherPartition: {"other-partition", "of other partitions"},
	ZeroToOne:      {"zero-to-one", "with runtime 0, which became 1 second"},
	Clamped:        {"clamped", "cut to the width of the machine"},
	NoEstimate:     {"no-estimate", "without an estimate, which became the runtime"},
	EstimateRaised: {"estimate-raised", "ran longer than the estimate, which was raised to the runtime"},
	RuntimeCut:     {"runtime-cut", "ran longer than the estimate, to which the runtime was cut"},
	Killed:         {"killed", "ran longer than the estimate, at which they are killed"},
	Shifted:        {"shifted", "submitted earlier, as the first job was moved to 0"},
	LoadScaled:     {"load-scaled", "submitted at another time because of the load factor"},
	WallScaled:     {"wall-scaled", "with another estimate, because wall times were scaled"},
	OutOfOrder:     {"out-of-order", "submitted before the job above them, and sorted"},
	NoID:           {"no-id", "without an id, which became the row number"},
	IDRepeated:     {"id-repeated", "with the id of an earlier job, made unique by a suffix"},
	OddStatus:      {"odd-status", "with a status other than -1 to 5, which was not looked at"},
	LongLine:       {"long-line", "with more than 18 fields, of which the surplus was not read"},
	DecimalsCut:    {"decimals-cut", "with decimals in a time or a number of processors, which were cut off"},
}

func (k Kind) String() string {
	if k >= kinds {
		return "kind " + strconv.Itoa(int(k))
	}
	return kindTable[k].code
}

// Drops reports whether this kind drops the record.
func (k Kind) Drops() bool { return k < firstAltering }

// Description returns the description of the kind, to follow a count as in "9 with runtime 0".
func (k Kind) Description() string { return kindTable[k].words }

// Count holds the number of records of a kind, and the line of the first. The line is 0 for
// jobs that do not come from a file.
type Count struct{ N, Line int }

// Report counts everything the rules did. A dropped record counts under one kind only. A
// kept record may be altered in several ways.
type Report struct {
	Read   int // records read
	Kept   int // jobs kept
	Counts [kinds]Count
	Widest int      // processors of the widest job that was dropped as too wide
	Notes  []string // further remarks, in sentences
}

func (r *Report) add(k Kind, line int) {
	c := &r.Counts[k]
	if c.N == 0 {
		c.Line = line
	}
	c.N++
}

// N returns the count of a kind.
func (r *Report) N(k Kind) int { return r.Counts[k].N }

// Dropped returns how many records were dropped; it equals Read - Kept.
func (r *Report) Dropped() int { return r.sum(0, firstAltering) }

// Altered returns how many alterations were made.
func (r *Report) Altered() int { return r.sum(firstAltering, kinds) }

func (r *Report) sum(from, to Kind) (n int) {
	for k := from; k < to; k++ {
		n += r.Counts[k].N
	}
	return n
}

// Entry is one line of the report in JSON form.
type Entry struct {
	Kind    string `json:"kind"`
	Dropped bool   `json:"dropped"`
	Count   int    `json:"count"`
	Line    int    `json:"line,omitempty"`
	Words   string `json:"words"`
}

// Entries returns the kinds that occurred, starting with those that drop records.
func (r *Report) Entries() []Entry {
	var list []Entry
	for k := range kinds {
		if c := r.Counts[k]; c.N > 0 {
			list = append(list, Entry{k.String(), k.Drops(), c.N, c.Line, k.Description()})
		}
	}
	return list
}

// String returns the report in sentences, such as "28476 records read, 28467 jobs kept.
// Dropped: 8 with runtime 0 (first: line 2485). Altered: none."
func (r *Report) String() string {
	return fmt.Sprintf("%d records read, %d jobs kept. Dropped: %s. Altered: %s.",
		r.Read, r.Kept, r.list(0, firstAltering), r.list(firstAltering, kinds))
}

// Sentences returns the report as separate sentences, followed by the notes, for the page
// and the command.
func (r *Report) Sentences() []string {
	out := []string{fmt.Sprintf("%s records read, %s jobs kept.", format.Whole(r.Read), format.Whole(r.Kept))}
	for _, e := range r.Entries() {
		verb, where := "Altered", ""
		if e.Dropped {
			verb = "Dropped"
		}
		if e.Line > 0 {
			where = fmt.Sprintf(" (first: line %d)", e.Line)
		}
		out = append(out, fmt.Sprintf("%s: %s %s%s.", verb, format.Whole(e.Count), e.Words, where))
	}
	return append(out, r.Notes...)
}

func (r *Report) list(from, to Kind) string {
	var parts []string
	for k := from; k < to; k++ {
		c := r.Counts[k]
		switch {
		case c.N > 0 && c.Line > 0:
			parts = append(parts, fmt.Sprintf("%d %s (first: line %d)", c.N, k.Description(), c.Line))
		case c.N > 0:
			parts = append(parts, fmt.Sprintf("%d %s", c.N, k.Description()))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, "; ")
}
