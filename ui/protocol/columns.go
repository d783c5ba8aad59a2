package protocol

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"backfill-lab/core/job"
)

// fields holds the names of the four columns of numbers that every job has, in the order of the buffer.
var fields = [4]string{"submit", "procs", "estimate", "runtime"}

// EncodeJobs encodes jobs as the buffers of a message. bufs[0] holds the IDs, each followed by
// a line feed. In an ID, \n stands for a line feed and \\ for a backslash. bufs[1] holds
// little-endian float64: all submit times, then all processor counts, then all estimates,
// then all runtimes. Float64 represents every whole number up to 2^53 exactly, and JavaScript
// reads it without conversion.
//
// If jobs have other data, one or two buffers follow. bufs[2] is a JSON list of Trait, empty if
// no job has a Trait. bufs[3] holds shapes: amounts of extra resources, speedup curves and missing
// wall time limits (see shape.go). There is no bufs[3] if no job has a shape.
func EncodeJobs(jobs []job.Job) [][]byte {
	w := NewJobEncoder(len(jobs))
	for i := range jobs {
		w.Add(&jobs[i])
	}
	return w.Bufs()
}

// JobEncoder encodes jobs one by one.
type JobEncoder struct {
	n, at   int    // number of jobs, and index of the next one
	ids     []byte // a line for each ID
	numbers []byte // a column for each of fields
	traits  []Trait
	shapes  []byte // see appendShape
}

// NewJobEncoder returns an encoder for n jobs.
func NewJobEncoder(n int) *JobEncoder {
	return &JobEncoder{n: n, ids: make([]byte, 0, 8*n), numbers: make([]byte, 8*len(fields)*n)}
}

// Add encodes the next job.
func (w *JobEncoder) Add(j *job.Job) {
	id := j.ID
	if strings.ContainsAny(id, "\\\n") {
		id = escape.Replace(id)
	}
	w.ids = append(append(w.ids, id...), '\n')
	for c, v := range [len(fields)]int64{j.Submit, int64(j.Procs), j.Estimate, j.Runtime} {
		binary.LittleEndian.PutUint64(w.numbers[8*(c*w.n+w.at):], math.Float64bits(float64(v)))
	}
	if !j.Killed && hasShape(j.More) {
		w.shapes = appendShape(w.shapes, w.at, j.More)
	} else if j.Killed || j.More != nil {
		w.traits = append(w.traits, Trait{w.at, j.Killed, j.More})
	}
	w.at++
}

// Bufs returns the buffers. Call it after the last Add.
func (w *JobEncoder) Bufs() [][]byte {
	bufs := [][]byte{w.ids, w.numbers}
	if w.traits != nil {
		if text, err := json.Marshal(w.traits); err == nil { // only NaN and infinities cannot be encoded
			bufs = append(bufs, text)
		}
	}
	if w.shapes != nil {
		if len(bufs) == 2 {
			bufs = append(bufs, nil)
		}
		bufs = append(bufs, w.shapes)
	}
	return bufs
}

var (
	escape   = strings.NewReplacer(`\`, `\\`, "\n", `\n`)
	unescape = strings.NewReplacer(`\\`, `\`, `\n`, "\n")
)

// ErrColumns is the error for buffers of a message that do not encode jobs.
var ErrColumns = errors.New("jobs: expected buffers with ids and four columns of numbers, and optional buffers with traits and shapes")

// DecodeJobs decodes buffers that EncodeJobs returned. If a number is not whole, it returns a *job.Invalid
// error.
func DecodeJobs(bufs [][]byte) ([]job.Job, error) {
	t, err := NewJobDecoder(bufs)
	if err != nil {
		return nil, err
	}
	jobs := make([]job.Job, t.Len())
	for i := range jobs {
		if jobs[i], err = t.Next(); err != nil {
			return nil, err
		}
	}
	return jobs, nil
}

// unescapeID returns an ID without escapes.
func unescapeID(id string) string {
	if strings.IndexByte(id, '\\') < 0 {
		return id
	}
	return unescape.Replace(id)
}

// JobDecoder decodes buffers that EncodeJobs returned, job by job, so that the caller can pause in between.
type JobDecoder struct {
	n, at   int     // number of jobs, and index of the next one
	ids     string  // lines not yet decoded
	numbers []byte  // the numbers of all jobs
	traits  []Trait // not yet used, sorted by job
	shapes  []byte  // not yet decoded
}

// NewJobDecoder returns a decoder of the buffers that EncodeJobs returned. It returns ErrColumns if the number of
// buffers, the length of bufs[1] or the traits are invalid. Next reports other errors.
func NewJobDecoder(bufs [][]byte) (*JobDecoder, error) {
	if len(bufs) < 2 || len(bufs) > 4 || len(bufs[1])%(8*len(fields)) != 0 {
		return nil, ErrColumns
	}
	t := &JobDecoder{n: len(bufs[1]) / (8 * len(fields)), ids: string(bufs[0]), numbers: bufs[1]}
	if t.n == 0 && t.ids != "" {
		return nil, ErrColumns
	}
	if len(bufs) > 3 {
		t.shapes = bufs[3]
	}
	if len(bufs) < 3 || len(bufs[2]) == 0 {
		return t, nil
	}
	if err := json.Unmarshal(bufs[2], &t.traits); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrColumns, err)
	}
	slices.SortStableFunc(t.traits, func(a, b Trait) int { return a.Job - b.Job })
	if k := len(t.traits); k > 0 && (t.traits[0].Job < 0 || t.traits[k-1].Job >= t.n) {
		return nil, fmt.Errorf("%w: traits of rows %d to %d, of %d rows in total", ErrColumns, t.traits[0].Job, t.traits[k-1].Job, t.n)
	}
	return t, nil
}

// Len returns the number of jobs.
func (t *JobDecoder) Len() int { return t.n }

// Next decodes the next job. Do not call it after the last job.
func (t *JobDecoder) Next() (job.Job, error) {
	end := strings.IndexByte(t.ids, '\n')
	if end < 0 || t.at == t.n-1 && end+1 < len(t.ids) {
		return job.Job{}, fmt.Errorf("%w: the number of ids is not %d, the number of rows", ErrColumns, t.n)
	}
	id := t.ids[:end]
	v, err := decodeNumbers(t.numbers, t.at, t.n, id)
	if err != nil {
		return job.Job{}, err
	}
	j := job.Job{ID: unescapeID(id), Runtime: v[3], Request: job.Request{Submit: v[0], Procs: int(v[1]), Estimate: v[2]}}
	for len(t.traits) > 0 && t.traits[0].Job == t.at {
		j.Killed, j.More, t.traits = t.traits[0].Killed, t.traits[0].More, t.traits[1:]
	}
	if t.shapes, j.More, err = decodeShape(t.shapes, t.at, j.More); err != nil {
		return job.Job{}, err
	}
	t.ids, t.at = t.ids[end+1:], t.at+1
	if t.at == t.n && len(t.shapes) > 0 {
		return job.Job{}, fmt.Errorf("%w: amounts and curves of rows beyond the last of %d rows", ErrColumns, t.n)
	}
	return j, nil
}

// decodeNumbers decodes the four numbers of job i of n.
func decodeNumbers(buf []byte, i, n int, id string) (v [len(fields)]int64, err error) {
	for c := range v {
		f := math.Float64frombits(binary.LittleEndian.Uint64(buf[8*(c*n+i):]))
		if f != math.Trunc(f) || math.Abs(f) > 1<<53 {
			return v, &job.Invalid{Row: i, ID: id, Field: fields[c], Expected: "a whole number", Got: fmt.Sprint(f)}
		}
		v[c] = int64(f)
	}
	return v, nil
}

// Trait holds data that few jobs have: that the job was killed at its estimate, and optional parts
// of its request.
type Trait struct {
	Job    int       `json:"job"` // job index
	Killed bool      `json:"killed,omitempty"`
	More   *job.More `json:"more,omitempty"`
}
