package proto

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/ui/json"
)

// fields are the columns of numbers, in their order.
var fields = [4]string{"submit", "procs", "estimate", "runtime"}

// Columns are the jobs of a message: bufs[0] the ids, each ended by a line
// feed (in an id a line feed is written \n and a backslash \\); bufs[1]
// little-endian float64, first all submits, then all procs, estimates and
// runtimes. Float64 holds every whole number up to 2^53 exactly, and JavaScript
// reads it as it is. Where a job has more than that, bufs[2] is a JSON list of
// Trait.
func Columns(jobs []job.Job) [][]byte {
	var ids strings.Builder
	n := len(jobs)
	numbers := make([]byte, 8*len(fields)*n)
	for i := range jobs {
		j := &jobs[i]
		ids.WriteString(escape.Replace(j.ID))
		ids.WriteByte('\n')
		for c, v := range [len(fields)]int64{j.Submit, int64(j.Procs), j.Estimate, j.Runtime} {
			binary.LittleEndian.PutUint64(numbers[8*(c*n+i):], math.Float64bits(float64(v)))
		}
	}
	bufs := [][]byte{[]byte(ids.String()), numbers}
	if more := traits(jobs); more != nil {
		bufs = append(bufs, more)
	}
	return bufs
}

var (
	escape   = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	unescape = strings.NewReplacer(`\\`, `\`, `\n`, "\n")
)

// ErrColumns is a message whose buffers are no jobs.
var ErrColumns = errors.New("jobs: expected ids, four columns of numbers and perhaps traits")

// Jobs reads Columns. A number that is not whole is a *job.Invalid.
func Jobs(bufs [][]byte) ([]job.Job, error) {
	if len(bufs) < 2 || len(bufs) > 3 || len(bufs[1])%(8*len(fields)) != 0 {
		return nil, ErrColumns
	}
	n := len(bufs[1]) / (8 * len(fields))
	ids := strings.Split(string(bufs[0]), "\n")
	if len(ids) != n+1 {
		return nil, fmt.Errorf("%w: %d ids for %d rows", ErrColumns, len(ids)-1, n)
	}
	jobs := make([]job.Job, n)
	for i := range jobs {
		v, err := numbers(bufs[1], i, n, ids[i])
		if err != nil {
			return nil, err
		}
		jobs[i] = job.Job{ID: unescape.Replace(ids[i]), Runtime: v[3],
			Request: job.Request{Submit: v[0], Procs: int(v[1]), Estimate: v[2]}}
	}
	if len(bufs) == 3 {
		return jobs, give(jobs, bufs[2])
	}
	return jobs, nil
}

// numbers reads the numbers of row i of n.
func numbers(buf []byte, i, n int, id string) (v [len(fields)]int64, err error) {
	for c := range v {
		f := math.Float64frombits(binary.LittleEndian.Uint64(buf[8*(c*n+i):]))
		if f != math.Trunc(f) || math.Abs(f) > 1<<53 {
			return v, &job.Invalid{Row: i, ID: id, Field: fields[c], Expected: "a whole number", Got: fmt.Sprint(f)}
		}
		v[c] = int64(f)
	}
	return v, nil
}

// Trait is what few jobs have: the job it belongs to, that it was cut at its
// estimate, and the further parts of its request.
type Trait struct {
	Job    int       `json:"job"`
	Killed bool      `json:"killed,omitempty"`
	More   *job.More `json:"more,omitempty"`
}

// traits is the JSON of all traits, nil where there are none.
func traits(jobs []job.Job) []byte {
	var list []Trait
	for i := range jobs {
		if j := &jobs[i]; j.Killed || j.More != nil {
			list = append(list, Trait{i, j.Killed, j.More})
		}
	}
	if list == nil {
		return nil
	}
	text, err := json.Marshal(list)
	if err != nil { // only numbers that are none cannot be written
		return nil
	}
	return text
}

// give adds the traits to their jobs.
func give(jobs []job.Job, text []byte) error {
	var list []Trait
	if err := json.Unmarshal(text, &list); err != nil {
		return fmt.Errorf("%w: %w", ErrColumns, err)
	}
	for _, t := range list {
		if t.Job < 0 || t.Job >= len(jobs) {
			return fmt.Errorf("%w: traits of row %d of %d", ErrColumns, t.Job, len(jobs))
		}
		jobs[t.Job].Killed, jobs[t.Job].More = t.Killed, t.More
	}
	return nil
}
