package explain_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/explain"
	"backfill-lab/core/external"
	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/schedule"
)

// TestAnswersHoldAtTheTimeAskedAbout checks that answers describe the time of the question. Earlier
// versions of the program answered these questions with facts about other times.
func TestAnswersHoldAtTheTimeAskedAbout(t *testing.T) {
	// Each row holds the submit time, processors, estimate and runtime of a job. Job 2 is first in
	// the queue from 0 on. Job 3 is backfilled and still runs when job 2 can start. Job 4 is
	// backfilled and ends by then.
	easy := [][4]int64{{0, 5, 10, 10}, {0, 6, 5, 5}, {1, 1, 20, 20}, {2, 1, 8, 8}, {3, 3, 20, 20}}
	// Job 3 starts as soon as it is submitted, before job 2.
	plan := [][4]int64{{0, 5, 10, 10}, {0, 6, 5, 5}, {2, 1, 8, 8}}
	// At t = 100, enough processors are free for job 6, but it waits. At t = 1000, too few are free.
	slack := [][4]int64{{0, 4, 1000, 1000}, {0, 4, 100, 100}, {0, 8, 500, 500}, {10, 4, 950, 950}, {20, 2, 880, 880}, {30, 2, 1000, 1000}}
	for _, c := range []struct {
		name, policy string
		rows         [][4]int64
		job          job.Index
		at           job.Time
		says, not    string // the answer must contain says and must not contain not
	}{
		{"the answer names the time at which processors are left free", "easy", easy, 1, 9,
			"Job 2 is first in the queue; as estimated at t = 0, it can start at 10 and leaves 2 processors free for backfilling.", "to spare"},
		{"processors left free are counted before the backfilled job starts", "easy", easy, 2, 1,
			"job 2, which was first in the queue, was estimated to start at 10 and to leave 2 processors free, enough for job 3 even if job 3 was still running then.", "stay free"},
		{"the start of the first job is called an estimate", "easy", easy, 3, 2,
			"it was estimated to end by 10, the estimated start of job 2, which was first in the queue.", "can start."},
		{"the answer names the time of the plan", "fair-slack", slack, 5, 1200, "Job 6 waits; the plan made at t = 1000 estimates its start at 1500.", "moment"},
		{"later events are marked as later", "easy", easy, 1, 9, "later       started at t = 10, ended at t = 15\n", "\nstarted "},
		{"a job that is not submitted has only later events", "easy", easy, 4, 1,
			"state       not submitted\nrequests    3 processors (estimate 20 s)\nlater       submitted at t = 3, started at t = ", "\nsubmitted "},
		{"a reservation made in the same second is not the reason of a start", "conservative", plan, 1, 5,
			"At 2: job 3 started when it was submitted: enough resources were free, and it delayed no existing reservation.", "began, at 2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := explain.NewIndex(run(t, c.policy, c.rows)).Why(c.job, c.at, explain.Options{})
			text := a.Text()
			require.Contains(t, text, c.says)
			require.NotContains(t, text, c.not)
		})
	}
}

// TestFreeIsNeverNegative checks that answers about an external schedule contain no negative
// number, even if the schedule uses more of a resource than the machine has.
func TestFreeIsNeverNegative(t *testing.T) {
	const file = "job,start\na,0\nb,0\nc,10\nd,10\n"
	for _, c := range []struct {
		procs [4]int
		mem   [4]int64
		says  string
		left  string
	}{
		{[4]int{3, 3, 1, 1}, [4]int64{}, "It needs 1 processor, but the running jobs already use 2 more than are available.", "after the start of job b, only 0 processors remained free, and job c needs 1."},
		{[4]int{1, 1, 1, 1}, [4]int64{6, 9, 4, 1}, "It needs 4 of mem, but the running jobs already use 5 more than are available.", "after the start of job b, only 0 of mem remained free, and job c needs 4."},
	} {
		m := cluster.Flat(4)
		m.Resources = []cluster.Resource{{Name: "mem", Capacity: 10}}
		var jobs []job.Job
		for i := range c.procs {
			q := job.Request{Procs: c.procs[i], Estimate: 10, More: &job.More{Extra: []int64{c.mem[i]}}}
			jobs = append(jobs, job.Job{ID: string(rune('a' + i)), Request: q, Runtime: 10})
		}
		rows, err := schedule.ReadStarts(strings.NewReader(file))
		require.NoError(t, err)
		b, err := external.Import(rows, jobs, m, external.Options{})
		require.NoError(t, err)
		x := explain.NewIndex(b.Log)
		answer := x.Why(2, 5, explain.Options{})
		text := answer.Text()
		require.Contains(t, text, c.says)
		for r := range b.Log.All() { // job b starts although job a leaves too few processors free, and job d starts later than it could
			m := x.At(min(r.At, 5))
			m.Waiting = []job.Index{2}
			if r.At == 0 {
				m.Running = m.Running[:r.Job]
			}
			for _, s := range x.WhyNotInstead(&m, r, explain.Options{MaxItems: 9}).Items {
				text += s.Text()
			}
		}
		require.Contains(t, text, c.left)
		require.NotContains(t, text, "-")
	}
}

// TestGainOfSet checks the sentences that say whether the gain of a set is large enough.
func TestGainOfSet(t *testing.T) {
	l := runExample(t, "easy")
	for code, says := range map[log.Code]string{log.EnoughGain: "With job 1 as primary, the gain is large enough.", log.TooLittleGain: "With job 1 as primary, the gain is too small."} {
		s := explain.StepText(l, &log.Record{Kind: log.Gains, Job: 0, Other: job.None, Code: code, X: 1, Y: 500_000})
		require.Equal(t, "Set 1 has a gain of 0.500. "+says, s.Text())
	}
}

// TestLaterReservationsBlockNothing checks that a reservation is never the reason for a wait if it was
// made after the reservation of the waiting job.
func TestLaterReservationsBlockNothing(t *testing.T) {
	for at := range job.Time(60) {
		l := runExample(t, "conservative")
		x := explain.NewIndex(l)
		for j := range l.Jobs {
			for _, s := range x.Why(job.Index(j), at, explain.Options{}).Sentences {
				if !strings.Contains(s.Text(), "but the job may run for") {
					continue
				}
				made := map[job.Index]int{}
				for i := range l.Len() {
					if r := l.Record(i); r.At <= at && (r.Kind == log.Promise || r.Kind == log.Move) {
						made[r.Job] = i
					}
				}
				for _, p := range s {
					if p.Kind == explain.JobName {
						require.Less(t, made[p.Job], made[job.Index(j)], s.Text())
					}
				}
			}
		}
	}
}

// TestSearch checks the sentences about the records that the policy fair-slack writes while it
// searches for a set of jobs to start. The history of a job must not include the sets that were
// only tried.
func TestSearch(t *testing.T) {
	l := policytest.SimulateRows(t, 8, [][4]int64{{0, 4, 1000, 1000}, {0, 4, 100, 100}, {0, 8, 500, 500}, {10, 4, 1041, 1041}, {20, 2, 880, 880}, {30, 2, 880, 880}}, "fair-slack", nil)
	x := explain.NewIndex(l)
	sentences := map[log.Kind][]string{}
	for r := range l.All() {
		sentences[r.Kind] = append(sentences[r.Kind], x.RecordText(r).Text())
	}
	require.Contains(t, sentences[log.Fair], "The fair start of job 4 is 1500.")
	require.Contains(t, sentences[log.SetTried], "Job 4 was tried in a set that delays job 3 past 1140, the latest start that its slack allows.")
	require.Contains(t, sentences[log.SetTried], "Job 5 was tried in a set that delays no other job beyond its slack.")
	require.Contains(t, sentences[log.Scored], "With this set, the late jobs would start a total of 0 s after their fair starts, and the early jobs a total of 2800 s before theirs.")
	require.Contains(t, sentences[log.Choice], "Tried 4 sets of jobs; of the sets that the search kept, number 3 starts.")
	for _, e := range x.Why(job.Index(3), 5000, explain.Options{MaxItems: 100}).History {
		require.NotContains(t, e.Text.Text(), "tried")
	}
}

// TestPromisedStart checks the sentence that compares the start of a job with its promised start.
func TestPromisedStart(t *testing.T) {
	jobs := []job.Job{{ID: "a", Request: job.Request{Procs: 1, Estimate: 5}, Runtime: 5}}
	for start, says := range map[job.Time]string{8: "it started 2 s early.", 10: "it started on time.", 12: "it started 2 s late."} {
		l := log.New(cluster.Flat(1), jobs, log.Full)
		l.Add(log.Record{Kind: log.Promise, Job: 0, Other: job.None, X: 10})
		l.RecordSlots(0, cluster.Set{{Lo: 0, Hi: 1}}, log.Layout{Procs: 1})
		l.Add(log.Record{At: start, Kind: log.Start, Job: 0, Other: job.None, Code: log.Planned})
		a := explain.NewIndex(l).Why(0, start, explain.Options{})
		require.Contains(t, a.Text(), "Its promised start was 10; "+says)
	}
}

// TestWaitWithoutRecords checks the answers about two jobs whose waits the log does not explain.
// The first job is in an external schedule. The second one waits behind a job that is blocked by a
// job of another type.
func TestWaitWithoutRecords(t *testing.T) {
	var jobs []job.Job
	for i := range 3 {
		jobs = append(jobs, job.Job{ID: string(rune('a' + i)), Request: job.Request{Submit: int64(i), Procs: 1, Estimate: 10}, Runtime: 10})
	}
	rows, err := schedule.ReadStarts(strings.NewReader("job,start\na,0\nb,20\nc,2\n"))
	require.NoError(t, err)
	b, err := external.Import(rows, jobs, cluster.Flat(4), external.Options{})
	require.NoError(t, err)
	a := explain.NewIndex(b.Log).Why(1, 21, explain.Options{})
	require.Contains(t, a.Text(), "What held it back, at t = 19: so far, job b has waited 18 s; the records do not say why. 4 processors are free, enough for it.")

	l := log.New(cluster.Flat(4), jobs, log.Full)
	l.RecordSlots(0, cluster.Set{{Lo: 0, Hi: 1}}, log.Layout{Procs: 1})
	l.Add(log.Record{Kind: log.Start, Job: 0, Other: job.None, Code: log.Head, X: 4})
	l.Add(log.Record{At: 1, Kind: log.Hold, Job: 1, Other: 0, Code: log.HeldByOther, X: 10})
	a = explain.NewIndex(l).Why(2, 3, explain.Options{})
	require.Contains(t, a.Text(), "Job c waits behind job b, which was submitted earlier and is itself blocked.")
}

// TestWaitOutsideSlice checks the answer about a waiting job without a recorded reason. Only while
// the slice of another type runs, the answer must say that the job waits for a time slice of its
// type.
func TestWaitOutsideSlice(t *testing.T) {
	jobs := []job.Job{{ID: "a", Request: job.Request{Procs: 1, Estimate: 5}, Runtime: 5}}
	for view, outside := range map[uint8]bool{1: true, 2: false} { // the slice is of type 2
		l := log.New(cluster.Flat(1), jobs, log.Full)
		l.Add(log.Record{Kind: log.Slice, Job: job.None, Other: job.None, X: 1, Y: 60, View: 2})
		l.RecordSlots(0, cluster.Set{{Lo: 0, Hi: 1}}, log.Layout{Procs: 1})
		l.Add(log.Record{At: 20, Kind: log.Start, Job: 0, Other: job.None, Code: log.Head, X: 1, View: view})
		a := explain.NewIndex(l).Why(0, 10, explain.Options{})
		require.Equal(t, outside, strings.Contains(a.Text(), "waits for a time slice of its type"), a.Text())
	}
}

// TestManyJobsEnd checks that the answer names at most three of the jobs whose ends made a start
// possible.
func TestManyJobsEnd(t *testing.T) {
	rows := [][4]int64{{0, 1, 10, 10}, {0, 1, 10, 10}, {0, 1, 10, 10}, {0, 1, 10, 10}, {0, 1, 10, 10}, {0, 8, 5, 5}}
	a := explain.NewIndex(run(t, "easy", rows)).Why(5, 12, explain.Options{})
	require.Contains(t, a.Text(), "At 10, job 1 ended and released 1 processor; job 2 ended and released 1 processor; job 3 ended and released 1 processor; 2 more jobs ended.")
}

// TestTimesWithUnits checks that "t = " precedes plain numbers of seconds only.
func TestTimesWithUnits(t *testing.T) {
	x := explain.NewIndex(runExample(t, "conservative"))
	plain, units := x.Why(3, 5, explain.Options{}), x.WithClock(format.UnitClock).Why(3, 5, explain.Options{})
	require.Contains(t, plain.Text(), "t = 5")
	require.NotContains(t, units.Text(), "t = ")
}

// TestRecordText checks that RecordText returns a sentence for every kind of record, including the
// kinds whose records name no job.
func TestRecordText(t *testing.T) {
	l := policytest.SimulateRows(t, 8, [][4]int64{{0, 4, 10, 10}}, "fair-slack", nil)
	l.Machine.Outages = []cluster.Outage{{From: 5, To: 9, Procs: 3}}
	x := explain.NewIndex(l)
	for kind := range log.Kinds {
		r := log.Record{Kind: log.Kind(kind), Job: 0, Other: 0, X: 1, Code: log.Head}
		if name := log.Kinds[kind].Name; name == "slice" || name == "block" || name == "effort" {
			r.Job, r.Other, r.Code, r.View = job.None, job.None, log.NoReason, 1
		}
		text := x.RecordText(&r).Text()
		require.Regexp(t, `^[A-Z].+[.]$`, text, log.Kinds[kind].Name)
		require.NotContains(t, text, ": "+log.Kinds[kind].Name)
	}
	for want, r := range map[string]log.Record{
		"An outage of 3 processors begins; it ends at 9.":       {Kind: log.OutageEdge, X: 1},
		"An outage of 3 processors ends.":                       {Kind: log.OutageEdge},
		"The time slice for medium jobs begins; it ends at 60.": {Kind: log.Slice, X: 1, Y: 60, View: 2},
		"The time slice for medium jobs ends.":                  {Kind: log.Slice, View: 2},
		"The policy has examined 7 steps of its plan so far.":   {Kind: log.Effort, X: 7},
		"Job 1 now runs at 0.5 s of work per second.":           {Kind: log.RateChange, X: int64(math.Float64bits(0.5))},
	} {
		require.Equal(t, want, x.RecordText(&r).Text())
	}
}
