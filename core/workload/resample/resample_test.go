package resample_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/workload/draw"
	"backfill-lab/core/workload/resample"
)

const (
	hour      job.Time = 3600
	weekHours          = 168
	weeks              = 12
	first     job.Time = 1000 // submission of the first job
)

// profile returns the number of jobs that each user submits in an hour of the week: three in each of
// the first four hours of a weekday, none in the last eight hours of any day, and one otherwise.
func profile(hourOfWeek int) int {
	switch day, hour := hourOfWeek/24, hourOfWeek%24; {
	case hour >= 16:
		return 0
	case day < 5 && hour < 4:
		return 3
	}
	return 1
}

// cyclicTrace returns a trace with the same profile in each week. Runtimes depend on the week and
// the user: a job of week w and user u runs for (w+1)(u+1) hours.
func cyclicTrace() (jobs []job.Job) {
	for h := range weeks * weekHours {
		for k := range profile(h % weekHours) {
			for u := range 5 {
				j := job.Job{ID: fmt.Sprint(len(jobs) + 1), Runtime: job.Time(h/weekHours+1) * job.Time(u+1) * hour}
				j.Submit, j.Estimate, j.Procs = first+job.Time(h)*hour+job.Time(k), j.Runtime, 1
				j.More = &job.More{User: fmt.Sprint("user", u)}
				jobs = append(jobs, j)
			}
		}
	}
	job.SortByTime(jobs, func(j *job.Job) job.Time { return j.Submit })
	return jobs
}

// profileOf returns, for each hour of the week, the share of the jobs that are submitted in this
// hour.
func profileOf(jobs []job.Job) []float64 {
	shares := make([]float64, weekHours)
	for i := range jobs {
		shares[(jobs[i].Submit-first)/hour%weekHours] += 1 / float64(len(jobs))
	}
	return shares
}

// TestProfile checks that resampling preserves the share of the jobs submitted in each hour of the
// week. All jobs must be in order, and lie within the weeks of the trace.
func TestProfile(t *testing.T) {
	trace := cyclicTrace()
	for _, by := range []resample.Blocks{resample.ByWeek, resample.ByUser} {
		different := 0
		for seed := range uint32(6) {
			jobs, err := resample.Jobs(trace, by, seed)
			require.NoError(t, err)
			assert.InDeltaSlice(t, profileOf(trace), profileOf(jobs), 1e-9, "by %s, seed %d", by, seed)
			assert.IsNonDecreasing(t, submits(jobs))
			assert.GreaterOrEqual(t, jobs[0].Submit, first)
			assert.Less(t, jobs[len(jobs)-1].Submit, first+weeks*resample.Week)
			again, err := resample.Jobs(trace, by, seed)
			require.NoError(t, err)
			assert.Equal(t, jobs, again)
			if !assert.ObjectsAreEqual(trace, jobs) {
				different++
			}
		}
		assert.Equal(t, 6, different, "each seed draws another workload")
	}
	assert.Equal(t, cyclicTrace(), trace, "the trace is unchanged")
}

// TestWeeks checks that each week of the result is a week of the trace.
func TestWeeks(t *testing.T) {
	trace := cyclicTrace()
	jobs, err := resample.Jobs(trace, resample.ByWeek, 3)
	require.NoError(t, err)
	perWeek := len(trace) / weeks
	require.Len(t, jobs, len(trace))
	drawn := map[job.Time]bool{}
	for w := range weeks {
		from := jobs[w*perWeek].Runtime/hour - 1 // the first job of a week is one of user 0
		drawn[from] = true
		for i, j := range jobs[w*perWeek : (w+1)*perWeek] {
			want := trace[int(from)*perWeek+i]
			want.Submit += (job.Time(w) - from) * resample.Week
			require.Equal(t, want, j)
		}
	}
	assert.Less(t, len(drawn), weeks, "some weeks occur several times")
	assert.Greater(t, len(drawn), weeks/3)
}

// TestSpread checks that the mean runtime varies more between workloads drawn by weeks or by users
// than between workloads drawn job by job. Drawing single jobs ignores that jobs of the same week or
// user resemble each other.
func TestSpread(t *testing.T) {
	trace := cyclicTrace()
	single := spread(func(seed uint32) []job.Job {
		random, out := draw.Stream(seed, 1), make([]job.Job, len(trace))
		for i := range out {
			out[i] = trace[random.IntN(len(trace))]
		}
		return out
	})
	for _, by := range []resample.Blocks{resample.ByWeek, resample.ByUser} {
		blocks := spread(func(seed uint32) []job.Job {
			jobs, err := resample.Jobs(trace, by, seed)
			require.NoError(t, err)
			return jobs
		})
		assert.Greater(t, blocks, 5*single, "by %s", by)
	}
}

// spread returns the standard deviation of the mean runtime over 40 seeds.
func spread(sample func(seed uint32) []job.Job) float64 {
	const seeds = 40
	sum, squares := 0.0, 0.0
	for seed := range uint32(seeds) {
		mean, jobs := 0.0, sample(seed)
		for i := range jobs {
			mean += float64(jobs[i].Runtime) / float64(len(jobs))
		}
		sum, squares = sum+mean, squares+mean*mean
	}
	return math.Sqrt(squares/seeds - sum/seeds*sum/seeds)
}

func submits(jobs []job.Job) (out []job.Time) {
	for i := range jobs {
		out = append(out, jobs[i].Submit)
	}
	return out
}

// TestIncompleteWeek checks that an incomplete last week is omitted if it is shorter than half a
// week, and kept otherwise.
func TestIncompleteWeek(t *testing.T) {
	for last, want := range map[job.Time]int{2*resample.Week + resample.Week/2 - 1: 2, 2*resample.Week + resample.Week/2: 3} {
		trace := make([]job.Job, 3)
		for i := range trace {
			trace[i] = job.Job{ID: fmt.Sprint(i), Runtime: 1}
			trace[i].Submit = job.Time(i) * last / 2
		}
		jobs, err := resample.Jobs(trace, resample.ByWeek, 1)
		require.NoError(t, err)
		for _, j := range jobs {
			assert.Less(t, j.Submit, job.Time(want)*resample.Week)
			assert.True(t, want == 3 || j.ID != "2")
		}
	}
}

// TestErrors checks that short traces and traces without users are refused.
func TestErrors(t *testing.T) {
	trace := cyclicTrace()
	_, err := resample.Jobs(nil, resample.ByWeek, 1)
	require.EqualError(t, err, "expected jobs, got none")
	_, err = resample.Jobs(trace[:len(trace)/weeks], resample.ByWeek, 1)
	require.EqualError(t, err, "expected jobs of at least 2 weeks, got submissions within 0.9 weeks")
	for i := range trace {
		trace[i].More = nil
	}
	_, err = resample.Jobs(trace, resample.ByUser, 1)
	require.EqualError(t, err, "expected jobs of at least 2 users, got only the jobs of one user, or jobs without users")
}
