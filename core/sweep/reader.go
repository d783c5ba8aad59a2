package sweep

import (
	"errors"

	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/core/scenario/raw"
)

// place names a place in a definition, such as "workloads, row 2, name".
type place = raw.Path

// reader reads a definition and keeps the first error.
type reader struct {
	raw.Reader[place]
	d *Definition
}

func newReader(data []byte) *reader {
	return &reader{raw.NewReader(data, job.MaxName, scenario.MaxText, scenario.MaxFields), &Definition{}}
}

// failWith records an error of another package about value v. If v is a nested scenario, it converts
// the line to a line in the whole definition.
func (r *reader) failWith(v raw.Value, at place, err error) {
	if r.Err != nil {
		return
	}
	line, _ := raw.Place(r.Data, v.At)
	var s *scenario.Error
	if errors.As(err, &s) && s.Line > 0 {
		line += s.Line - 1
	}
	r.Err = &Error{Line: line, Where: at.String(), Err: err}
}

// list calls readItem for each item of v, with the place of the item. It fails if the list is empty or
// has more than maxItems items.
func (r *reader) list(v raw.Value, at place, maxItems int, readItem func(at place, v raw.Value)) {
	if r.Rows(v, at, maxItems, "entries", readItem) == 0 {
		r.Fail(raw.Value{Text: "none", At: v.At}, at, "at least one entry")
	}
}
