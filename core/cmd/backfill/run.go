package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"backfill-lab/core/format"
	"backfill-lab/core/gantt"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
	"backfill-lab/core/scenario"
	"backfill-lab/core/schedule"
)

// runOptions holds the flags of the command run.
type runOptions struct {
	env                     *env
	source                  source
	jobs, metrics, log, svg string // names of output files; "" for none
	promises, scenario      string // names of output files; "" for none
	full                    bool   // whether the log also contains moves of planned starts
}

func runCommand(e *env) *cobra.Command {
	r := &runOptions{env: e}
	c := &cobra.Command{
		Use: "run", Short: "run one policy on one workload",
		Long: "Run one policy on one workload. Print a summary and write the files that the flags name.\nThe file - means standard output; the summary then goes to standard error.",
		Args: noArgs,
		RunE: runE(func([]string) error { return r.runPolicy() }),
	}
	f := c.Flags()
	f.SortFlags = false
	r.source.addFlags(e, f)
	f.StringVar(&r.jobs, "jobs", "", "write the schedule, one job per line, to `FILE`, as CSV, or as Parquet if it ends in .parquet")
	f.StringVar(&r.metrics, "metrics", "", "write the metrics to `FILE`, as JSON, or as a table if it ends in .csv or .parquet")
	f.StringVar(&r.log, "log", "", "write the log of all decisions as text to `FILE`")
	f.BoolVar(&r.full, "full", false, "also record every move of a planned start in the log")
	f.StringVar(&r.promises, "promises", "", "write, for each job, its promised start, how often its planned start moved, and its actual start to `FILE`, as CSV, or as Parquet if it ends in .parquet")
	f.StringVar(&r.scenario, "scenario", "", "write the scenario to `FILE`, as JSON, with the jobs as changed by the data rules")
	f.StringVar(&r.svg, "svg", "", "write a Gantt chart as SVG to `FILE`")
	r.source.metricFlags(f)
	secondsFlag(f, e)
	quietFlag(f, e)
	return c
}

// quietFlag adds the flag -quiet, which sets e.quiet, to f.
func quietFlag(f *pflag.FlagSet, e *env) {
	f.BoolVar(&e.quiet, "quiet", false, "print no summary, notes or progress")
}

// runPolicy runs the policy and writes the outputs.
func (r *runOptions) runPolicy() error {
	out, result := r.outputs()
	if err := out.checkNames(r.env); err != nil {
		return err
	}
	if r.scenario != "" {
		if err := r.source.policies.checkStorable("scenario"); err != nil {
			return err
		}
	}
	setup, err := r.env.load(&r.source)
	if err != nil {
		return err
	}
	r.source.noteSelected(r.env, setup)
	if err := result.compute(r.env, setup, r.source.policyIndex, r.logLevel(), r.env.clock(setup.Work.Jobs, setup.Calendar())); err != nil {
		return withFile(r.source.in, err)
	}
	if err := out.write(r.env); err != nil {
		return err
	}
	w := r.env.out
	if out.usesStandardOutput() {
		w = r.env.err
	}
	if !r.env.quiet {
		result.writeSummary(w)
	}
	return nil
}

// logLevel returns the log level that the outputs need.
func (r *runOptions) logLevel() log.Level {
	if r.full || r.promises != "" {
		return log.Full
	}
	return log.Decisions
}

// noteSelected prints which policy runs, if the scenario has several policies and no flag selects
// one of them.
func (s *source) noteSelected(e *env, setup *scenario.Setup) {
	all := setup.Scenario.Policies
	if len(all) > 1 && len(s.policies.list) == 0 {
		e.note("The scenario has %d policies; only %s runs (use backfill compare to run all).", len(all), setup.Scenario.Titles()[0])
	}
}

// outputs returns the outputs that the flags name, and an empty result. The caller must fill in the
// result before writing the outputs.
func (r *runOptions) outputs() (*outputs, *result) {
	out, x := &outputs{}, &result{fair: r.source.fair}
	out.addTable(r.jobs, jobTypes, func(w io.Writer) error { return x.writeJobs(w) })
	out.addMetrics(r.metrics, x)
	out.add(r.log, func(w io.Writer) error { return log.Write(w, x.log, x.setup.Meta(x.policy)) })
	out.addTable(r.promises, jobTypes, func(w io.Writer) error { return schedule.WriteAudit(w, x.log, schedule.Audit(x.log)) })
	out.add(r.scenario, func(w io.Writer) error { _, err := w.Write(scenario.Format(x.setup.WithListedJobs())); return err })
	out.add(r.svg, func(w io.Writer) error {
		return gantt.SVG(w, x.log, gantt.SVGOptions{Title: x.title(), Clock: x.clock})
	})
	return out, x
}

// result holds the results of one policy in a scenario.
type result struct {
	setup  *scenario.Setup
	policy int        // index of the policy in the scenario
	fair   fairStarts // definition of fair start times for the metrics
	log    *log.Log
	table  *schedule.Schedule // schedule, with one row per job
	values []metrics.Value    // values of all metrics
	clock  format.Clock       // formats times
}

// compute runs the policy with the given index. It sets all fields of the result except x.fair.
func (x *result) compute(e *env, setup *scenario.Setup, policy int, level log.Level, clock format.Clock) error {
	l, err := e.simulate(setup, policy, level)
	if err != nil {
		return err
	}
	table := schedule.FromLog(l)
	if err := x.fair.setFairStarts(e, setup, policy, l, table); err != nil {
		return err
	}
	*x = result{setup, policy, x.fair, l, table, metrics.Compute(table, l.Machine, setup.Scenario.MetricOptions()), clock}
	return nil
}

// writeJobs writes the schedule as CSV. It includes fair start times if the flag -fair is given.
func (x *result) writeJobs(w io.Writer) error {
	if x.fair != "" {
		return x.table.WriteFairCSV(w)
	}
	return x.table.WriteCSV(w)
}

// options returns the options for computing the metrics.
func (x *result) options() metrics.Options { return x.setup.Scenario.MetricOptions() }

// meta returns facts about the run, such as the policy, which are written together with the metrics.
func (x *result) meta() (out []metrics.Meta) {
	for _, m := range x.setup.Meta(x.policy) {
		out = append(out, metrics.Meta(m))
	}
	if x.fair != "" {
		out = append(out, metrics.Meta{Key: "fair", Value: string(x.fair)})
	}
	return out
}

// title returns the title of the policy in the scenario.
func (x *result) title() string { return x.setup.Scenario.Titles()[x.policy] }

// summaryMetrics lists the metrics that the summary shows.
var summaryMetrics = []string{"mean-wait", "median-wait", "max-wait", "mean-response", "mean-bounded-slowdown", "makespan", "utilization", "promises-kept"}

// fairnessMetrics lists the metrics that the flag -fair adds to the summary.
var fairnessMetrics = []string{"unfairness", "skip-unfairness", "late-jobs", "late-mean", "early-jobs", "early-mean"}

// writeSummary writes the summary of the run.
func (x *result) writeSummary(w io.Writer) {
	fmt.Fprintf(w, "%s, %s\n", x.title(), describeSetup(x.setup))
	names, width := summaryMetrics, 22
	if x.fair != "" {
		names, width = slices.Concat(summaryMetrics, fairnessMetrics), 26
	}
	for _, name := range names {
		if v := metrics.Find(x.values, name); v.Applies {
			fmt.Fprintf(w, "  %-*s %s\n", width, v.Metric.Title, v.Metric.TextWithUnit(v.Number, x.clock))
		}
	}
	fmt.Fprint(w, x.fair.sentence()+excludedLine(x.options()))
}
