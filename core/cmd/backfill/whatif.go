package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/metrics"
	"backfill-lab/core/scenario"
	"backfill-lab/core/schedule"
	"backfill-lab/core/whatif"
)

// whatifOptions holds the flags of the command whatif.
type whatifOptions struct {
	env     *env
	source  source
	id      string   // ID of the job
	changes []string // changes, in the syntax that whatif.ParseTimes accepts
	sooner  bool     // whether to search for changes that start the job earlier
	predict string   // time for which to predict starts, as the user wrote it
	file    string   // name of the file for the changed scenario
	clock   format.Clock
}

func whatifCommand(e *env) *cobra.Command {
	a := &whatifOptions{env: e, source: source{runsAll: true}}
	c := &cobra.Command{
		Use: "whatif", Short: "run a changed scenario and print the differences, or find changes that start a job earlier", Args: noArgs,
		Long: "Change a scenario, run it under each policy, and print the effects on a job and on all other jobs.\n" +
			"A change of the machine or of all jobs needs no -job. The output is then the metrics before and after the change.\n" +
			"Changes of the job: exact (set its estimate to its runtime), estimate=N, runtime=N, procs=N, submit=N,\n" +
			"earlier=N and later=N (submit it earlier or later by N), remove.\n" +
			"A time is a number of seconds, or has units, such as 'estimate=1h 30m'. A point in time may be a date if the jobs have dates.\n" +
			"Other changes: exact-all (exact for all jobs), remove=ID, nodes=N (add N nodes; below 0, remove nodes),\n" +
			"'drain=N from=T to=T' (N nodes are unavailable between these times),\n" +
			"wall-factor=X (multiply the estimates of all jobs; 'wall-factor=X overrun=kill' kills jobs that run longer)\n" +
			"or policy=NAME (with knobs, in quotes: 'policy=easy order=sjf'). Several changes are applied in order.\n" +
			"With -sooner, search for changes that start the job earlier. With -predict T, print the expected start of each job that waits at T,\n" +
			"if no more jobs were submitted and every unfinished job ran for its full estimate.",
		RunE: runE(func([]string) error { return a.answerQuestion() }),
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&a.id, "job", "", "`ID` of the job")
	f.StringArrayVar(&a.changes, "change", nil, "apply a change such as `procs=4`; repeatable")
	f.BoolVar(&a.sooner, "sooner", false, "search for changes that start the job earlier")
	f.StringVar(&a.predict, "predict", "", "predict the starts of the jobs that wait at time `T`: seconds, 1h 30m, 1-12:00:00, or a date if the jobs have dates")
	f.StringVar(&a.file, "scenario", "", "write the changed scenario to `FILE`")
	a.source.addFlags(e, f)
	secondsFlag(f, e)
	quietFlag(f, e)
	return c
}

// answerQuestion applies changes, searches for helpful changes, or predicts starts, depending on
// the flags.
func (a *whatifOptions) answerQuestion() error {
	predict := a.source.flagSet.Changed("predict")
	if err := a.checkFlags(predict); err != nil {
		return err
	}
	setup, err := a.env.load(&a.source)
	if err != nil {
		return err
	}
	a.clock = a.env.clock(setup.Work.Jobs, setup.Calendar())
	changes, err := a.parseChanges()
	if err != nil {
		return err
	}
	if predict {
		at, err := a.clock.ParseInstant(a.predict)
		if err != nil {
			return usageErrorf("-predict: %v", err)
		}
		return a.printPrediction(setup, at)
	}
	j := job.None
	if a.id != "" {
		if j = whatif.FindJob(setup.Work.Jobs, a.id); j == job.None {
			return fmt.Errorf("-job: expected the id of one of the %s jobs, got %q", format.Whole(len(setup.Work.Jobs)), a.id)
		}
	}
	if a.sooner {
		return a.printSooner(setup, j)
	}
	return a.printChange(setup, j, changes)
}

// checkFlags returns a usage error if flags contradict each other.
func (a *whatifOptions) checkFlags(predict bool) error {
	modes := 0
	for _, isSet := range []bool{predict, a.sooner, len(a.changes) > 0} {
		if isSet {
			modes++
		}
	}
	switch {
	case modes != 1:
		return usageErrorf("expected exactly one of -change, -sooner and -predict")
	case predict && a.id != "":
		return usageErrorf("-predict: expected no -job, because it predicts the starts of all waiting jobs")
	case a.sooner && a.id == "":
		return usageErrorf("-job: expected the id of a job, got nothing")
	case a.file != "" && len(a.changes) == 0:
		return usageErrorf("-scenario: expected -change as well, because the flag writes the changed scenario")
	case a.file != "":
		return a.source.policies.checkStorable("scenario")
	}
	return nil
}

// parseChanges returns the changes that the flags -change describe.
func (a *whatifOptions) parseChanges() (out []whatif.Change, err error) {
	for _, text := range a.changes {
		c, err := whatif.ParseTimes(text, a.clock)
		if err != nil {
			return nil, usageErrorf("-change: %v", err)
		}
		if c.NeedsJob() && a.id == "" {
			return nil, usageErrorf("-job: expected the id of the job that -change %s changes, got nothing", text)
		}
		out = append(out, c)
	}
	return out, nil
}

// printChange prints the effects of changes. It also writes the changed scenario, if a flag names a
// file for it.
func (a *whatifOptions) printChange(setup *scenario.Setup, j job.Index, changes []whatif.Change) error {
	next, err := whatif.Apply(setup, j, changes...)
	if err != nil {
		return fmt.Errorf("-change: %w", err)
	}
	var out outputs
	out.add(a.file, func(w io.Writer) error { _, err := w.Write(scenario.Format(next.Scenario)); return err })
	var effects []*effect
	for i := range setup.Scenario.Policies {
		x, err := a.effect(setup, next, i, j)
		if err != nil {
			return withFile(a.source.in, err)
		}
		effects = append(effects, x)
	}
	if err := out.write(a.env); err != nil {
		return err
	}
	w := a.env.out
	if out.usesStandardOutput() {
		w = a.env.err
	}
	if j == job.None {
		fmt.Fprintf(w, "If %s\n", whatif.Words(nil, changes, a.clock))
	} else {
		fmt.Fprintf(w, "Job %s, if %s\n", a.id, whatif.Words(&setup.Work.Jobs[j], changes, a.clock))
	}
	for _, note := range next.Notes {
		fmt.Fprintln(w, note)
	}
	for i, x := range effects {
		fmt.Fprintf(w, "\n%s\n", policyTitle(setup, next, i))
		for _, line := range x.Lines(setup.Work.Jobs, a.clock) {
			fmt.Fprintf(w, "  %s\n", line)
		}
		if j == job.None {
			writeColumns(w, a.metricChanges(x))
		}
	}
	fmt.Fprint(w, excludedLine(setup.Scenario.MetricOptions()))
	return nil
}

// effect holds the effect of changes under one policy, and the metrics before and after the
// changes.
type effect struct {
	*whatif.Effect
	before, after []metrics.Value
}

// effect runs policy i before and after the changes, and compares the results.
func (a *whatifOptions) effect(setup *scenario.Setup, next *whatif.Changed, i int, j job.Index) (*effect, error) {
	before, err := a.env.simulate(setup, i, log.Decisions)
	if err != nil {
		return nil, err
	}
	after, err := a.env.simulate(next.Setup, next.PolicyIndex(i), log.Decisions)
	if err != nil {
		return nil, err
	}
	metricsOf := func(l *log.Log) []metrics.Value {
		return metrics.Compute(schedule.FromLog(l), l.Machine, setup.Scenario.MetricOptions())
	}
	return &effect{whatif.EffectOf(setup, next, j, before.Outcomes(), after.Outcomes()), metricsOf(before), metricsOf(after)}, nil
}

// metricChanges returns a table with the metrics before and after the changes.
func (a *whatifOptions) metricChanges(x *effect) [][]string {
	rows := [][]string{{"", "", "before", "", "after", ""}}
	for _, name := range summaryMetrics {
		before, after := metrics.Find(x.before, name), metrics.Find(x.after, name)
		if before.Applies && after.Applies {
			rows = append(rows, []string{"", before.Metric.Title, before.Metric.TextWithUnit(before.Number, a.clock), "", after.Metric.TextWithUnit(after.Number, a.clock), comparisonText(before, after)})
		}
	}
	return rows
}

// policyTitle returns the title of policy i. If a change replaces the policy, the title of the new
// policy follows, as in "EASY -> FCFS".
func policyTitle(setup *scenario.Setup, next *whatif.Changed, i int) string {
	name, k := setup.Scenario.Titles()[i], next.PolicyIndex(i)
	if next.Scenario.Policies[k].String() == setup.Scenario.Policies[i].String() {
		return name
	}
	return name + " -> " + next.Scenario.Titles()[k]
}

// printSooner prints changes that would let the job start earlier.
func (a *whatifOptions) printSooner(setup *scenario.Setup, j job.Index) error {
	for i := range setup.Scenario.Policies {
		l, err := a.env.simulate(setup, i, log.Spans)
		if err != nil {
			return withFile(a.source.in, err)
		}
		ends := l.Outcomes()
		trials := whatif.Trials(setup, i, ends, j)
		p := a.env.newProgress("trying", len(trials))
		for n, t := range trials {
			p.update(n)
			if t.Prepare(setup, i, j) == nil {
				for t.Steps(1 << 20) {
				}
			}
		}
		p.close()
		fmt.Fprintf(a.env.out, "%s: job %s starts at %s\n", setup.Scenario.Titles()[i], a.id, a.clock.Instant(ends[j].Start))
		q := &setup.Work.Jobs[j]
		better, rest := whatif.Summary(q, trials, ends[j].Start, a.clock)
		for _, t := range better {
			fmt.Fprintf(a.env.out, "  %s\n", t.Text(q, ends[j].Start, a.clock))
		}
		for _, line := range rest {
			fmt.Fprintf(a.env.out, "  %s\n", line)
		}
	}
	return nil
}

// printPrediction prints the predicted starts of the jobs that wait at the given time.
func (a *whatifOptions) printPrediction(setup *scenario.Setup, at job.Time) error {
	for i := range setup.Scenario.Policies {
		c, err := setup.Config(i, log.Spans)
		if err != nil {
			return err
		}
		p, err := whatif.Predict(c, at)
		if err != nil {
			return withFile(a.source.in, err)
		}
		fmt.Fprintf(a.env.out, "%s: %s waiting at %s\n", setup.Scenario.Titles()[i], format.Count(len(p.Jobs), "job"), a.clock.Instant(at))
		for k, start := range p.Starts() {
			fmt.Fprintf(a.env.out, "  job %s  expected to start at %s\n", setup.Work.Jobs[p.Jobs[k]].ID, a.clock.Instant(start))
		}
	}
	return nil
}
