package main

import (
	"compress/gzip"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"backfill-lab/core/format"
	"backfill-lab/core/opening"
	"backfill-lab/core/workload/swf"
)

// sliceOptions holds the flags of the command slice.
type sliceOptions struct {
	env     *env
	in, out string     // trace to read, and file to write; - for standard input or output
	window  windowFlag // submission times of the records to copy
	limit   int        // maximum number of records to copy; 0 = all
}

func sliceCommand(e *env) *cobra.Command {
	s := &sliceOptions{env: e}
	c := &cobra.Command{
		Use: "slice", Short: "copy a part of a trace",
		Long: "Copy a part of a trace in SWF, record by record, with all comments of its header.\nNotes in the header of the new file say which part was copied. The same flags give the same bytes.",
		Args: noArgs,
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&s.in, "in", "", "trace to read: `FILE`.swf or .swf.gz; - for standard input")
	f.StringVarP(&s.out, "out", "o", "", "write to `FILE`.swf or .swf.gz; - for standard output; -o is short for -out")
	f.Var(&s.window, "window", "copy only records submitted in `FROM:TO`, such as 1h:2h, or 2026-03-01:2026-03-08 if the trace has dates; either time may be omitted")
	f.IntVar(&s.limit, "limit", 0, "copy only the first `N` records of the window")
	quietFlag(f, e)
	c.RunE = runE(func([]string) error { return s.copySlice() })
	return c
}

// copySlice reads the trace and writes the part that the flags select.
func (s *sliceOptions) copySlice() error {
	switch name := strings.TrimSuffix(strings.ToLower(s.out), ".gz"); {
	case s.out == "":
		return usageErrorf("-out (-o): expected a file, or - for standard output, got nothing")
	case s.out != standardStream && opening.FormatByName(name) != opening.SWF:
		return usageErrorf("-out (-o): expected a name that ends in .swf or .swf.gz, got %s", s.out)
	case s.limit < 0:
		return usageErrorf("-limit: expected 0 (all) or a number of records, got %d", s.limit)
	}
	f, err := s.env.open("in", s.in)
	if err != nil {
		return err
	}
	defer f.close()
	trace, err := swf.Read(opening.BufferedReader(f, f.size), swf.Options{})
	if err != nil {
		return withFile(s.in, err)
	}
	window, err := s.env.resolveWindow(&s.window, func() (*format.Calendar, error) { return trace.Header.Calendar(), nil })
	if err != nil {
		return err
	}
	h, records, err := swf.Slice(trace, filepath.Base(s.in), window.From, window.To, s.limit)
	if err != nil {
		return withFile(s.in, err)
	}
	out := &outputs{}
	out.add(s.out, func(w io.Writer) error { return s.write(w, h, records) })
	if err := out.write(s.env); err != nil {
		return err
	}
	if s.out != standardStream {
		s.env.note("%s: %s of %s", s.out, format.Count(len(records), "record"), format.Count(trace.Records, "record"))
	}
	return nil
}

// write writes records in SWF format. It compresses them with gzip if the file name ends in .gz.
func (s *sliceOptions) write(w io.Writer, h swf.Header, records []swf.Record) error {
	if !strings.HasSuffix(strings.ToLower(s.out), ".gz") {
		return swf.Write(w, h, records)
	}
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	return errors.Join(swf.Write(z, h, records), z.Close())
}
