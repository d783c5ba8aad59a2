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

// fairStarts is the value of the flag -fair, which selects the definition of fair start times for
// the metrics. If it is empty, the metrics use the fair start times that the policy records.
type fairStarts string

// fairStartKinds lists the values of the flag -fair and describes them.
var fairStartKinds = []struct{ name, text string }{
	{"policy", "as recorded by the policy"},
	{"jin", "the start that a conservative plan of all unfinished jobs gives each job at its submission (Jin 2009)"},
	{"sabin", "under the same policy if no later job were submitted (Sabin et al. 2004)"},
	{"sabin-estimates", "under the same policy if no later job were submitted and all jobs ran for their estimates (Sabin et al. 2004)"},
}

// addFlag adds the flag to flags.
func (f *fairStarts) addFlag(flags *pflag.FlagSet) {
	flags.Var(f, "fair", "use the `policy|jin|sabin|sabin-estimates` definition of fair start times in the metrics (default: policy, which uses the times that the policy records)")
}

func (f *fairStarts) String() string { return string(*f) }
func (f *fairStarts) Type() string   { return "definition" }
func (f *fairStarts) Set(text string) error {
	var names []string
	for _, r := range fairStartKinds {
		names = append(names, r.name)
	}
	if !slices.Contains(names, text) {
		return fmt.Errorf("expected one of %s, got %q", strings.Join(names, ", "), text)
	}
	*f = fairStarts(text)
	return nil
}

// sentence returns a line that describes the selected definition, or "" if -fair is not given.
func (f fairStarts) sentence() string {
	for _, r := range fairStartKinds {
		if r.name == string(f) {
			return "Fair start times: " + r.text + ".\n"
		}
	}
	return ""
}

// setFairStarts computes the fair start times under policy i, and stores them in table, which holds
// the schedule under this policy. The argument l is the log of the run. If the flag selects the
// times that the policy records, table already holds them, and setFairStarts computes nothing. It
// then prints a note if the policy records no times.
func (f fairStarts) setFairStarts(e *env, setup *scenario.Setup, i int, l *log.Log, table *schedule.Schedule) (err error) {
	var times []job.Time
	switch f {
	case "policy":
		if !slices.ContainsFunc(table.Rows, func(r schedule.Row) bool { return r.Fair != job.Never }) {
			e.note("%s records no fair start times; use -fair jin or -fair sabin to compute them.", setup.Scenario.Titles()[i])
		}
	case "jin":
		if times, err = fairstart.Jin(l); err != nil {
			err = fmt.Errorf("-fair jin: %s: %w; -fair policy uses the times that a policy such as fair-slack records", setup.Scenario.Titles()[i], err)
		}
	case "sabin", "sabin-estimates":
		times, err = e.sabinStarts(setup, i, f == "sabin-estimates")
	}
	for j, t := range times {
		table.Rows[j].Fair = t
	}
	return err
}

// sabinStarts computes the fair start times under policy i as defined by Sabin et al. (2004). If
// byEstimates is set, it assumes that all jobs run for their estimates.
func (e *env) sabinStarts(setup *scenario.Setup, i int, byEstimates bool) ([]job.Time, error) {
	c, err := setup.Config(i, log.Spans)
	if err != nil {
		return nil, err
	}
	s, err := fairstart.NewSabin(c, byEstimates)
	if err != nil {
		return nil, err
	}
	p := e.newProgress(setup.Scenario.Policies[i].Name+", fair starts", len(c.Jobs))
	defer p.close()
	for n, more := 0, true; more; n++ {
		if more, err = s.Step(); err != nil {
			return nil, err
		}
		if n%64 == 0 {
			p.update(len(s.Times()))
		}
	}
	return s.Times(), nil
}
