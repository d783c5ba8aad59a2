package proto

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"backfill-lab/core/job"
)

// Columns are the jobs of a message: bufs[0] the ids, each ended by a line
// feed; bufs[1] little-endian float64, first all submits, then all procs,
// estimates and runtimes. Float64 holds every whole number up to 2^53 exactly,
// and JavaScript reads it as it is.
func Columns(jobs []job.Job) [][]byte {
	var ids strings.Builder
	n := len(jobs)
	numbers := make([]byte, 4*8*n)
	for i := range jobs {
		j := &jobs[i]
		ids.WriteString(j.ID)
		ids.WriteByte('\n')
		for c, v := range [4]int64{j.Submit, int64(j.Procs), j.Estimate, j.Runtime} {
			binary.LittleEndian.PutUint64(numbers[8*(c*n+i):], math.Float64bits(float64(v)))
		}
	}
	return [][]byte{[]byte(ids.String()), numbers}
}

// Jobs reads Columns.
func Jobs(bufs [][]byte) ([]job.Job, error) {
	if len(bufs) != 2 || len(bufs[1])%32 != 0 {
		return nil, fmt.Errorf("jobs: expected ids and four columns of numbers")
	}
	n := len(bufs[1]) / 32
	ids := strings.Split(string(bufs[0]), "\n")
	if len(ids) != n+1 {
		return nil, fmt.Errorf("jobs: expected %d ids, got %d", n, len(ids)-1)
	}
	at := func(c, i int) int64 {
		return int64(math.Float64frombits(binary.LittleEndian.Uint64(bufs[1][8*(c*n+i):])))
	}
	jobs := make([]job.Job, n)
	for i := range jobs {
		jobs[i] = job.Job{ID: ids[i], Runtime: at(3, i),
			Request: job.Request{Submit: at(0, i), Procs: int(at(1, i)), Estimate: at(2, i)}}
	}
	return jobs, nil
}
