package metrics

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/schedule"
)

// mean returns the mean of value(r) over the rows r of the counted jobs. It reports false if there
// are no counted jobs.
func (d *inputs) mean(value func(*schedule.Row) float64) (float64, bool) {
	return meanOf(d.jobs, value)
}

// meanOf returns the mean of value(r) over the given rows r. It reports false if there are no rows.
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

// wait returns the seconds from the submission of a job to its start.
func wait(r *schedule.Row) float64     { return float64(r.Wait()) }
func response(r *schedule.Row) float64 { return float64(r.Response()) }

func slowdown(r *schedule.Row) float64 { return float64(r.Response()) / float64(max(1, r.Runtime)) }

// relativeResponse returns the response time of a job divided by its runtime. It divides by tau if
// the runtime is shorter than tau.
func (d *inputs) relativeResponse(r *schedule.Row) float64 {
	return float64(r.Response()) / float64(max(r.Runtime, d.o.Tau))
}

func (d *inputs) boundedSlowdown(r *schedule.Row) float64 { return max(1, d.relativeResponse(r)) }

// meanRelativeResponse returns the mean relative response of the counted jobs of class c. It
// reports false if there are none.
func (d *inputs) meanRelativeResponse(c estimateClass) (float64, bool) {
	sum, n := 0.0, 0.0
	for _, r := range d.jobs {
		if d.o.class(r.Estimate) == c {
			sum += d.relativeResponse(r)
			n++
		}
	}
	return ratio(sum, n)
}

// sortedWaits returns the waiting time of the job in each row, in ascending order.
func sortedWaits(rows []*schedule.Row) []job.Time {
	waits := make([]job.Time, len(rows))
	for i, r := range rows {
		waits[i] = r.Wait()
	}
	slices.Sort(waits)
	return waits
}

// medianWait returns the middle wait, or the mean of the two middle waits.
func (d *inputs) medianWait() (float64, bool) {
	n := len(d.waits)
	if n == 0 {
		return 0, false
	}
	return (float64(d.waits[(n-1)/2]) + float64(d.waits[n/2])) / 2, true
}

func (d *inputs) maxWait() (float64, bool) {
	if len(d.waits) == 0 {
		return 0, false
	}
	return float64(d.waits[len(d.waits)-1]), true
}

// percentOfJobs returns the given percentage of the number of counted jobs, rounded up.
func (d *inputs) percentOfJobs(percent int) int { return (percent*len(d.jobs) + 99) / 100 }

// meanLongestWaits returns the mean wait of the counted jobs that wait longest: the given percentage
// of all counted jobs.
func (d *inputs) meanLongestWaits(percent int) (float64, bool) {
	n, sum := d.percentOfJobs(percent), 0.0
	for _, w := range d.waits[len(d.waits)-n:] {
		sum += float64(w)
	}
	return ratio(sum, float64(n))
}

// meanWaitOfWidest returns the mean wait of the counted jobs with the most processors: the given
// percentage of all counted jobs. In ties, it prefers jobs that were submitted earlier.
func (d *inputs) meanWaitOfWidest(percent int) (float64, bool) {
	n := d.percentOfJobs(percent)
	if n == 0 {
		return 0, false
	}
	widths := make([]int, len(d.jobs))
	for i, r := range d.jobs {
		widths[i] = r.Procs
	}
	slices.Sort(widths)
	narrowest := widths[len(widths)-n]
	var rows []*schedule.Row
	for _, r := range d.jobs {
		if r.Procs >= narrowest {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(a, b *schedule.Row) int { return b.Procs - a.Procs })
	return meanOf(rows[:n], wait)
}

// weightedResponse returns the weighted mean response, in seconds. The weight of a job is its
// runtime times its mean share of the machine's resources (Leinberger, Karypis and Kumar 1999). The
// paper does not divide by the sum of the weights. The division gives a result in seconds. It does
// not change which of two schedules of the same jobs is better.
func (d *inputs) weightedResponse() (float64, bool) {
	sum, weights := 0.0, 0.0
	for _, r := range d.jobs {
		w := float64(r.Runtime) * d.resourceShare(r)
		sum += float64(w * float64(r.Response()))
		weights += w
	}
	return ratio(sum, weights)
}

// resourceShare adds up the fractions of the processors and of each extra resource that a job
// requests. In weightedResponse, this sum gives the same result as the mean of the fractions. Extra
// resources of capacity 0 are left out.
func (d *inputs) resourceShare(r *schedule.Row) float64 {
	sum := float64(r.Procs) / float64(d.m.Slots())
	for k, x := range d.m.Resources {
		if x.Capacity > 0 {
			sum += float64(r.ExtraOf(k)) / float64(x.Capacity)
		}
	}
	return sum
}

// promises returns how many jobs were promised a start, and how many of these started no later than
// promised.
func (d *inputs) promises() (given, kept int) {
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
