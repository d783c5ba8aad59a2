package swf

import (
	"errors"
	"fmt"

	"backfill-lab/core/job"
)

// ErrEmptySlice says that a slice would contain no records.
var ErrEmptySlice = errors.New("the slice has no records")

// Slice returns the records of f that are submitted in [from,to), in the order of the file. If to
// is 0, there is no upper limit. If limit is not 0, it returns at most limit records. The header
// keeps every comment of f, such as acknowledgements, and gets additional notes about the slice.
func Slice(f *File, name string, from, to job.Time, limit int) (Header, []Record, error) {
	var out []Record
	for i := range f.Body {
		if t := f.Body[i][Submit]; t < from || to != 0 && t >= to {
			continue
		}
		if out = append(out, f.Body[i]); len(out) == limit {
			break
		}
	}
	if len(out) == 0 {
		return Header{}, nil, ErrEmptySlice
	}
	first, last := &out[0], &out[len(out)-1]
	h := Header{Lines: append(append([]string{}, f.Header.Lines...),
		fmt.Sprintf("; Note: SLICE of %s: %d of its %d records, unchanged,", name, len(out), f.Records),
		fmt.Sprintf(";       from job %d, submitted at %d s, to job %d, submitted at %d s.",
			first[JobNumber], first[Submit], last[JobNumber], last[Submit]),
		";       The header above is that of the complete log.")}
	return h, out, nil
}
