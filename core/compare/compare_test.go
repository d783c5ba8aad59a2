package compare_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/compare"
	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
)

// scheduleOf returns a schedule of jobs named a, b, c and so on. Each element holds
// the submit, start and finish times of a job.
func scheduleOf(times ...[3]job.Time) compare.Result {
	var s compare.Result
	for i, t := range times {
		j := job.Job{ID: string(rune('a' + i)), Runtime: 1, Request: job.Request{Submit: t[0], Procs: 1, Estimate: 1}}
		s.Jobs = append(s.Jobs, j)
		s.Outcomes = append(s.Outcomes, log.Outcome{Start: t[1], Finish: t[2], Promised: job.Never})
	}
	return s
}

// These schedules contain the start times of the page's first example under EASY and under
// conservative backfilling.
var (
	easy         = startingAt(0, 5, 1, 7, 8, 7, 11, 15, 24, 14, 27, 29)
	conservative = startingAt(0, 7, 1, 5, 10, 5, 12, 16, 25, 13, 28, 28)
)

// startingAt returns a schedule of jobs that are submitted at 0 and run for 1 s.
func startingAt(starts ...job.Time) compare.Result {
	var times [][3]job.Time
	for _, s := range starts {
		times = append(times, [3]job.Time{0, s, s + 1})
	}
	return scheduleOf(times...)
}

func TestDifference(t *testing.T) {
	d := compare.Diff(easy, conservative, nil)
	assert.Equal(t, compare.Tally{Earlier: 4, Later: 6, Same: 2, SecondsEarlier: 6, SecondsLater: 8}, d.Tally(compare.Start))
	assert.Equal(t, []job.Index{3, 5, 9}, jobsOf(d.MostEarlier(compare.Start, 3)), "ties are in order of submission")
	assert.Equal(t, []job.Index{1, 4, 6, 7, 8, 10}, jobsOf(d.MostDelayed(compare.Start, 10)))
	assert.Empty(t, compare.Diff(easy, easy, nil).MostEarlier(compare.Start, 10), "no job starts earlier than itself")
}

// jobsOf returns the job of each shift, as an index in the base schedule.
func jobsOf(list []compare.Shift) (jobs []job.Index) {
	for _, s := range list {
		jobs = append(jobs, s.Job)
	}
	return jobs
}

func TestJobsThatAreMissingOrNeverStart(t *testing.T) {
	base := scheduleOf([3]job.Time{0, 0, 5}, [3]job.Time{1, 5, 9}, [3]job.Time{2, job.Never, job.Never})
	other := scheduleOf([3]job.Time{0, 2, 7}, [3]job.Time{4, 7, job.Never})
	other.Jobs[0].ID, other.Jobs[1].ID = "b", "new"
	match := compare.Match(base.Jobs, other.Jobs)
	require.Equal(t, []job.Index{job.None, 0, job.None}, match)
	d := compare.Diff(base, other, match)
	assert.Equal(t, 2, d.Missing)
	assert.Equal(t, 1, d.Extra)
	assert.Equal(t, compare.Shift{Job: 1, Other: 0, Start: -3, Wait: -2, Finish: -2}, d.Shifts[1], "submitted a second earlier")
	assert.Equal(t, job.Never, d.Shifts[0].Start)
	total := d.Tally(compare.Start)
	assert.Equal(t, 1, total.Jobs())
}

func TestMatchPairsEqualNamesInOrder(t *testing.T) {
	named := func(ids ...string) (jobs []job.Job) {
		for _, id := range ids {
			jobs = append(jobs, job.Job{ID: id})
		}
		return jobs
	}
	assert.Equal(t, []job.Index{1, 0, 2, job.None}, compare.Match(named("x", "y", "x", "x"), named("y", "x", "x")))
}

func TestClasses(t *testing.T) {
	var jobs []job.Job
	for i, procs := range []int{1, 2, 4, 5, 100, 64} {
		jobs = append(jobs, job.Job{ID: fmt.Sprint(i), Request: job.Request{Procs: procs, Estimate: job.Time(procs * 200)}})
	}
	sizes := compare.ClassifyBySize(jobs)
	assert.Equal(t, []string{"1 processor", "2 to 4 processors", "5 to 16 processors", "17 to 64 processors", "65 to 100 processors"}, sizes.Names)
	assert.Equal(t, []int32{0, 1, 1, 2, 4, 3}, sizes.ClassOf)
	lengths := compare.ClassifyByLength(jobs[:5], metrics.Default, format.Clock{})
	assert.Equal(t, []string{"short, up to 600 s", "medium, up to 10800 s", "long, above 10800 s"}, lengths.Names)
	assert.Equal(t, []int32{0, 0, 1, 1, 2}, lengths.ClassOf)
	assert.Equal(t, []string{"short, up to 600 s", "long, above 10800 s"}, compare.ClassifyByLength([]job.Job{jobs[0], jobs[4]}, metrics.Default, format.Clock{}).Names, "empty classes are dropped")
	assert.Nil(t, compare.ClassifyByUser(jobs))
	jobs[1].More, jobs[3].More = &job.More{User: "ada"}, &job.More{User: "ada"}
	assert.Equal(t, &compare.Classes{Names: []string{"", "ada"}, ClassOf: []int32{0, 1, 0, 1, 0, 0}}, compare.ClassifyByUser(jobs))
}

// TestRandomDifferences compares two random schedules. The tallies of all classes must add up to
// the total. Swapping the schedules must swap earlier and later jobs. MostDelayed must return the
// first jobs of a list of all delayed jobs, sorted by delay.
func TestRandomDifferences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "jobs")
		a, b := drawResult(t, n), drawResult(t, n)
		for i := range b.Jobs {
			b.Jobs[i] = a.Jobs[i]
		}
		d, back := compare.Diff(a, b, nil), compare.Diff(b, a, nil)
		x, y := d.Tally(compare.Start), back.Tally(compare.Start)
		require.Equal(t, x, compare.Tally{Earlier: y.Later, Later: y.Earlier, Same: y.Same, SecondsEarlier: y.SecondsLater, SecondsLater: y.SecondsEarlier})
		var sum compare.Tally
		for _, c := range d.ClassTallies(compare.Start, compare.ClassifyBySize(a.Jobs)) {
			sum = compare.Tally{Earlier: sum.Earlier + c.Earlier, Later: sum.Later + c.Later, Same: sum.Same + c.Same, SecondsEarlier: sum.SecondsEarlier + c.SecondsEarlier, SecondsLater: sum.SecondsLater + c.SecondsLater}
		}
		require.Equal(t, x, sum)
		sorted := slices.Clone(d.Shifts)
		sorted = slices.DeleteFunc(sorted, func(s compare.Shift) bool { return s.Start == job.Never || s.Start <= 0 })
		slices.SortStableFunc(sorted, func(p, q compare.Shift) int { return int(q.Start - p.Start) })
		require.Equal(t, jobsOf(sorted[:min(5, len(sorted))]), jobsOf(d.MostDelayed(compare.Start, 5)))
	})
}

// drawResult draws a schedule of n jobs, some of which never start.
func drawResult(t *rapid.T, n int) compare.Result {
	var s compare.Result
	for range n {
		o := log.Outcome{Start: job.Never, Finish: job.Never, Promised: job.Never}
		if rapid.IntRange(0, 9).Draw(t, "started") > 0 {
			o.Start = rapid.Int64Range(0, 20).Draw(t, "start")
			o.Finish = o.Start + 1
		}
		s.Outcomes = append(s.Outcomes, o)
		s.Jobs = append(s.Jobs, job.Job{Request: job.Request{Procs: rapid.IntRange(1, 40).Draw(t, "procs"), Estimate: 1}})
	}
	return s
}
