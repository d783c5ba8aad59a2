package csv

import (
	"strconv"
	"strings"
)

// ParseBlock parses cells that were copied from a spreadsheet. It returns rows of len(columns)
// cells. Cells are separated by tabs or, if there are no tabs, by commas or semicolons. Short rows
// get empty cells at the end, and blank rows are dropped. If the first row contains column names,
// it determines the order of the cells. Otherwise, cells are in the order of columns. If a row has
// too many cells, ParseBlock returns an *Error.
func ParseBlock(text string, columns []string) (rows [][]string, err error) {
	err = ReadBlock(text, columns, func(cells []string) error {
		rows = append(rows, cells)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return rows, nil
}

// ReadBlock passes each row that ParseBlock would return to the function visit. If visit returns an
// error, ReadBlock stops and returns this error.
func ReadBlock(text string, columns []string, visit func(cells []string) error) error {
	s := splitBlock(text)
	var order []int
	for first := true; ; first = false {
		cells, err := s.row(nil)
		if err != nil || cells == nil {
			return err
		}
		if first {
			if order = headerOrder(cells, columns); order != nil {
				continue
			}
		}
		if blank(cells) {
			continue
		}
		row, err := arrangeCells(s.line, cells, order, len(columns))
		if err == nil {
			err = visit(row)
		}
		if err != nil {
			return err
		}
	}
}

// HasHeader reports whether the first row of a block contains column names.
func HasHeader(text string, columns []string) bool {
	cells, err := splitBlock(text).row(nil)
	return err == nil && headerOrder(cells, columns) != nil
}

// splitBlock detects the separator of the cells in a block, and returns a splitter for the block.
func splitBlock(text string) *splitter {
	sep, rest := byte('\t'), strings.ReplaceAll(text, "\r\n", "\n")
	if !strings.Contains(text, "\t") {
		sep, rest = separator(rest)
	}
	return newSplitter(rest, sep)
}

// headerOrder returns, for each cell, the index of the column that the cell names. It returns nil
// unless every cell names a different column. It also returns nil if the row has a single cell of
// one letter. Such a cell may be an id in a list of ids, although A and L are also column names.
func headerOrder(cells, columns []string) []int {
	if len(cells) == 1 && len(cells[0]) < 2 {
		return nil
	}
	var order []int
	seen := map[int]bool{}
	for _, cell := range cells {
		index := -1
		for i, c := range columns {
			if strings.EqualFold(strings.TrimSpace(cell), c) {
				index = i
			}
		}
		if index < 0 || seen[index] {
			return nil
		}
		seen[index] = true
		order = append(order, index)
	}
	return order
}

// arrangeCells puts the cells of a row into the order of the columns, and fills the row up to width
// cells. The argument order is the result of headerOrder for the first row.
func arrangeCells(line int, cells []string, order []int, width int) ([]string, error) {
	row := make([]string, width)
	maxCells := width
	if order != nil {
		maxCells = len(order)
	}
	for i, cell := range cells {
		cell = strings.TrimSpace(cell)
		switch {
		case i >= maxCells && cell == "":
		case i >= maxCells:
			return nil, &Error{Line: line, Expected: "at most " + strconv.Itoa(maxCells) + " cells", Got: strconv.Itoa(len(cells))}
		case order != nil:
			row[order[i]] = cell
		default:
			row[i] = cell
		}
	}
	return row, nil
}
