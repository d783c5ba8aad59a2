package glomarc

import (
	"strconv"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/glomarc/gain"
)

// refuses is the first job that has too few nodes even at the most processes per
// node with which it may start: it could wait for ever (spec 6.2, formula 11).
func refuses(v policy.Values, m *cluster.Machine, jobs []job.Job) *job.Invalid {
	limits := Limits(v)
	for i := range jobs {
		j := gain.Of(&jobs[i].Request)
		dense := limits.PerNode(j, m.PerNode())
		if at := j.At(dense); at.Nodes() <= m.Nodes {
			continue
		}
		return &job.Invalid{Row: i, ID: jobs[i].ID, Field: "procs", Got: strconv.Itoa(j.Procs),
			Expected: "at most " + strconv.Itoa(dense*m.Nodes) + ", as glomarc-ts starts at most " +
				strconv.Itoa(dense) + " of its processes on each of the " + strconv.Itoa(m.Nodes) + " nodes"}
	}
	return nil
}
