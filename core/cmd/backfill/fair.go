package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"backfill-lab/core/fairstart"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/scenario"
	"backfill-lab/core/schedule"
)

// fairness says whose fair start times are measured by; empty where nobody asked:
// then they are the policy's.
type fairness string

// readings is the values of the flag -fair and what each says of itself.
var readings = []struct{ name, words string }{
	{"policy", "as the policy records them"},
	{"jin", "behind a conservative plan of who waits at the submission (Jin 2009)"},
	{"sabin", "under the same policy if no job came later (Sabin et al. 2004)"},
	{"sabin-estimates", "under the same policy if no job came later and all ran as long as estimated (Sabin et al. 2004)"},
}

func (f *fairness) flag(flags *pflag.FlagSet) {
	flags.Var(f, "fair", "`whose` fair start times to measure by: policy|jin|sabin|sabin-estimates (policy: what it records, as without the flag)")
}

func (f *fairness) String() string { return string(*f) }
func (f *fairness) Type() string   { return "whose" }
func (f *fairness) Set(text string) error {
	var names []string
	for _, r := range readings {
		names = append(names, r.name)
	}
	if !slices.Contains(names, text) {
		return fmt.Errorf("expected one of %s, got %q", strings.Join(names, ", "), text)
	}
	*f = fairness(text)
	return nil
}

// words returns a line about the reading, nothing where nobody asked for one.
func (f fairness) words() string {
	for _, r := range readings {
		if r.name == string(f) {
			return "Fair start times: " + r.words + ".\n"
		}
	}
	return ""
}

// put gives the rows of policy i's schedule their fair start times.
func (f fairness) put(e *env, up *scenario.Setup, i int, l *log.Log, table *schedule.Schedule) (err error) {
	var times []job.Time
	switch f {
	case "policy":
		if !slices.ContainsFunc(table.Rows, func(r schedule.Row) bool { return r.Fair != job.Never }) {
			e.note("%s records no fair start times; -fair jin and -fair sabin find them.", up.Scenario.Policies[i].String())
		}
	case "jin":
		if times, err = fairstart.Jin(l); err != nil {
			err = fmt.Errorf("-fair jin: %s: %w; -fair policy takes those that a policy such as fair-slack records", up.Scenario.Policies[i].String(), err)
		}
	case "sabin", "sabin-estimates":
		times, err = e.sabin(up, i, f == "sabin-estimates")
	}
	for j, t := range times {
		table.Rows[j].Fair = t
	}
	return err
}

// sabin finds the fair start times of policy i of a scenario.
func (e *env) sabin(up *scenario.Setup, i int, foresee bool) ([]job.Time, error) {
	c, err := up.Config(i, log.Spans)
	if err != nil {
		return nil, err
	}
	s, err := fairstart.NewSabin(c, foresee)
	if err != nil {
		return nil, err
	}
	p := e.progress(up.Scenario.Policies[i].Name+", fair starts", len(c.Jobs))
	defer p.close()
	for n, more := 0, true; more; n++ {
		if more, err = s.Step(); err != nil {
			return nil, err
		}
		if n%64 == 0 {
			p.at(len(s.Times()))
		}
	}
	return s.Times(), nil
}
