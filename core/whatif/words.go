package whatif

import (
	"strconv"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/workload"
)

// Words returns the change as a clause to put after "What if", such as "it requested 2 processors".
// The argument j is the job before the change.
func (c *Change) Words(j *job.Job, clock format.Clock) string {
	switch c.Kind {
	case Exact:
		return "its estimate were exact (" + clock.Duration(j.Runtime) + ")"
	case ExactAll:
		return "all estimates were exact"
	case Estimate:
		return "its estimate were " + clock.Duration(c.N)
	case Runtime:
		return "it ran " + clock.Duration(c.N)
	case Procs:
		return "it requested " + format.Count(c.N, "processor")
	case Submit:
		return "it were submitted at " + clock.Instant(c.N)
	case Earlier:
		return "it were submitted at " + clock.Instant(max(0, j.Submit-c.N))
	case Later:
		return "it were submitted at " + clock.Instant(j.Submit+c.N)
	case Nodes:
		if c.N < 0 {
			return "the machine had " + format.Count(-c.N, "node") + " fewer"
		}
		return "the machine had " + format.Count(c.N, "node") + " more"
	case Walls:
		text := "all wall times were multiplied by " + strconv.FormatFloat(c.Rules.WallFactor, 'g', -1, 64)
		return text + [...]string{workload.Raise: "", workload.Truncate: " with longer runtimes cut", workload.Kill: " with longer jobs killed"}[c.Rules.Overrun]
	case Policy:
		return "the policy were " + c.Policy.DerivedTitle()
	}
	if c.ID != "" {
		return "job " + c.ID + " were removed"
	}
	return "it were removed"
}

// Words returns several changes as clauses to put after "What if", joined by "and".
func Words(j *job.Job, changes []Change, clock format.Clock) string {
	all := make([]string, len(changes))
	for i := range changes {
		all[i] = changes[i].Words(j, clock)
	}
	return strings.Join(all, " and ")
}
