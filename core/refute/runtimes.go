package refute

import (
	"fmt"
	"slices"

	"backfill-lab/core/job"
)

// checkRuntimes returns evidence that policy A uses runtimes that it cannot know yet. It returns
// nil if it finds no such evidence. For each pass of the run, it changes the runtimes of the jobs that
// have not ended by then, and runs the policy again. If the schedule up to this pass changes, the
// policy knew the runtimes in advance. checkRuntimes then looks for a single job whose runtime makes
// the difference.
func checkRuntimes(t *trial) (*evidence, error) {
	r, err := t.run(subjectA)
	if err != nil {
		return nil, err
	}
	for _, cutoff := range r.passes {
		for _, longest := range []bool{false, true} {
			changed := t.otherRuntimes(r, cutoff, longest)
			e, err := t.compareUntil(r, cutoff, changed)
			if err != nil || e == nil {
				if err != nil {
					return nil, err
				}
				continue
			}
			return t.withOneChange(r, cutoff, changed, e)
		}
	}
	return nil, nil
}

// otherRuntimes returns a copy of the jobs with changed runtimes. Moldable jobs, and jobs that have
// ended by the given time, keep their runtimes. If any job was suspended in run r, jobs that have
// started by this time also keep theirs. Every other job gets its longest possible runtime if
// longest is true, and its shortest possible runtime otherwise.
func (t *trial) otherRuntimes(r *run, at job.Time, longest bool) []job.Job {
	jobs := slices.Clone(t.workload.jobs)
	whole := len(r.log.Spans()) <= len(jobs) // whether no job was suspended, so that the work done is the time since the start
	for i, o := range r.ends {
		j := &jobs[i]
		shortest := job.Time(1)
		switch {
		case o.Finish <= at || j.Speedup() != nil:
			continue
		case o.Start <= at && !whole:
			continue
		case o.Start <= at:
			shortest = at - o.Start + 1
		}
		if j.Runtime = shortest; longest {
			j.Runtime = j.Estimate
		}
	}
	return jobs
}

// compareUntil runs policy A on the given jobs until the cutoff. It returns evidence of the first
// start that differs from the start in run r. It returns nil if no start differs.
func (t *trial) compareUntil(r *run, cutoff job.Time, jobs []job.Job) (*evidence, error) {
	other, err := t.subjects[subjectA].simulateUntil(&workload{t.workload.machine, jobs}, cutoff)
	if err != nil {
		return nil, err
	}
	first := evidence{at: job.Never}
	for j := range r.ends {
		a, b := r.ends[j].Start, other.ends[j].Start
		if at := min(a, b); a != b && at <= cutoff && at < first.at {
			first.at, first.job = at, job.Index(j)
			does, did := "starts", "does not start"
			if a != at {
				does, did = did, does
			}
			first.what = fmt.Sprintf("%s knows runtimes in advance: at %s, %s %s, but it %s", t.subjects[subjectA].Title,
				t.workload.instant(at), t.workload.name(first.job), does, did)
		}
	}
	if first.at == job.Never {
		return nil, nil
	}
	return &first, nil
}

// withOneChange looks for a single job whose changed runtime suffices to change the schedule. If
// there is such a job, withOneChange returns the evidence for this job instead of e. It also adds a
// sentence about the changed runtimes to the evidence.
func (t *trial) withOneChange(r *run, cutoff job.Time, changed []job.Job, e *evidence) (*evidence, error) {
	for i := range changed {
		if changed[i].Runtime == t.workload.jobs[i].Runtime {
			continue
		}
		one := slices.Clone(t.workload.jobs)
		one[i] = changed[i]
		single, err := t.compareUntil(r, cutoff, one)
		if err != nil {
			return nil, err
		}
		if single != nil {
			changed, e = one, single
			break
		}
	}
	e.what += " if " + t.runtimesText(changed)
	e.more = []string{fmt.Sprintf("At %s, none of the jobs with changed runtimes had ended, so the policy could not know these runtimes.", t.workload.instant(cutoff))}
	return e, nil
}

// runtimesText returns a text that lists each of the given jobs whose runtime differs from its
// runtime in the workload.
func (t *trial) runtimesText(jobs []job.Job) (text string) {
	for i := range jobs {
		if before, after := t.workload.jobs[i].Runtime, jobs[i].Runtime; before != after {
			if text != "" {
				text += " and "
			}
			text += fmt.Sprintf("%s runs %s instead of %s", t.workload.name(job.Index(i)), t.workload.clock().Duration(after), t.workload.clock().Duration(before))
		}
	}
	return text
}
