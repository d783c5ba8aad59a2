package document

import (
	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/core/speed"
)

// Row is a job as typed. A cell that holds no valid value keeps its text.
type Row struct {
	Name   string
	Values [Runtime]int64 // submit to runtime
	more   *more
}

// more is what few rows have.
type more struct {
	typed  []typed // in the order of the columns
	killed bool    // as in job.Job
	traits *job.More
	kept   *scenario.Fields // what the scenario file says of it and we do not know
}

// typed is the text of a cell that stands there in place of a value.
type typed struct {
	col  Column
	text string
	is   bool // it is the value, only written in another way, such as 1.50
}

// RowOf returns the row of a job.
func RowOf(j *job.Job) Row {
	r := Row{Name: j.ID, Values: [Runtime]int64{j.Submit, int64(j.Procs), j.Estimate, j.Runtime}}
	if j.Killed || j.More != nil {
		r.more = &more{killed: j.Killed, traits: j.More}
	}
	return r
}

// Keeping returns the row with what we do not know of it.
func (r Row) Keeping(f scenario.Fields) Row {
	if len(f) == 0 {
		return r
	}
	m := r.extras()
	m.kept = &f
	return r.having(m)
}

// extras returns a copy of what the row has more than others.
func (r *Row) extras() more {
	if r.more == nil {
		return more{}
	}
	return *r.more
}

// having returns the row with m in place of what it had.
func (r Row) having(m more) Row {
	r.more = nil
	if len(m.typed) > 0 || m.killed || m.traits != nil || m.kept != nil {
		r.more = &m
	}
	return r
}

func (r *Row) typed(c Column) *typed {
	if r.more != nil {
		for i := range r.more.typed {
			if x := &r.more.typed[i]; x.col == c {
				return x
			}
		}
	}
	return nil
}

// Bad reports whether a cell holds text that is no value.
func (r *Row) Bad(c Column) bool {
	x := r.typed(c)
	return x != nil && !x.is
}

// faulty reports whether any cell does.
func (r *Row) faulty() bool {
	if r.more != nil {
		for _, x := range r.more.typed {
			if !x.is {
				return true
			}
		}
	}
	return false
}

// write sets what stands in a cell in place of its value, if anything does. Each
// copy of it would be downloaded.
//
//go:noinline
func (m *more) write(c Column, text string, stands, is bool) {
	var out []typed
	for _, x := range m.typed {
		if x.col < c {
			out = append(out, x)
		}
	}
	if stands {
		out = append(out, typed{c, text, is})
	}
	for _, x := range m.typed {
		if x.col > c {
			out = append(out, x)
		}
	}
	m.typed = out
}

// followCurve gives a moldable job the runtime that its curve says of the processors
// asked for: nothing else decides how long it runs.
func (r *Row) followCurve() {
	s := r.Speedup()
	if s == nil || r.Bad(Procs) || r.Values[Procs-1] < 1 {
		return
	}
	r.Values[Runtime-1] = speed.Seconds(s.Work(), s.At(int(r.Values[Procs-1])))
	m := r.extras()
	m.write(Runtime, "", false, false)
	*r = r.having(m)
}

// Job returns the job of a row without bad cells.
func (r *Row) Job() job.Job {
	j := job.Job{ID: r.Name, Runtime: r.Values[Runtime-1],
		Request: job.Request{Submit: r.Values[Submit-1], Procs: int(r.Values[Procs-1]), Estimate: r.Values[Estimate-1]}}
	if r.more != nil {
		j.Killed, j.More = r.more.killed, r.more.traits
	}
	return j
}
