package main

import (
	"bytes"
	"io"
	"strings"

	"backfill-lab/core/workload/input"
)

// plain is the text in data, inflated where it is gzip.
func plain(data []byte) ([]byte, error) {
	r, err := input.Open(bytes.NewReader(data), input.Options{})
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// formatOf tells the format by flag, name or content.
func formatOf(flag, name string, data []byte) (string, error) {
	switch flag {
	case "swf", "csv", "json":
		return flag, nil
	case "":
	default:
		return "", misuse("-format: expected swf, csv or json, got %q", flag)
	}
	base := strings.TrimSuffix(strings.ToLower(name), ".gz")
	for _, f := range []string{"swf", "csv", "json"} {
		if strings.HasSuffix(base, "."+f) {
			return f, nil
		}
	}
	text, err := plain(data)
	if err != nil {
		return "", placed(name, err)
	}
	return sniff(text), nil
}

// sniff tells the format by the first line that is not blank: numbers and
// blanks or a comment are SWF, a brace is JSON, names are a table.
func sniff(text []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte("\n"))
	switch {
	case bytes.HasPrefix(line, []byte("{")):
		return "json"
	case bytes.HasPrefix(line, []byte(";")) || len(bytes.Trim(line, "0123456789-. \t\r")) == 0:
		return "swf"
	}
	return "csv"
}
