package gantt

import (
	"strconv"

	"backfill-lab/core/job"
)

const (
	minute = 60
	hour   = 60 * minute
	day    = 24 * hour
	week   = 7 * day
)

// clockFrom is the moment from which an axis counts in hours and days.
const clockFrom = 1000

var (
	plainSteps = []job.Time{1, 2, 5, 10, 20, 50, 100, 200, 500}
	clockSteps = []job.Time{1, 2, 5, 10, 15, 30, minute, 2 * minute, 5 * minute, 15 * minute, 30 * minute,
		hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, day, 2 * day, week, 2 * week, 4 * week}
)

// Step returns the smallest pleasant distance of at most most marks on [t0,t1].
func Step(t0, t1 job.Time, most int) job.Time {
	steps := clockSteps
	if t1 <= clockFrom {
		steps = plainSteps
	}
	fits := func(s job.Time) bool { return t1/s-(t0+s-1)/s+1 <= job.Time(max(most, 1)) }
	for _, s := range steps {
		if fits(s) {
			return s
		}
	}
	for s := job.Time(100 * day); ; s *= 10 {
		for _, m := range []job.Time{1, 2, 5} {
			if fits(s*m) || s > job.MaxTime {
				return s * m
			}
		}
	}
}

// Ticks returns the moments to mark on an axis from t0 to t1, at most most of them.
func Ticks(t0, t1 job.Time, most int) []job.Time {
	t0 = max(t0, 0)
	if t1 < t0 {
		return nil
	}
	step := Step(t0, t1, most)
	var out []job.Time
	for t := (t0 + step - 1) / step * step; t <= t1 && len(out) < max(most, 1); t += step {
		out = append(out, t)
	}
	return out
}

// Label returns the text of a mark at t on an axis that ends at last and has a mark
// each step: seconds on a short axis, else hours and minutes, else days.
func Label(t, step, last job.Time) string {
	if last <= clockFrom {
		return strconv.FormatInt(t, 10)
	}
	days := strconv.FormatInt(t/day, 10) + " d"
	if step%day == 0 {
		return days
	}
	text := strconv.FormatInt(t%day/hour, 10) + ":" + two(t%hour/minute)
	if step%minute != 0 {
		text += ":" + two(t%minute)
	}
	if last >= day {
		return days + " " + text
	}
	return text
}

func two(n job.Time) string {
	return string([]byte{byte('0' + n/10), byte('0' + n%10)})
}
