package explain_test

import (
	"math"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// sliced returns a run in time slices, written by hand: job a is taken off for a
// while and then shares its nodes with job c, which slows both down; job b
// waits for a resource.
func sliced() *log.Log {
	m := cluster.Flat(4)
	m.Resources = []cluster.Resource{{Name: "licences", Capacity: 2}}
	request := func(submit, procs, estimate, licences int64) job.Request {
		return job.Request{Submit: submit, Procs: int(procs), Estimate: estimate, More: &job.More{Extra: []int64{licences}}}
	}
	jobs := []job.Job{
		{ID: "a", Request: request(0, 2, 20, 2), Runtime: 15},
		{ID: "b", Request: request(1, 1, 10, 1), Runtime: 10},
		{ID: "c", Request: request(2, 2, 10, 0), Runtime: 10},
	}
	l := log.New(m, jobs, log.Full)
	add := func(at job.Time, kind log.Kind, j job.Index, code log.Code, other job.Index, x int64) {
		l.Add(log.Record{At: at, Kind: kind, Job: j, Code: code, Other: other, X: x})
	}
	half := int64(math.Float64bits(0.5))
	one := int64(math.Float64bits(1))
	l.Place(0, cluster.Set{{Lo: 0, Hi: 2}}, log.Layout{Procs: 2})
	add(0, log.Start, 0, log.Head, job.None, 4)
	add(5, log.Suspend, 0, log.NoReason, job.None, 0)
	add(10, log.Resume, 0, log.NoReason, job.None, 0)
	l.Place(2, cluster.Set{{Lo: 2, Hi: 4}}, log.Layout{Procs: 2})
	add(10, log.Start, 2, log.Grouped, 0, 0)
	add(10, log.Reprice, 0, 0, job.None, half)
	add(10, log.Reprice, 2, 0, job.None, half)
	add(30, log.Finish, 0, 0, job.None, 0)
	add(30, log.Reprice, 2, 0, job.None, one)
	l.Place(1, cluster.Set{{Lo: 0, Hi: 1}}, log.Layout{Procs: 1})
	add(30, log.Start, 1, log.FirstFit, job.None, 2)
	add(30, log.Finish, 2, 0, job.None, 0)
	add(40, log.Finish, 1, 0, job.None, 0)
	return l
}
