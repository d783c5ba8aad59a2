package swf

import (
	"fmt"
	"strconv"
	"strings"

	"backfill-lab/core/format"
)

// Header holds the comment lines of a file, unchanged and including the semicolons. Its methods
// extract named values.
type Header struct {
	Lines []string
}

// NewHeader returns a header with the given numbers of processors, nodes and jobs. Each line in
// notes becomes a line with the key Note.
func NewHeader(procs, nodes int64, jobs int, notes ...string) Header {
	h := Header{Lines: []string{
		"; Version: 2.2",
		fmt.Sprintf("; MaxJobs: %d", jobs),
		fmt.Sprintf("; MaxRecords: %d", jobs),
		fmt.Sprintf("; MaxNodes: %d", nodes),
		fmt.Sprintf("; MaxProcs: %d", procs),
	}}
	for _, n := range notes {
		for line := range strings.Lines(n) {
			h.Lines = append(h.Lines, "; Note: "+strings.TrimRight(line, "\r\n"))
		}
	}
	return h
}

// Values returns all values of a key such as "MaxProcs" or "Note", in order. The case of the key
// does not matter.
func (h Header) Values(key string) []string {
	var values []string
	for _, line := range h.Lines {
		name, value, found := strings.Cut(strings.TrimLeft(line, "; \t"), ":")
		if found && strings.EqualFold(strings.TrimSpace(name), key) {
			values = append(values, strings.TrimSpace(value))
		}
	}
	return values
}

// Value returns the first value of a key, or "" if there is none.
func (h Header) Value(key string) string {
	if v := h.Values(key); len(v) > 0 {
		return v[0]
	}
	return ""
}

// Int returns the whole number at the beginning of the first value of a key, such as 338 in "338
// (batch partition; 512 total)". It returns -1 if there is none.
func (h Header) Int(key string) int64 {
	v := h.Value(key)
	end := 0
	for end < len(v) && v[end] >= '0' && v[end] <= '9' {
		end++
	}
	n, err := strconv.ParseInt(v[:end], 10, 64)
	if err != nil {
		return unknown
	}
	return n
}

// MaxProcs returns the number of processors of the machine, or -1 if the header does not state it.
func (h Header) MaxProcs() int64 { return h.Int("MaxProcs") }

// MaxNodes returns the number of nodes of the machine, or -1 if the header does not state it.
func (h Header) MaxNodes() int64 { return h.Int("MaxNodes") }

// UnixStartTime returns the Unix time, in seconds, of time 0 of the trace. It returns -1 if the
// header does not state it.
func (h Header) UnixStartTime() int64 { return h.Int("UnixStartTime") }

// Calendar returns a calendar with the values of UnixStartTime and TimeZoneString, or nil if
// UnixStartTime is missing. It also accepts the obsolete key TimeZone, whose value is in seconds
// east of Greenwich.
func (h Header) Calendar() *format.Calendar {
	start := h.UnixStartTime()
	if start <= 0 {
		return nil
	}
	c := &format.Calendar{Start: start, Zone: h.Value("TimeZoneString")}
	if seconds, err := strconv.Atoi(h.Value("TimeZone")); err == nil && c.Zone == "" {
		c.Zone = format.FixedZone(seconds)
	}
	return c
}

// Notes returns the values of all lines with the key Note.
func (h Header) Notes() []string { return h.Values("Note") }

// Procs returns the number of processors of the machine. If MaxProcs is missing, it returns
// MaxNodes. It returns 0 if both are missing.
func (h Header) Procs() int64 {
	if n := h.MaxProcs(); n > 0 {
		return n
	}
	return max(h.MaxNodes(), 0)
}
