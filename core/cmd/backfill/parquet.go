package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"

	"backfill-lab/core/version"
)

// isParquet reports whether a file name has the extension of the Parquet format.
func isParquet(name string) bool { return strings.EqualFold(filepath.Ext(name), ".parquet") }

// parquetMagic is the text at the beginning and at the end of a Parquet file.
const parquetMagic = "PAR1"

// columnTypes holds the types of the columns of a table, by column name. The entry "" is the type
// of all other columns.
type columnTypes map[string]columnType

// columnType is the type of a column in Parquet.
type columnType int

const (
	textColumn    columnType = iota // string
	wholeColumn                     // int64
	decimalColumn                   // double
)

// These are the column types of the table of a sweep, and of tables that have a row for each job.
var (
	sweepTypes = columnTypes{"run": wholeColumn, "workload": textColumn, "seed": wholeColumn, "policy": textColumn,
		"knobs": textColumn, "title": textColumn, "key": textColumn, "": decimalColumn}
	jobTypes = columnTypes{"job": textColumn, "segments": textColumn, "alloc": textColumn, "": wholeColumn}
)

// typeOf returns the type of the column with the given name.
func (t columnTypes) typeOf(name string) columnType {
	if found, ok := t[name]; ok {
		return found
	}
	return t[""]
}

// parquetRows is the number of rows per row group of a Parquet file. The writer keeps one row group
// in memory.
const parquetRows = 1 << 17

// addTable adds a table to the outputs. It calls write, which must write the table as CSV. If name ends in .parquet,
// the CSV is converted to Parquet with the given column types.
func (o *outputs) addTable(name string, types columnTypes, write func(io.Writer) error) {
	if !isParquet(name) {
		o.add(name, write)
		return
	}
	o.list = append(o.list, output{name: name, table: true, write: func(w io.Writer) error {
		from, to := io.Pipe()
		go func() { to.CloseWithError(write(to)) }()
		err := writeParquet(w, from, types)
		from.CloseWithError(err) // ends the goroutine if it is still writing
		return err
	}})
}

// writeParquet converts a table from CSV to Parquet. The keys and values of comment lines before
// the header go to the metadata of the file. Other comment lines are dropped. An empty cell becomes
// null. Texts and whole numbers are delta-encoded. Nothing is compressed, because the result of
// compression depends on the processor architecture.
func writeParquet(w io.Writer, table io.Reader, types columnTypes) error {
	meta, rows, err := readComments(table)
	if err != nil {
		return err
	}
	header, err := rows.Read()
	if err != nil {
		return err
	}
	header = slices.Clone(header)
	schema, err := parquetSchema(header, types)
	if err != nil {
		return err
	}
	options := []parquet.WriterOption{
		schema, parquet.MaxRowsPerRowGroup(parquetRows),
		parquet.CreatedBy("backfill-lab", version.Program, ""), parquet.KeyValueMetadata("program", "backfill-lab "+version.Program),
	}
	for _, m := range meta {
		options = append(options, parquet.KeyValueMetadata(m[0], m[1]))
	}
	out := parquet.NewGenericWriter[any](w, options...)
	if err := copyRows(out, rows, header, types); err != nil {
		return err
	}
	return out.Close()
}

// readComments reads the comment lines before a table. It returns their keys and values, and a
// reader for the header and the rows.
func readComments(table io.Reader) (meta [][2]string, rows *csv.Reader, err error) {
	b := bufio.NewReader(table)
	for {
		start, err := b.Peek(2)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, nil, err
		}
		if string(start) != "# " {
			break
		}
		line, err := b.ReadString('\n')
		if err != nil {
			return nil, nil, err
		}
		key, value, _ := strings.Cut(strings.TrimPrefix(strings.TrimSuffix(line, "\n"), "# "), ": ")
		meta = append(meta, [2]string{key, value})
	}
	rows = csv.NewReader(b)
	rows.FieldsPerRecord, rows.ReuseRecord = -1, true
	return meta, rows, nil
}

// parquetSchema returns the schema of a table. The columns have the same order as in the header,
// and are optional. It returns an error if two columns have the same name.
func parquetSchema(header []string, types columnTypes) (*parquet.Schema, error) {
	g := orderedGroup{Group: parquet.Group{}, order: header}
	for _, name := range header {
		if g.Group[name] != nil {
			return nil, fmt.Errorf("expected columns with different names for Parquet, got %s twice", name)
		}
		var node parquet.Node
		switch types.typeOf(name) {
		case textColumn:
			node = parquet.Encoded(parquet.String(), &parquet.DeltaByteArray)
		case wholeColumn:
			node = parquet.Encoded(parquet.Int(64), &parquet.DeltaBinaryPacked)
		case decimalColumn:
			node = parquet.Leaf(parquet.DoubleType)
		}
		g.Group[name] = parquet.Optional(node)
	}
	return parquet.NewSchema("table", g), nil
}

// orderedGroup is a group of columns in a given order. The type parquet.Group would sort the
// columns by name.
type orderedGroup struct {
	parquet.Group
	order []string
}

// Fields returns the columns in the given order.
func (g orderedGroup) Fields() []parquet.Field {
	fields := g.Group.Fields()
	slices.SortFunc(fields, func(a, b parquet.Field) int {
		return slices.Index(g.order, a.Name()) - slices.Index(g.order, b.Name())
	})
	return fields
}

// copyRows writes the rows of a table to a Parquet file. The last row may be followed by a comment
// line.
func copyRows(out *parquet.GenericWriter[any], rows *csv.Reader, header []string, types columnTypes) error {
	for {
		record, err := rows.Read()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case len(record) == 1 && len(header) > 1 && strings.HasPrefix(record[0], "# "):
			continue
		case len(record) != len(header):
			return fmt.Errorf("expected a row with %d columns, got %d", len(header), len(record))
		}
		row := make(parquet.Row, len(header))
		for i, cell := range record {
			if row[i], err = parquetValue(cell, types.typeOf(header[i]), i); err != nil {
				return fmt.Errorf("column %s: %w", header[i], err)
			}
		}
		if _, err := out.WriteRows([]parquet.Row{row}); err != nil {
			return err
		}
	}
}

// parquetValue converts a cell of a table to a value of the given type.
func parquetValue(cell string, t columnType, column int) (parquet.Value, error) {
	if cell == "" {
		return parquet.NullValue().Level(0, 0, column), nil
	}
	var value parquet.Value
	switch t {
	case textColumn:
		value = parquet.ByteArrayValue([]byte(cell))
	case wholeColumn:
		n, err := strconv.ParseInt(cell, 10, 64)
		if err != nil {
			return value, fmt.Errorf("expected a whole number, got %q", cell)
		}
		value = parquet.Int64Value(n)
	case decimalColumn:
		x, err := strconv.ParseFloat(cell, 64)
		if err != nil {
			return value, fmt.Errorf("expected a number, got %q", cell)
		}
		value = parquet.DoubleValue(x)
	}
	return value.Level(0, 1, column), nil
}

// checkNotParquet returns an error if a file that should be CSV is in Parquet format.
func checkNotParquet(name string, data []byte) error {
	if bytes.HasPrefix(data, []byte(parquetMagic)) {
		return fmt.Errorf("%s: expected a table in the format CSV, got Parquet. Write the parts as CSV; the joined table may be Parquet", name)
	}
	return nil
}
