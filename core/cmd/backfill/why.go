package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"backfill-lab/core/explain"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// replay is the flags of commands that look at a run: either they run a policy
// first, or they read a log that was written before.
type replay struct {
	env    *env
	source source
	log    string
}

func (r *replay) flags(f *pflag.FlagSet) {
	f.SortFlags = false
	f.StringVar(&r.log, "log", "", "look at the log in `FILE` that run -log wrote, instead of running")
	r.source.flags(f)
	quietFlag(f, r.env)
}

// get returns the log and a title for it.
func (r *replay) get() (*log.Log, string, error) {
	if r.log != "" {
		if r.source.set.Changed("in") || r.source.set.Changed("policy") {
			return nil, "", misuse("-log: expected without -in and -policy, which run anew")
		}
		return r.read()
	}
	up, err := r.env.load(&r.source)
	if err != nil {
		return nil, "", err
	}
	r.source.tell(r.env, up)
	l, err := r.env.simulate(up, r.source.pick, log.Full)
	if err != nil {
		return nil, "", placed(r.source.in, err)
	}
	return l, up.Scenario.Policies[r.source.pick].String(), nil
}

func (r *replay) read() (*log.Log, string, error) {
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
		return nil, "", placed(r.log, err)
	}
	for _, m := range meta {
		if m.Key == "policy" {
			return l, m.Value, nil
		}
	}
	return l, "", nil
}

func whyCommand(e *env) *cobra.Command {
	r := &replay{env: e}
	var id string
	var at, decision int64
	c := &cobra.Command{
		Use: "why", Short: "say why a job is where it is at a moment, or how a set of jobs was chosen", Args: none,
		Long: "Say in sentences why a job is where it is at a moment, its start unless -at names another.\n" +
			"With -decision, say how fair-slack chose the set of jobs to backfill with, or how glomarc-ts formed a group of jobs that share nodes: the sets tried, what cut each, and why one of the rest was taken.",
		RunE: does(func([]string) error {
			if r.source.set.Changed("decision") {
				return r.decision(decision)
			}
			return r.why(id, at)
		}),
	}
	c.Flags().StringVar(&id, "job", "", "the `ID` of the job")
	c.Flags().Int64Var(&at, "at", -1, "the moment `T`, in seconds")
	c.Flags().Int64Var(&decision, "decision", -1, "the moment `T` of a decision of fair-slack or glomarc-ts, in place of a job")
	r.flags(c.Flags())
	return c
}

func (r *replay) why(id string, at job.Time) error {
	if id == "" {
		return misuse("-job: expected the id of a job, got nothing")
	}
	if at < -1 || at == -1 && r.source.set.Changed("at") {
		return misuse("-at: expected a moment of at least 0, got %d", at)
	}
	l, _, err := r.get()
	if err != nil {
		return err
	}
	j := find(l, id)
	if j == job.None {
		return fmt.Errorf("-job: expected the id of one of the %d jobs, got %q", len(l.Jobs), id)
	}
	if at < 0 {
		at = began(l, j)
	}
	a := explain.Why(l, j, at, explain.Options{})
	fmt.Fprintf(r.env.out, "Job %s at %d\n%s", id, at, a.Text())
	return nil
}

func find(l *log.Log, id string) job.Index {
	for j := range l.Jobs {
		if l.Jobs[j].ID == id {
			return job.Index(j)
		}
	}
	return job.None
}

// began returns the start of a job, its submission if it never started.
func began(l *log.Log, j job.Index) job.Time {
	if at := l.Outcomes()[j].Start; at != job.Never {
		return at
	}
	return l.Jobs[j].Submit
}

// located returns placed for errors that may be misuse.
func located(name string, err error) error {
	var u *usage
	if errors.As(err, &u) {
		return err
	}
	return placed(name, err)
}
