package anonymise

import (
	"strconv"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/schedule"
)

// ScheduleTitle replaces the name of the file of an external schedule.
const ScheduleTitle = "external schedule"

// Renaming says how an external schedule follows a scenario that was anonymised: new
// job names by old ones, and by how many seconds the submissions of the scenario moved
// towards 0.
type Renaming struct {
	Pairs   []string // old and new names by turns
	Earlier job.Time
}

// Since returns the steps that lead from the names of base to those of n as one
// renaming, nil if there is none or n does not follow from base. A nil base or n
// stands for the original names.
func (n *Names) Since(base *Names) *Renaming {
	if n == base {
		return nil
	}
	var steps []*Names // the last one first
	for at := n; at != base; at = at.Before {
		if at == nil {
			return nil
		}
		steps = append(steps, at)
	}
	first := steps[len(steps)-1]
	r := &Renaming{}
	for _, old := range first.Jobs.list {
		name, there := old, true
		for i := len(steps) - 1; i >= 0 && there; i-- {
			name, there = steps[i].Jobs.of[name]
		}
		if there {
			r.Pairs = append(r.Pairs, old, name)
		}
	}
	for _, s := range steps {
		r.Earlier += s.Earlier
	}
	return r
}

// Rows returns the rows of an external schedule with the new names. A row of a job that
// the scenario does not have gets a name that no job of the scenario has.
func (r *Renaming) Rows(rows []schedule.Row) []schedule.Row {
	out := make([]schedule.Row, len(rows))
	names, unknown := make(map[string]string, len(rows)), 0
	for i := 0; i+1 < len(r.Pairs); i += 2 {
		names[r.Pairs[i]] = r.Pairs[i+1]
	}
	for i, x := range rows {
		name, ok := names[x.ID]
		if base, nth, cut := cutLast(x.ID, "#"); !ok && cut { // the data rules tell jobs of one name apart so
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

func cutLast(text, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(text, sep); i >= 0 {
		return text[:i], text[i+len(sep):], true
	}
	return text, "", false
}
