// Package opening reads a file that the user selected, for the page and for the command. It detects
// the format, applies the data rules, and adds the file name to errors. Other packages parse the
// formats. The caller opens the file.
package opening

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/core/scenario/raw"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/csv"
	"backfill-lab/core/workload/input"
	"backfill-lab/core/workload/swf"
)

// These are the names of the supported formats.
const (
	SWF   = "swf"
	CSV   = "csv"
	JSON  = "json"
	SACCT = "sacct"
)

// ErrNoMachine reports that neither the file nor the user specifies the size of the machine.
var ErrNoMachine = errors.New("the size of the machine is unknown: the file does not contain it; set the size")

// FormatByName returns the format that belongs to the extension of a file name. It returns "" if
// the extension is unknown.
func FormatByName(name string) string {
	base := strings.TrimSuffix(strings.ToLower(name), ".gz")
	for _, f := range []string{SWF, CSV, JSON, SACCT} {
		if strings.HasSuffix(base, "."+f) {
			return f
		}
	}
	return ""
}

// sniffBytes is the number of bytes that DetectFormat examines.
const sniffBytes = 4096

// DetectFormat detects the format of a file from its content. It also returns a reader of the whole
// text, decompressed.
func DetectFormat(r io.Reader, o input.Options) (format string, text io.Reader, err error) {
	if r, err = input.Open(r, o); err != nil {
		return "", nil, err
	}
	b := bufio.NewReaderSize(r, sniffBytes)
	head, err := b.Peek(sniffBytes)
	if err != nil && err != io.EOF {
		return "", nil, err
	}
	return detectFromFirstLine(string(head)), b, nil
}

// detectFromFirstLine detects the format from the first line that is not blank. A line that begins with a brace
// means JSON, and a line of numbers or a comment means SWF. Names separated by |, including JobID,
// mean Slurm accounting records. Any other line is the header of a table.
func detectFromFirstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	switch {
	case strings.HasPrefix(line, "{"):
		return JSON
	case strings.HasPrefix(line, ";") || strings.Trim(line, "0123456789-. \t\r") == "":
		return SWF
	case strings.Contains(line, "|") && strings.Contains(strings.ToLower("|"+line), "|jobid"):
		return SACCT
	}
	return CSV
}

// ReadScenario returns the text of a scenario from r, and decompresses it if necessary. It stops at
// the first error that scenario.EarlyCheck finds.
func ReadScenario(r io.Reader, o input.Options) ([]byte, error) {
	if o.MaxBytes <= 0 {
		o.MaxBytes = input.MaxInMemory
	}
	size := 0
	if sized, ok := r.(interface{ Len() int }); ok {
		size = sized.Len()
	}
	text, err := input.Open(r, o)
	if err != nil {
		return nil, err
	}
	var whole bytes.Buffer
	whole.Grow(size + bytes.MinRead) // otherwise the growing buffer would copy a large text several times
	_, err = whole.ReadFrom(io.TeeReader(text, &scenario.EarlyCheck{}))
	return whole.Bytes(), err
}

// WithFile adds the file name to an error. If the error is from package scenario and its message
// does not contain the line number, WithFile also adds the line number. The message of a *raw.Error
// contains the line in the file, even if it wraps an error about a scenario in this file.
func WithFile(name string, err error) error {
	var s *scenario.Error
	var outer *raw.Error
	if !errors.As(err, &outer) && errors.As(err, &s) && s.Line > 0 && s.Where != "" {
		return fmt.Errorf("%s, line %d: %w", name, s.Line, err)
	}
	return fmt.Errorf("%s: %w", name, err)
}

// CleanTable applies the data rules to the jobs in a table. The report in the result names the
// columns of the table that were ignored.
func CleanTable(t *csv.Table, procs int, rules workload.Rules) (*workload.Workload, error) {
	w, err := workload.Clean(t.Jobs, t.Lines, procs, rules)
	if err == nil && len(t.UnknownColumns) > 0 {
		note := "Ignored columns: " + strings.Join(t.UnknownColumns, ", ") + "."
		w.Report.Notes, w.Report.NotesWithNames = append(w.Report.Notes, note), append(w.Report.NotesWithNames, note)
	}
	return w, err
}

// These are the lengths, in bytes, of the shortest possible records: a table row with two columns,
// and a trace line with 18 fields.
const (
	minRow    = len("0,1\n")
	minRecord = len("1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n")
)

// Count returns the number of jobs in a trace or a table. It does not store the jobs, so callers
// can quickly reject a file with too many jobs. If the file is so short that it cannot hold more
// than limit jobs, Count returns 0 without counting them. Like the functions that read the jobs, it
// returns an error if the text, a line or the number of jobs (job.MaxJobs) exceeds its limit.
// For accounting records and scenarios, it checks only the length of the text, and returns 0.
func Count(format string, source io.ReaderAt, size int64, limit int, o input.Options) (int, error) {
	if format == JSON && o.MaxBytes == 0 {
		o.MaxBytes = input.MaxInMemory
	}
	text, sure, err := input.StatedLength(source, size, o)
	if err != nil {
		return 0, err
	}
	limit = min(limit, job.MaxJobs)
	tooShort := func(minBytes int) bool { return sure && text <= int64(minBytes)*int64(limit) }
	switch {
	case format == CSV && !tooShort(minRow):
		return csv.Count(BufferedReader(source, size), csv.Options{Options: o})
	case format == SWF && !tooShort(minRecord):
		return swf.Count(BufferedReader(source, size), swf.Options{Options: o})
	case format == SACCT && !sure:
		text, err := input.Open(BufferedReader(source, size), o)
		if err == nil {
			_, err = io.Copy(io.Discard, text)
		}
		return 0, err
	}
	return 0, nil
}

// blockSize is the number of bytes per read request. In a browser, each request takes some time, no
// matter how many bytes it reads.
const blockSize = 1 << 20

// BufferedReader returns a buffered reader of a source. It reads only the first size bytes of the
// source.
func BufferedReader(source io.ReaderAt, size int64) io.Reader {
	return bufio.NewReaderSize(io.NewSectionReader(source, 0, size), int(min(blockSize, max(size, 16))))
}

// ReorderResources changes the order of the amounts of extra resources in each job. Before the call, the amounts are in
// the order of tableColumns. Afterwards, they are in the order of machineResources. A resource that is not in the table
// gets the amount 0.
func ReorderResources(jobs []job.Job, tableColumns []string, machineResources []cluster.Resource) {
	same := func(name string, r cluster.Resource) bool { return name == r.Name }
	if slices.EqualFunc(tableColumns, machineResources, same) {
		return
	}
	for i := range jobs {
		if jobs[i].More == nil {
			continue
		}
		more := *jobs[i].More
		more.Extra = make([]int64, len(machineResources))
		for k, r := range machineResources {
			if at := slices.Index(tableColumns, r.Name); at >= 0 {
				more.Extra[k] = jobs[i].Extra(at)
			}
		}
		jobs[i].More = &more
	}
}
