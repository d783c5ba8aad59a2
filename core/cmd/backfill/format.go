package main

import (
	"bufio"
	"bytes"

	"backfill-lab/core/reading"
	"backfill-lab/core/workload/input"
)

// plain reads the text in data, inflated where it is gzip.
func plain(data []byte) (*bufio.Reader, error) {
	text, err := input.Open(bytes.NewReader(data), input.Options{})
	return bufio.NewReader(text), err
}

// formatOf tells the format by flag, name or content.
func formatOf(flag, name string, data []byte) (string, error) {
	switch flag {
	case reading.SWF, reading.CSV, reading.JSON, reading.SACCT:
		return flag, nil
	case "":
	default:
		return "", misuse("-format: expected swf, csv, sacct or json, got %q", flag)
	}
	if f := reading.Named(name); f != "" {
		return f, nil
	}
	f, _, err := reading.Sniffed(bytes.NewReader(data), input.Options{})
	if err != nil {
		return "", placed(name, err)
	}
	return f, nil
}
