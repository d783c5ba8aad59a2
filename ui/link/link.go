// Package link encodes a scenario and the state of the page as the fragment of an address,
// the part after "#". It decodes every version of the format ever written. It makes no
// browser calls and never panics on bad input.
//
// A fragment consists of options joined by "&", each name=value, percent-encoded:
//
//	v=1            the version, always the first option
//	policy=NAMES   policies or presets that replace those of the scenario, separated by commas; only for
//	               links written by hand
//	t=FROM,TO      the time window in seconds; without it the whole run
//	at=T           the cursor
//	job=ID         the selected job
//	colour=NAME    the property that determines the colours of jobs (package colour)
//	base=N         the index of the schedule with which starts are compared
//	tab=NAME	   jobs, workload, machine, policies, text or lesson
//	lesson=NAME    the open lesson, by the name of its file
//	write=1        the lesson is being written, and may be incomplete
//	l=PAYLOAD      the file of the open lesson, if the page does not have it:
//	               the file compressed by raw deflate, in base64url without padding
//	step=N         the page of the lesson, from 0
//	s=PAYLOAD	  the scenario, always the last option. Without it, the page opens the scenario of
//	               the lesson or, without a lesson, the first example
//
// The page keeps other options: the options of a frame (embed, show, lock and allow; see Frame), and
// the options of later versions.
//
// The payload of version 1 is the scenario in columnar form, compressed by raw deflate and encoded
// in base64url without padding. Numbers in the columnar form are varints of encoding/binary;
// signed ones use zigzag encoding. A text is its length in bytes, followed by the bytes.
// The form consists of:
//
//	text	  the scenario file (package scenario). It lists only jobs that have data
//			  outside the five columns below, with dummy values for these columns
//	number    n, the number of jobs; 0 if the scenario names a generator
//	number    0 if the IDs are 1 to n; else 1, and n texts follow
//	signed    n submit times, each minus the previous one
//	signed    n processor counts
//	signed    n estimates
//	signed    n estimates minus runtimes
//	number    for each job in the scenario file: its row minus the previous row
//	number    the number of half-typed or invalid texts. For each: its row + 1 minus
//	          that of the previous text (row -1 is the machine), its column, and a text
//
// The column of a text in a row is 0 (ID) to 4 (runtime), or 5 to 7 (L, A and sigma of the
// speedup curve, see job.Speedup). The next columns are the amounts of extra resources, and
// then class, slnos and slcrs (see job.More). For the machine, the columns are 0 (nodes), 1 (processors) and
// 2 (cores), then the name and the capacity of each extra resource, then jobs per node, the
// seed of slowdowns and the lines of slowdown pairs, and last the start, end, processors and
// label of each outage.
//
// Jobs are in table order.
package link

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"errors"
	"fmt"
	"io"

	"backfill-lab/core/scenario"
)

const (
	// Version is the version of the link format that the program writes. The program also reads all
	// older versions.
	Version = 1
	// MaxLength is the largest number of characters in a link. Mail programs and course servers cut
	// longer links.
	MaxLength = 60_000
	// MaxJobs is the largest number of jobs in a link, and in a page that is saved as one file. More jobs
	// never fit into a link.
	MaxJobs = 50_000

	MaxBytes = 8 << 20 // largest columnar form in bytes, so that a small link cannot fill the memory
)

// Document is the content of a payload.
type Document struct {
	Scenario *scenario.Scenario // its jobs are the rows of the table, even invalid ones
	Typed    []Typed            // sorted by row
}

// Typed is the text of a field or cell that is invalid or incomplete. If the data rules of the scenario
// repair an invalid value, such as a runtime above the estimate, this value is part of Scenario instead.
type Typed struct {
	Row    int // -1 for the machine
	Column int // column of the jobs table as links number the columns; for the machine, the index of one of its texts
	Text   string
}

const (
	// FirstAmount is the column of the amount of the first extra resource.
	FirstAmount = 8

	maxTraits    = 100 // largest number of columns after the amounts in a link, including columns of newer versions
	machineTexts = 3   // number of machine texts between extra resources and outages: jobs per node, seed, pairs
	outageTexts  = 4   // number of texts per outage: start, end, processors, label
)

// EncodePayload returns the payload of a link: a columnar form (see the package comment), compressed
// by deflate, as base64url text.
func EncodePayload(deflated []byte) string { return base64.RawURLEncoding.EncodeToString(deflated) }

// DecodePayload decodes a payload. It returns errors as sentences for the user.
func DecodePayload(version int, payload string) (*Document, error) {
	switch {
	case version < 1:
		return nil, errors.New("the link has no version")
	case version > Version:
		return nil, fmt.Errorf("the link was made by a later version of Backfill Lab: it has the format version %d, and this page reads versions up to %d", version, Version)
	}
	data, err := Inflate(payload)
	if err != nil {
		return nil, err
	}
	return Unpack(data) // if there are several format versions, select the decoder here
}

// errNotBase64 is the error for a payload that is not valid base64url.
var errNotBase64 = errors.New("the link contains invalid characters or is incomplete")

// Inflate returns the decompressed content of a payload.
func Inflate(payload string) ([]byte, error) {
	deflated, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil {
		return nil, errNotBase64
	}
	return inflate(deflated)
}

// inflate decompresses data, up to MaxBytes.
func inflate(deflated []byte) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(deflated)), MaxBytes+1))
	if err != nil {
		return nil, errors.New("the link is incomplete or damaged")
	}
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("the link contains more than %d bytes when decompressed", MaxBytes)
	}
	return data, nil
}

// DeflateStored returns data in raw deflate format without compressing it, for browsers that
// cannot compress.
func DeflateStored(data []byte) []byte {
	const maxBlock = 1<<16 - 1
	var out []byte
	for first := true; first || len(data) > 0; first = false {
		n, last := min(len(data), maxBlock), byte(0)
		if n == len(data) {
			last = 1
		}
		out = append(out, last, byte(n), byte(n>>8), byte(^n), byte(^n>>8))
		out = append(out, data[:n]...)
		data = data[n:]
	}
	return out
}
