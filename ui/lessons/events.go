package lessons

import (
	"fmt"
	"strings"

	"backfill-lab/core/replay"
)

// eventWords describes each kind of event in a few words. The placeholder %s stands for the job.
var eventWords = map[string]string{
	replay.Before:    "the state before all events at this time",
	replay.After:     "the state after all events at this time",
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
	"size":      "the number of processors of %s is selected",
	"resize":    "the planned number of processors of %s changes",
	"effort":    "the plan is compressed",
	"fair":      "the fair start of %s is computed",
	"node":      "%s is tried in a set of jobs",
	"scored":    "the starts planned with a set of jobs are compared with the fair starts",
	"choice":    "a set of jobs is selected to start",
	"group":     "%s joins a group of jobs that share nodes",
	"form":      "%s is tried as the primary job of a group",
	"candidate": "%s is tried as a job that could share the nodes of a primary job",
	"member":    "%s is in a set of jobs that could share nodes",
	"gains":     "the gain of a set of jobs is computed, with %s as the primary",
	"purge":     "%s is removed from a set of jobs that could share nodes",
	"judge":     "the fairness of a set of jobs is checked, with %s as the primary",
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
		words += fmt.Sprintf(" (the event number %d of this kind at this time)", p.Nth)
	}
	return strings.ReplaceAll(words, "%s", job)
}
