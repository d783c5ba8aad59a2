package metrics

import (
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/schedule"
)

// These are the sources of the definitions, and the unit of times.
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

// Table lists the metrics that do not depend on nodes or extra resources, in the order in which
// they are shown. In formulas, n is the number of counted jobs. The number of processors of a job
// is q, and its runtime is p. The number of processors of the machine is m, counting each core. In
// utilization and loss of capacity, m excludes processors that are unavailable because of outages.
// [from,to) is the time from the first submission to the last finish. Options.Tau is called tau,
// and Options.HighLoad is called N_H.
var Table = appendLatenessMetrics([]Metric{
	{"jobs", "Jobs", "", "Number of jobs that the metrics count.",
		"n", textbook, 0, func(d *inputs) (float64, bool) { return float64(len(d.jobs)), true }},
	{"unfinished-jobs", "Unfinished jobs", "", "Jobs that the metrics should count, but that never finish.",
		"number of jobs between warm-up and cool-down that never finish", textbook, -1,
		func(d *inputs) (float64, bool) { return float64(d.unfinished), true }},

	{"mean-wait", "Mean wait", seconds, "How long a job waits in the queue on average.",
		"sum(start - submit) / n", textbook, -1, func(d *inputs) (float64, bool) { return d.mean(wait) }},
	{"median-wait", "Median wait", seconds, "Half of the jobs wait no longer than this.",
		"median(start - submit)", textbook, -1, func(d *inputs) (float64, bool) { return d.medianWait() }},
	{"max-wait", "Longest wait", seconds, "The wait of the job that waits longest.",
		"max(start - submit)", textbook, -1,
		func(d *inputs) (float64, bool) { return d.maxWait() }},
	{"top-5-wait", "Longest 5 % of waits", seconds, "Mean wait of the 5 % of the jobs that wait the longest.",
		"mean of the ceil(0.05 n) largest waits", lindsay, -1,
		func(d *inputs) (float64, bool) { return d.meanLongestWaits(5) }},
	{"top-1-wait", "Longest 1 % of waits", seconds, "Mean wait of the 1 % of the jobs that wait the longest.",
		"mean of the ceil(0.01 n) largest waits", lindsay, -1,
		func(d *inputs) (float64, bool) { return d.meanLongestWaits(1) }},
	{"widest-10-wait", "Wait of the widest 10 %", seconds, "Mean wait of the 10 % of the jobs with the most processors.",
		"mean wait of the ceil(0.1 n) jobs with the most processors; ties in order of submission", lindsay, -1,
		func(d *inputs) (float64, bool) { return d.meanWaitOfWidest(10) }},

	{"mean-response", "Mean response", seconds, "Time from submission to finish, on average.",
		"sum(finish - submit) / n", wu, -1, func(d *inputs) (float64, bool) { return d.mean(response) }},
	{"weighted-response", "Weighted response", seconds, "Mean time from submission to finish, where large and long jobs count more.",
		"sum(w (finish - submit)) / sum(w), w = p times the mean share of the machine's resources", leinberger, -1,
		func(d *inputs) (float64, bool) { return d.weightedResponse() }},
	{"mean-run", "Mean time on the machine", seconds, "Time that a job occupies the machine, on average.",
		"sum(time in which the job runs) / n", wu, 0,
		func(d *inputs) (float64, bool) {
			return d.mean(func(r *schedule.Row) float64 { return float64(r.TotalRuntime()) })
		}},
	{"mean-slowdown", "Mean slowdown", "", "How many times longer a job takes than on an empty machine, on average.",
		"sum((finish - submit) / p) / n", textbook, -1, func(d *inputs) (float64, bool) { return d.mean(slowdown) }},
	{"mean-bounded-slowdown", "Mean bounded slowdown", "", "How many times longer a job takes than on an empty machine, on average. Very short jobs count as 10 s, so that they do not dominate.",
		"sum(max(1, (finish - submit) / max(p, tau))) / n", feitelson, -1,
		func(d *inputs) (float64, bool) { return d.mean(d.boundedSlowdown) }},
	{"relative-response", "Relative response time", "", "Time from submission to finish, divided by the runtime, on average. Very short jobs count as 10 s.",
		"sum((finish - submit) / max(p, tau)) / n", jin + "; " + zeng, -1,
		func(d *inputs) (float64, bool) { return d.mean(d.relativeResponse) }},
	{"relative-response-short", "Relative response time, short jobs", "", "The relative response time of jobs with short estimates.",
		"relative-response of the jobs with an estimate up to short-max", jin + "; " + zeng, -1,
		func(d *inputs) (float64, bool) { return d.meanRelativeResponse(short) }},
	{"relative-response-medium", "Relative response time, medium jobs", "", "The relative response time of jobs with medium estimates.",
		"relative-response of the jobs with an estimate above short-max and up to medium-max", jin + "; " + zeng, -1,
		func(d *inputs) (float64, bool) { return d.meanRelativeResponse(medium) }},
	{"relative-response-long", "Relative response time, long jobs", "", "The relative response time of jobs with long estimates.",
		"relative-response of the jobs with an estimate above medium-max", jin + "; " + zeng, -1,
		func(d *inputs) (float64, bool) { return d.meanRelativeResponse(long) }},

	{"makespan", "Makespan", seconds, "Time from the first submission until the last job is done.",
		"last finish - first submission", textbook, -1, func(d *inputs) (float64, bool) { return d.ifAnyJob(float64(d.makespan())) }},
	{"throughput", "Throughput", "jobs/h", "Jobs that finish in an hour.",
		"3600 n / makespan", textbook, 1,
		func(d *inputs) (float64, bool) { return ratio(3600*float64(len(d.jobs)), float64(d.makespan())) }},
	{"utilization", "Utilization", "", "Share of the available processors that are in use, on average.",
		"processor-seconds in use in [from,to) / (m makespan), which is sum(q p) / (m makespan) if each job runs p seconds", textbook, 1,
		func(d *inputs) (float64, bool) { return share(d.load.busy, d.offeredSeconds()) }},
	{"loss-of-capacity", "Loss of capacity", "", "Share of the machine that is idle although a waiting job would fit.",
		"idle processor-seconds while some waiting job requests at most the idle processors / (m makespan)", leung, -1,
		func(d *inputs) (float64, bool) { return ratio(d.load.lostFits, d.offeredSeconds()) }},
	{"loss-of-capacity-strict", "Loss of capacity, any queue", "", "Share of the machine that is idle while jobs wait.",
		"idle processor-seconds while any job waits / (m makespan)", zhang, -1,
		func(d *inputs) (float64, bool) { return ratio(d.load.lostQueue, d.offeredSeconds()) }},
	{"high-load-phases", "Phases of high load", "", "Number of periods in which many jobs wait at the same time.",
		"number of maximal intervals in which at least N_H jobs wait for their first start", jin + "; " + zeng, 0,
		func(d *inputs) (float64, bool) { return d.ifAnyJob(float64(d.load.highPhases)) }},
	{"high-load-length", "Time in high load", seconds, "Total time in which many jobs wait at the same time.",
		"sum of the lengths of the phases of high load", jin + "; " + zeng, 0,
		func(d *inputs) (float64, bool) { return d.ifAnyJob(float64(d.load.highLength)) }},
	{"high-load-utilization", "Utilization in high load", "", "Share of the machine that is in use while many jobs wait.",
		"processor-seconds in use in phases of high load / (m times the length of these phases)", jin + "; " + zeng, 1,
		func(d *inputs) (float64, bool) {
			return share(d.load.highBusy, d.capacitySeconds(d.load.highLength)-d.load.highOutage)
		}},
	{"mean-queue-length", "Mean queue length", "jobs", "Mean number of jobs that wait at the same time.",
		"integral of the number of waiting jobs from the first to the last submission / length of that time", textbook, -1,
		func(d *inputs) (float64, bool) { return ratio(d.load.queueArea, float64(d.load.arrivals)) }},
	{"max-queue-length", "Longest queue", "jobs", "Maximum number of jobs that wait at the same time.",
		"maximum number of waiting jobs in [from,to)", textbook, -1,
		func(d *inputs) (float64, bool) { return d.ifAnyJob(float64(d.load.maxQueue)) }},

	{"promises-given", "Promises given", "jobs", "Jobs that got a reservation that the policy never delays.",
		"number of jobs that were promised a start", textbook, 0,
		func(d *inputs) (float64, bool) { given, _ := d.promises(); return d.ifAnyJob(float64(given)) }},
	{"promises-kept", "Promises kept", "jobs", "Jobs that started when promised, or earlier.",
		"number of jobs that started no later than promised", textbook, 1,
		func(d *inputs) (float64, bool) { given, kept := d.promises(); return float64(kept), given > 0 }},
	{"profile-events", "Profile events examined", "", "Steps of the plan (profile events) that the policy examined while it compressed the plan. This measures effort, not quality.",
		"number of profile events that the policy examined while compressing its plan", lindsay, -1,
		func(d *inputs) (float64, bool) { return float64(d.profileSteps), d.profileSteps > 0 }},
	{"unfairness", "Unfairness", seconds, "How long after their fair starts the jobs start, on average.",
		"mean of max(start - fair start, 0), over the jobs whose fair starts are known", jin, -1,
		func(d *inputs) (float64, bool) { return ratio(d.fair[anyClass].late.sum, d.fair[anyClass].jobs) }},
	{"skip-unfairness", "Skip unfairness", seconds, "How long before their fair starts the jobs start, on average.",
		"mean of max(fair start - start, 0), over the jobs whose fair starts are known", jin, -1,
		func(d *inputs) (float64, bool) { return ratio(d.fair[anyClass].early.sum, d.fair[anyClass].jobs) }},
})

// ratio returns a / b. It reports false if b is 0 or negative.
func ratio(a, b float64) (float64, bool) {
	if b <= 0 {
		return 0, false
	}
	return a / b, true
}

// IsShare reports whether the metric is a fraction between 0 and 1, which is shown as a percentage.
func (m *Metric) IsShare() bool {
	return strings.Contains(m.Name, "utilization") || strings.HasPrefix(m.Name, "loss-of-capacity") || m.Name == "grouped-jobs"
}

// ShownUnit returns the unit to show next to values of the metric: "%" for a share. It returns ""
// for seconds if the clock writes the units into the text.
func (m *Metric) ShownUnit(c format.Clock) string {
	if m.IsShare() {
		return "%"
	}
	return c.Unit(m.Unit)
}

// TextWithUnit formats a value of the metric with its unit, such as "1 job" or "2 jobs".
func (m *Metric) TextWithUnit(v float64, c format.Clock) string {
	switch unit := m.ShownUnit(c); {
	case unit == "":
		return m.Text(v, c)
	case unit == "jobs" && v == 1:
		return format.Count(1, "job")
	default:
		return m.Text(v, c) + " " + unit
	}
}

// Text formats a value of the metric. The text contains a unit only if the clock writes durations
// with units.
func (m *Metric) Text(v float64, c format.Clock) string {
	switch {
	case m.IsShare():
		return format.Decimals(100*v, 1)
	case m.isDuration(c):
		return c.Mean(v)
	}
	return format.Number(v)
}

// DifferenceText formats a difference of two values of the metric, with its sign. It returns "0" or
// "0 s" only if the values are equal.
func (m *Metric) DifferenceText(v float64, c format.Clock) string {
	switch {
	case m.IsShare():
		return format.SignedDecimals(100*v, 1)
	case m.isDuration(c):
		return c.MeanDifference(v)
	}
	return format.Signed(v)
}

// isDuration reports whether the clock formats values of the metric as durations.
func (m *Metric) isDuration(c format.Clock) bool { return c.Unit(m.Unit) != m.Unit }
