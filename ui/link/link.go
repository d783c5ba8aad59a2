// Package link is not the page: it knows how a scenario and what is seen of it
// are written behind the "#" of an address, and reads every version of that ever
// written. It touches no browser and never panics on what it reads.
//
// A fragment is options joined by "&", each name=value, percent-encoded:
//
//	v=1            the version; the first one
//	t=FROM,TO      the window of time in seconds; without it the whole run
//	at=T           the cursor
//	job=ID         the selected job
//	colour=NAME    by what the jobs of the charts are coloured (package shade)
//	base=N         the schedule, from 0, from which starts differ then
//	tab=NAME       jobs, workload, machine, policies or text
//	lesson=NAME    the lesson that is open, by the name of its file
//	l=PAYLOAD      the same, of one that the page does not have: base64url without
//	               padding, of raw deflate, of the file
//	step=N         its page, from 0
//	s=PAYLOAD      the scenario; the last one. Without it: the first example
//
// Options that this version does not know (embed, show, lock ...) are kept.
//
// The payload of version 1 is base64url without padding, of raw deflate, of the
// columnar form. Numbers in that are varints of encoding/binary, signed ones
// zigzag; a text is its length in bytes and the bytes:
//
//	text      the scenario file (package scenario) with, as its jobs, only those
//	          that have more than the five columns, these with dummies there
//	number    n, the jobs; none where the scenario names a generator
//	number    0: the ids are 1 to n; else 1, and n texts follow
//	signed    n submits, each less the one before
//	signed    n processes
//	signed    n estimates
//	signed    n estimates less runtimes
//	number    for each job in the scenario file, its row less the one before
//	number    texts that are half-typed or wrong; of each its row + 1 less that of
//	          the one before (row -1: of the machine), its column (0 id to 4
//	          runtime, 5 L, 6 A, 7 sigma, then an amount of each extra resource,
//	          then class, slnos, slcrs; of the machine 0 nodes, 1 processors, 2
//	          cores, then by turns name and capacity of each extra resource, then
//	          jobs per node, the seed of slowdowns, the lines of their pairs, then
//	          by turns from, to, processors and label of each block), and a text
//
// Jobs are in the order of the table.
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
	// Version is the version that is written; all older ones are read.
	Version = 1
	// Longest is how many characters a link may have; mail and course servers cut
	// longer ones.
	Longest = 60_000
	// MostJobs is how many jobs are packed: more never fit.
	MostJobs = 50_000

	MostBytes = 8 << 20 // of a columnar form, so that a small link cannot fill the memory
)

// Document is what a payload holds.
type Document struct {
	Scenario *scenario.Scenario // its jobs as in the table, valid or not
	Typed    []Typed            // in order of rows
}

// Typed is what stands in a field and is no value, perhaps half-typed, or one that
// the person is told to mend. What the data rules mend is not among them.
type Typed struct {
	Row    int // -1: of the machine
	Column int
	Text   string
}

const (
	// FirstAmount is the column of the amount of the first extra resource.
	FirstAmount = 8

	mostTraits = 100 // columns behind the amounts that a link may name, known to this version or not
	more       = 3   // texts of the machine behind those of extra resources
	block      = 4   // texts of each block behind these
)

// Payload returns the text of a deflated columnar form.
func Payload(deflated []byte) string { return base64.RawURLEncoding.EncodeToString(deflated) }

// Open reads a payload. The error says in words what is wrong with it.
func Open(version int, payload string) (*Document, error) {
	switch {
	case version < 1:
		return nil, errors.New("it does not say of which version it is")
	case version > Version:
		return nil, fmt.Errorf("it is of version %d, made by a newer Backfill Lab; this one reads up to %d", version, Version)
	}
	data, err := Inflated(payload)
	if err != nil {
		return nil, err
	}
	return Unpack(data) // a version 2 would choose here
}

// errLetters says why a payload is not base64url.
var errLetters = errors.New("it holds characters that no link has, or was cut")

// Inflated returns what a payload holds.
func Inflated(payload string) ([]byte, error) {
	deflated, err := base64.RawURLEncoding.DecodeString(payload)
	if err != nil {
		return nil, errLetters
	}
	return inflate(deflated)
}

func inflate(deflated []byte) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(deflated)), MostBytes+1))
	if err != nil {
		return nil, errors.New("it is cut short or altered")
	}
	if len(data) > MostBytes {
		return nil, fmt.Errorf("it holds more than %d bytes", MostBytes)
	}
	return data, nil
}

// Stored returns raw deflate that does not compress, for browsers that cannot.
func Stored(data []byte) []byte {
	const most = 1<<16 - 1
	var out []byte
	for first := true; first || len(data) > 0; first = false {
		n, last := min(len(data), most), byte(0)
		if n == len(data) {
			last = 1
		}
		out = append(out, last, byte(n), byte(n>>8), byte(^n), byte(^n>>8))
		out = append(out, data[:n]...)
		data = data[n:]
	}
	return out
}
