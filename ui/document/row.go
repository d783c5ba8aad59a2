package document

import (
	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/core/speed"
)

// Row is a job as the user typed it. For an invalid cell, it holds both the typed text and the last valid value.
type Row struct {
	Name     string
	Values   [Runtime]int64 // columns Submit to Runtime
	optional *optional
}

// optional holds data that only a few rows have. The other rows hold nil instead.
type optional struct {
	texts   []cellText       // sorted by column
	killed  bool             // see job.Job.Killed
	traits  *job.More        // class, slowdowns, speedup curve and amounts of extra resources; nil if there are none
	unknown *scenario.Fields // unknown fields of the job in the scenario file, nil if there are none
}

// cellText is a text that a row stores because the value of the cell does not determine it: an invalid text, or a
// valid value in an unusual format.
type cellText struct {
	col   Column
	text  string
	valid bool // the text is a valid value written in another way, such as 1.50
}

// RowOf returns the row of a job.
func RowOf(j *job.Job) Row {
	r := Row{Name: j.ID, Values: [Runtime]int64{j.Submit, int64(j.Procs), j.Estimate, j.Runtime}}
	if j.Killed || j.More != nil {
		r.optional = &optional{killed: j.Killed, traits: j.More}
	}
	return r
}

// WithUnknownFields returns the row with these unknown fields of the scenario file.
func (r Row) WithUnknownFields(f scenario.Fields) Row {
	if len(f) == 0 {
		return r
	}
	m := r.copyOptional()
	m.unknown = &f
	return r.withOptional(m)
}

// copyOptional returns a copy of the optional data of the row.
func (r *Row) copyOptional() optional {
	if r.optional == nil {
		return optional{}
	}
	return *r.optional
}

// withOptional returns the row with m as its optional data, or without optional data if m is empty.
func (r Row) withOptional(m optional) Row {
	r.optional = nil
	if len(m.texts) > 0 || m.killed || m.traits != nil || m.unknown != nil {
		r.optional = &m
	}
	return r
}

// cellText returns the stored text of a cell, or nil if there is none.
func (r *Row) cellText(c Column) *cellText {
	if r.optional != nil {
		for i := range r.optional.texts {
			if x := &r.optional.texts[i]; x.col == c {
				return x
			}
		}
	}
	return nil
}

// Invalid reports whether a cell holds an invalid text.
func (r *Row) Invalid(c Column) bool {
	x := r.cellText(c)
	return x != nil && !x.valid
}

// hasInvalidCell reports whether any cell holds an invalid text.
func (r *Row) hasInvalidCell() bool {
	if r.optional != nil {
		for _, x := range r.optional.texts {
			if !x.valid {
				return true
			}
		}
	}
	return false
}

// write stores or removes the text of a cell. If keep is true, it stores the text, and whether the text is a valid
// value. Otherwise, it removes the stored text. The function is not inlined, because each inlined copy would enlarge
// the download.
//
//go:noinline
func (m *optional) write(c Column, text string, keep, valid bool) {
	var out []cellText
	for _, x := range m.texts {
		if x.col < c {
			out = append(out, x)
		}
	}
	if keep {
		out = append(out, cellText{c, text, valid})
	}
	for _, x := range m.texts {
		if x.col > c {
			out = append(out, x)
		}
	}
	m.texts = out
}

// computeRuntime computes the runtime of a moldable job from its speedup curve and the number of requested
// processors. It changes nothing if this number is invalid.
func (r *Row) computeRuntime() {
	s := r.Speedup()
	if s == nil || r.Invalid(Procs) || r.Values[Procs-1] < 1 {
		return
	}
	r.Values[Runtime-1] = speed.Seconds(s.Work(), s.At(int(r.Values[Procs-1])))
	m := r.copyOptional()
	m.write(Runtime, "", false, false)
	*r = r.withOptional(m)
}

// Job returns the job of a row. An invalid cell counts with its last valid value.
func (r *Row) Job() job.Job {
	j := job.Job{ID: r.Name, Runtime: r.Values[Runtime-1],
		Request: job.Request{Submit: r.Values[Submit-1], Procs: int(r.Values[Procs-1]), Estimate: r.Values[Estimate-1]}}
	if r.optional != nil {
		j.Killed, j.More = r.optional.killed, r.optional.traits
	}
	return j
}
