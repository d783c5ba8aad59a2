package document

import (
	"fmt"
	"slices"

	"backfill-lab/core/format"
)

// Difference describes in few words the edit that turned d into o. If several parts
// changed, it names the most important one.
func (d *Doc) Difference(o *Doc) string {
	switch {
	case o.scaledWallTimes(d):
		return "wall times scaled"
	case d.MachineIsProposed != o.MachineIsProposed && d.Base == o.Base:
		return "machine accepted"
	case d.Base != o.Base && o.Source == "":
		return "scenario replaced"
	case d.Base != o.Base:
		return "jobs from " + o.Source
	case len(d.Resources) != len(o.Resources) || !slices.EqualFunc(d.Resources, o.Resources, sameResource):
		return "extra resources changed"
	case !d.Rows.Same(o.Rows):
		return o.Rows.difference(d.Rows)
	case d.Machine != o.Machine:
		return "machine changed"
	case !slices.EqualFunc(d.Outages, o.Outages, sameOutage):
		return "outages changed"
	case d.Slowdown != o.Slowdown:
		return "slowdowns changed"
	case d.Warmup != o.Warmup || d.Cooldown != o.Cooldown:
		return "warm-up and cool-down changed"
	case d.Lesson != o.Lesson:
		return "lesson changed"
	case d.Title != o.Title:
		return "title changed"
	case d.Text != o.Text:
		return "text changed"
	}
	return policyDifference(d.Policies, o.Policies)
}

// scaledWallTimes reports whether the edit that turned the old document into d scaled the wall times (the estimates) of
// the jobs.
func (d *Doc) scaledWallTimes(old *Doc) bool {
	return d.LastRules != nil && d.LastRules != old.LastRules && d.LastRules.WallFactor != 0
}

// ChangedTabs returns the names of the tabs whose content differs between d and o.
func (d *Doc) ChangedTabs(o *Doc) (out []string) {
	for _, part := range []struct {
		tab  string
		same bool
	}{
		{"jobs", d.Rows.Same(o.Rows)},
		{"workload", d.Warmup == o.Warmup && d.Cooldown == o.Cooldown && d.Base == o.Base},
		{"machine", d.Machine == o.Machine && d.Slowdown == o.Slowdown && slices.EqualFunc(d.Outages, o.Outages, sameOutage) && slices.EqualFunc(d.Resources, o.Resources, sameResource)},
		{"policies", slices.EqualFunc(d.Policies, o.Policies, func(a, b Policy) bool { return a.same(&b) })},
		{"lesson", d.Lesson == o.Lesson},
		{"text", d.Title == o.Title && d.Text == o.Text},
	} {
		if !part.same {
			out = append(out, part.tab)
		}
	}
	return out
}

func sameOutage(a, b Outage) bool { return a.Texts == b.Texts }

func sameResource(a, b Resource) bool { return a.Name == b.Name && a.Capacity == b.Capacity }

// difference describes the edit that turned the old rows into r.
func (r Rows) difference(old Rows) string {
	switch {
	case r.Len() > old.Len():
		return format.Count(r.Len()-old.Len(), "row") + " added"
	case r.Len() < old.Len():
		return format.Count(old.Len()-r.Len(), "row") + " deleted"
	}
	i, removed, n := r.Since(old)
	if n == 1 && removed == 1 {
		was, is := old.At(i), r.At(i)
		for c := ID; c < Amounts; c++ {
			if was.Text(c) != is.Text(c) {
				return fmt.Sprintf("%s of row %d changed", c.Name(), i+1)
			}
		}
	}
	return format.Count(n, "row") + " changed"
}
