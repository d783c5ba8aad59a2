package metrics

import "backfill-lab/core/schedule"

const (
	textbook   = "textbook"
	jin        = "Jin 2009"
	zeng       = "Zeng 2009"
	wu         = "Wu et al. 2015"
	leinberger = "Leinberger, Karypis and Kumar 1999"
	lindsay    = "Lindsay et al."
	feitelson  = "Feitelson and Rudolph 1998"
	leung      = "Leung et al. 2010"
	zhang      = "Zhang et al. 2000"
	seconds    = "s"
)

// Table lists all metrics in the order in which they are shown. In formulas, n is the number of
// counted jobs, q the processors of a job, p its runtime, and m the number of processors of the
// machine, counting each core. [from,to) is the time from the first submission to the last finish.
var Table = withLateness([]Metric{
	{"jobs", "Jobs", "", "n", textbook, 0, func(d *data) (float64, bool) { return float64(len(d.jobs)), true }},
	{"unfinished-jobs", "Unfinished jobs", "", "jobs between warm-up and cool-down without a finish", textbook, -1,
		func(d *data) (float64, bool) { return float64(d.unfinished), true }},

	{"mean-wait", "Mean wait", seconds, "sum(start - submit) / n", textbook, -1, func(d *data) (float64, bool) { return d.mean(wait) }},
	{"median-wait", "Median wait", seconds, "the middle of start - submit", textbook, -1, func(d *data) (float64, bool) { return d.medianWait() }},
	{"max-wait", "Longest wait", seconds, "max(start - submit)", textbook, -1,
		func(d *data) (float64, bool) { return d.maxWait() }},
	{"top-5-wait", "Wait of the longest 5 %", seconds, "mean of the ceil(0.05 n) largest waits", lindsay, -1,
		func(d *data) (float64, bool) { return d.longestWaits(5) }},
	{"top-1-wait", "Wait of the longest 1 %", seconds, "mean of the ceil(0.01 n) largest waits", lindsay, -1,
		func(d *data) (float64, bool) { return d.longestWaits(1) }},
	{"widest-10-wait", "Wait of the widest 10 %", seconds, "mean wait of the ceil(0.1 n) jobs with most processors, ties by submission", lindsay, -1,
		func(d *data) (float64, bool) { return d.widestWait(10) }},

	{"mean-response", "Mean response", seconds, "sum(finish - submit) / n", wu, -1, func(d *data) (float64, bool) { return d.mean(response) }},
	{"weighted-response", "Weighted response", seconds, "sum(w (finish - submit)) / sum(w), w = p times the mean share of the machine's resources", leinberger, -1,
		func(d *data) (float64, bool) { return d.weightedResponse() }},
	{"mean-run", "Mean time on the machine", seconds, "sum of the segments / n", wu, 0,
		func(d *data) (float64, bool) {
			return d.mean(func(r *schedule.Row) float64 { return float64(r.TimeRun()) })
		}},
	{"mean-slowdown", "Mean slowdown", "", "sum((finish - submit) / p) / n", textbook, -1, func(d *data) (float64, bool) { return d.mean(slowdown) }},
	{"mean-bounded-slowdown", "Mean bounded slowdown", "", "sum(max(1, (finish - submit) / max(p, tau))) / n", feitelson, -1,
		func(d *data) (float64, bool) { return d.mean(d.boundedSlowdown) }},
	{"relative-response", "Relative response time", "", "sum((finish - submit) / max(p, tau)) / n", jin + "; " + zeng, -1,
		func(d *data) (float64, bool) { return d.mean(d.relativeResponse) }},
	{"relative-response-short", "Relative response time, short jobs", "", "as relative-response, estimate up to short-max", jin + "; " + zeng, -1,
		func(d *data) (float64, bool) { return d.meanRelative(short) }},
	{"relative-response-medium", "Relative response time, medium jobs", "", "as relative-response, estimate above short-max and up to medium-max", jin + "; " + zeng, -1,
		func(d *data) (float64, bool) { return d.meanRelative(medium) }},
	{"relative-response-long", "Relative response time, long jobs", "", "as relative-response, estimate above medium-max", jin + "; " + zeng, -1,
		func(d *data) (float64, bool) { return d.meanRelative(long) }},

	{"makespan", "Makespan", seconds, "last finish - first submission", textbook, -1, func(d *data) (float64, bool) { return d.ifAnyJob(float64(d.makespan())) }},
	{"throughput", "Throughput", "jobs/h", "3600 n / makespan", textbook, 1,
		func(d *data) (float64, bool) { return ratio(3600*float64(len(d.jobs)), float64(d.makespan())) }},
	{"utilization", "Utilization", "", "processor-seconds in use in [from,to) / (m makespan); sum(q p) / (m makespan) where jobs run p seconds", textbook, 1,
		func(d *data) (float64, bool) { return ratio(d.load.busy, d.offered()) }},
	{"loss-of-capacity", "Loss of capacity", "", "idle processor-seconds while some waiting job needs no more processors than are idle / (m makespan)", leung, -1,
		func(d *data) (float64, bool) { return ratio(d.load.lostFits, d.offered()) }},
	{"loss-of-capacity-strict", "Loss of capacity, any queue", "", "idle processor-seconds while any job waits / (m makespan)", zhang, -1,
		func(d *data) (float64, bool) { return ratio(d.load.lostQueue, d.offered()) }},
	{"high-load-phases", "Phases of high load", "", "maximal intervals in which at least N_H jobs that never ran wait", jin + "; " + zeng, 0,
		func(d *data) (float64, bool) { return d.ifAnyJob(float64(d.load.highPhases)) }},
	{"high-load-length", "Time in high load", seconds, "sum of the lengths of the phases of high load", jin + "; " + zeng, 0,
		func(d *data) (float64, bool) { return d.ifAnyJob(float64(d.load.highLength)) }},
	{"high-load-utilization", "Utilization in high load", "", "processor-seconds in use in phases of high load / (m times their length)", jin + "; " + zeng, 1,
		func(d *data) (float64, bool) {
			return ratio(d.load.highBusy, d.area(d.load.highLength)-d.load.highOutage)
		}},
	{"mean-queue-length", "Mean queue length", "jobs", "waiting jobs integrated from the first to the last submission / that time", textbook, -1,
		func(d *data) (float64, bool) { return ratio(d.load.queueArea, float64(d.load.arrivals)) }},
	{"max-queue-length", "Longest queue", "jobs", "maximum number of waiting jobs in [from,to)", textbook, -1,
		func(d *data) (float64, bool) { return d.ifAnyJob(float64(d.load.maxQueue)) }},

	{"promises-given", "Promises given", "jobs", "jobs that were promised a start", textbook, 0,
		func(d *data) (float64, bool) { given, _ := d.promises(); return d.ifAnyJob(float64(given)) }},
	{"promises-kept", "Promises kept", "jobs", "jobs that started no later than promised", textbook, 1,
		func(d *data) (float64, bool) { given, kept := d.promises(); return float64(kept), given > 0 }},
	{"profile-events", "Profile events examined", "", "profile steps that the policy examined while compressing its plan", lindsay, -1,
		func(d *data) (float64, bool) { return float64(d.profileSteps), d.profileSteps > 0 }},
	{"unfairness", "Unfairness", seconds, "sum(max(start - fair start, 0)) / n, over all jobs whose fair starts are known", jin, -1,
		func(d *data) (float64, bool) { return ratio(d.fair[anyClass].late.sum, d.fair[anyClass].jobs) }},
	{"skip-unfairness", "Skip unfairness", seconds, "sum(max(fair start - start, 0)) / n, over all jobs whose fair starts are known", jin, -1,
		func(d *data) (float64, bool) { return ratio(d.fair[anyClass].early.sum, d.fair[anyClass].jobs) }},
})

// ratio returns a / b. It reports false if b is 0 or negative.
func ratio(a, b float64) (float64, bool) {
	if b <= 0 {
		return 0, false
	}
	return a / b, true
}
