package reading

import (
	"bufio"
	"io"

	"backfill-lab/core/job"
	"backfill-lab/core/workload/csv"
	"backfill-lab/core/workload/input"
	"backfill-lab/core/workload/swf"
)

// Sizes in bytes of the shortest records: a table row of two columns, and a trace line of
// 18 fields.
const (
	leastRow    = len("0,1\n")
	leastRecord = len("1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n")
)

// Count returns how many jobs a trace or a table has, or 0 if it is too short to have more
// than most. It scans the text without keeping jobs, so that a file with too many is
// rejected early and in little memory. It fails like the reader of the format if the text,
// a line or the number of jobs (job.MaxJobs) exceeds its limit. For accounting records and
// scenarios it checks only the length of the text.
func Count(format string, source io.ReaderAt, size int64, most int, o input.Options) (int, error) {
	if format == JSON && o.MaxBytes == 0 {
		o.MaxBytes = input.MostWhole
	}
	text, sure, err := input.Stated(source, size, o)
	if err != nil {
		return 0, err
	}
	most = min(most, job.MaxJobs)
	few := func(least int) bool { return sure && text <= int64(least)*int64(most) }
	switch {
	case format == CSV && !few(leastRow):
		return csv.Count(Stream(source, size), csv.Options{Options: o})
	case format == SWF && !few(leastRecord):
		return swf.Count(Stream(source, size), swf.Options{Options: o})
	case format == SACCT && !sure:
		text, err := input.Open(Stream(source, size), o)
		if err == nil {
			_, err = io.Copy(io.Discard, text)
		}
		return 0, err
	}
	return 0, nil
}

// block is how many bytes are requested at once. Each request costs a browser some time,
// whatever its size.
const block = 1 << 20

// Stream returns a buffered reader of a source of size bytes.
func Stream(source io.ReaderAt, size int64) io.Reader {
	return bufio.NewReaderSize(io.NewSectionReader(source, 0, size), int(min(block, max(size, 16))))
}
