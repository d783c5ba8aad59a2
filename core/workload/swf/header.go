package swf

import (
	"fmt"
	"strconv"
	"strings"
)

// Header is the comment lines of a file, word for word from the semicolon on,
// in their order; the named values are read from them when asked for.
type Header struct {
	Lines []string
}

// NewHeader describes a machine of procs processors on nodes nodes and a list
// of jobs jobs; notes become Note lines.
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

// Values returns every value given for key ("MaxProcs", "Note", ...; upper
// and lower case do not matter), in order.
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

// Value returns the first value given for key, "" when there is none.
func (h Header) Value(key string) string {
	if v := h.Values(key); len(v) > 0 {
		return v[0]
	}
	return ""
}

// Int returns the whole number that the first value of key starts with, as in
// "338 (batch partition; 512 total)"; -1 when there is none.
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

// MaxProcs returns the number of processors of the machine, -1 when not given.
func (h Header) MaxProcs() int64 { return h.Int("MaxProcs") }

// MaxNodes returns the number of nodes of the machine, -1 when not given.
func (h Header) MaxNodes() int64 { return h.Int("MaxNodes") }

// UnixStartTime returns the moment of time 0 in seconds since 1970, -1 when not
// given.
func (h Header) UnixStartTime() int64 { return h.Int("UnixStartTime") }

// Notes returns the Note lines.
func (h Header) Notes() []string { return h.Values("Note") }

// Procs returns the size of the machine as the header tells it: MaxProcs, else
// MaxNodes, else 0.
func (h Header) Procs() int64 {
	if n := h.MaxProcs(); n > 0 {
		return n
	}
	return max(h.MaxNodes(), 0)
}
