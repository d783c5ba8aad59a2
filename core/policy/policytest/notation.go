package policytest

import (
	"fmt"
	"strconv"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/speed"
)

// Jobs are written as in the papers, a line each, "id q/e(p)@submit +a,b ~c,d": q
// processors, estimate e, runtime p (left out when it is e), submit time (left
// out when it is 0), amounts of the extra resources (left out when there are
// none), slowdowns by two processes on a node and further by four (left out when
// they are not given). "#" begins a comment. A moldable job, of one processor and
// exact unless the scheduler says otherwise, has the runtimes on 1, 2, ...
// processors, or the L, A and sigma of Downey's model, in the place of q/e(p).
//
//	J1 2/5
//	J2 3/10(4)@2
//	J3 1/6@2 +20,0
//	J4 T10,7,6@2
//	J5 L100,A4,S0.5@2
//	J6 8/4000 ~1.05,1.3

// ParseJobs reads jobs and sorts them.
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

func parseJob(fields []string) (j job.Job, err error) {
	if len(fields) < 2 {
		return j, fmt.Errorf("expected \"id q/e(p)@submit +a,b ~c,d\"")
	}
	for _, f := range fields[2:] {
		if err := parseMore(&j, f); err != nil {
			return j, err
		}
	}
	j.ID = fields[0]
	rest, submit, late := strings.Cut(fields[1], "@")
	if late {
		if j.Submit, err = strconv.ParseInt(submit, 10, 64); err != nil {
			return j, fmt.Errorf("submit: %w", err)
		}
	}
	if strings.HasPrefix(rest, "T") || strings.HasPrefix(rest, "L") {
		err = mold(&j, rest)
		return j, err
	}
	procs, rest, _ := strings.Cut(rest, "/")
	estimate, runtime, early := strings.Cut(rest, "(")
	if j.Procs, err = strconv.Atoi(procs); err != nil {
		return j, fmt.Errorf("processors: %w", err)
	}
	if j.Estimate, err = strconv.ParseInt(estimate, 10, 64); err != nil {
		return j, fmt.Errorf("estimate: %w", err)
	}
	j.Runtime = j.Estimate
	if early {
		if j.Runtime, err = strconv.ParseInt(strings.TrimSuffix(runtime, ")"), 10, 64); err != nil {
			return j, fmt.Errorf("runtime: %w", err)
		}
	}
	return j, nil
}

// parseMore reads amounts of extra resources or slowdowns.
func parseMore(j *job.Job, text string) error {
	if j.More == nil {
		j.More = &job.More{}
	}
	words := strings.Split(text[1:], ",")
	switch {
	case text[0] == '+':
		return parseExtra(j.More, words)
	case text[0] == '~' && len(words) == 2:
		return parseSlow(j.More, words)
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

// mold makes j the moldable job with that curve.
func mold(j *job.Job, curve string) error {
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

// FormatJobs writes jobs in the notation.
func FormatJobs(jobs []job.Job) string {
	var b strings.Builder
	for i := range jobs {
		j := &jobs[i]
		b.WriteString(j.ID + " " + needs(j))
		if j.Submit != 0 {
			fmt.Fprintf(&b, "@%d", j.Submit)
		}
		if j.More != nil && len(j.More.Extra) > 0 {
			b.WriteString(" +" + amounts(j.More.Extra))
		}
		b.WriteString(slow(j.More))
		b.WriteByte('\n')
	}
	return b.String()
}

func amounts(list []int64) string {
	var words []string
	for _, amount := range list {
		words = append(words, strconv.FormatInt(amount, 10))
	}
	return strings.Join(words, ",")
}

// needs returns what a job asks for in the notation.
func needs(j *job.Job) string {
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

// String returns the case as the commands of a scenario file.
func (c *Case) String() string {
	s := "scenario " + machine(&c.Machine)
	var extra []int64
	for _, r := range c.Machine.Resources {
		extra = append(extra, r.Capacity)
	}
	if extra != nil {
		s += " extra=(" + amounts(extra) + ")"
	}
	s += "\n" + FormatJobs(c.Jobs) + c.pairs() + "----\n\nrun " + c.Spec.Name
	for _, k := range c.Spec.Knobs {
		if v, ok := c.Knobs[k.Name]; ok {
			s += fmt.Sprintf(" %s=%s", k.Name, v)
		}
	}
	return s + "\n----\n"
}
