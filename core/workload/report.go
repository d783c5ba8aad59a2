package workload

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/format"
)

// Kind is a kind of change to a record, made by the data rules or while reading the file.
type Kind uint8

// These are the kinds of changes. Kinds that drop a record precede kinds that alter it. The
// variable kindTable describes each kind.
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

	kinds // number of kinds
)

const firstAltering = ZeroToOne // first kind that alters a record instead of dropping it

// kindTable holds, for each kind, its code in JSON, and a phrase. The phrase continues a text such
// as "8 records".
var kindTable = [kinds]struct{ code, words string }{
	Partial:        {"partial", "of partial executions (status 2, 3 or 4)"},
	Cancelled:      {"cancelled", "cancelled before they started (status 5, no runtime)"},
	NoRuntime:      {"no-runtime", "without a runtime"},
	NoAllocation:   {"no-allocation", "without allocated processors"},
	ZeroDropped:    {"zero-runtime", "with runtime 0"},
	NoSubmit:       {"no-submit", "with a negative submit time"},
	NoSize:         {"no-size", "without a number of processors"},
	TooLong:        {"too-long", "with a time above 10^12 seconds"},
	OutsideWindow:  {"outside-window", "submitted outside the window"},
	TooWide:        {"too-wide", "wider than the machine"},
	NotKept:        {"not-kept", "excluded by the rule keep"},
	OverLimit:      {"over-limit", "beyond the limit on the number of jobs"},
	Step:           {"step", "of job steps"},
	Waiting:        {"waiting", "still waiting when the file was written"},
	Unfinished:     {"unfinished", "still running when the file was written"},
	NeverRan:       {"never-ran", "that never ran, mostly because of cancellation"},
	OtherPartition: {"other-partition", "of other partitions"},
	ZeroToOne:      {"zero-to-one", "with runtime 0: set to 1 second"},
	Clamped:        {"clamped", "wider than the machine: cut to its size"},
	NoEstimate:     {"no-estimate", "without an estimate: set to the runtime"},
	EstimateRaised: {"estimate-raised", "that ran longer than the estimate: estimate raised to the runtime"},
	RuntimeCut:     {"runtime-cut", "that ran longer than the estimate: runtime cut to the estimate"},
	Killed:         {"killed", "that ran longer than the estimate: killed at the estimate"},
	Shifted:        {"shifted", "submitted earlier, because the first job was moved to 0"},
	LoadScaled:     {"load-scaled", "submitted at another time because of the load factor"},
	WallScaled:     {"wall-scaled", "with another estimate, because wall times were scaled"},
	OutOfOrder:     {"out-of-order", "submitted before the previous record: sorted"},
	NoID:           {"no-id", "without an id: set to the row number"},
	IDRepeated:     {"id-repeated", "with the id of an earlier job: made unique by a suffix"},
	OddStatus:      {"odd-status", "with a status other than -1 to 5: status ignored"},
	LongLine:       {"long-line", "with more than 18 fields: extra fields ignored"},
	DecimalsCut:    {"decimals-cut", "with decimals in a time or a number of processors: decimals cut off"},
}

func (k Kind) String() string {
	if k >= kinds {
		return "kind " + strconv.Itoa(int(k))
	}
	return kindTable[k].code
}

// Drops reports whether a change of this kind drops the record.
func (k Kind) Drops() bool { return k < firstAltering }

// Description returns a phrase that follows a count, as in "9 records with runtime 0".
func (k Kind) Description() string { return kindTable[k].words }

// Count holds the number of records to which a change was made, and the line of the first of these
// records. The line is 0 if the jobs do not come from a file.
type Count struct{ N, Line int }

// Report counts the changes made to records. A record is dropped for only one reason, or kept and
// altered in any number of ways.
type Report struct {
	Read   int          // records read
	Kept   int          // jobs kept
	Counts [kinds]Count // by kind of change
	Widest int          // number of processors of the widest job that was dropped because it did not fit
	Notes  []string     // further sentences for the user

	NotesWithNames []string // those of Notes that contain names or dates
}

// add counts a change of kind k to the record on the given line.
func (r *Report) add(k Kind, line int) {
	c := &r.Counts[k]
	if c.N == 0 {
		c.Line = line
	}
	c.N++
}

// N returns the number of changes of kind k.
func (r *Report) N(k Kind) int { return r.Counts[k].N }

// Dropped returns the number of records that were dropped. It equals Read - Kept.
func (r *Report) Dropped() int { return r.sum(0, firstAltering) }

// DroppedText returns how many records were dropped, and why, such as "8 records with runtime 0".
// It returns "none" if none were dropped.
func (r *Report) DroppedText() string {
	var parts []string
	for _, e := range r.Entries() {
		if e.Dropped {
			parts = append(parts, format.Count(e.Count, "record")+" "+e.Words)
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, "; ")
}

// Altered returns the number of alterations. A record may have several.
func (r *Report) Altered() int { return r.sum(firstAltering, kinds) }

// sum returns the number of changes of all kinds k with from <= k < to.
func (r *Report) sum(from, to Kind) (n int) {
	for k := from; k < to; k++ {
		n += r.Counts[k].N
	}
	return n
}

// Entry is the JSON form of one kind of change in a report.
type Entry struct {
	Kind    string `json:"kind"`           // name of the kind, such as "zero-runtime"
	Dropped bool   `json:"dropped"`        // whether the records were dropped, not altered
	Count   int    `json:"count"`          // number of records
	Line    int    `json:"line,omitempty"` // line of the first of these records; 0 if unknown
	Words   string `json:"words"`          // continues "8 records", such as "with runtime 0"
}

// Entries returns one entry for each kind of change that occurred. Kinds that drop records come
// first.
func (r *Report) Entries() []Entry {
	var list []Entry
	for k := range kinds {
		if c := r.Counts[k]; c.N > 0 {
			list = append(list, Entry{k.String(), k.Drops(), c.N, c.Line, k.Description()})
		}
	}
	return list
}

// String returns the report in one line, such as "28476 records read, 28467 jobs kept. Dropped: 8
// records with runtime 0 (first: line 2485). Altered: none."
func (r *Report) String() string {
	return fmt.Sprintf("%s read, %s kept. Dropped: %s. Altered: %s.",
		format.Count(r.Read, "record"), format.Count(r.Kept, "job"), r.list(0, firstAltering), r.list(firstAltering, kinds))
}

// Sentences returns the report as a list of sentences, followed by the notes.
func (r *Report) Sentences() []string {
	out := []string{fmt.Sprintf("%s read, %s kept.", format.Count(r.Read, "record"), format.Count(r.Kept, "job"))}
	for _, e := range r.Entries() {
		verb, where := "Altered", ""
		if e.Dropped {
			verb = "Dropped"
		}
		if e.Line > 0 {
			where = fmt.Sprintf(" (first: line %d)", e.Line)
		}
		out = append(out, fmt.Sprintf("%s %s %s%s.", verb, format.Count(e.Count, "record"), e.Words, where))
	}
	return append(out, r.Notes...)
}

// AnonymousSentences returns the report like Sentences, but says only how many notes contain names or dates.
func (r *Report) AnonymousSentences() []string {
	x := *r
	x.Notes = slices.DeleteFunc(slices.Clone(r.Notes), func(note string) bool { return slices.Contains(r.NotesWithNames, note) })
	if n := len(r.NotesWithNames); n > 0 {
		x.Notes = append(x.Notes, "Not shown: "+format.Count(n, "note")+" about the file with names or dates.")
	}
	return x.Sentences()
}

// list describes the changes whose kind k satisfies from <= k < to. It returns "none" if there were
// no such changes.
func (r *Report) list(from, to Kind) string {
	var parts []string
	for k := from; k < to; k++ {
		c := r.Counts[k]
		switch {
		case c.N > 0 && c.Line > 0:
			parts = append(parts, fmt.Sprintf("%s %s (first: line %d)", format.Count(c.N, "record"), k.Description(), c.Line))
		case c.N > 0:
			parts = append(parts, fmt.Sprintf("%s %s", format.Count(c.N, "record"), k.Description()))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, "; ")
}
