package workload

import (
	"strconv"
	"strings"

	"backfill-lab/core/format"
)

// Changes describes what the rules do to the jobs, in the order in which they apply, such as "load
// ×1.25" or "first 500 jobs". Scenarios store these descriptions. The descriptions do not contain
// names of users or classes, so they can stay when a scenario is anonymised.
func (r *Rules) Changes() (out []string) {
	if r.Window != (Window{}) {
		out = append(out, "window "+r.Window.String()+" s")
	}
	var kept []string
	for _, field := range KeepFields {
		switch text := r.Keep.Get(field); {
		case text == "":
		case field == "user" || field == "class":
			kept = append(kept, "by "+field)
		default:
			kept = append(kept, field+" "+text)
		}
	}
	if kept != nil {
		out = append(out, "filtered: "+strings.Join(kept, ", "))
	}
	if r.Shift {
		out = append(out, "first submission moved to 0")
	}
	if r.LoadFactor != 0 && r.LoadFactor != 1 {
		out = append(out, "load ×"+strconv.FormatFloat(r.LoadFactor, 'g', -1, 64))
	}
	if r.WallFactor != 0 && r.WallFactor != 1 {
		longer := [...]string{Raise: "", Truncate: ", longer runtimes cut", Kill: ", longer jobs killed"}[r.Overrun]
		out = append(out, "wall times ×"+strconv.FormatFloat(r.WallFactor, 'g', -1, 64)+longer)
	}
	if r.Limit > 0 {
		out = append(out, "first "+format.Count(r.Limit, "job"))
	}
	return out
}
