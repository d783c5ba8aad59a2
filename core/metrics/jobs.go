package metrics

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/schedule"
)

// mean returns the mean of a value over the counted jobs.
func (d *data) mean(value func(*schedule.Row) float64) (float64, bool) {
	return meanOf(d.jobs, value)
}

// meanOf returns the mean of a value over rows. It returns false if there are no rows.
func meanOf(rows []*schedule.Row, value func(*schedule.Row) float64) (float64, bool) {
	if len(rows) == 0 {
		return 0, false
	}
	sum := 0.0
	for _, r := range rows {
		sum += value(r)
	}
	return sum / float64(len(rows)), true
}

// wait, response and slowdown return a value of one job as a float64.
func wait(r *schedule.Row) float64     { return float64(r.Wait()) }
func response(r *schedule.Row) float64 { return float64(r.Response()) }

func slowdown(r *schedule.Row) float64 { return float64(r.Response()) / float64(max(1, r.Runtime)) }

// relativeResponse returns response divided by runtime. Runtimes below tau are replaced by tau.
func (d *data) relativeResponse(r *schedule.Row) float64 {
	return float64(r.Response()) / float64(max(r.Runtime, d.o.Tau))
}

func (d *data) boundedSlowdown(r *schedule.Row) float64 { return max(1, d.relativeResponse(r)) }

// meanRelativeResponse returns the mean relative response of the jobs of a class.
func (d *data) meanRelativeResponse(c estimateClass) (float64, bool) {
	var rows []*schedule.Row
	for _, r := range d.jobs {
		if d.o.class(r.Estimate) == c {
			rows = append(rows, r)
		}
	}
	return meanOf(rows, d.relativeResponse)
}

// sortedWaits returns the waits of rows in ascending order.
func sortedWaits(rows []*schedule.Row) []job.Time {
	waits := make([]job.Time, len(rows))
	for i, r := range rows {
		waits[i] = r.Wait()
	}
	slices.Sort(waits)
	return waits
}

// medianWait returns the middle wait, or the mean of the two middle waits.
func (d *data) medianWait() (float64, bool) {
	n := len(d.waits)
	if n == 0 {
		return 0, false
	}
	return (float64(d.waits[(n-1)/2]) + float64(d.waits[n/2])) / 2, true
}

func (d *data) maxWait() (float64, bool) {
	if len(d.waits) == 0 {
		return 0, false
	}
	return float64(d.waits[len(d.waits)-1]), true
}

// percentOfJobs returns a percentage of the number of counted jobs, rounded up.
func (d *data) percentOfJobs(percent int) int { return (percent*len(d.jobs) + 99) / 100 }

// meanLongestWaits returns the mean of the longest waits, taken from a percentage of the jobs.
func (d *data) meanLongestWaits(percent int) (float64, bool) {
	n, sum := d.percentOfJobs(percent), 0.0
	for _, w := range d.waits[len(d.waits)-n:] {
		sum += float64(w)
	}
	return ratio(sum, float64(n))
}

// meanWaitOfWidest returns the mean wait of the widest jobs, a percentage of all jobs. Ties are in
// order of submission.
func (d *data) meanWaitOfWidest(percent int) (float64, bool) {
	rows := slices.Clone(d.jobs)
	slices.SortStableFunc(rows, func(a, b *schedule.Row) int { return b.Procs - a.Procs })
	return meanOf(rows[:d.percentOfJobs(percent)], wait)
}

// weightedResponse returns the mean response, weighted by runtime times the mean share of the
// machine's resources (Leinberger, Karypis and Kumar 1999). It divides by the sum of the weights,
// which gives seconds and does not change comparisons.
func (d *data) weightedResponse() (float64, bool) {
	sum, weights := 0.0, 0.0
	for _, r := range d.jobs {
		w := float64(r.Runtime) * d.resourceShare(r)
		sum += float64(w * float64(r.Response()))
		weights += w
	}
	return ratio(sum, weights)
}

// resourceShare returns the sum of the fractions of each resource, including processors, that a job
// requests.
func (d *data) resourceShare(r *schedule.Row) float64 {
	sum := float64(r.Procs) / float64(d.m.Slots())
	for k, x := range d.m.Resources {
		if x.Capacity > 0 {
			sum += float64(r.ExtraOf(k)) / float64(x.Capacity)
		}
	}
	return sum
}

// promises returns the number of jobs that were promised a start, and how many of them started no
// later than promised.
func (d *data) promises() (given, kept int) {
	for _, r := range d.jobs {
		if r.Promised != job.Never {
			given++
			if r.Start <= r.Promised {
				kept++
			}
		}
	}
	return given, kept
}
