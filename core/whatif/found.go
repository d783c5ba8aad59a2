package whatif

import (
	"fmt"
	"strings"

	"backfill-lab/core/job"
)

// Found is what trials gave, in sentences: one for each that has the job start
// sooner than at start, and one each for those that do not.
func Found(q *job.Job, trials []*Trial, start job.Time) (lines []string) {
	if start == q.Submit {
		return []string{"It starts at the moment it is submitted."}
	}
	sooner, same, later := Ranked(trials, start)
	for _, t := range sooner {
		lines = append(lines, fmt.Sprintf("%d, %s, if %s", t.Start, Shifted(t.Start-start), Words(q, t.Changes)))
	}
	if len(sooner) == 0 {
		lines = append(lines, "Nothing that was tried would have it start sooner.")
	}
	if len(same) > 0 {
		lines = append(lines, "No effect: if "+either(q, same)+".")
	}
	if len(later) > 0 {
		lines = append(lines, "It would start later: if "+either(q, later)+".")
	}
	return lines
}

func either(q *job.Job, trials []*Trial) string {
	words := make([]string, len(trials))
	for i, t := range trials {
		words[i] = Words(q, t.Changes)
	}
	return strings.Join(words, "; if ")
}
