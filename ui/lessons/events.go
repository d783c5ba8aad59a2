package lessons

import (
	"fmt"
	"strings"

	"backfill-lab/core/replay"
)

// eventWords describes each kind of event in a few words. The placeholder %s stands for the job.
var eventWords = map[string]string{
	replay.Before:    "the state before all events",
	replay.After:     "the state after all events",
	replay.Submitted: "%s is submitted",

	"start":     "%s starts",
	"finish":    "%s ends",
	"suspend":   "%s is suspended",
	"resume":    "%s resumes",
	"rate":      "the speed of %s changes",
	"promise":   "%s is promised a start",
	"move":      "the planned start of %s moves",
	"hold":      "%s has to wait",
	"slice":     "a time slice begins or ends",
	"size":      "%s gets its size",
	"resize":    "the planned size of %s changes",
	"effort":    "the plan is compressed",
	"fair":      "the fair start of %s is computed",
	"node":      "%s is tried in a set",
	"scored":    "the starts planned with a set are compared with the fair starts",
	"choice":    "a set is selected",
	"group":     "%s joins a group of jobs that share nodes",
	"form":      "%s is tried as the primary of a group",
	"candidate": "%s is tried as a job that could share the nodes of a primary job",
	"member":    "%s is in a set",
	"gains":     "the gain of a set with the primary %s is computed",
	"purge":     "%s is removed from a set",
	"judge":     "the fairness of a set with the primary %s is checked",
	"block":     "an outage begins or ends",
}

// placeWords describes event p in words, without its time.
func placeWords(p replay.EventRef) string {
	job := "a job"
	if p.Job != "" {
		job = "job " + p.Job
	}
	words, ok := eventWords[p.Event]
	if !ok {
		words = p.Event // a kind of event that only later versions know
	}
	if p.Nth > 1 {
		words += fmt.Sprintf(" (number %d at this time)", p.Nth)
	}
	return strings.ReplaceAll(words, "%s", job)
}
