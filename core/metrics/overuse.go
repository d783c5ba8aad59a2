package metrics

import (
	"fmt"

	"backfill-lab/core/cluster"
	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/schedule"
)

// Overuse describes a time at which jobs use more processors than are available. This happens only
// in schedules that were read from a file. The policies of this program never cause it. If the use
// is too high even on average, the metric utilization does not apply.
type Overuse struct {
	At          job.Time // time with the largest excess of Used over Procs
	Used, Procs int      // processors in use and available at that time
}

// Text returns a phrase that describes the overuse. The clock formats the time.
func (e *Overuse) Text(c format.Clock) string {
	return fmt.Sprintf("jobs use more processors than the machine has: %s of %s at %s",
		format.Whole(e.Used), format.Whole(e.Procs), c.At(e.At))
}

// CheckUse returns an *Overuse if, at some time, jobs use more processors than outages leave
// available. It describes the first time with the largest excess. If there is no such time,
// CheckUse returns nil.
func CheckUse(rows []schedule.Row, m cluster.Machine) *Overuse {
	type change struct {
		at job.Time
		by int
	}
	var all []change
	for i := range rows {
		for _, g := range rows[i].Segments {
			all = append(all, change{g.From, rows[i].Procs})
			if g.To != job.Never {
				all = append(all, change{g.To, -rows[i].Procs})
			}
		}
	}
	for _, o := range m.Outages {
		all = append(all, change{o.From, 0}, change{o.To, 0})
	}
	job.SortByTime(all, func(c *change) job.Time { return c.at })
	var worst *Overuse
	used := 0
	for i, c := range all {
		if used += c.by; i+1 < len(all) && all[i+1].at == c.at {
			continue
		}
		procs := m.Slots() - m.UnavailableProcs(c.at)
		if used > procs && (worst == nil || used-procs > worst.Used-worst.Procs) {
			worst = &Overuse{c.at, used, procs}
		}
	}
	return worst
}

// share returns a / b, where a is a part of b. It reports false if b is not positive. It also
// reports false if a is larger than b, which can happen if jobs use too many processors.
func share(a, b float64) (float64, bool) {
	v, ok := ratio(a, b)
	return v, ok && v <= 1+1e-9
}
