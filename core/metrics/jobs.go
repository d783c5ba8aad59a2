package metrics

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/core/schedule"
)

// mean returns the mean of a number over the counted jobs.
func (d *data) mean(of func(*schedule.Row) float64) (float64, bool) {
	return meanOf(d.jobs, of)
}

func meanOf(rows []*schedule.Row, of func(*schedule.Row) float64) (float64, bool) {
	if len(rows) == 0 {
		return 0, false
	}
	sum := 0.0
	for _, r := range rows {
		sum += of(r)
	}
	return sum / float64(len(rows)), true
}

func waitOf(r *schedule.Row) float64     { return float64(r.Wait()) }
func responseOf(r *schedule.Row) float64 { return float64(r.Response()) }

func slowdownOf(r *schedule.Row) float64 { return float64(r.Response()) / float64(max(1, r.Runtime)) }

// relativeOf returns response by runtime, where runtimes below tau count as tau.
func (d *data) relativeOf(r *schedule.Row) float64 {
	return float64(r.Response()) / float64(max(r.Runtime, d.o.Tau))
}

func (d *data) boundedOf(r *schedule.Row) float64 { return max(1, d.relativeOf(r)) }

// relative returns the mean relative response time of the jobs of a class.
func (d *data) relative(c class) (float64, bool) {
	var some []*schedule.Row
	for _, r := range d.jobs {
		if d.o.class(r.Estimate) == c {
			some = append(some, r)
		}
	}
	return meanOf(some, d.relativeOf)
}

func sortedWaits(rows []*schedule.Row) []job.Time {
	waits := make([]job.Time, len(rows))
	for i, r := range rows {
		waits[i] = r.Wait()
	}
	slices.Sort(waits)
	return waits
}

// median returns the middle wait, or the mean of the two in the middle.
func (d *data) median() (float64, bool) {
	n := len(d.waits)
	if n == 0 {
		return 0, false
	}
	return (float64(d.waits[(n-1)/2]) + float64(d.waits[n/2])) / 2, true
}

func (d *data) longest() (float64, bool) {
	if len(d.waits) == 0 {
		return 0, false
	}
	return float64(d.waits[len(d.waits)-1]), true
}

// part returns the number of jobs in a share of them, rounded up.
func (d *data) part(percent int) int { return (percent*len(d.jobs) + 99) / 100 }

// top returns the mean of the largest waits.
func (d *data) top(percent int) (float64, bool) {
	n, sum := d.part(percent), 0.0
	for _, w := range d.waits[len(d.waits)-n:] {
		sum += float64(w)
	}
	return ratio(sum, float64(n))
}

// widest returns the mean wait of the jobs with the most processors; of equally wide
// ones the earlier submitted count first.
func (d *data) widest(percent int) (float64, bool) {
	rows := slices.Clone(d.jobs)
	slices.SortStableFunc(rows, func(a, b *schedule.Row) int { return b.Procs - a.Procs })
	return meanOf(rows[:d.part(percent)], waitOf)
}

// weighted returns the mean response weighted by runtime times the mean share of
// the machine's resources (Leinberger, Karypis and Kumar 1999). Dividing by the
// sum of the weights gives seconds and changes no comparison.
func (d *data) weighted() (float64, bool) {
	sum, weights := 0.0, 0.0
	for _, r := range d.jobs {
		w := float64(r.Runtime) * d.share(r)
		sum += float64(w * float64(r.Response()))
		weights += w
	}
	return ratio(sum, weights)
}

// share returns the mean over the resources of what a job asks by what there is,
// times their number.
func (d *data) share(r *schedule.Row) float64 {
	sum := float64(r.Procs) / float64(d.m.Slots())
	for k, x := range d.m.Resources {
		if x.Capacity > 0 {
			sum += float64(r.ExtraOf(k)) / float64(x.Capacity)
		}
	}
	return sum
}

// promises counts the jobs that were promised a start, and those of them that
// started in time.
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
