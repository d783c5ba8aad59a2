package anonymise

import (
	"strconv"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/schedule"
)

// ScheduleTitle is the title of an anonymised external schedule. It replaces the file name.
const ScheduleTitle = "external schedule"

// Renaming describes how a scenario was anonymised, so that its external schedules can be
// anonymised in the same way. It holds the new names of the jobs, and the number of seconds by
// which their submissions moved earlier.
type Renaming struct {
	Pairs []string // alternating old and new names
	Shift job.Time
}

// RenamingSince combines the successive anonymisations that led from base to n into one renaming. A
// nil base or n stands for the original names. It returns nil if there is nothing to rename, or if
// n was not made from base.
func (n *Names) RenamingSince(base *Names) *Renaming {
	if n == base {
		return nil
	}
	var steps []*Names // from the latest anonymisation to the earliest
	for at := n; at != base; at = at.Previous {
		if at == nil {
			return nil
		}
		steps = append(steps, at)
	}
	first := steps[len(steps)-1]
	r := &Renaming{}
	for _, old := range first.Jobs.list {
		name, known := old, true
		for i := len(steps) - 1; i >= 0 && known; i-- {
			name, known = steps[i].Jobs.numbers[name]
		}
		if known {
			r.Pairs = append(r.Pairs, old, name)
		}
	}
	for _, s := range steps {
		r.Shift += s.Shift
	}
	return r
}

// Rows returns a copy of the rows of an external schedule in which the jobs have their new names.
// Times do not change. A job that is not in the scenario gets a new name, such as "not in the
// scenario, 1".
func (r *Renaming) Rows(rows []schedule.Row) []schedule.Row {
	out := make([]schedule.Row, len(rows))
	names, unknown := make(map[string]string, len(rows)), 0
	for i := 0; i+1 < len(r.Pairs); i += 2 {
		names[r.Pairs[i]] = r.Pairs[i+1]
	}
	for i, x := range rows {
		name, ok := names[x.ID]
		if base, nth, cut := cutLast(x.ID, "#"); !ok && cut { // the data rules append # and a number to duplicate IDs
			if name, ok = names[base]; ok {
				name += "#" + nth
			}
		}
		if !ok {
			unknown++
			name = "not in the scenario, " + strconv.Itoa(unknown)
			names[x.ID] = name
		}
		x.ID = name
		out[i] = x
	}
	return out
}

// cutLast cuts text around the last occurrence of sep.
func cutLast(text, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(text, sep); i >= 0 {
		return text[:i], text[i+len(sep):], true
	}
	return text, "", false
}
