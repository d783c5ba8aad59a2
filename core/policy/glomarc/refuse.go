package glomarc

import (
	"strconv"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/glomarc/gain"
)

// refuses returns the first job that needs more nodes than the machine has with the
// processes per node of formula 11, nil if there is none. Such a job could be neither
// planned nor, in space sharing, ever started.
func refuses(v policy.Values, m *cluster.Machine, jobs []job.Job) *job.Invalid {
	limits := Limits(v)
	for i := range jobs {
		j := gain.Of(&jobs[i].Request)
		perNode := limits.PerNode(j, m.PerNode())
		if at := j.At(perNode); at.Nodes() <= m.Nodes {
			continue
		}
		return &job.Invalid{Row: i, ID: jobs[i].ID, Field: "procs", Got: strconv.Itoa(j.Procs),
			Expected: "at most " + strconv.Itoa(perNode*m.Nodes) + ", as glomarc-ts places " +
				strconv.Itoa(perNode) + " of its processes on each of the " + strconv.Itoa(m.Nodes) + " nodes"}
	}
	return nil
}
