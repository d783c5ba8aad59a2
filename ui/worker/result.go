package worker

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/colour"
	"backfill-lab/core/decision"
	"backfill-lab/core/explain"
	"backfill-lab/core/format"
	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/script"
	"backfill-lab/core/replay"
	"backfill-lab/core/scenario"
	"backfill-lab/core/schedule"
	"backfill-lab/core/timeline"
	"backfill-lab/ui/protocol"
)

// results holds the results of a run. After the results become current (Session.last), they do not
// change, except that some parts are computed on first use.
type results struct {
	*preparedRun
	generation      int                    // number of these results
	list            []*result              // in the order of the policies; an external schedule comes last
	classifications []classification       // ways to divide the jobs into classes, built on first use
	classSet        *colour.Classification // classes for the colour scale, nil if not requested yet
	classBase       int                    // result with which classSet compares start times

	external *externalSchedule // the external schedule, nil if there is none
	unfit    string            // why the external schedule is not in the list
	notes    []string          // remarks about the external schedule
}

// result holds the log of one policy and everything derived from it.
type result struct {
	policy       scenario.Policy // zero for an external schedule
	spec         *policy.Spec    // nil for an external schedule
	isExternal   bool            // it is an external schedule
	title        string          // title of the policy or of the external schedule
	log          *log.Log
	end          job.Time        // time of the last record
	values       []metrics.Value // values of the metrics
	findings     []string        // errors found by the schedule checker; empty if there are none or it has not run
	checked      bool            // the schedule checker has run
	hasSlowdowns bool            // jobs on shared nodes slow each other down
	size         string          // the numbers of jobs and nodes in words, "" until summary needs it
	millis       int64           // time that the simulation took
	sliceCounts  []int           // number of time slices by type; nil without time slicing
	sharing      string          // describes node sharing and job speeds; empty for large runs and nodes of one core
	printed      []script.Line   // what the script of the policy printed
	droppedLines int             // number of lines that the script printed beyond those in printed

	chart  *gantt.Chart    // this and the fields below are built on first use
	plans  *timeline.Plans // planned starts over time
	index  *explain.Index  // answers why jobs wait or run
	replay *replay.Replay  // events for the player
	prediction
	jobOutcomes   []log.Outcome                // by job index; see outcomes
	times         []job.Time                   // see eventTimes
	decisionsRead bool                         // decisionPlaces has set decisions and reader
	decisions     []int32                      // record indexes of the decisions in the log
	reader        decision.Reader              // reads a decision from the log, nil if the policy makes none
	rerun         map[int]decision.Description // full descriptions of decisions, from reruns of the policy, by index in the log
}

// evaluate computes the result of policy i from its log. It yields between the parts of this
// computation.
func (o *preparedRun) evaluate(t *task, i int, l *log.Log) (*result, error) {
	r := &result{policy: o.Scenario.Policies[i], spec: o.specs[i], title: o.titles[i], log: l, hasSlowdowns: o.Speed != nil}
	return r, o.measure(t, r)
}

// measure computes the parts of a result that the page shows without a further request: the metrics and
// the time slices. For runs with few jobs, it also computes the findings of the checker (see checkAtOnceBelow) and
// the text about node sharing (see protocol.CheckBelow).
func (o *preparedRun) measure(t *task, r *result) error {
	l := r.log
	if n := l.Len(); n > 0 {
		r.end = l.Record(n - 1).At
	}
	if err := t.yield(); err != nil {
		return err
	}
	r.values = metrics.Compute(schedule.FromLog(l), l.Machine, o.Scenario.MetricOptions())
	if hasSlices(l) {
		if err := t.yield(); err != nil {
			return err
		}
		r.sliceCounts = r.gantt().SliceCounts()
	}
	if len(o.Work.Jobs) < checkAtOnceBelow {
		if err := t.yield(); err != nil {
			return err
		}
		r.check(o.clock)
	}
	if len(o.Work.Jobs) < protocol.CheckBelow && l.Machine.SlotsPerNode() > 1 {
		if err := t.yield(); err != nil {
			return err
		}
		r.sharing = r.gantt().SharingText()
	}
	return nil
}

// check checks the schedule, unless it has been checked before. The command backfill uses the same
// checker.
func (r *result) check(clock format.Clock) {
	if r.checked {
		return
	}
	for _, f := range schedule.CheckLogWith(r.log, schedule.Options{Promises: r.spec.PromisesStarts && !r.hasSlowdowns, Rates: r.hasSlowdowns}) {
		r.findings = append(r.findings, findingText(f, clock))
	}
	r.checked = true
}

// findingText returns the text of a finding, with its times in the format of the page.
func findingText(f schedule.Finding, clock format.Clock) string {
	text := strings.Replace(f.String(), fmt.Sprintf("at %d, ", f.At), "at "+clock.At(f.At)+", ", 1)
	last := strings.LastIndex(text, " at ") + len(" at ")
	if submit, err := strconv.ParseInt(text[last:], 10, 64); f.Code == schedule.EarlyStart && err == nil {
		return text[:last] + clock.At(submit)
	}
	return text
}

// gantt returns the chart of the schedule.
func (r *result) gantt() *gantt.Chart {
	if r.chart == nil {
		r.chart = gantt.New(r.log)
	}
	return r.chart
}

// reservations returns the planned starts over time.
func (r *result) reservations() *timeline.Plans {
	if r.plans == nil {
		r.plans = timeline.NewPlans(r.gantt().Timeline)
	}
	return r.plans
}

// explainIndex returns the index that answers why jobs wait or run.
func (r *result) explainIndex() *explain.Index {
	if r.index == nil {
		r.index = explain.FromTimeline(r.gantt().Timeline)
	}
	return r.index
}

// outcomes returns the start, finish and promised start of each job, by job index.
func (r *result) outcomes() []log.Outcome {
	if r.jobOutcomes == nil {
		r.jobOutcomes = r.log.Outcomes()
	}
	return r.jobOutcomes
}

// eventTimes returns the times of all submissions and log records, sorted and without duplicates.
func (r *result) eventTimes() []job.Time {
	if r.times == nil {
		for i := range r.log.Jobs {
			r.times = append(r.times, r.log.Jobs[i].Submit)
		}
		for rec := range r.log.All() {
			if n := len(r.times); r.times[n-1] != rec.At {
				r.times = append(r.times, rec.At)
			}
		}
		slices.Sort(r.times)
		r.times = slices.Clip(slices.Compact(r.times))
	}
	return r.times
}

// head returns the results in the form that is sent to the page.
func (rs *results) head() protocol.Ran {
	w := rs.Work
	h := protocol.Ran{Generation: rs.generation, Jobs: len(w.Jobs), Size: sizeText(w.Jobs, &rs.Scenario.Machine.Machine), Lanes: rs.Scenario.Machine.Slots(), Cores: rs.Scenario.Machine.SlotsPerNode(), From: w.Jobs[0].Submit, Clock: rs.clock}
	if w.Report.Dropped()+w.Report.Altered() > 0 {
		h.Report = w.Report.Sentences()
	}
	h.IgnoredRanges, h.LeftOut = rs.leftOut()
	h.External = rs.externalHead()
	h.Baseline = rs.Scenario.Baseline()
	h.Pending = rs.titles
	for i, r := range rs.list {
		if !r.isExternal {
			h.Pending = h.Pending[1:]
		}
		h.To, h.Planned = max(h.To, r.end), max(h.Planned, r.end, r.lastPlannedEnd())
		x := r.head(rs.clock)
		x.NoChart = !r.isExternal && rs.Scenario.Policies[i].NoChart
		h.Results = append(h.Results, x)
	}
	return h
}

// leftOut returns the ranges of submit times whose jobs the metrics ignore, and a sentence that says
// which share of the jobs this is.
func (rs *results) leftOut() (left [][]int64, words string) {
	o, jobs := rs.Scenario.MetricOptions(), rs.Work.Jobs
	first, last := o.CountedRange(len(jobs))
	if first > 0 {
		left = append(left, []int64{jobs[0].Submit, jobs[first].Submit})
	}
	if last < len(jobs) {
		left = append(left, []int64{jobs[last].Submit, jobs[len(jobs)-1].Submit})
	}
	return left, o.ExcludedText()
}

// lastPlannedEnd returns the latest planned end in the log. It returns 0 for large runs, whose logs
// do not contain planned ends.
func (r *result) lastPlannedEnd() (last job.Time) {
	if r.log.Level < log.Full {
		return 0
	}
	for x := range r.log.All() {
		if x.Kind == log.Promise || x.Kind == log.Hold && timeline.XIsPlannedStart(x.Code) {
			last = max(last, x.X+r.log.Estimate(x.Job))
		}
	}
	return last
}

// maxPrinted is the largest number of lines, printed by a script, that the page receives.
const maxPrinted = 200

// head returns the result in the form that is sent to the page.
func (r *result) head(clock format.Clock) protocol.Result {
	h := protocol.Result{Policy: protocol.Policy{Name: r.policy.Name, Knobs: r.policy.Knobs}, Title: r.title, IsExternal: r.isExternal, Findings: r.findings, Checked: r.checked, Summary: r.summary(clock), Millis: r.millis}
	for _, l := range r.printed[:min(len(r.printed), maxPrinted)] {
		h.Printed = append(h.Printed, protocol.Printed{At: l.At, Text: l.Text})
	}
	h.Unshown = len(r.printed) - len(h.Printed) + r.droppedLines
	if r.sliceCounts != nil {
		h.Slices = r.gantt().SliceNames()
	}
	h.Metrics = metricsOf(r.values)
	if h.Findings == nil {
		h.Findings = []string{}
	}
	return h
}

// metricsOf converts metrics to the form that the page receives.
func metricsOf(values []metrics.Value) (out []protocol.Metric) {
	for _, v := range values {
		m := protocol.Metric{Name: v.Metric.Name}
		if v.Applies {
			m.Value = &v.Number
			if v.Place != nil {
				m.Job, m.At = v.Place.Job, &v.Place.At
			}
		}
		out = append(out, m)
	}
	return out
}

// metricText returns a text such as ", mean wait 5 s", which ends with the value of a metric and its unit. In this
// example, the label is "mean wait ". It returns "" if the metric does not apply.
func (r *result) metricText(name, label string, clock format.Clock) string {
	v := metrics.Find(r.values, name)
	if !v.Applies {
		return ""
	}
	return ", " + label + v.Metric.TextWithUnit(v.Number, clock)
}

// summary describes the chart in sentences: the jobs and the machine, the main metrics, outages, time slices
// and node sharing.
func (r *result) summary(clock format.Clock) string {
	if r.size == "" {
		r.size = sizeText(r.log.Jobs, &r.log.Machine)
	}
	text := r.title + ": " + r.size
	text += r.metricText("utilization", "utilization ", clock) + r.metricText("mean-wait", "mean wait ", clock) + r.metricText("makespan", "makespan ", clock)
	for _, x := range r.log.Machine.Resources {
		text += r.metricText("utilization-of-"+x.Name, x.Name+" in use ", clock)
	}
	text += "." + outagesText(&r.log.Machine, clock) + r.slicingText()
	if r.sharing != "" {
		text += " " + r.sharing
	}
	return text
}

// outagesText describes the first outages of a machine, at most five, in a sentence. It returns "" if there
// are no outages.
func outagesText(m *cluster.Machine, clock format.Clock) string {
	const maxListed = 5
	text := ""
	for i, b := range m.Outages {
		switch i {
		case 0:
			text = " Unavailable: "
		case maxListed:
			return text + " and " + format.Whole(len(m.Outages)-maxListed) + " more."
		default:
			text += "; "
		}
		text += fmt.Sprintf("%s, %s from %s to %s", b.Name(), format.Count(b.Procs, "processor"), clock.Instant(b.From), clock.Instant(b.To))
	}
	if text != "" {
		text += "."
	}
	return text
}

// sizeText returns the numbers of jobs and nodes in words. If jobs were killed at their estimates, it says how many.
func sizeText(jobs []job.Job, m *cluster.Machine) string {
	text, killed := format.Count(len(jobs), "job")+" on "+machineText(m), 0
	for i := range jobs {
		if jobs[i].Killed {
			killed++
		}
	}
	if killed > 0 {
		text += fmt.Sprintf(", %s of the jobs killed at %s", format.Whole(killed), format.SingularOrPlural(killed, "its estimate", "their estimates"))
	}
	return text
}

// machineText describes the size of a machine in words, such as "4 nodes of 2 cores".
func machineText(m *cluster.Machine) string {
	if m.SlotsPerNode() == 1 {
		return format.Count(m.Nodes, "node")
	}
	return format.Count(m.Nodes, "node") + " of " + format.Count(m.SlotsPerNode(), "core")
}

// maxJobsWithSlots is the largest number of jobs for which the schedule table lists the slots of each
// job and its pieces, the parts between preemptions.
const maxJobsWithSlots = 2000

// outcomes answers with the start, the finish and other results of each job.
func (s *Session) outcomes(m Message, q protocol.TimeQuery) error {
	rs, r, err := s.current(q.Generation, q.Result)
	if err != nil {
		return err
	}
	out := r.outcomes()
	columns := [protocol.OutcomeColumns][]job.Time{}
	for i := range columns {
		columns[i] = make([]job.Time, len(out))
	}
	for i, o := range out {
		columns[0][i], columns[1][i], columns[2][i], columns[3][i], columns[4][i], columns[5][i] = o.Start, o.Finish, o.Promised, job.Never, job.Never, job.Never
		if j := job.Index(i); o.Start != job.Never {
			columns[3][i], columns[4][i], columns[5][i] = int64(r.log.Layout(j).Procs), int64(r.gantt().SpanCount(j)), r.relativeSpeed(j)
		}
	}
	head := protocol.Outcomes{Generation: rs.generation, Result: q.Result, Jobs: len(out)}
	if len(out) <= maxJobsWithSlots {
		head.Slots, head.Pieces = r.slotsAndPieces(rs.clock)
	}
	s.host.Post("outcomes", m.ID, head, [][]byte{protocol.EncodeTimes(columns[:]...)})
	return nil
}

// slotsAndPieces returns the slots of each job as text. For each job that runs in several pieces,
// it also returns the times of the pieces. Both lists have one entry per job.
func (r *result) slotsAndPieces(clock format.Clock) (slots, pieces []string) {
	layout, comma := "%s-%s", " "
	if clock.Units {
		layout, comma = "%s to %s", ", "
	}
	rows := schedule.FromLog(r.log).Rows
	slots, pieces = make([]string, len(rows)), make([]string, len(rows))
	for i := range rows {
		slots[i] = rows[i].Alloc.String()
		if len(rows[i].Segments) < 2 {
			continue
		}
		var all []string
		for _, s := range rows[i].Segments {
			all = append(all, fmt.Sprintf(layout, clock.Instant(s.From), clock.Instant(s.To)))
		}
		pieces[i] = strings.Join(all, comma)
	}
	return slots, pieces
}
