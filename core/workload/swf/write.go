package swf

import (
	"bufio"
	"io"
	"strconv"
)

// Write writes the header lines unchanged, then one line per record with fields separated by
// a space. Read returns the same header and records.
func Write(w io.Writer, h Header, records []Record) error {
	b := bufio.NewWriterSize(w, 64<<10)
	for _, line := range h.Lines {
		if line == "" || line[0] != ';' {
			b.WriteString("; ")
		}
		b.WriteString(line)
		b.WriteByte('\n')
	}
	var line []byte
	for i := range records {
		line = line[:0]
		for _, v := range records[i] {
			line = append(strconv.AppendInt(line, v, 10), ' ')
		}
		line[len(line)-1] = '\n'
		b.Write(line)
	}
	return b.Flush()
}
