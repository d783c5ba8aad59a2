package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"backfill-lab/core/experiment"
	"backfill-lab/core/workload"
)

// study holds the flags of the command study.
type study struct {
	env     *env
	list    bool
	fresh   bool
	out     string
	cells   string
	workers int
	rules   workload.Rules
	traces  []*trace
	set     *pflag.FlagSet
}

func studyCommand(e *env) *cobra.Command {
	s := &study{env: e}
	c := &cobra.Command{
		Use: "study NAME|PAPER|all [DIR|FILE...]", Short: "make a figure or table of a paper again",
		Long: "Make a figure or table of a paper again, on the jobs that it shows, on workloads that it generates\nor, where the paper used traces, with a row for each SWF trace that is named or lies in a folder;\n-list says which. PAPER is what the names of its studies begin with, as jin does jin-fig9. Writes NAME.md, NAME.csv and NAME.svg to the folder of -out. What was run is kept\nthere in cells.jsonl, so a study that was stopped goes on where it was, and studies share their runs;\nanother build of this program makes its own.",
		RunE: does(s.do),
	}
	f := c.Flags()
	f.SortFlags = false
	s.set = f
	f.BoolVar(&s.list, "list", false, "list the studies")
	f.StringVar(&s.out, "out", "studies", "the `FOLDER` to write to")
	f.StringVar(&s.cells, "cells", "", "the `FILE` of kept runs (default: cells.jsonl in the folder)")
	f.BoolVar(&s.fresh, "fresh", false, "run everything anew")
	f.IntVar(&s.workers, "workers", runtime.NumCPU(), "runs at a time, `N`")
	f.TextVar(&s.rules.Overrun, "overrun", workload.Raise, "runtime above the estimate: `raise|truncate|kill`")
	f.TextVar(&s.rules.Size, "size", workload.Allocated, "processors of a trace's job: `requested|allocated`")
	f.TextVar(&s.rules.Filter, "filter", workload.Lindsay, "records that are left out: `none|lindsay`")
	f.IntVar(&s.rules.Limit, "limit", 0, "only the first `N` jobs of each trace")
	quietFlag(f, e)
	return c
}

func (s *study) do(args []string) error {
	if s.list {
		return s.listed()
	}
	studies, figures, files, err := s.chosen(args)
	if err != nil {
		return err
	}
	if err := s.folder(); err != nil {
		return err
	}
	if err := s.worked(figures); err != nil || len(studies) == 0 {
		return err
	}
	if s.cells == "" {
		s.cells = filepath.Join(s.out, "cells.jsonl")
	}
	kept, err := openCells(s.cells, s.fresh)
	if err != nil {
		return err
	}
	r := &runner{env: s.env, kept: kept, workers: max(1, s.workers), byKey: map[string]*load{}}
	err = s.enter(r, studies, files)
	if err == nil {
		err = r.run()
	}
	if err := errors.Join(err, kept.close()); err != nil {
		return err
	}
	for _, x := range studies {
		if err := s.write(s.table(r, x)); err != nil {
			return err
		}
	}
	s.tell(r)
	return nil
}

// worked makes figures that need no traces.
func (s *study) worked(list []*experiment.Worked) error {
	for _, w := range list {
		g, err := w.Make()
		if err != nil {
			return err
		}
		name := filepath.Join(s.out, w.Name)
		o := &outputs{}
		o.add(name+".md", func(out io.Writer) error { return w.Markdown(out, g, "backfill study "+w.Name) })
		o.add(name+".csv", g.CSV)
		if err := o.write(s.env); err != nil {
			return err
		}
	}
	return nil
}

// folder makes the folder to write to.
func (s *study) folder() error {
	if err := os.MkdirAll(s.out, 0o777); err != nil {
		return fmt.Errorf("%s: expected a folder to write to, got %s", s.out, fileWords(err))
	}
	return nil
}

func (s *study) listed() error {
	for _, w := range experiment.AllWorked {
		fmt.Fprintf(s.env.out, "%-22s %-9s %s (%s)\n", w.Name, "its jobs", w.Title, w.Paper)
	}
	for _, x := range experiment.All() {
		fmt.Fprintf(s.env.out, "%-22s %-9s %s (%s)\n", x.Name, x.On(), x.Title, x.Paper)
	}
	return nil
}

// chosen returns the studies, worked figures and files that the arguments name.
func (s *study) chosen(args []string) (list []*experiment.Study, figures []*experiment.Worked, files []string, err error) {
	if len(args) == 0 {
		return nil, nil, nil, misuse("expected the name of a study (-list lists them), got nothing")
	}
	if list, figures, err = experiment.Named(args[0]); err != nil {
		return nil, nil, nil, misuse("%v", err)
	}
	onTraces := slices.ContainsFunc(list, func(x *experiment.Study) bool { return x.Rows == nil })
	switch {
	case onTraces && len(args) == 1:
		return nil, nil, nil, misuse("expected folders or files of traces for %s, got none", args[0])
	case !onTraces && len(args) > 1:
		return nil, nil, nil, misuse("%s makes its own workloads: expected no files, got %s", args[0], args[1])
	case onTraces:
		files, err = traces(args[1:])
	}
	slices.SortFunc(files, func(a, b string) int { return strings.Compare(traceName(a), traceName(b)) })
	return list, figures, files, err
}

// enter enters what the studies need.
func (s *study) enter(r *runner, studies []*experiment.Study, files []string) error {
	for _, f := range files {
		t, err := openTrace(s.env, f, s.rules)
		if err != nil {
			return err
		}
		s.traces = append(s.traces, t)
	}
	for _, x := range studies {
		for source, c := range x.Needs {
			r.need(source, c)
		}
		if x.Rows != nil {
			continue
		}
		for _, t := range s.traces {
			for _, c := range x.Cases() {
				r.need(t, c)
			}
		}
	}
	return nil
}

// table makes the table of a study from what is kept.
func (s *study) table(r *runner, x *experiment.Study) *experiment.Table {
	if x.Rows != nil {
		return x.Made(func(of experiment.Source) experiment.Cell { return r.of(of, facts) }, r.of)
	}
	rows := make([]string, len(s.traces))
	for i, t := range s.traces {
		rows[i] = t.String()
	}
	return x.Tabled(rows,
		func(i int) []experiment.Cell { return []experiment.Cell{r.of(s.traces[i], facts)} },
		func(i int, c *experiment.Case) []experiment.Cell { return []experiment.Cell{r.of(s.traces[i], c)} })
}

// write writes the table in its three forms.
func (s *study) write(t *experiment.Table) error {
	name := filepath.Join(s.out, t.Study.Name)
	o := &outputs{}
	o.add(name+".md", func(w io.Writer) error { return t.Markdown(w, s.command(t.Study)) })
	o.add(name+".csv", t.CSV)
	if len(t.Chart()) > 0 {
		o.add(name+".svg", func(w io.Writer) error { return drawStudy(w, t) })
	}
	return o.write(s.env)
}

// command returns the call that makes a study, with the rules that were chosen.
func (s *study) command(x *experiment.Study) string {
	text := "backfill study " + x.Name
	if x.Rows != nil {
		return text
	}
	for _, rule := range []string{"overrun", "size", "filter", "limit"} {
		if f := s.set.Lookup(rule); f.Changed {
			text += " -" + rule + " " + f.Value.String()
		}
	}
	return text + " TRACES"
}

func (s *study) tell(r *runner) {
	if s.env.quiet {
		return
	}
	fmt.Fprintf(s.env.err, "%s made, %s kept from before, in %s.\n", count(r.runs, "run"), count(r.old, "run"), r.took.Round(time.Second/10))
	if r.longest.Seconds > 0 {
		fmt.Fprintf(s.env.err, "The longest run: %s on %s, %.1f s.\n", r.longest.Case, r.longest.Load, r.longest.Seconds)
	}
}
