package whatif

import (
	"fmt"
	"strings"

	"backfill-lab/core/job"
)

// Found parts what trials gave for a job that starts at start: those with which it
// starts sooner, the soonest first, and what there is to say of the others.
func Found(q *job.Job, trials []*Trial, start job.Time) (better []*Trial, rest []string) {
	if start == q.Submit {
		return nil, []string{"It starts at the moment it is submitted."}
	}
	better, same, later := Ranked(trials, start)
	if len(better) == 0 {
		rest = append(rest, "Nothing that was tried would have it start sooner.")
	}
	if len(same) > 0 {
		rest = append(rest, "No effect: if "+either(q, same)+".")
	}
	if len(later) > 0 {
		rest = append(rest, "It would start later: if "+either(q, later)+".")
	}
	return better, rest
}

func either(q *job.Job, trials []*Trial) string {
	words := make([]string, len(trials))
	for i, t := range trials {
		words[i] = Words(q, t.Changes)
	}
	return strings.Join(words, "; if ")
}

// Says returns a trial with which a job starts sooner than at start, in words.
func (t *Trial) Says(q *job.Job, start job.Time) string {
	return fmt.Sprintf("%d, %s, if %s", t.Start, Shifted(t.Start-start), Words(q, t.Changes))
}

// Texts returns the changes as Parse reads them.
func (t *Trial) Texts() []string {
	out := make([]string, len(t.Changes))
	for i := range t.Changes {
		out[i] = t.Changes[i].String()
	}
	return out
}
