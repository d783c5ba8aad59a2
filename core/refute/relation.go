package refute

import (
	"fmt"
	"math"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/formula"
	"backfill-lab/core/job"
	"backfill-lab/core/metrics"
	"backfill-lab/core/schedule"
)

// relation is a condition that compares metrics of the two policies.
type relation struct {
	condition *formula.Condition
	operands  []operand // in the order in which the text names them
}

// operand is a metric of one policy.
type operand struct {
	metric  *metrics.Metric
	subject int // index of the policy: subjectA or subjectB
}

// ParseRelation parses a relation between metrics, such as "mean wait of A > 1.5 * mean wait of B".
// It returns the goal that is reached if the relation holds. The text names a metric by its name or
// its title. Case does not matter, and spaces may replace dashes. Numbers, operators and functions
// are written as in formulas of package formula. The relation does not hold if a metric does not
// apply, or if a policy does not finish its run. Syntax errors state the column in the text.
func ParseRelation(text string) (*Goal, error) {
	r := &relation{}
	known := scheduleMetrics()
	c, err := formula.ParseCondition(text, "a metric of A or B, such as mean wait of A, a number, a function or \"(\"",
		func(rest string) (length, number int) {
			o, length := findOperand(known, rest)
			if length > 0 {
				r.operands = append(r.operands, o)
			}
			return length, len(r.operands) - 1
		})
	if err != nil {
		return nil, err
	}
	if len(r.operands) == 0 {
		return nil, fmt.Errorf("expected a relation with at least one metric of A or B, got %q", text)
	}
	r.condition = c
	g := &Goal{Name: "when", Text: text, Needs: "a value for every metric of the relation", check: r.check}
	for _, o := range r.operands {
		g.Pair = g.Pair || o.subject == subjectB
	}
	return g, nil
}

// scheduleMetrics returns the metrics that a relation can name. These are all metrics except those
// that need fair start times, extra resources or nodes with several cores.
func scheduleMetrics() (list []*metrics.Metric) {
	s := &schedule.Schedule{ProfileSteps: 1, Rows: []schedule.Row{{ID: "1", Procs: 1, Runtime: 1, Estimate: 1,
		Start: 1, Finish: 2, Promised: 1, Fair: 1, Segments: []schedule.Segment{{From: 1, To: 2}}}}}
	fair := metrics.Compute(s, cluster.Flat(1), metrics.Default)
	s.Rows[0].Fair = job.Never
	for i, v := range metrics.Compute(s, cluster.Flat(1), metrics.Default) {
		if v.Applies == fair[i].Applies {
			list = append(list, v.Metric)
		}
	}
	return list
}

// findOperand finds the longest name or title of a metric at the start of a text, followed by "of
// A" or "of B". It returns the length of the match in bytes, or 0 if there is none.
func findOperand(known []*metrics.Metric, rest string) (found operand, length int) {
	lower := strings.ToLower(rest)
	for _, m := range known {
		for _, name := range []string{m.Name, strings.ReplaceAll(m.Name, "-", " "), strings.ToLower(m.Title)} {
			for i, of := range [2]string{" of a", " of b"} {
				n := len(name) + len(of)
				if n > length && strings.HasPrefix(lower, name+of) && !continuesWord(lower[n:]) {
					found, length = operand{m, i}, n
				}
			}
		}
	}
	return found, length
}

// continuesWord reports whether a text begins with a letter, a digit or another character that
// would continue a word.
func continuesWord(rest string) bool {
	return rest != "" && ('a' <= rest[0] && rest[0] <= 'z' || '0' <= rest[0] && rest[0] <= '9' || rest[0] == '_' || rest[0] >= 0x80)
}

// check returns evidence if the relation holds. If the relation is about both policies, the
// evidence points to the first difference between their schedules.
func (r *relation) check(t *trial) (*evidence, error) {
	var computed [2][]metrics.Value
	values := make([]float64, len(r.operands))
	var texts []string
	for i, o := range r.operands {
		x, err := t.run(o.subject)
		if err != nil || x.err != nil {
			return notApplicable, err
		}
		if computed[o.subject] == nil {
			computed[o.subject] = metrics.Compute(schedule.FromLog(x.log), t.workload.machine, metrics.Default)
		}
		v := metrics.Find(computed[o.subject], o.metric.Name)
		if !v.Applies || math.IsNaN(v.Number) {
			return notApplicable, nil
		}
		values[i] = v.Number
		texts = append(texts, t.valueText(v, o.subject))
	}
	if !r.condition.Holds(values) {
		return nil, nil
	}
	e := &evidence{at: job.Never, job: job.None, more: texts}
	e.what = r.condition.String() + ", where A is " + t.subjects[subjectA].Title
	if t.runs[subjectB] != nil {
		e.what += " and B is " + t.subjects[subjectB].Title
		if d, err := checkDiffer(t); err != nil || d != nil {
			if err != nil {
				return nil, err
			}
			e.at, e.job = d.at, d.job
			e.more = append(e.more, d.what+".")
		}
	}
	return e, nil
}

// valueText returns a sentence with the value of a metric under one of the two policies. The
// argument subject is the index of the policy.
func (t *trial) valueText(v metrics.Value, subject int) string {
	return fmt.Sprintf("%s under %s: %s.", v.Metric.Title, t.subjects[subject].Title, v.Metric.TextWithUnit(v.Number, t.workload.clock()))
}
