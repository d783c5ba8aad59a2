package scenario

import (
	"math"
	"strconv"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/scenario/raw"
	"backfill-lab/core/speed"
)

// maxWork is the maximum sequential runtime. It prevents overflows.
const maxWork = 1e12

// draft is a job being parsed. Its flags record which fields the row has.
type draft struct {
	job                              job.Job
	more                             job.More
	curve                            job.Speedup
	submit, procs, estimate, runtime bool
	l, a, sigma, table               bool
}

func (r *reader) jobs(s *Scenario, v raw.Value) {
	w := &s.Workload
	r.list(v, spot{part: "jobs"}, func(row int, v raw.Value) {
		if row > job.MaxJobs {
			r.more(v, spot{part: "jobs"}, "at most "+strconv.Itoa(job.MaxJobs))
			return
		}
		at := spot{part: "jobs", row: row}
		d := draft{job: job.Job{ID: strconv.Itoa(row)}}
		kept := r.object(v, at, func(name string, v raw.Value) bool {
			return r.jobField(&d, &s.Machine, name, v, at.of(name))
		})
		if r.complete(&d, raw.Value{At: v.At}, at); r.err != nil {
			return
		}
		w.Jobs = append(w.Jobs, d.job)
		if kept != nil && w.JobsUnknown == nil {
			w.JobsUnknown = make([]Fields, row-1, max(row, cap(w.Jobs)))
		}
		if w.JobsUnknown != nil {
			w.JobsUnknown = append(w.JobsUnknown, kept)
		}
	})
}

func (r *reader) jobField(d *draft, m *Machine, name string, v raw.Value, at spot) bool {
	switch name {
	case "id":
		d.job.ID = r.name(v, at)
	case "submit":
		d.job.Submit, d.submit = r.whole(v, at, 0, job.MaxTime), true
	case "procs":
		d.job.Procs, d.procs = int(r.whole(v, at, 1, cluster.MaxSlots)), true
	case "estimate":
		d.job.Estimate, d.estimate = r.whole(v, at, 1, job.MaxTime), true
	case "runtime":
		d.job.Runtime, d.runtime = r.whole(v, at, 0, job.MaxTime), true
	case "L":
		d.curve.L, d.l = r.number(v, at, 1e-9, maxWork), true
	case "A":
		d.curve.A, d.a = r.number(v, at, 1, 1e9), true
	case "sigma":
		d.curve.Sigma, d.sigma = r.number(v, at, 0, 1e9), true
	case "table":
		d.table = true
		r.list(v, at, func(n int, v raw.Value) {
			if n > job.MaxTable {
				r.more(v, at, "at most "+strconv.Itoa(job.MaxTable)+" runtimes")
				return
			}
			d.curve.Table = append(d.curve.Table, r.whole(v, at, 1, job.MaxTime))
		})
	default:
		return r.trait(d, m, name, v, at)
	}
	return true
}

func (r *reader) trait(d *draft, m *Machine, name string, v raw.Value, at spot) bool {
	switch name {
	case "resources":
		d.more.Extra = r.amounts(m, v, at)
	case "slnos":
		d.more.SLnos = r.number(v, at, 0, job.MaxSlowdown)
	case "slcrs":
		d.more.SLcrs = r.number(v, at, 0, job.MaxSlowdown)
	case "no-limit":
		d.more.NoLimit = r.truth(v, at)
	default:
		w := job.TextFieldNamed(name)
		if w == nil {
			return false
		}
		*w.Of(&d.more) = r.name(v, at)
	}
	return true
}

// amounts parses {name: amount} and returns the amounts in the order of the machine's resources.
func (r *reader) amounts(m *Machine, v raw.Value, at spot) []int64 {
	extra, some := make([]int64, len(m.Resources)), false
	r.object(v, at, func(name string, v raw.Value) bool {
		k := find(m, name)
		if k < 0 {
			r.fail(raw.Value{Text: strconv.Quote(name), At: v.At}, at, resourceNames(m))
			return true
		}
		extra[k] = r.whole(v, spot{at.part, at.row, "resources, " + name}, 0, math.MaxInt64)
		some = some || extra[k] != 0
		return true
	})
	if !some {
		return nil
	}
	return extra
}

// complete fills in omitted fields of a row. The default estimate is the runtime. The runtime of a
// moldable job follows from its speedup curve, or its sequential runtime L from its runtime.
func (r *reader) complete(d *draft, nothing raw.Value, at spot) {
	j, moldable := &d.job, d.a || d.table
	switch {
	case r.err != nil:
		return
	case !d.submit:
		r.fail(nothing, at.of("submit"), "a time in seconds")
	case !d.procs && !moldable:
		r.fail(nothing, at.of("procs"), "a number of processors")
	case d.table && len(d.curve.Table) == 0:
		r.fail(nothing, at.of("table"), "a runtime for each number of processors from 1 on")
	case (d.l || d.sigma) && !d.a:
		r.fail(nothing, at.of("A"), "the average parallelism, because L and sigma are given")
	case !d.runtime && !d.table && !(d.a && d.l):
		r.fail(nothing, at.of("runtime"), "a time in seconds")
	}
	if r.err != nil {
		return
	}
	if !d.procs {
		j.Procs = 1
	}
	if moldable {
		d.mold()
	}
	if !d.estimate {
		j.Estimate = max(j.Runtime, 1)
	}
	if m := &d.more; m.Extra != nil || m.Speedup != nil || m.HasTextFields() || m.SLnos != 0 || m.SLcrs != 0 || m.NoLimit {
		j.More = m
	}
}

// mold completes the speedup curve and the runtime of a moldable job.
func (d *draft) mold() {
	s, j := &d.curve, &d.job
	if !d.table && !d.l {
		s.L = max(math.Round(float64(j.Runtime)*s.At(j.Procs)), 1)
	}
	if !d.runtime {
		j.Runtime = speed.Seconds(s.Work(), s.At(j.Procs))
	}
	d.more.Speedup = s
}
