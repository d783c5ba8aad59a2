// Package resample draws new workloads from a trace. It divides the trace into blocks of jobs and
// draws blocks at random, with replacement. The jobs of a block stay together, which preserves
// dependences between jobs (Zakay and Feitelson 2013; Feitelson 2015, Workload Modeling for
// Computer Systems Performance Evaluation, section 8). All jobs move by whole weeks, so each job
// keeps its day of the week and its time of day.
package resample

import (
	"fmt"

	"backfill-lab/core/job"
	"backfill-lab/core/workload/draw"
)

// Week is the length of a week in seconds.
const Week job.Time = 7 * 24 * 3600

// Blocks is the criterion by which jobs belong to the same block.
type Blocks string

const (
	ByWeek Blocks = "week" // jobs that were submitted in the same week, counted from the first submission
	ByUser Blocks = "user" // jobs of the same user; jobs without a user form one block
)

// BlockNames lists the names of all kinds of blocks.
var BlockNames = []string{string(ByWeek), string(ByUser)}

// Jobs returns a workload that consists of random blocks of the given jobs. It draws as many blocks
// as the given jobs contain. The given jobs must be in order of submission, and so is the result.
// The same seed draws the same workload. If a block is drawn several times, the ids of its jobs
// occur several times.
//
// If blocks are weeks, Jobs draws one week for each week of the trace. If blocks are users, Jobs
// draws users, and moves the jobs of each drawn user by a random number of weeks. Jobs that would
// move beyond the end of the trace move to its beginning instead. An incomplete last week counts as
// a week if it is at least half a week long. Otherwise, its jobs are left out.
func Jobs(jobs []job.Job, by Blocks, seed uint32) ([]job.Job, error) {
	if len(jobs) == 0 {
		return nil, fmt.Errorf("expected jobs, got none")
	}
	first := jobs[0].Submit
	span := jobs[len(jobs)-1].Submit - first
	weeks := int((span + Week/2) / Week)
	if weeks < 2 {
		return nil, fmt.Errorf("expected jobs of at least 2 weeks, got submissions within %.1f weeks", float64(span)/float64(Week))
	}
	trace := jobs[:countBefore(jobs, first+job.Time(weeks)*Week)]
	random := draw.Stream(seed, stream)
	if by == ByUser {
		return byUser(trace, weeks, random)
	}
	var out []job.Job
	for to := range weeks {
		from := random.IntN(weeks)
		begin := first + job.Time(from)*Week
		for _, j := range trace[countBefore(trace, begin):countBefore(trace, begin+Week)] {
			j.Submit += job.Time(to-from) * Week
			out = append(out, j)
		}
	}
	return checkCount(out)
}

// stream is the number of the random stream that this package uses (see draw.Stream).
const stream = 0x5253

// countBefore returns the number of jobs that are submitted before the given time.
func countBefore(jobs []job.Job, before job.Time) int {
	lo, hi := 0, len(jobs)
	for lo < hi {
		if mid := (lo + hi) / 2; jobs[mid].Submit < before {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// byUser draws the jobs of random users, as described at Jobs.
func byUser(trace []job.Job, weeks int, random *draw.Source) ([]job.Job, error) {
	index := map[string]int{}
	var users [][]job.Job // jobs of each user, in order of their first submissions
	for _, j := range trace {
		name := ""
		if j.More != nil {
			name = j.More.User
		}
		i, known := index[name]
		if !known {
			i = len(users)
			index[name], users = i, append(users, nil)
		}
		users[i] = append(users[i], j)
	}
	if len(users) < 2 {
		return nil, fmt.Errorf("expected jobs of at least 2 users, got only the jobs of one user, or jobs without users")
	}
	first, length := trace[0].Submit, job.Time(weeks)*Week
	var out []job.Job
	for range users {
		block, by := users[random.IntN(len(users))], job.Time(random.IntN(weeks))*Week
		for _, j := range block {
			j.Submit = first + (j.Submit-first+by)%length
			out = append(out, j)
		}
	}
	job.SortByTime(out, func(j *job.Job) job.Time { return j.Submit })
	return checkCount(out)
}

// checkCount returns the given jobs unchanged, or an error if there are none or too many.
func checkCount(out []job.Job) ([]job.Job, error) {
	if n := len(out); n == 0 || n > job.MaxJobs {
		return nil, fmt.Errorf("expected to draw 1 to %d jobs, got %d", job.MaxJobs, n)
	}
	return out, nil
}
