package swf

import (
	"fmt"
	"strconv"
	"strings"

	"backfill-lab/core/format"
)

// Header holds the comment lines of a file unchanged, starting at the semicolon. Its methods
// extract named values.
type Header struct {
	Lines []string
}

// NewHeader returns a header for a machine with the given numbers of processors and nodes,
// and a number of jobs. Each line of notes becomes a Note line.
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

// Values returns all values of a key such as "MaxProcs" or "Note", in order. It ignores the case of
// the key.
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

// Value returns the first value for key, or "" if there is none.
func (h Header) Value(key string) string {
	if v := h.Values(key); len(v) > 0 {
		return v[0]
	}
	return ""
}

// Int returns the whole number at the start of the first value of key, such as 338 in "338 (batch
// partition; 512 total)". It returns -1 if there is none.
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

// MaxProcs returns the number of processors of the machine, or -1 if not given.
func (h Header) MaxProcs() int64 { return h.Int("MaxProcs") }

// MaxNodes returns the number of nodes of the machine, or -1 if not given.
func (h Header) MaxNodes() int64 { return h.Int("MaxNodes") }

// UnixStartTime returns the Unix time of time 0 in seconds, or -1 if not given.
func (h Header) UnixStartTime() int64 { return h.Int("UnixStartTime") }

// Calendar returns the calendar given by UnixStartTime and TimeZoneString, or nil without a start
// time. It also accepts the obsolete TimeZone, in seconds east of Greenwich.
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

// Notes returns the values of all Note lines.
func (h Header) Notes() []string { return h.Values("Note") }

// Procs returns the size of the machine: MaxProcs or, if that is missing, MaxNodes. It returns 0 if
// both are missing.
func (h Header) Procs() int64 {
	if n := h.MaxProcs(); n > 0 {
		return n
	}
	return max(h.MaxNodes(), 0)
}
