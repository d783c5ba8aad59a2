package truth

import (
	"slices"

	"backfill-lab/core/job"
)

// judgePick: of those that may start now, the other comes first and the job later.
func (j *judge) judgePick() {
	r := j.record
	var may []job.Index
	for _, k := range j.queue(j.trials(), j.member) {
		if j.mayStart(k) {
			may = append(may, k)
		}
	}
	j.holds(slices.Contains(may, r.Job), "it may start")
	j.holds(len(may) > 0 && may[0] == r.Other && r.Other != r.Job, "the other is the first that may start")
}

// millionths returns a number as reasons have it.
func millionths(x float64) int64 { return int64(float64(x*1e6) + 0.5) }

// shares returns the shares in use of each resource, with those that a job would take,
// -1 where the machine has nothing.
func (j *judge) shares(of amount) []float64 {
	out := make([]float64, len(of))
	for k, all := range j.all() {
		if out[k] = -1; all > 0 {
			out[k] = float64(of[k]) / float64(all)
		}
	}
	return out
}

// leastUsed returns the resource of which the least share is in use.
func (j *judge) leastUsed() int {
	used, least := j.shares(j.all().less(j.free())), -1
	for k, u := range used {
		if u >= 0 && (least < 0 || u < used[least]-1e-9) {
			least = k
		}
	}
	return least
}

// judgeLeastUsed: it asks for a share y of x, the resource least in use.
func (j *judge) judgeLeastUsed() {
	r := j.record
	j.judgePick()
	least := j.leastUsed()
	j.is("resource least in use", r.X, int64(least))
	j.is("share", r.Y, millionths(j.shares(j.asks(r.Job))[least]))
}

// judgeUnmatched: it may start, but neither it nor any other job that may asks enough of
// x, the resource least in use.
func (j *judge) judgeUnmatched() {
	r := j.record
	j.holds(j.mayStart(r.Job), "it may start")
	j.is("resource least in use", r.X, int64(j.leastUsed()))
	for _, k := range j.queue(j.trials(), j.member) {
		j.holds(!j.mayStart(k) || !j.matches(k), "job %s may start and asks for enough of it", j.id(k))
	}
}

// matches reports whether a job asks for as large a share of the resource least in use as
// of any other, or with the fullness relaxed for enough of it.
func (j *judge) matches(k job.Index) bool {
	asked, enough := j.shares(j.asks(k)), 1.0
	if j.Knobs.Text("fullness") == "relaxed" {
		_, enough = j.with(k)
	}
	return asked[j.leastUsed()] >= slices.Max(asked)*enough-1e-9
}

// with returns the balance of the resources in use with a job, the largest share by the
// mean, and the share of the machine that it leaves free.
func (j *judge) with(k job.Index) (balance, free float64) {
	used, asked := j.shares(j.all().less(j.free())), j.shares(j.asks(k))
	sum, most, n := 0.0, 0.0, 0.0
	for i, u := range used {
		if u >= 0 {
			sum, most, n = sum+(u+asked[i]), max(most, u+asked[i]), n+1
		}
	}
	return most / (sum / n), 1 - sum/n
}

// judgeBestBalance: with it the resources are in more even use than with the other.
func (j *judge) judgeBestBalance() {
	r := j.record
	j.judgePick()
	mine, _ := j.with(r.Job)
	others, _ := j.with(r.Other)
	j.is("balance", r.X, millionths(mine))
	j.is("balance with the other", r.Y, millionths(others))
	j.holds(mine < others, "it is the better balance")
}

// judgeFuller: it left less of the machine free than the other would.
func (j *judge) judgeFuller() {
	r := j.record
	j.judgePick()
	_, mine := j.with(r.Job)
	_, others := j.with(r.Other)
	j.is("share free", r.X, millionths(mine))
	j.is("share free with the other", r.Y, millionths(others))
	j.holds(mine < others, "it is less")
}
