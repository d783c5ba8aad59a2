package results

import (
	"fmt"
	"strconv"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/metrics"
	"backfill-lab/ui/glossary"
	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// Score is a row of the short metrics table: a policy and its headline metrics.
type Score struct {
	Title    string        // title of the policy
	Mark     string        // "baseline", "with errors", both or neither
	Facts    []MeasureFact // in the order of session.Headlines
	Promises string        // how many promised starts were kept, or that the policy is not done, in words
}

// Scores returns the short metrics table: a row for each result, followed by a row for each policy that is
// not done.
func (c *Results) Scores() (out []Score) {
	if c.Ran == nil {
		return nil
	}
	for i := range c.Ran.Results {
		s := Score{Title: c.Ran.Results[i].Title, Promises: "none"}
		if i == c.Ran.Baseline && len(c.Ran.Results) > 1 {
			s.Mark = "baseline"
		}
		if len(c.Ran.Results[i].Findings) > 0 {
			s.Mark = strings.TrimSpace(s.Mark + " with errors")
		}
		for _, h := range session.Headlines {
			s.Facts = append(s.Facts, c.measureFact(i, session.Metric(h.Name)))
		}
		if given, _ := c.MetricValue(i, "promises-given"); given > 0 {
			kept, _ := c.MetricValue(i, "promises-kept")
			if s.Promises = fmt.Sprintf("all %s kept", format.Decimals(given, 0)); kept < given {
				s.Promises = fmt.Sprintf("%s of %s kept", format.Decimals(kept, 0), format.Decimals(given, 0))
			}
		}
		out = append(out, s)
	}
	return append(out, c.pendingScores()...)
}

// pendingScores returns the rows of the policies that are still running or were not run.
func (c *Results) pendingScores() (out []Score) {
	state := "still running"
	if c.Task == 0 {
		state = "not run"
	}
	for _, title := range c.Ran.Pending {
		s := Score{Title: title, Promises: state}
		for range session.Headlines {
			s.Facts = append(s.Facts, MeasureFact{Fact: widgets.Fact{Value: "–"}})
		}
		out = append(out, s)
	}
	return out
}

// Headings returns the column headings of the short table, with unit and formula.
func (c *Results) Headings() (out []widgets.Fact) {
	for _, h := range session.Headlines {
		m := session.Metric(h.Name)
		name := h.Title
		if unit := m.ShownUnit(c.Clock()); unit != "" {
			name += ",\u00a0" + unit // on one line
		}
		out = append(out, widgets.Fact{Name: name, Formula: m.Explanation()})
	}
	return out
}

// PromiseHelp returns the glossary's explanation of a promise.
func (c *Results) PromiseHelp() string { return glossary.Meaning("promise") }

// Measure is a row of the long metrics table: a metric with its value for each policy.
type Measure struct {
	Title, Unit, Words, Formula string        // Words: the meaning in a sentence
	Facts                       []MeasureFact // by result index
}

// MeasureFact is a value in a metrics table. Place is the label of a link to where the value occurs,
// such as "job 7" for the longest wait. It is "" if there is no such link.
type MeasureFact struct {
	widgets.Fact
	Policy string // title of the policy, which a narrow screen shows in each cell
	Place  string
	job    string // id of the job that the link selects, "" to go to a time
	at     int64  // time of the link, in seconds
	result int    // index of the result that the value belongs to
}

// Measures returns the long metrics table, or nil while it is closed.
func (c *Results) Measures() (out []Measure) {
	if c.Ran == nil || len(c.Ran.Results) == 0 || !c.more {
		return nil
	}
	for _, v := range c.Ran.Results[0].Metrics {
		m := metrics.Named(v.Name)
		x := Measure{Title: m.Title, Unit: m.ShownUnit(c.Clock()), Words: m.Words, Formula: m.Formula + " (" + m.Paper + ")"}
		for r := range c.Ran.Results {
			x.Facts = append(x.Facts, c.measureFact(r, m))
		}
		out = append(out, x)
	}
	return out
}

// measureFact returns a metric of result i. If the metric is a maximum, the value has a link to
// where it occurs.
func (c *Results) measureFact(i int, m *metrics.Metric) MeasureFact {
	f := MeasureFact{Fact: c.Metric(i, m.Name, m.Title), Policy: c.Titles()[i], result: i}
	for _, v := range c.Ran.Results[i].Metrics {
		if v.Name != m.Name || v.At == nil {
			continue
		}
		f.job, f.at = v.Job, *v.At
		if f.Place = "at " + c.Clock().At(f.at); f.job != "" {
			f.Place = "job " + f.job
		}
	}
	return f
}

// ShowPlace follows the link of a value. It selects the linked job and explains it for the policy of the value, or
// moves the cursor to the linked time. It does nothing if the results are outdated.
func (c *Results) ShowPlace(f MeasureFact) {
	switch {
	case !c.IsCurrent():
	case f.job == "":
		_ = session.CallCharts("cursor", strconv.FormatInt(f.at, 10))
	default:
		if row := c.RowOfID(f.job); row >= 0 {
			c.RevealJob(int(c.JobOfRow[row]), f.at, f.result)
		}
	}
}

// ToggleMore shows or hides the long table.
func (c *Results) ToggleMore() { c.more = !c.more }

// MoreText returns the label of the button that shows or hides the long table.
func (c *Results) MoreText() string {
	if c.more {
		return "Fewer metrics"
	}
	return "All metrics"
}

// BestClass returns the CSS class of a number: "best" if it is the best among the policies, otherwise "plain".
func (c *Scores) BestClass(f widgets.Fact) string {
	if f.Best {
		return "best"
	}
	return "plain"
}

// MoreShown returns the aria-expanded value of the button of the long table.
func (c *Results) MoreShown() string { return fmt.Sprint(c.more) }
