package refute

import (
	"cmp"
	"fmt"
	"slices"

	"backfill-lab/core/formula"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/profile"
)

// This file checks the goals about the head of the queue. At any time, the queue holds the
// submitted jobs that have not started. It is sorted by the order of the policy, which is the order
// of submission unless a policy parameter selects another one. At each pass, the policy starts some
// of these jobs. The head is the first job that it does not start. A job that starts although it is
// behind the head is backfilled.
//
// The shadow time of the head is the earliest time at which the head fits (Mu'alem and Feitelson
// 2001, section 2). It assumes that the running jobs, and the jobs started ahead of the head, end
// at their estimates, and that no other job starts. It is computed when a job becomes the head, and
// again when a job ahead of the head starts.

// eachPass calls yield for each pass of a run, until yield returns false. A pass is a call of the
// policy. The function yield gets the time of the pass, the head, and the jobs that wait before the
// pass, in queue order. The head is the first of these jobs that the policy does not start, or
// job.None if the policy starts all of them.
func (t *trial) eachPass(r *run, yield func(at job.Time, head job.Index, queue []job.Index) bool) {
	key := queueKey(t.subjects[subjectA].Order)
	for _, at := range r.passes {
		var queue []job.Index
		for j, o := range r.ends {
			if t.workload.jobs[j].Submit <= at && o.Start >= at {
				queue = append(queue, job.Index(j))
			}
		}
		slices.SortStableFunc(queue, func(a, b job.Index) int { return cmp.Compare(key(t.workload, a, at), key(t.workload, b, at)) })
		head := job.None
		if i := slices.IndexFunc(queue, func(j job.Index) bool { return r.ends[j].Start > at }); i >= 0 {
			head = queue[i]
		}
		if !yield(at, head, queue) {
			return
		}
	}
}

// queueKey returns a function that computes the sort key of a job in queue order o at a given time.
func queueKey(o policy.Order) func(w *workload, j job.Index, at job.Time) int64 {
	text := string(o)
	if slices.Contains(policy.Orders, text) || o == "" {
		text = o.Formula()
	}
	f, err := formula.Parse(text)
	if err != nil {
		panic(err) // the parameters of policies do not accept such an order
	}
	return func(w *workload, j job.Index, at job.Time) int64 {
		return f.Key(&w.machine, &w.jobs[j].Request, at)
	}
}

// runOneQueue returns the run of policy A. It returns nil if the head of the queue and its shadow
// time are not defined: if jobs are not rigid, do not wait in a single queue, or may lose their
// processors before they end.
func (t *trial) runOneQueue() (*run, error) {
	if slices.ContainsFunc(t.workload.jobs, func(j job.Job) bool { return j.Speedup() != nil }) {
		return nil, nil
	}
	r, err := t.run(subjectA)
	if err != nil || hasRecord(r, log.Slice, log.Suspend) {
		return nil, err
	}
	return r, nil
}

// capacity returns a profile of the free capacity from the given time on. The profile contains the
// running jobs for which include returns true. Each of these jobs occupies its resources until its
// estimated end. capacity reports false if one of these jobs overlaps an outage, because a profile
// cannot hold both.
func (t *trial) capacity(r *run, at job.Time, include func(j job.Index, start job.Time) bool) (*profile.Profile, bool) {
	p := profile.ForMachine(&t.workload.machine)
	for i, o := range r.ends {
		j := job.Index(i)
		if o.Start > at || o.Finish <= at || !include(j, o.Start) {
			continue
		}
		n := t.workload.jobs[j].Demand()
		n.Procs = r.log.Alloc(j).Count()
		left := o.Start + r.log.Estimate(j) - at
		if !p.Fits(n, left, at) {
			return nil, false
		}
		p.Reserve(n, at, at+left)
	}
	return p, true
}

// checkHeadWaits returns evidence that the head of the queue fits at some time but does not start.
// It returns nil if this never happens.
func checkHeadWaits(t *trial) (found *evidence, err error) {
	r, err := t.runOneQueue()
	if r == nil {
		return notApplicable, err
	}
	t.eachPass(r, func(at job.Time, head job.Index, _ []job.Index) bool {
		if head == job.None {
			return true
		}
		q := &t.workload.jobs[head]
		p, ok := t.capacity(r, at, func(job.Index, job.Time) bool { return true })
		if !ok || !p.Fits(q.Demand(), q.Estimate, at) {
			return true
		}
		found = &evidence{at: at, job: head, what: fmt.Sprintf("%s does not start %s at %s, although it is first in the queue and fits",
			t.subjects[subjectA].Title, t.workload.name(head), t.workload.instant(at))}
		return false
	})
	return found, nil
}

// checkHead returns evidence that the head of the queue does not fit at its shadow time because of
// a job behind it. That job must have started after the shadow time was computed. If there is no
// such job, checkHead returns nil.
func checkHead(t *trial) (found *evidence, err error) {
	r, err := t.runOneQueue()
	if r == nil {
		return notApplicable, err
	}
	current, since, shadow := job.None, job.Time(0), job.Never
	t.eachPass(r, func(at job.Time, head job.Index, queue []job.Index) bool {
		if head == job.None {
			current = job.None
			return true
		}
		q := &t.workload.jobs[head]
		if ahead := queue[:slices.Index(queue, head)]; head != current || len(ahead) > 0 {
			current, since, shadow = head, at, job.Never
			p, ok := t.capacity(r, at, func(j job.Index, start job.Time) bool { return start < at || slices.Contains(ahead, j) })
			if ok {
				shadow = p.Find(q.Demand(), q.Estimate, at)
			}
		}
		if at < shadow {
			return true
		}
		if behind := t.delayingJob(r, head, shadow); behind != job.None {
			found = t.delayEvidence(r, head, behind, since, shadow)
		}
		shadow = job.Never // each shadow time is checked once, at the first pass that is not before it
		return found == nil
	})
	return found, nil
}

// delayingJob returns the job that delays the head: the job that started last among the jobs behind
// the head that run at the shadow time. It returns job.None if the head fits at its shadow time, or
// if the running jobs overlap an outage.
func (t *trial) delayingJob(r *run, head job.Index, shadow job.Time) job.Index {
	behind := job.None
	q := &t.workload.jobs[head]
	if p, ok := t.capacity(r, shadow, func(job.Index, job.Time) bool { return true }); !ok || p.Fits(q.Demand(), 1, shadow) {
		return job.None
	}
	for x := range r.log.All() {
		if x.Kind == log.Start && x.At <= shadow && r.ends[x.Job].Finish > shadow && t.isBehind(x.Job, head, x.At) {
			behind = x.Job
		}
	}
	return behind
}

// isBehind reports whether job j comes after the head in the queue at a given time.
func (t *trial) isBehind(j, head job.Index, at job.Time) bool {
	key := queueKey(t.subjects[subjectA].Order)
	a, b := key(t.workload, head, at), key(t.workload, j, at)
	return a < b || a == b && head < j
}

// delayEvidence returns evidence that the given backfilled job delays the head.
func (t *trial) delayEvidence(r *run, head, backfilled job.Index, since, shadow job.Time) *evidence {
	w := t.workload
	e := &evidence{at: r.ends[backfilled].Start, job: backfilled}
	e.what = fmt.Sprintf("%s delays %s, first in the queue, beyond its shadow time %s by starting %s at %s",
		t.subjects[subjectA].Title, w.name(head), w.instant(shadow), w.name(backfilled), w.instant(e.at))
	until := "never starts"
	if start := r.ends[head].Start; start != job.Never {
		until = "starts at " + w.instant(start)
	}
	e.more = []string{fmt.Sprintf("At %s, %s was first in the queue. According to the estimates of the running jobs, it would fit at %s. It %s.",
		w.instant(since), w.name(head), w.instant(shadow), until)}
	return e
}
