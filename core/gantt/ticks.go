package gantt

import (
	"strconv"

	"backfill-lab/core/job"
)

const (
	minute    = 60
	hour      = 60 * minute
	slicedLog = 24 * hour
	week      = 7 * slicedLog
)

// minClockTime is the longest axis, in seconds, that is labelled in seconds. Longer axes
// are labelled in hours and days.
const minClockTime = 1000

var (
	plainSteps = []job.Time{1, 2, 5, 10, 20, 50, 100, 200, 500}
	clockSteps = []job.Time{1, 2, 5, 10, 15, 30, minute, 2 * minute, 5 * minute, 15 * minute, 30 * minute,
		hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, slicedLog, 2 * slicedLog, week, 2 * week, 4 * week}
)

// Step returns the smallest round distance, in seconds, that gives at most most marks on
// [t0,t1].
func Step(t0, t1 job.Time, most int) job.Time {
	steps := clockSteps
	if t1 <= minClockTime {
		steps = plainSteps
	}
	fits := func(s job.Time) bool { return t1/s-(t0+s-1)/s+1 <= job.Time(max(most, 1)) }
	for _, s := range steps {
		if fits(s) {
			return s
		}
	}
	for s := job.Time(100 * slicedLog); ; s *= 10 {
		for _, m := range []job.Time{1, 2, 5} {
			if fits(s*m) || s > job.MaxTime {
				return s * m
			}
		}
	}
}

// Ticks returns the times to mark on an axis from t0 to t1, at most most of them.
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

// Label returns the text of the mark at t on an axis that ends at last. Step is the
// distance of the marks. The text is in seconds on a short axis, else in hours and
// minutes, with days if needed.
func Label(t, step, last job.Time) string {
	if last <= minClockTime {
		return strconv.FormatInt(t, 10)
	}
	days := strconv.FormatInt(t/slicedLog, 10) + " d"
	if step%slicedLog == 0 {
		return days
	}
	text := strconv.FormatInt(t%slicedLog/hour, 10) + ":" + twoDigits(t%hour/minute)
	if step%minute != 0 {
		text += ":" + twoDigits(t%minute)
	}
	if last >= slicedLog {
		return days + " " + text
	}
	return text
}

// twoDigits returns a number below 100 with a leading zero if needed.
func twoDigits(n job.Time) string {
	return string([]byte{byte('0' + n/10), byte('0' + n%10)})
}
