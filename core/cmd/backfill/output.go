package main

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"backfill-lab/core/metrics"
	"backfill-lab/core/sweep"
	"backfill-lab/core/version"
)

// outputs holds the outputs of a command. No file appears until all outputs have been written
// completely.
type outputs struct {
	list []output
}

// output is one output of a command.
type output struct {
	name   string                // file name, or standardStream for standard output
	table  bool                  // whether the output is a table, which can be written as Parquet
	write  func(io.Writer) error // writes the content
	temp   string                // name of a temporary file with the content; "" before it is written and after it is renamed
	buffer *chunks               // content of an output to a pipe or a device, which a file must not replace
}

// add adds an output. It does nothing if name is empty.
func (o *outputs) add(name string, write func(io.Writer) error) {
	if name != "" {
		o.list = append(o.list, output{name: name, write: write})
	}
}

// checkNames returns an error if two outputs have the same name, if an output would replace an input of
// the command, or if an output that is not a table has the name of a Parquet file.
func (o *outputs) checkNames(e *env) error {
	seen := map[string]bool{}
	for _, x := range o.list {
		if seen[filepath.Clean(x.name)] {
			return usageErrorf("expected different outputs, got %s twice", x.name)
		}
		if e.isInput(x.name) {
			return inputError(x.name)
		}
		if isParquet(x.name) && !x.table {
			return usageErrorf("%s: expected a different file name, because only tables can be Parquet", x.name)
		}
		seen[filepath.Clean(x.name)] = true
	}
	return nil
}

// usesStandardOutput reports whether any output goes to standard output.
func (o *outputs) usesStandardOutput() bool {
	for _, x := range o.list {
		if x.name == standardStream {
			return true
		}
	}
	return false
}

// write writes all outputs. It first writes temporary files, then standard output. Finally, it
// gives the temporary files their final names.
func (o *outputs) write(e *env) (err error) {
	if err := o.checkNames(e); err != nil {
		return err
	}
	defer func() {
		for _, x := range o.list {
			if x.temp != "" {
				_ = os.Remove(x.temp)
			}
		}
	}()
	var standard chunks
	for i := range o.list {
		x := &o.list[i]
		if x.name == standardStream {
			err = x.write(&standard)
		} else {
			err = x.writeTemp()
		}
		if err != nil {
			return err
		}
	}
	if _, err := standard.WriteTo(e.data); err != nil {
		return fmt.Errorf("standard output: %w", err)
	}
	for i := range o.list {
		if err := o.list[i].publish(); err != nil {
			return o.list[i].writeError(err)
		}
	}
	return nil
}

// publish renames the temporary file to its final name, or writes the content to a pipe or device.
func (x *output) publish() error {
	if x.buffer != nil {
		f, err := os.OpenFile(x.name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = x.buffer.WriteTo(f)
		return errors.Join(err, f.Close())
	}
	if x.temp == "" {
		return nil
	}
	if err := os.Rename(x.temp, x.name); err != nil {
		return err
	}
	x.temp = ""
	return nil
}

// writeTemp writes the output to a temporary file in the same folder as the final file. If the
// final file is a symbolic link, it uses the target of the link. It keeps the permissions of an
// existing file. If the output is a pipe or a device, it writes to a buffer in memory instead.
func (x *output) writeTemp() error {
	mode := os.FileMode(0)
	if s, err := os.Stat(x.name); err == nil {
		switch mode = s.Mode(); {
		case mode.IsDir():
			return fmt.Errorf("%s: expected the name of a file, got a folder", x.name)
		case !mode.IsRegular():
			x.buffer = &chunks{}
			return x.write(x.buffer)
		}
		if err := checkWritable(x.name); err != nil {
			return x.writeError(err)
		}
		if target, err := filepath.EvalSymlinks(x.name); err == nil {
			x.name = target
		}
	}
	f, err := createTemp(x.name)
	if err != nil {
		return x.writeError(err)
	}
	x.temp = f.Name()
	if mode != 0 {
		err = f.Chmod(mode.Perm())
	}
	b := bufio.NewWriterSize(f, 1<<16)
	if err = errors.Join(err, x.write(b), b.Flush(), f.Close()); err != nil {
		return x.writeError(err)
	}
	return nil
}

// checkWritable returns an error if the user may not write to the existing file with this name. Otherwise
// renaming could replace it, because that needs only the permission to write to its folder.
func checkWritable(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// inputError returns an error which says that an output must not replace an input.
func inputError(name string) error {
	return usageErrorf("expected an output that replaces no input, got %s", name)
}

// chunks is a buffer that consists of chunks of equal size. Unlike bytes.Buffer, it does not copy
// its content when it grows.
type chunks [][]byte

// Write appends data to the buffer.
func (p *chunks) Write(data []byte) (int, error) {
	for rest := data; len(rest) > 0; {
		last := len(*p) - 1
		if last < 0 || len((*p)[last]) == cap((*p)[last]) {
			*p = append(*p, make([]byte, 0, 1<<16))
			last++
		}
		piece := (*p)[last]
		n := copy(piece[len(piece):cap(piece)], rest)
		(*p)[last], rest = piece[:len(piece)+n], rest[n:]
	}
	return len(data), nil
}

// WriteTo writes the content to w.
func (p *chunks) WriteTo(w io.Writer) (n int64, err error) {
	for _, piece := range *p {
		k, err := w.Write(piece)
		n += int64(k)
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// writeError returns an error which says that an output cannot be written.
func (x *output) writeError(err error) error {
	return fmt.Errorf("%s: expected a writable file, got %s", x.name, errorText(err))
}

// createTemp creates a new file in the same folder as the output with the given name. It does not
// use os.CreateTemp, which would make the file, and therefore the output, readable only by its
// owner.
func createTemp(name string) (*os.File, error) {
	folder, base := filepath.Split(name)
	for i := 0; ; i++ {
		f, err := os.OpenFile(filepath.Join(folder, fmt.Sprintf(".%s.%d-%d", base, os.Getpid(), i)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, os.ErrExist) {
			return f, err
		}
	}
}

// summaryUsage describes the flag -summary of the commands sweep and collect.
const summaryUsage = "write the means with their intervals, compared with the baseline, to `FILE`, as CSV, or as Parquet if it ends in .parquet"

// These are the column types of two tables: the summary of a sweep and the metrics of a run.
var (
	summaryTypes = columnTypes{"workload": textColumn, "metric": textColumn, "unit": textColumn, "policy": textColumn, "knobs": textColumn,
		"title": textColumn, "baseline": wholeColumn, "runs": wholeColumn, "pairs": wholeColumn, "": decimalColumn}
	metricTypes = columnTypes{"value": decimalColumn}
)

// addSummary adds the summary of a sweep to the outputs. It does nothing if name is empty.
func (o *outputs) addSummary(name string, d *sweep.Definition, values func(group, policy int) sweep.Values) {
	o.addTable(name, summaryTypes, func(w io.Writer) error { return d.WriteSummary(w, values) })
}

// addMetrics adds the metrics of a result to the outputs. They are a table if the name ends in .csv
// or .parquet, and JSON otherwise.
func (o *outputs) addMetrics(name string, x *result) {
	if isParquet(name) || strings.EqualFold(filepath.Ext(name), ".csv") {
		o.addTable(name, metricTypes, x.writeMetricsTable)
		return
	}
	o.add(name, func(w io.Writer) error { return metrics.WriteJSON(w, x.values, x.options(), x.meta()) })
}

// writeMetricsTable writes a comment with the version of the program, and the metrics as CSV, one
// per line. The value of a metric that does not apply is empty.
func (x *result) writeMetricsTable(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "# program: backfill-lab %s\n", version.Program); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	rows := [][]string{{"metric", "title", "unit", "value"}}
	for _, v := range x.values {
		number := ""
		if v.Applies {
			number = strconv.FormatFloat(v.Number, 'g', -1, 64)
		}
		rows = append(rows, []string{v.Metric.Name, v.Metric.Title, v.Metric.Unit, number})
	}
	return out.WriteAll(rows)
}
