package main

import (
	"fmt"
	"strings"

	"backfill-lab/core/decision"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/registry"
)

// decision prints how the policy selected a set of jobs at the given time. If the policy uses time
// slices, it can make several such decisions at the same time.
func (r *logSource) decision(time string) error {
	if r.source.flagSet.Changed("job") || r.source.flagSet.Changed("at") {
		return usageErrorf("-decision: expected no -job and no -at, which explain a job")
	}
	l, title, err := r.load()
	if err != nil {
		return err
	}
	read := decisionReader(title)
	if read == nil {
		return fmt.Errorf("-decision: expected a policy that selects sets of jobs: fair-slack or glomarc-ts, or scojo-pect with one of them as its inner policy, got %q", title)
	}
	at, err := r.clock.ParseInstant(time)
	if err != nil {
		return usageErrorf("-decision: %v", err)
	}
	records := decision.ChoiceRecords(l) // indexes of the records that describe decisions
	first, end := decision.CountUntil(l, records, at-1), decision.CountUntil(l, records, at)
	if first == end {
		return fmt.Errorf("-decision: expected the time of a decision%s, got %s", r.nearbyTimes(l, records, first), r.clock.Instant(at))
	}
	for _, record := range records[first:end] {
		account := read(l, int(record))
		account.SetClock(r.clock)
		fmt.Fprintf(r.env.out, "Decision at %s\n%s", r.clock.Instant(at), decision.Text(account))
	}
	return nil
}

// decisionReader returns the function that reads the decisions of a policy. The policy is given
// with its knobs, such as "fair-slack goal=fairness". decisionReader returns nil if the policy does
// not select sets of jobs.
func decisionReader(title string) decision.Reader {
	words := strings.Fields(title)
	if len(words) == 0 {
		return nil
	}
	knobs := map[string]string{}
	for _, w := range words[1:] {
		name, value, _ := strings.Cut(w, "=")
		knobs[name] = value
	}
	return registry.DecisionReader(words[0], knobs)
}

// nearbyTimes returns a phrase that names the times of decision i and of the decision before it,
// for an error message. If the run has no decisions, the phrase says so. The log index of decision i
// is decisionRecords[i].
func (r *logSource) nearbyTimes(l *log.Log, decisionRecords []int32, i int) string {
	var words []string
	for _, p := range decisionRecords[max(i-1, 0):min(i+1, len(decisionRecords))] {
		words = append(words, r.clock.Instant(l.Record(int(p)).At))
	}
	if words == nil {
		return " (this run has none)"
	}
	return ", such as " + strings.Join(words, " or ")
}
