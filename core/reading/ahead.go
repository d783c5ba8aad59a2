package reading

import (
	"bufio"
	"io"

	"backfill-lab/core/job"
	"backfill-lab/core/workload/csv"
	"backfill-lab/core/workload/input"
	"backfill-lab/core/workload/swf"
)

// Fewest bytes of a record: a table of two columns, and a trace of 18 fields.
const (
	leastRow    = len("0,1\n")
	leastRecord = len("1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n")
)

// Count returns how many jobs a trace or a table has, if they may be more than most, else
// 0. It looks through the text without keeping jobs, so that a file with too many is
// refused soon and in little memory. It fails as the reader of the format does on the
// limits of a text, of its lines and of its jobs (job.MaxJobs). Of accounting records and
// scenarios it judges the length of the text alone.
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

// block is how much of a source is asked for at once: a browser takes some time for each
// answer, whatever is in it.
const block = 1 << 20

// Stream returns a reader of a source of size bytes from its begin.
func Stream(source io.ReaderAt, size int64) io.Reader {
	return bufio.NewReaderSize(io.NewSectionReader(source, 0, size), int(min(block, max(size, 16))))
}
