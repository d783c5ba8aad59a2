package program

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"backfill-lab/core/job"
)

// answer is what a program answers to the message of a pass. It refers to jobs by their numbers.
type answer struct {
	Start   []int            `json:"start"`
	Wake    *job.Time        `json:"wake"`
	Promise map[int]job.Time `json:"promise"` // latest starts that the program promises, by job
	Because map[int]string   `json:"because"` // reasons, for jobs that start or wait
}

// firstAnswer is what a program answers to the first message.
type firstAnswer struct {
	Full bool `json:"full"` // whether each message should contain all waiting and all running jobs
}

// These texts describe valid answers in error messages.
const (
	expectedAnswer = `an object such as {"start": [3], "because": {"3": "it fits"}}`
	expectedWishes = `{} or {"full": true} as the answer to the first message`
)

// decode decodes a line as an answer or a firstAnswer. The argument expected describes the valid
// lines in the error.
func decode(text []byte, out any, expected string) error {
	bad := func(why string) error { return fmt.Errorf("expected %s, got %s%s", expected, shorten(text), why) }
	if !bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) {
		return bad("")
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(out); err != nil {
		return bad(" (" + strings.TrimPrefix(err.Error(), "json: ") + ")")
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return bad(" (more text follows the object)")
	}
	return nil
}

// jobsOf returns the numbers of the jobs in map m, in ascending order.
func jobsOf[V any](m map[int]V) []int { return slices.Sorted(maps.Keys(m)) }
