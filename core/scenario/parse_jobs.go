package scenario

import (
	"math"
	"strconv"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/scenario/raw"
	"backfill-lab/core/speed"
)

// maxWork is the maximum value of the sequential runtime L, in seconds. Larger values could cause
// overflows.
const maxWork = 1e12

// draft holds a job while its row is parsed. Its flags say which fields the row has.
type draft struct {
	job                              job.Job
	more                             job.More    // stored in job.More unless all its fields are zero
	curve                            job.Speedup // fields L, A, sigma and table of a moldable job
	submit, procs, estimate, runtime bool
	l, a, sigma, table               bool
}

func (r *reader) parseJobs(s *Scenario, v raw.Value) {
	w := &s.Workload
	r.List(v, spot{part: "jobs"}, func(row int, v raw.Value) {
		if row > job.MaxJobs {
			r.TooMany(v, spot{part: "jobs"}, "at most "+strconv.Itoa(job.MaxJobs))
			return
		}
		at := spot{part: "jobs", row: row}
		d := draft{job: job.Job{ID: strconv.Itoa(row)}}
		unknown := r.object(v, at, func(name string, v raw.Value) bool {
			return r.parseJobField(&d, &s.Machine, name, v, at.Field(name))
		})
		if r.fillIn(&d, raw.Value{At: v.At}, at); r.Err != nil {
			return
		}
		w.Jobs = append(w.Jobs, d.job)
		if unknown != nil && w.JobsUnknown == nil {
			w.JobsUnknown = make([]Fields, row-1, max(row, cap(w.Jobs)))
		}
		if w.JobsUnknown != nil {
			w.JobsUnknown = append(w.JobsUnknown, unknown)
		}
	})
}

// parseJobField parses a field of a job. It reports false for an unknown field.
func (r *reader) parseJobField(d *draft, m *Machine, name string, v raw.Value, at spot) bool {
	switch name {
	case "id":
		d.job.ID = r.Name(v, at)
	case "submit":
		d.job.Submit, d.submit = r.WholeNumber(v, at, 0, job.MaxTime), true
	case "procs":
		d.job.Procs, d.procs = int(r.WholeNumber(v, at, 1, cluster.MaxSlots)), true
	case "estimate":
		d.job.Estimate, d.estimate = r.WholeNumber(v, at, 1, job.MaxTime), true
	case "runtime":
		d.job.Runtime, d.runtime = r.WholeNumber(v, at, 0, job.MaxTime), true
	case "killed":
		d.job.Killed = r.Boolean(v, at)
	case "L":
		d.curve.L, d.l = r.Number(v, at, 1e-9, maxWork), true
	case "A":
		d.curve.A, d.a = r.Number(v, at, 1, 1e9), true
	case "sigma":
		d.curve.Sigma, d.sigma = r.Number(v, at, 0, 1e9), true
	case "table":
		d.table = true
		r.List(v, at, func(n int, v raw.Value) {
			if n > job.MaxTable {
				r.TooMany(v, at, "at most "+strconv.Itoa(job.MaxTable)+" runtimes")
				return
			}
			d.curve.Table = append(d.curve.Table, r.WholeNumber(v, at, 1, job.MaxTime))
		})
	default:
		return r.parseOptionalField(d, m, name, v, at)
	}
	return true
}

// parseOptionalField parses a field that belongs to job.More. It reports false if the field is
// unknown.
func (r *reader) parseOptionalField(d *draft, m *Machine, name string, v raw.Value, at spot) bool {
	switch name {
	case "resources":
		d.more.Extra = r.parseAmounts(m, v, at)
	case "slnos":
		d.more.SLnos = r.Number(v, at, 0, job.MaxSlowdown)
	case "slcrs":
		d.more.SLcrs = r.Number(v, at, 0, job.MaxSlowdown)
	case "no-limit":
		d.more.NoLimit = r.Boolean(v, at)
	default:
		w := job.TextFieldNamed(name)
		if w == nil {
			return false
		}
		*w.Pointer(&d.more) = r.Name(v, at)
	}
	return true
}

// parseAmounts parses an object {name: amount}. It returns the amounts in the order of the
// resources of the machine.
func (r *reader) parseAmounts(m *Machine, v raw.Value, at spot) []int64 {
	extra, nonZero := make([]int64, len(m.Resources)), false
	r.object(v, at, func(name string, v raw.Value) bool {
		k := resourceIndex(m, name)
		if k < 0 {
			r.Fail(raw.Value{Text: strconv.Quote(name), At: v.At}, at, resourceNames(m))
			return true
		}
		extra[k] = r.WholeNumber(v, spot{at.part, at.row, "resources, " + name}, 0, math.MaxInt64)
		nonZero = nonZero || extra[k] != 0
		return true
	})
	if !nonZero {
		return nil
	}
	return extra
}

// fillIn completes a row that omits optional fields. It fails if a required field is missing, or if
// the runtime of a killed job differs from its estimate. The estimate defaults to the runtime, and
// the processors of a moldable job to one. For a moldable job, fillIn computes the runtime from the
// speedup curve, or the sequential runtime L from the runtime. Errors about missing fields use
// emptyValue, which has the position of the row.
func (r *reader) fillIn(d *draft, emptyValue raw.Value, at spot) {
	j, moldable := &d.job, d.a || d.table
	switch {
	case r.Err != nil:
		return
	case !d.submit:
		r.Fail(emptyValue, at.Field("submit"), "a time in seconds")
	case !d.procs && !moldable:
		r.Fail(emptyValue, at.Field("procs"), "a number of processors")
	case d.table && len(d.curve.Table) == 0:
		r.Fail(emptyValue, at.Field("table"), "a runtime for each number of processors from 1 on")
	case (d.l || d.sigma) && !d.a:
		r.Fail(emptyValue, at.Field("A"), "the average parallelism, because L and sigma are given")
	case !d.runtime && !d.table && !(d.a && d.l):
		r.Fail(emptyValue, at.Field("runtime"), "a time in seconds")
	}
	if r.Err != nil {
		return
	}
	if !d.procs {
		j.Procs = 1
	}
	if moldable {
		d.completeMoldable()
	}
	if !d.estimate {
		j.Estimate = max(j.Runtime, 1)
	}
	if j.Killed && j.Runtime != j.Estimate {
		r.Fail(raw.Value{Text: "true", At: emptyValue.At}, at.Field("killed"), "true only for a job whose runtime equals its estimate")
	}
	if m := &d.more; m.Extra != nil || m.Speedup != nil || m.HasTextFields() || m.SLnos != 0 || m.SLcrs != 0 || m.NoLimit {
		j.More = m
	}
}

// completeMoldable computes the sequential runtime L or the runtime of a moldable job, whichever its
// row leaves out.
func (d *draft) completeMoldable() {
	s, j := &d.curve, &d.job
	if !d.table && !d.l {
		s.L = max(math.Round(float64(j.Runtime)*s.At(j.Procs)), 1)
	}
	if !d.runtime {
		j.Runtime = speed.Seconds(s.Work(), s.At(j.Procs))
	}
	d.more.Speedup = s
}
