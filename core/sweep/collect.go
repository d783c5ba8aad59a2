package sweep

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"hash/fnv"
	"io"
	"strconv"
	"strings"
)

// Collection holds the results of shards, which are the parts into which a sweep is divided. It
// needs 9 bytes per result, so it works for a sweep with millions of runs.
type Collection struct {
	d      *Definition
	shards []string  // by shard: name of the file with its results, or ""
	values []float64 // results, by run and then by metric
	known  []bool    // whether the result is known, by run and then by metric
}

// Collect returns an empty collection for the results of the sweep.
func (d *Definition) Collect() *Collection {
	n := d.Runs() * len(d.Metrics)
	return &Collection{d: d, values: make([]float64, n), known: make([]bool, n)}
}

// Add reads the results of a shard from the file with the given name and content. It returns an
// error if the file belongs to another sweep or another version of the program, is incomplete, or
// was changed. It also returns an error if the number of shards differs from that of earlier files,
// or if the shard was already added.
func (c *Collection) Add(name string, data []byte) error {
	shard, rows, err := c.open(data)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if c.shards == nil {
		c.shards = make([]string, shard.N)
	}
	switch {
	case shard.N != len(c.shards):
		return fmt.Errorf("%s: expected a part of a sweep with %d parts, got part %s", name, len(c.shards), shard)
	case c.shards[shard.I] != "":
		return fmt.Errorf("%s: expected each part of the sweep once, got part %s of %s again", name, shard, c.shards[shard.I])
	}
	c.shards[shard.I] = name
	if err := c.read(shard, rows); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// open checks the first lines and the last line of a file. It returns the shard, and a reader of
// the rows.
func (c *Collection) open(data []byte) (Shard, *csv.Reader, error) {
	at := bytes.LastIndex(data, []byte(endMark))
	if at < 0 {
		return Shard{}, nil, fmt.Errorf("the table is incomplete: expected a last line %q, got none", endMark)
	}
	sum := fnv.New128a()
	sum.Write(data[:at])
	if want := fmt.Sprintf("%s%x\n", endMark, sum.Sum(nil)); string(data[at:]) != want {
		return Shard{}, nil, fmt.Errorf("the table was changed: its hash is not the one in its last line")
	}
	shard, ok := namedShard(data)
	if !ok {
		return Shard{}, nil, fmt.Errorf("expected a third line # shard: I/N, got\n%s", firstLines(data))
	}
	head := c.d.MetaLines(shard, c.d.Hash())
	if !bytes.HasPrefix(data, []byte(head)) {
		return Shard{}, nil, fmt.Errorf("expected a table that begins with\n%sgot\n%s", head, firstLines(data))
	}
	rows := csv.NewReader(bytes.NewReader(data[len(head):at]))
	rows.FieldsPerRecord, rows.ReuseRecord = len(c.d.Header()), true
	return shard, rows, nil
}

// namedShard returns the shard that the third line of a file names. It reports false if that line
// names none.
func namedShard(data []byte) (Shard, bool) {
	lines := bytes.SplitN(data, []byte("\n"), 4)
	if len(lines) < 4 {
		return Shard{}, false
	}
	text, ok := bytes.CutPrefix(lines[2], []byte("# shard: "))
	shard, err := ParseShard(string(text))
	return shard, ok && err == nil
}

// firstLines returns the first three lines of a file.
func firstLines(data []byte) string {
	lines := bytes.SplitN(data, []byte("\n"), 4)
	return string(bytes.Join(lines[:min(3, len(lines))], []byte("\n")))
}

// read reads the header and the rows of a shard. The rows must be complete and in order.
func (c *Collection) read(shard Shard, rows *csv.Reader) error {
	if _, err := rows.Read(); err != nil {
		return fmt.Errorf("expected a header with %d columns: %w", rows.FieldsPerRecord, err)
	}
	for g := range shard.Groups(c.d.Groups()) {
		for p := range c.d.Policies {
			row, err := rows.Read()
			switch {
			case err == io.EOF:
				return fmt.Errorf("expected run %d, got the end of the table", g*len(c.d.Policies)+p)
			case err != nil:
				return err
			}
			if err := c.parseRow(g, p, row); err != nil {
				return err
			}
		}
	}
	if row, err := rows.Read(); err == nil {
		return fmt.Errorf("expected the end of the table, got run %s", row[0])
	} else if err != io.EOF {
		return err
	}
	return nil
}

// parseRow stores the results that a row of a shard contains. It returns an error if the row is not
// about the given group and policy, or if a result is not a number.
func (c *Collection) parseRow(group, policy int, row []string) error {
	run, want := group*len(c.d.Policies)+policy, c.d.Row(group, policy, nil)
	for i := range paramColumns {
		if row[i] != want[i] {
			return fmt.Errorf("run %d, %s: expected %s, got %s", run, paramColumns[i], want[i], row[i])
		}
	}
	for i, m := range c.d.Metrics {
		cell := row[len(paramColumns)+i]
		if cell == "" {
			continue
		}
		x, err := strconv.ParseFloat(cell, 64)
		if err != nil {
			return fmt.Errorf("run %d, %s: expected a number, got %q", run, m, cell)
		}
		at := run*len(c.d.Metrics) + i
		c.values[at], c.known[at] = x, true
	}
	return nil
}

// Missing returns the numbers of the shards that have not been added, from 1, and the total number
// of shards. It returns nil and 0 if no shard has been added.
func (c *Collection) Missing() (missing []int, shards int) {
	for i, name := range c.shards {
		if name == "" {
			missing = append(missing, i+1)
		}
	}
	return missing, len(c.shards)
}

// Values returns the results of a run. The result is empty if the run has not been added.
func (c *Collection) Values(group, policy int) Values {
	out, first := Values{}, (group*len(c.d.Policies)+policy)*len(c.d.Metrics)
	for i, m := range c.d.Metrics {
		if c.known[first+i] {
			out[m] = c.values[first+i]
		}
	}
	return out
}

// FormatRanges formats a list of increasing numbers, with ranges for consecutive numbers, such as
// "3,7-9".
func FormatRanges(numbers []int) string {
	var parts []string
	for i := 0; i < len(numbers); {
		last := i
		for last+1 < len(numbers) && numbers[last+1] == numbers[last]+1 {
			last++
		}
		part := strconv.Itoa(numbers[i])
		if last > i {
			part += "-" + strconv.Itoa(numbers[last])
		}
		parts, i = append(parts, part), last+1
	}
	return strings.Join(parts, ",")
}
