package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/refute"
	"backfill-lab/core/scenario"
)

// write writes the scenario and prints the result.
func (r *refuter) write(s *refute.Search, f *refute.Finding, c *refute.Config) error {
	o := &outputs{}
	if f != nil {
		o.add(r.out, func(w io.Writer) error { _, err := w.Write(scenario.Format(f.Scenario)); return err })
	}
	if err := o.write(r.env); err != nil {
		return err
	}
	w := r.env.out
	if o.usesStandardOutput() {
		w = r.env.err
	}
	if r.json {
		return r.writeJSON(s, f)
	}
	tried, skipped := s.Tried()
	if f == nil {
		fmt.Fprintf(w, "Nothing found in %s workloads with seed %d. This does not prove that there is no counterexample.\n", format.Whole(tried), r.seed)
		for i, g := range c.Goals {
			if g.Needs != "" && s.Applicable(i) == 0 && tried > skipped {
				fmt.Fprintf(w, "The goal %s did not apply: no run had %s.\n", g.Name, g.Needs)
			}
		}
	} else {
		r.writeFinding(w, f, tried)
	}
	if skipped > 0 {
		fmt.Fprintf(w, "Skipped %s of the random workloads because a policy does not support them.\n", format.Whole(skipped))
	}
	return nil
}

// writeFinding prints a counterexample.
func (r *refuter) writeFinding(w io.Writer, f *refute.Finding, tried int) {
	fmt.Fprintf(w, "%s.\n%s; found in random workload %s with seed %d.\n\n", f.Title, f.Size(), format.Whole(tried), r.seed)
	rows := [][]string{{"job", "", "submit", "", "processors", "", "estimate", "", "runtime"}}
	m := &f.Scenario.Machine
	for _, x := range m.Resources {
		rows[0] = append(rows[0], "", x.Name)
	}
	clock := r.env.clock(f.Scenario.Workload.Jobs, nil)
	var moldable []string
	for i := range f.Scenario.Workload.Jobs {
		j := &f.Scenario.Workload.Jobs[i]
		row := []string{j.ID, "", clock.Instant(j.Submit), "", strconv.Itoa(j.Procs), "", clock.Duration(j.Estimate), "", clock.Duration(j.Runtime)}
		for k := range m.Resources {
			row = append(row, "", strconv.FormatInt(j.Extra(k), 10))
		}
		if s := j.Speedup(); s != nil {
			moldable = append(moldable, fmt.Sprintf("Job %s is moldable; on 1, 2, 3 ... processors it runs %s.", j.ID, durations(s.Table, clock)))
		}
		rows = append(rows, row)
	}
	writeColumns(w, rows)
	for _, line := range moldable {
		fmt.Fprintln(w, line)
	}
	for _, x := range m.Resources {
		fmt.Fprintf(w, "The machine has %s of %s.\n", format.Count(x.Capacity, "unit"), x.Name)
	}
	for _, b := range m.Outages {
		fmt.Fprintf(w, "%s %s unavailable from %s to %s.\n", format.Count(b.Procs, "processor"), format.SingularOrPlural(b.Procs, "is", "are"), clock.Instant(b.From), clock.Instant(b.To))
	}
	fmt.Fprintf(w, "\n%s", f.Text())
}

// durations formats a list of durations.
func durations(list []job.Time, c format.Clock) string {
	var texts []string
	for _, t := range list {
		texts = append(texts, c.Duration(t))
	}
	return strings.Join(texts, ", ")
}

// writeJSON prints the result of a search as JSON.
func (r *refuter) writeJSON(s *refute.Search, f *refute.Finding) error {
	type reason struct {
		Policy    string   `json:"policy"`
		Sentences []string `json:"sentences"`
	}
	var out struct {
		Found    bool            `json:"found"`
		Seed     int64           `json:"seed"`
		Tried    int             `json:"tried"`
		Skipped  int             `json:"skipped"`
		Goal     string          `json:"goal,omitempty"`
		Title    string          `json:"title,omitempty"`
		At       *job.Time       `json:"at,omitempty"`
		Job      string          `json:"job,omitempty"`
		Details  []string        `json:"details,omitempty"`
		Reasons  []reason        `json:"reasons,omitempty"`
		Scenario json.RawMessage `json:"scenario,omitempty"`
	}
	out.Seed = r.seed
	out.Tried, out.Skipped = s.Tried()
	if f != nil {
		out.Found, out.Goal, out.Title, out.Job, out.Details = true, f.Goal.Name, f.Title, f.Job, f.Details
		out.Scenario = scenario.Format(f.Scenario)
		if f.At != job.Never {
			out.At = &f.At
		}
		for _, x := range f.Reasons {
			out.Reasons = append(out.Reasons, reason(x))
		}
	}
	e := json.NewEncoder(r.env.data)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
