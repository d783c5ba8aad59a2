package sweep

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"hash/fnv"
	"strconv"
)

// Collected holds the results of shards.
type Collected struct {
	d      *Definition
	hash   string
	shards []string // by shard: the file that holds it, "" if none does
	values map[[2]int]Values
}

// Collect returns an empty collection of the shards of a sweep.
func (d *Definition) Collect() *Collected {
	return &Collected{d: d, hash: d.Hash(), values: map[[2]int]Values{}}
}

// Add reads the table of a shard. It returns an error if the table is of another sweep or another
// version of the program, is incomplete, or was changed.
func (c *Collected) Add(name string, data []byte) error {
	shard, rows, err := c.open(data)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if c.shards == nil {
		c.shards = make([]string, shard.N)
	}
	switch {
	case shard.N != len(c.shards):
		return fmt.Errorf("%s: expected a shard of %d, got %s", name, len(c.shards), shard)
	case c.shards[shard.I] != "":
		return fmt.Errorf("%s: expected each shard once, got shard %s of %s again", name, shard, c.shards[shard.I])
	}
	c.shards[shard.I] = name
	if err := c.read(shard, rows); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// open checks the first lines and the last line of a table, and returns its rows.
func (c *Collected) open(data []byte) (Shard, [][]string, error) {
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
	head := c.d.MetaLines(shard, c.hash)
	if !bytes.HasPrefix(data, []byte(head)) {
		return Shard{}, nil, fmt.Errorf("expected a table that begins with\n%sgot\n%s", head, firstLines(data))
	}
	rows, err := csv.NewReader(bytes.NewReader(data[len(head):at])).ReadAll()
	return shard, rows, err
}

// namedShard returns the shard that the third line of a table names.
func namedShard(data []byte) (Shard, bool) {
	lines := bytes.SplitN(data, []byte("\n"), 4)
	if len(lines) < 4 {
		return Shard{}, false
	}
	text, ok := bytes.CutPrefix(lines[2], []byte("# shard: "))
	shard, err := ParseShard(string(text))
	return shard, ok && err == nil
}

// firstLines returns the first three lines of a table.
func firstLines(data []byte) string {
	lines := bytes.SplitN(data, []byte("\n"), 4)
	return string(bytes.Join(lines[:min(3, len(lines))], []byte("\n")))
}

// read reads the rows of a shard, which must be all of its rows in order.
func (c *Collected) read(shard Shard, rows [][]string) error {
	header := c.d.Header()
	if len(rows) == 0 || len(rows[0]) != len(header) {
		return fmt.Errorf("expected a header with %d columns", len(header))
	}
	rows = rows[1:]
	for g := range c.d.Groups() {
		if !shard.Has(g) {
			continue
		}
		for p := range c.d.Policies {
			if len(rows) == 0 {
				return fmt.Errorf("expected run %d, got the end of the table", g*len(c.d.Policies)+p)
			}
			v, err := c.parseRow(g, p, rows[0])
			if err != nil {
				return err
			}
			c.values[[2]int{g, p}], rows = v, rows[1:]
		}
	}
	if len(rows) > 0 {
		return fmt.Errorf("expected the end of the table, got run %s", rows[0][0])
	}
	return nil
}

// parseRow returns the results in a row. The row must be that of the run.
func (c *Collected) parseRow(group, policy int, row []string) (Values, error) {
	want := c.d.Row(group, policy, nil)
	for i := range paramColumns {
		if row[i] != want[i] {
			return nil, fmt.Errorf("run %d, %s: expected %s, got %s", group*len(c.d.Policies)+policy, paramColumns[i], want[i], row[i])
		}
	}
	out := Values{}
	for i, m := range c.d.Metrics {
		cell := row[len(paramColumns)+i]
		if cell == "" {
			continue
		}
		x, err := strconv.ParseFloat(cell, 64)
		if err != nil {
			return nil, fmt.Errorf("run %d, %s: expected a number, got %q", group*len(c.d.Policies)+policy, m, cell)
		}
		out[m] = x
	}
	return out, nil
}

// Missing returns the shards that no table has been added for, such as "3/8".
func (c *Collected) Missing() (out []string) {
	if c.shards == nil {
		return []string{"all"}
	}
	for i, name := range c.shards {
		if name == "" {
			out = append(out, Shard{i, len(c.shards)}.String())
		}
	}
	return out
}

// Values returns the results of a run, nil if they are missing.
func (c *Collected) Values(group, policy int) Values { return c.values[[2]int{group, policy}] }
