package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"backfill-lab/core/explain"
	"backfill-lab/core/format"
	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// logSource holds the flags of commands that read a log. The log comes from a run of a policy, or
// from a file that the command run has written.
type logSource struct {
	env    *env
	source source
	log    string // name of the log file; "" to run a policy
	title  string // title of the policy; "" if the log does not contain it
	clock  format.Clock
}

// addFlags adds the flags to f.
func (r *logSource) addFlags(f *pflag.FlagSet) {
	f.SortFlags = false
	f.StringVar(&r.log, "log", "", "read a log that run -log wrote to `FILE`, instead of running a policy")
	r.source.addFlags(r.env, f)
	secondsFlag(f, r.env)
	quietFlag(f, r.env)
}

// load returns the log, and the name of the policy with its knobs. The name is "" if the log does
// not contain a policy.
func (r *logSource) load() (*log.Log, string, error) {
	if r.log != "" {
		if r.source.flagSet.Changed("in") || r.source.flagSet.Changed("policy") {
			return nil, "", usageErrorf("-log: leave out -in and -policy, because -log reads a finished run")
		}
		return r.read()
	}
	setup, err := r.env.load(&r.source)
	if err != nil {
		return nil, "", err
	}
	r.source.noteSelected(r.env, setup)
	r.clock = r.env.clock(setup.Work.Jobs, setup.Calendar())
	l, err := r.env.simulate(setup, r.source.policyIndex, log.Full)
	if err != nil {
		return nil, "", withFile(r.source.in, err)
	}
	r.title = setup.Scenario.Titles()[r.source.policyIndex]
	return l, setup.Scenario.Policies[r.source.policyIndex].String(), nil
}

// read reads the log file and returns the same values as load.
func (r *logSource) read() (*log.Log, string, error) {
	f, err := r.env.open("log", r.log)
	if err != nil {
		return nil, "", err
	}
	defer f.close()
	text, err := f.text()
	if err != nil {
		return nil, "", err
	}
	l, meta, err := log.Read(text)
	if err != nil {
		return nil, "", withFile(r.log, err)
	}
	r.clock = r.env.clock(l.Jobs, nil)
	policy := ""
	for _, m := range meta {
		switch m.Key {
		case "policy":
			policy = m.Value
			r.title = policy
		case "title":
			r.title = m.Value
		}
	}
	return l, policy, nil
}

func whyCommand(e *env) *cobra.Command {
	r := &logSource{env: e}
	var id, at, decision string
	c := &cobra.Command{
		Use: "why", Short: "explain why a job waits or runs at a time, or how a set of jobs was selected", Args: noArgs,
		Long: "Explain why a job waits, runs or is suspended at a time. The default time is the start of the job.\n" +
			"With -decision, explain how fair-slack selected the set of jobs to backfill, or how glomarc-ts formed a group of jobs that share nodes:\nwhich sets it tried, why it rejected sets, and why it selected one.",
		RunE: runE(func([]string) error {
			if r.source.flagSet.Changed("decision") {
				return r.decision(decision)
			}
			return r.why(id, at)
		}),
	}
	c.Flags().StringVar(&id, "job", "", "`ID` of the job")
	c.Flags().StringVar(&at, "at", "", "time `T`: seconds, 1h 30m, 1-12:00:00, or a date if the jobs have dates")
	c.Flags().StringVar(&decision, "decision", "", "explain the decision of fair-slack or glomarc-ts at time `T`, instead of a job")
	r.addFlags(c.Flags())
	return c
}

// why prints why a job waits, runs or is suspended at a time. If time is "", it uses the start of
// the job or, if the job never starts, its submission.
func (r *logSource) why(id, time string) error {
	if id == "" {
		return usageErrorf("-job: expected the id of a job, got nothing")
	}
	l, _, err := r.load()
	if err != nil {
		return err
	}
	j := findJob(l, id)
	if j == job.None {
		return fmt.Errorf("-job: expected the id of one of the %s jobs, got %q", format.Whole(len(l.Jobs)), id)
	}
	at := startOrSubmission(l, j)
	if time != "" {
		if at, err = r.clock.ParseInstant(time); err != nil {
			return usageErrorf("-at: %v", err)
		}
	}
	a := explain.NewIndex(l).WithClock(r.clock).Why(j, at, explain.Options{})
	fmt.Fprintf(r.env.out, "Job %s at %s\n%s", id, r.clock.Instant(at), a.Text())
	return nil
}

// findJob returns the index of the job with the given ID, or job.None if there is none.
func findJob(l *log.Log, id string) job.Index {
	for j := range l.Jobs {
		if l.Jobs[j].ID == id {
			return job.Index(j)
		}
	}
	return job.None
}

// startOrSubmission returns the start of a job. It returns the submit time if the job never starts.
func startOrSubmission(l *log.Log, j job.Index) job.Time {
	if at := l.Outcomes()[j].Start; at != job.Never {
		return at
	}
	return l.Jobs[j].Submit
}

// withFileUnlessUsage adds the name of a file to an error. It returns a usage error unchanged.
func withFileUnlessUsage(name string, err error) error {
	var u *usageError
	if errors.As(err, &u) {
		return err
	}
	return withFile(name, err)
}

func ganttCommand(e *env) *cobra.Command {
	r := &logSource{env: e}
	var text gantt.TextOptions
	var svg string
	c := &cobra.Command{
		Use: "gantt", Short: "draw the schedule as text or SVG", Args: noArgs,
		Long: "Draw the schedule as a text chart or, with -svg, as an SVG chart.\nFor PNG, open the SVG in a browser.",
		RunE: runE(func([]string) error { return r.gantt(text, svg) }),
	}
	c.Flags().StringVar(&svg, "svg", "", "write SVG to `FILE` instead of text")
	c.Flags().IntVar(&text.Width, "width", 96, "width of the time axis in characters")
	c.Flags().IntVar(&text.Rows, "rows", 40, "maximum number of rows; if the machine has more processors, each row shows several of them")
	r.addFlags(c.Flags())
	return c
}

// gantt writes the chart of a log as text. If svg is the name of a file, it writes the chart as SVG
// instead.
func (r *logSource) gantt(o gantt.TextOptions, svg string) error {
	const narrowest, widest = 16, 10_000
	if o.Width < narrowest || o.Width > widest {
		return usageErrorf("-width: expected %d to %d, got %d", narrowest, widest, o.Width)
	}
	if o.Rows < 1 || o.Rows > widest {
		return usageErrorf("-rows: expected 1 to %d, got %d", widest, o.Rows)
	}
	l, _, err := r.load()
	if err != nil {
		return err
	}
	title := r.title
	if svg == "" {
		fmt.Fprintln(r.env.out, title)
		o.Clock = r.clock
		return gantt.ASCII(r.env.out, l, o)
	}
	out := &outputs{}
	out.add(svg, func(w io.Writer) error { return gantt.SVG(w, l, gantt.SVGOptions{Title: title, Clock: r.clock}) })
	return out.write(r.env)
}
