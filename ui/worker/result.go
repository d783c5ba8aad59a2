package worker

import (
	"fmt"
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/decision"
	"backfill-lab/core/explain"
	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
	"backfill-lab/core/policy"
	"backfill-lab/core/replay"
	"backfill-lab/core/scenario"
	"backfill-lab/core/schedule"
	"backfill-lab/core/shade"
	"backfill-lab/ui/protocol"
)

// results is what a run gave. It is never changed once it is the session's, but
// for what is built on first need.
type results struct {
	*order
	generation int
	list       []*result  // of the policies in their order, and of a file
	sorts      []sorting  // built when they are first asked for
	shade      *shade.Set // nil: none was asked for
	shadeBase  int

	aside *aside   // the schedule of a file, nil if there is none
	unfit string   // why it is not in the list
	notes []string // on it
}

// result is what one policy did: its log, and what was read from it.
type result struct {
	policy   scenario.Policy
	spec     *policy.Spec // nil: of a file
	file     bool
	title    string
	log      *log.Log
	end      job.Time
	values   []metrics.Value
	findings []string
	checked  bool
	contends bool // jobs slow each other down
	millis   int64
	counts   []int  // of time slices, by type; nil if the machine is not shared
	sharing  string // how many jobs share nodes, and how fast they go; not told of large runs

	chart  *gantt.Chart // these are built when they are first asked for
	plans  *gantt.Plans
	index  *explain.Index
	replay *replay.Replay
	foreseen
	ends    []log.Outcome
	moments []job.Time
	sought  bool    // what follows was looked for
	choices []int32 // places of the decisions in the log
	reader  decision.Reader
	anew    map[int]decision.Account // by place: those run again
}

// judge reads metrics and findings from the log of policy i. Each is one step.
func (o *order) judge(t *task, i int, l *log.Log) (*result, error) {
	r := &result{policy: o.Scenario.Policies[i], spec: o.specs[i], title: o.titles[i], log: l, contends: o.Speed != nil}
	return r, o.measure(t, r)
}

// measure reads from the log of a result what is told of it unasked.
func (o *order) measure(t *task, r *result) error {
	l := r.log
	if n := l.Len(); n > 0 {
		r.end = l.Record(n - 1).At
	}
	if err := t.breathe(); err != nil {
		return err
	}
	r.values = metrics.Compute(schedule.From(l), l.Machine, o.Scenario.Metrics())
	if sliced(l) {
		if err := t.breathe(); err != nil {
			return err
		}
		r.counts = r.gantt().Slices()
	}
	if len(o.Work.Jobs) < checkBelow {
		if err := t.breathe(); err != nil {
			return err
		}
		r.check()
	}
	if len(o.Work.Jobs) < protocol.CheckBelow && l.Machine.PerNode() > 1 {
		if err := t.breathe(); err != nil {
			return err
		}
		r.sharing = r.gantt().Sharing()
	}
	return nil
}

// check runs the checker that the command has as well.
func (r *result) check() {
	if r.checked {
		return
	}
	for _, f := range schedule.CheckLogWith(r.log, schedule.Options{Promises: r.spec.Promise && !r.contends, Rates: r.contends}) {
		r.findings = append(r.findings, f.String())
	}
	r.checked = true
}

func (r *result) gantt() *gantt.Chart {
	if r.chart == nil {
		r.chart = gantt.New(r.log)
	}
	return r.chart
}

func (r *result) reservations() *gantt.Plans {
	if r.plans == nil {
		r.plans = gantt.NewPlans(r.gantt())
	}
	return r.plans
}

func (r *result) explained() *explain.Index {
	if r.index == nil {
		r.index = explain.FromChart(r.gantt())
	}
	return r.index
}

// became returns what became of each job.
func (r *result) became() []log.Outcome {
	if r.ends == nil {
		r.ends = r.log.Outcomes()
	}
	return r.ends
}

// happened returns the moments at which something happened, each once, in order.
func (r *result) happened() []job.Time {
	if r.moments == nil {
		for i := range r.log.Jobs {
			r.moments = append(r.moments, r.log.Jobs[i].Submit)
		}
		for rec := range r.log.All() {
			if n := len(r.moments); r.moments[n-1] != rec.At {
				r.moments = append(r.moments, rec.At)
			}
		}
		slices.Sort(r.moments)
		r.moments = slices.Clip(slices.Compact(r.moments))
	}
	return r.moments
}

func (rs *results) head() protocol.Ran {
	w := rs.Work
	h := protocol.Ran{Generation: rs.generation, Jobs: len(w.Jobs), Lanes: rs.Scenario.Machine.Slots(), Cores: rs.Scenario.Machine.PerNode(), From: w.Jobs[0].Submit}
	if w.Report.Dropped()+w.Report.Altered() > 0 {
		h.Report = w.Report.Sentences()
	}
	h.Left, h.LeftOut = rs.leftOut()
	h.Aside = rs.told()
	for _, r := range rs.list {
		h.To, h.Planned = max(h.To, r.end), max(h.Planned, r.end, r.planned())
		h.Results = append(h.Results, r.head())
	}
	return h
}

// leftOut returns the stretches of submissions that the metrics leave out, and the same
// in words.
func (rs *results) leftOut() (left [][]int64, words string) {
	o, jobs := rs.Scenario.Metrics(), rs.Work.Jobs
	first, last := o.Counted(len(jobs))
	if first > 0 {
		left = append(left, []int64{jobs[0].Submit, jobs[first].Submit})
	}
	if last < len(jobs) {
		left = append(left, []int64{jobs[last].Submit, jobs[len(jobs)-1].Submit})
	}
	return left, o.LeftOut()
}

// planned returns the last end that a plan of a small run ever had.
func (r *result) planned() (last job.Time) {
	if r.log.Level < log.Full {
		return 0
	}
	for x := range r.log.All() {
		if x.Kind == log.Promise || x.Kind == log.Hold && gantt.NamesStart(x.Code) {
			last = max(last, x.X+r.log.Estimate(x.Job))
		}
	}
	return last
}

func (r *result) head() protocol.Result {
	h := protocol.Result{Policy: protocol.Policy{Name: r.policy.Name, Knobs: r.policy.Knobs}, Title: r.title, File: r.file, Findings: r.findings, Checked: r.checked, Summary: r.summary(), Millis: r.millis}
	if r.counts != nil {
		h.Slices = r.gantt().Types()
	}
	for _, v := range r.values {
		m := protocol.Metric{Name: v.Metric.Name}
		if v.OK {
			m.Value = &v.V
		}
		h.Metrics = append(h.Metrics, m)
	}
	if h.Findings == nil {
		h.Findings = []string{}
	}
	return h
}

// summary returns the chart in a sentence or two.
func (r *result) summary() string {
	text := fmt.Sprintf("%s: %d jobs on %s", r.title, len(r.log.Jobs), size(&r.log.Machine))
	if v := metrics.Find(r.values, "utilization"); v.OK {
		text += fmt.Sprintf(", utilization %.0f %%", 100*v.V)
	}
	if v := metrics.Find(r.values, "mean-wait"); v.OK {
		text += fmt.Sprintf(", mean wait %.4g s", v.V)
	}
	if v := metrics.Find(r.values, "makespan"); v.OK {
		text += fmt.Sprintf(", makespan %.0f s", v.V)
	}
	for _, x := range r.log.Machine.Resources {
		if v := metrics.Find(r.values, "utilization-of-"+x.Name); v.OK {
			text += fmt.Sprintf(", %s in use %.0f %%", x.Name, 100*v.V)
		}
	}
	text += "." + away(&r.log.Machine) + r.shared()
	if r.sharing != "" {
		text += " " + r.sharing
	}
	return text
}

// away returns the blocks of a machine in a sentence.
func away(m *cluster.Machine) string {
	const most = 5
	text := ""
	for i, b := range m.Blocks {
		switch i {
		case 0:
			text = " Away: "
		case most:
			return text + fmt.Sprintf(" and %d more.", len(m.Blocks)-most)
		default:
			text += "; "
		}
		text += fmt.Sprintf("%s, %d processors from %d to %d", b.Name(), b.Procs, b.From, b.To)
	}
	if text != "" {
		text += "."
	}
	return text
}

func size(m *cluster.Machine) string {
	if m.PerNode() == 1 {
		return fmt.Sprintf("%d nodes", m.Nodes)
	}
	return fmt.Sprintf("%d nodes of %d cores", m.Nodes, m.PerNode())
}
