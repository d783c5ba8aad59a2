package worker

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/core/sim"
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

// faultOf returns the text of an error and, if known, the row, field or policy that caused the error.
func faultOf(err error) protocol.Fault {
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
		setPlace(&f, at.Where)
	}
	return f
}

// timedText returns the text of an error of a run. For a sim.Violation, the text contains the time of the
// violation in the format of `clock`.
func timedText(err error, clock format.Clock) string {
	var v *sim.Violation
	if !errors.As(err, &v) {
		return err.Error()
	}
	return strings.Replace(err.Error(), fmt.Sprintf("at %d", v.At), "at "+clock.Instant(v.At), 1)
}

// setPlace sets the row, field and policy of f from the place of an error in a scenario, such as "jobs, row 3, procs",
// "machine, nodes" or "policies, row 1, easy, reservations".
func setPlace(f *protocol.Fault, where string) {
	part, rest, _ := strings.Cut(where, ", ")
	switch part {
	case "jobs":
		f.Row, f.Field = cutRow(rest)
	case "policies":
		var knob string
		f.Policy, knob = cutRow(rest)
		_, f.Field, _ = strings.Cut(knob, ", ")
	case "machine":
		f.Field = rest
	}
}

// cutRow splits a text such as "row 3, procs" into the index of the row, which counts from 0, and the rest.
// In this example, it returns 2 and "procs". If the text does not begin with a row, cutRow returns nil and
// the whole text.
func cutRow(text string) (place *int, field string) {
	number, field, _ := strings.Cut(strings.TrimPrefix(text, "row "), ", ")
	n, err := strconv.Atoi(number)
	if err != nil {
		return nil, text
	}
	n--
	return &n, field
}
