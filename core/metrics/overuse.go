package metrics

import (
	"cmp"
	"fmt"
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/schedule"
)

// Overuse reports that jobs use more processors than the machine has at some time. No policy
// of ours makes such a schedule; it comes from a file, or belongs to another machine. The
// utilization then has no value.
type Overuse struct {
	At          job.Time // when most processors are too many
	Used, Procs int      // processors in use and available at that time
}

func (e *Overuse) Error() string {
	return fmt.Sprintf("jobs use more processors than the machine has: %s of %s at t = %s",
		format.Whole(e.Used), format.Whole(e.Procs), format.Whole(e.At))
}

// CheckUse returns an *Overuse if a schedule uses more processors than the machine has, at the
// time at which it exceeds them most, or nil.
func CheckUse(rows []schedule.Row, m cluster.Machine) error {
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
	for _, b := range m.Outages {
		all = append(all, change{b.From, 0}, change{b.To, 0})
	}
	slices.SortStableFunc(all, func(a, b change) int { return cmp.Compare(a.at, b.at) })
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
	if worst == nil {
		return nil
	}
	return worst
}

// share returns a / b, a part of a whole. It reports false if b is 0 or negative, or if a is
// larger than b: no part is.
func share(a, b float64) (float64, bool) {
	v, ok := ratio(a, b)
	return v, ok && v <= 1+1e-9
}
