package worker

import (
	"errors"
	"strconv"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload/csv"
	"backfill-lab/ui/protocol"
)

// policyError is an error in a policy of a run.
type policyError struct {
	place int // index in Run.Policies
	err   error
}

func (e *policyError) Error() string { return e.err.Error() }
func (e *policyError) Unwrap() error { return e.err }

// fault converts an error for the page: to a text and, if known, the row, field or policy
// that caused the error.
func fault(err error) protocol.Fault {
	f := protocol.Fault{Text: err.Error()}
	var bad *job.Invalid
	var in *policyError
	var at *scenario.Error
	var table *csv.Error
	switch {
	case errors.As(err, &in):
		f.Policy = &in.place
	case errors.As(err, &bad):
		f.Row, f.Field = &bad.Row, bad.Field
	case errors.As(err, &table) && table.HasStarts:
		f.Field = protocol.StartsField
	case errors.As(err, &at):
		locate(&f, at.Where)
	}
	return f
}

// locate sets the row, field and policy of f. The argument where is the location in a scenario error,
// such as "jobs, row 3, procs", "machine, nodes" or "policies, row 1, easy, reservations".
func locate(f *protocol.Fault, where string) {
	part, rest, _ := strings.Cut(where, ", ")
	switch part {
	case "jobs":
		f.Row, f.Field = row(rest)
	case "policies":
		var knob string
		f.Policy, knob = row(rest)
		_, f.Field, _ = strings.Cut(knob, ", ")
	case "machine":
		f.Field = rest
	}
}

// row splits a text such as "row 3, procs" into the row index 2 (from 0) and the field "procs".
func row(text string) (place *int, field string) {
	number, field, _ := strings.Cut(strings.TrimPrefix(text, "row "), ", ")
	n, err := strconv.Atoi(number)
	if err != nil {
		return nil, text
	}
	n--
	return &n, field
}
