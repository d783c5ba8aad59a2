package reading

import (
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// Reorder rearranges the amounts of extra resources from the column order of a table to
// the resource order of a machine. Resources not in the table get the amount 0.
func Reorder(jobs []job.Job, from []string, to []cluster.Resource) {
	same := func(name string, r cluster.Resource) bool { return name == r.Name }
	if slices.EqualFunc(from, to, same) {
		return
	}
	for i := range jobs {
		if jobs[i].More == nil {
			continue
		}
		more := *jobs[i].More
		more.Extra = make([]int64, len(to))
		for k, r := range to {
			if at := slices.Index(from, r.Name); at >= 0 {
				more.Extra[k] = jobs[i].Extra(at)
			}
		}
		jobs[i].More = &more
	}
}
