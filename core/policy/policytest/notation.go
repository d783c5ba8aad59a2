package policytest

import (
	"fmt"
	"strconv"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/speed"
)

// The notation describes one job per line: "id q/e(p)@submit +a,b ~c,d".
//
//   - q: processors
//   - e: estimate in seconds
//   - p: runtime in seconds; omitted if it equals the estimate
//   - submit: submit time in seconds; omitted if 0
//   - a,b: amounts of the extra resources; optional
//   - c,d: the slowdown with two of the job's processes per node (SLnos), and the further slowdown
//     with four (SLcrs); optional
//
// For a moldable job, a table of runtimes or Downey's parameters replace q/e(p). The table, such as
// T10,7,6, has the runtimes on 1, 2, ... processors. The parameters, such as L100,A4,S0.5, are the
// length, the average parallelism and sigma. The estimate of a moldable job is exact. The job has
// one processor unless the policy changes its size. A "#" starts a comment.
//
//	J1 2/5
//	J2 3/10(4)@2
//	J3 1/6@2 +20,0
//	J4 T10,7,6@2
//	J5 L100,A4,S0.5@2
//	J6 8/4000 ~1.05,1.3

// ParseJobs parses jobs in the notation and sorts them by submit time.
func ParseJobs(text string) ([]job.Job, error) {
	var jobs []job.Job
	for _, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		j, err := parseJob(strings.Fields(line))
		if err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		jobs = append(jobs, j)
	}
	job.Sort(jobs)
	return jobs, nil
}

// parseJob parses one job from the fields of its line.
func parseJob(fields []string) (j job.Job, err error) {
	if len(fields) < 2 {
		return j, fmt.Errorf("expected \"id q/e(p)@submit +a,b ~c,d\"")
	}
	for _, f := range fields[2:] {
		if err := parseOption(&j, f); err != nil {
			return j, err
		}
	}
	j.ID = fields[0]
	rest, submit, hasSubmit := strings.Cut(fields[1], "@")
	if hasSubmit {
		if j.Submit, err = strconv.ParseInt(submit, 10, 64); err != nil {
			return j, fmt.Errorf("submit: %w", err)
		}
	}
	if strings.HasPrefix(rest, "T") || strings.HasPrefix(rest, "L") {
		err = parseMoldable(&j, rest)
		return j, err
	}
	procs, rest, _ := strings.Cut(rest, "/")
	estimate, runtime, hasRuntime := strings.Cut(rest, "(")
	if j.Procs, err = strconv.Atoi(procs); err != nil {
		return j, fmt.Errorf("processors: %w", err)
	}
	if j.Estimate, err = strconv.ParseInt(estimate, 10, 64); err != nil {
		return j, fmt.Errorf("estimate: %w", err)
	}
	j.Runtime = j.Estimate
	if hasRuntime {
		if j.Runtime, err = strconv.ParseInt(strings.TrimSuffix(runtime, ")"), 10, 64); err != nil {
			return j, fmt.Errorf("runtime: %w", err)
		}
	}
	return j, nil
}

// parseOption parses an optional field: amounts of extra resources, or slowdowns.
func parseOption(j *job.Job, text string) error {
	if j.More == nil {
		j.More = &job.More{}
	}
	words := strings.Split(text[1:], ",")
	switch {
	case text[0] == '+':
		return parseExtra(j.More, words)
	case text[0] == '~' && len(words) == 2:
		return parseSlowdowns(j.More, words)
	}
	return fmt.Errorf("expected +a,b or ~c,d, got %q", text)
}

func parseExtra(m *job.More, words []string) error {
	for _, word := range words {
		amount, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return fmt.Errorf("extra resource: %w", err)
		}
		m.Extra = append(m.Extra, amount)
	}
	return nil
}

// parseMoldable makes job j moldable. The speedup curve is given as the table of runtimes or the
// parameters of Downey's model, in the notation.
func parseMoldable(j *job.Job, curve string) error {
	s := &job.Speedup{}
	if table, ok := strings.CutPrefix(curve, "T"); ok {
		for _, text := range strings.Split(table, ",") {
			t, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return fmt.Errorf("runtimes: %w", err)
			}
			s.Table = append(s.Table, t)
		}
	} else if _, err := fmt.Sscanf(curve, "L%g,A%g,S%g", &s.L, &s.A, &s.Sigma); err != nil {
		return fmt.Errorf("length, parallelism and sigma: %w", err)
	}
	if j.More == nil {
		j.More = &job.More{}
	}
	j.More.Speedup, j.Procs = s, 1
	j.Estimate = speed.Seconds(s.Work(), 1)
	j.Runtime = j.Estimate
	return nil
}

// FormatJobs formats jobs in the notation, one per line.
func FormatJobs(jobs []job.Job) string {
	var b strings.Builder
	for i := range jobs {
		j := &jobs[i]
		b.WriteString(j.ID + " " + formatRequest(j))
		if j.Submit != 0 {
			fmt.Fprintf(&b, "@%d", j.Submit)
		}
		if j.More != nil && len(j.More.Extra) > 0 {
			b.WriteString(" +" + formatAmounts(j.More.Extra))
		}
		b.WriteString(formatSlowdowns(j.More))
		b.WriteByte('\n')
	}
	return b.String()
}

func formatAmounts(list []int64) string {
	var words []string
	for _, amount := range list {
		words = append(words, strconv.FormatInt(amount, 10))
	}
	return strings.Join(words, ",")
}

// formatRequest returns the second field of a job in the notation, without @submit.
func formatRequest(j *job.Job) string {
	switch c := j.Speedup(); {
	case c != nil && c.Table != nil:
		return "T" + strings.ReplaceAll(strings.Trim(fmt.Sprint(c.Table), "[]"), " ", ",")
	case c != nil:
		return fmt.Sprintf("L%g,A%g,S%g", c.L, c.A, c.Sigma)
	case j.Runtime != j.Estimate:
		return fmt.Sprintf("%d/%d(%d)", j.Procs, j.Estimate, j.Runtime)
	}
	return fmt.Sprintf("%d/%d", j.Procs, j.Estimate)
}

// String formats the case as commands of a scenario file.
func (c *Case) String() string {
	s := "scenario " + formatMachine(&c.Machine)
	var extra []int64
	for _, r := range c.Machine.Resources {
		extra = append(extra, r.Capacity)
	}
	if extra != nil {
		s += " extra=(" + formatAmounts(extra) + ")"
	}
	s += "\n" + FormatJobs(c.Jobs) + c.formatPairs() + "----\n\nrun " + c.Spec.Name
	for _, k := range c.Spec.Knobs {
		if v, ok := c.Knobs[k.Name]; ok {
			s += fmt.Sprintf(" %s=%s", k.Name, v)
		}
	}
	return s + "\n----\n"
}
