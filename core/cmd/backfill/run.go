package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"backfill-lab/core/gantt"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
	"backfill-lab/core/scenario"
	"backfill-lab/core/schedule"
)

// run holds the flags of the command run.
type run struct {
	env                     *env
	source                  source
	jobs, metrics, log, svg string
	promises, scenario      string
	full                    bool
}

func runCommand(e *env) *cobra.Command {
	r := &run{env: e}
	c := &cobra.Command{
		Use: "run", Short: "run one policy on one workload",
		Long: "Run one policy on one workload: a summary, and what the flags ask for.\nFor an output, - is standard output; the summary then goes to standard error.",
		Args: none,
		RunE: does(func([]string) error { return r.do() }),
	}
	f := c.Flags()
	f.SortFlags = false
	r.source.flags(f)
	f.StringVar(&r.jobs, "jobs", "", "write what became of each job, as CSV, to `FILE`")
	f.StringVar(&r.metrics, "metrics", "", "write the metrics, as JSON, to `FILE`")
	f.StringVar(&r.log, "log", "", "write the log of all decisions, as text, to `FILE`")
	f.BoolVar(&r.full, "full", false, "let the log have every move of a planned start")
	f.StringVar(&r.promises, "promises", "", "write what start each job was promised, how often that moved and when it started, as CSV, to `FILE`")
	f.StringVar(&r.scenario, "scenario", "", "write the scenario with its jobs, as they ran, as JSON, to `FILE`")
	f.StringVar(&r.svg, "svg", "", "write a Gantt chart, as SVG, to `FILE`")
	r.source.metricFlags(f)
	quietFlag(f, e)
	return c
}

func quietFlag(f *pflag.FlagSet, e *env) {
	f.BoolVar(&e.quiet, "quiet", false, "no summary, no notes, no progress")
}

func (r *run) do() error {
	out, result := r.outputs()
	if err := out.check(); err != nil {
		return err
	}
	up, err := r.env.load(&r.source)
	if err != nil {
		return err
	}
	r.source.tell(r.env, up)
	if err := result.make(r.env, up, r.source.pick, r.level()); err != nil {
		return placed(r.source.in, err)
	}
	if err := out.write(r.env); err != nil {
		return err
	}
	w := r.env.out
	if out.onStandard() {
		w = r.env.err
	}
	if !r.env.quiet {
		result.summary(w)
	}
	return nil
}

// level returns how much must be recorded for what is asked for.
func (r *run) level() log.Level {
	if r.full || r.promises != "" {
		return log.Full
	}
	return log.Decisions
}

// tell says which policy of a scenario runs where nobody named one.
func (s *source) tell(e *env, up *scenario.Setup) {
	all := up.Scenario.Policies
	if len(all) > 1 && len(s.policies.list) == 0 {
		e.note("The scenario has %d policies; only %s runs (backfill compare runs them all).", len(all), all[0].String())
	}
}

// outputs lists what the flags ask for; the result is filled in later.
func (r *run) outputs() (*outputs, *result) {
	out, x := &outputs{}, &result{fair: r.source.fair}
	out.add(r.jobs, func(w io.Writer) error { return x.writeJobs(w) })
	out.add(r.metrics, func(w io.Writer) error { return metrics.WriteJSON(w, x.values, x.options(), x.meta()) })
	out.add(r.log, func(w io.Writer) error { return log.Write(w, x.log, x.up.Meta(x.policy)) })
	out.add(r.promises, func(w io.Writer) error { return schedule.WriteAudit(w, x.log, schedule.Audit(x.log)) })
	out.add(r.scenario, func(w io.Writer) error { _, err := w.Write(scenario.Format(x.up.AsRun())); return err })
	out.add(r.svg, func(w io.Writer) error {
		return gantt.SVG(w, x.log, gantt.SVGOptions{Title: x.title()})
	})
	return out, x
}

// result is what one policy made of a scenario.
type result struct {
	up     *scenario.Setup
	policy int
	fair   fairness
	log    *log.Log
	table  *schedule.Schedule
	values []metrics.Value
}

func (x *result) make(e *env, up *scenario.Setup, policy int, level log.Level) error {
	l, err := e.simulate(up, policy, level)
	if err != nil {
		return err
	}
	table := schedule.FromLog(l)
	if err := x.fair.put(e, up, policy, l, table); err != nil {
		return err
	}
	*x = result{up, policy, x.fair, l, table, metrics.Compute(table, l.Machine, up.Scenario.Metrics())}
	return nil
}

func (x *result) writeJobs(w io.Writer) error {
	if x.fair != "" {
		return x.table.WriteFairCSV(w)
	}
	return x.table.WriteCSV(w)
}

func (x *result) options() metrics.Options { return x.up.Scenario.Metrics() }

func (x *result) meta() (out []metrics.Meta) {
	for _, m := range x.up.Meta(x.policy) {
		out = append(out, metrics.Meta(m))
	}
	if x.fair != "" {
		out = append(out, metrics.Meta{Key: "fair", Value: string(x.fair)})
	}
	return out
}

// title returns the policy with its knobs.
func (x *result) title() string { return x.up.Scenario.Policies[x.policy].String() }

// brief is the metrics of a summary.
var brief = []string{"mean-wait", "median-wait", "max-wait", "mean-response", "mean-bounded-slowdown", "makespan", "utilization", "promises-kept"}

// briefFair is what a summary has beside it where fairness was asked for.
var briefFair = []string{"unfairness", "skip-unfairness", "late-jobs", "late-mean", "early-jobs", "early-mean"}

func (x *result) summary(w io.Writer) {
	fmt.Fprintf(w, "%s, %s\n", x.title(), described(x.up))
	names, wide := brief, 22
	if x.fair != "" {
		names, wide = slices.Concat(brief, briefFair), 26
	}
	for _, name := range names {
		if v := metrics.Find(x.values, name); v.OK {
			fmt.Fprintf(w, "  %-*s %s\n", wide, v.Metric.Title, amount(v))
		}
	}
	fmt.Fprint(w, x.fair.words()+leftOut(x.options()))
}
