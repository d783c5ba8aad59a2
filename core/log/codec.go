package log

import (
	"fmt"
	"strconv"

	"backfill-lab/core/job"
)

// These constants identify the text form of a log, which has one item per line:
//
//	backfill-lab log 1
//	machine: nodes=4 processors=1 cores=1 jobs-per-node=0
//	resource: name=gpu capacity=16
//	block: from=50 to=80 procs=2 label=maintenance
//	level: decisions
//	policy: easy
//	jobs 2
//	7 submit=0 procs=3 estimate=4 runtime=4
//	8 submit=0 procs=2 estimate=4 runtime=4
//	records 2
//	0 start 7 slots=0-2 why=head x=4
//	0 hold 8 why=blocked x=4 y=2
//
// A line "block:" describes an outage. A program may add header lines such as "policy: easy" for its
// own use. A reader uses the numbers of jobs and records to detect a truncated file. Names and texts
// that contain spaces are quoted as in Go. Where ids are not unique, a job is written by its number: #5
// is the fifth job.
const (
	format  = "backfill-lab log "
	version = 1
)

// MetaLine is a header line with information about a log, such as the policy, its settings
// or the program version. Parsing the log does not need it.
type MetaLine struct{ Key, Value string }

// levels holds the names of the log levels, starting with Starts.
var levels = [...]string{"starts", "spans", "decisions", "full"}

// String returns the name of the level.
func (v Level) String() string {
	if i := int(v - Starts); i >= 0 && i < len(levels) {
		return levels[i]
	}
	return strconv.Itoa(int(v))
}

// fieldNames holds the names under which a record line writes X, Y and Other. If X or Y has its
// default name, "x" or "y", the codec omits a value of 0. Under a special name, it always writes
// the value.
type fieldNames struct{ x, y, other string }

// defaultNames holds the field names for kinds of records in which X, Y and Other have no special
// names.
var defaultNames = fieldNames{"x", "y", "other"}

// lineFields holds the field names of each kind of record.
var lineFields = [kinds]fieldNames{
	Start:        defaultNames,
	Finish:       defaultNames,
	Suspend:      defaultNames,
	Resume:       defaultNames,
	RateChange:   {"rate", "y", "other"},
	Promise:      {"by", "y", "other"},
	Move:         {"from", "to", "because"},
	Hold:         defaultNames,
	Slice:        {"on", "y", "other"},
	Size:         {"saved", "next", "other"},
	Resize:       {"from", "to", "other"},
	Effort:       {"looked", "y", "other"},
	Fair:         {"start", "y", "other"},
	SetTried:     {"beside", "latest", "late"},
	Scored:       {"late", "early", "other"},
	Choice:       {"set", "tried", "other"},
	Group:        {"gain", "size", "with"},
	PrimaryTried: {"nodes", "free", "other"},
	Candidate:    {"slowed", "slows", "with"},
	Member:       {"set", "y", "other"},
	Gains:        {"set", "gain", "other"},
	Purge:        {"set", "gain", "other"},
	GroupVerdict: {"set", "limit", "late"},
	OutageEdge:   {"on", "number", "other"},
}

// Malformed reports a line of a text log that cannot be parsed.
type Malformed struct {
	Line          int // number of the line, from 1
	Expected, Got string
}

func (e *Malformed) Error() string {
	return fmt.Sprintf("line %d: expected %s, got %s", e.Line, e.Expected, e.Got)
}

// needsNoQuotes reports whether text can be written without quotes.
func needsNoQuotes(text string) bool {
	for i := range len(text) {
		if c := text[i]; c <= ' ' || c > '~' || c == '"' {
			return false
		}
	}
	return text != "" && text != "-" && text[0] != '#'
}

// appendText appends a text, in quotes if necessary.
func appendText(dst []byte, text string) []byte {
	if needsNoQuotes(text) {
		return append(dst, text...)
	}
	return strconv.AppendQuote(dst, text)
}

// appendInt appends a field with an integer value, as " name=v".
func appendInt(dst []byte, name string, v int64) []byte {
	dst = append(append(append(dst, ' '), name...), '=')
	return strconv.AppendInt(dst, v, 10)
}

// appendFloat appends a field with a floating-point value, as " name=v".
func appendFloat(dst []byte, name string, v float64) []byte {
	dst = append(append(append(dst, ' '), name...), '=')
	return strconv.AppendFloat(dst, v, 'g', -1, 64)
}

// appendField appends a field with a text value, as " name=text".
func appendField(dst []byte, name, text string) []byte {
	dst = append(append(append(dst, ' '), name...), '=')
	return appendText(dst, text)
}

// ambiguous takes the place of a job index for an id that several jobs share.
const ambiguous job.Index = -2

// byID returns a map from the ID of each job to its index. If several jobs have the same ID, the
// map holds the constant ambiguous for this ID.
func byID(jobs []job.Job) map[string]job.Index {
	at := make(map[string]job.Index, len(jobs))
	for i := range jobs {
		if _, twice := at[jobs[i].ID]; twice {
			at[jobs[i].ID] = ambiguous
		} else {
			at[jobs[i].ID] = job.Index(i)
		}
	}
	return at
}
