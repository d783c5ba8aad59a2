package truth

import (
	"strconv"
	"strings"

	"backfill-lab/core/job"
)

// Parse reads an answer in the form in which the command prints it.
func Parse(text string, k job.Index, at job.Time) *Answer {
	a := &Answer{Job: k, At: at}
	part := &a.Facts
	more := new(int)
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if n, ok := strings.CutPrefix(line, "  and "); ok && strings.HasSuffix(n, " more") {
			*more, _ = strconv.Atoi(strings.TrimSuffix(n, " more"))
			continue
		}
		switch {
		case line == "" && part == &a.Facts:
			part = &a.Lines
		case line == "":
		case line == "On the machine:":
			part, more = &a.Holders, &a.MoreHolders
		case line == "Submitted later, started first:":
			part, more = &a.Overtakers, &a.MoreOvertakers
		case line == "History:":
			part = &a.History
		case line == "Later:":
			part = &a.Later
		case part == &a.Facts:
			*part = append(*part, Line{strings.TrimSpace(line[:12]), line[12:]})
		case part == &a.History || part == &a.Later:
			name, said, _ := strings.Cut(strings.TrimSpace(line), "  ")
			*part = append(*part, Line{name, said})
		default:
			*part = append(*part, Line{"", strings.TrimPrefix(line, "  ")})
		}
	}
	return a
}
