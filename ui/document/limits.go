package document

import (
	"fmt"
	"strings"
)

// How much a person may bring into the page at once. What is larger comes as a file,
// which the worker reads.
const (
	LongestCell  = 10_000  // bytes of a cell, a name or another text of one line
	LongestPaste = 4 << 20 // bytes of rows that are pasted
	longestRow   = 1 << 16 // bytes of one of these
)

// checkPaste says what is too large about rows that are pasted.
func checkPaste(text string) error {
	if len(text) > LongestPaste {
		return fmt.Errorf("expected at most %d bytes, got %d: save them as a CSV file and open that", LongestPaste, len(text))
	}
	line := 0
	for row := range strings.Lines(text) {
		if line++; len(row) > longestRow {
			return fmt.Errorf("line %d: expected at most %d bytes in a row, got %d", line, longestRow, len(row))
		}
	}
	return nil
}
