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
	"backfill-lab/core/format"
	"backfill-lab/core/workload"
)

// studyOptions holds the flags of the command study, and its traces.
type studyOptions struct {
	env        *env
	list       bool
	fresh      bool           // whether to delete the stored runs first
	out        string         // output folder
	storedRuns string         // name of the file of stored runs
	workers    int            // number of runs to execute in parallel
	rules      workload.Rules // data rules for the traces
	traces     []*trace
	set        *pflag.FlagSet // flags of the command; says which ones were given
}

func studyCommand(e *env) *cobra.Command {
	s := &studyOptions{env: e}
	c := &cobra.Command{
		Use: "study NAME|PAPER|all [DIR|FILE...]", Short: "reproduce a figure or table of a paper",
		Long: "Reproduce a figure or table of a paper. A study uses the jobs in the figure, generated workloads, or SWF\ntraces, given as files or folders; -list shows which. PAPER is the first part of study names,\nsuch as jin in jin-fig9. The results are NAME.md and NAME.csv in the\nfolder given by -out. Studies with runs also get their definition, NAME.json, and NAME.svg if they have a chart.\nRuns are stored in the same folder, in cells.jsonl. If you repeat an interrupted study, it reuses its stored runs.\nStudies also share runs with each other, but a different build of this program does not reuse them.",
		RunE: runE(s.runStudies),
	}
	f := c.Flags()
	f.SortFlags = false
	s.set = f
	f.BoolVar(&s.list, "list", false, "list the studies")
	f.StringVar(&s.out, "out", "studies", "write the results to `FOLDER`")
	f.StringVar(&s.storedRuns, "cells", "", "store runs in `FILE` (default: cells.jsonl in the output folder)")
	f.BoolVar(&s.fresh, "fresh", false, "delete all stored runs first")
	f.IntVar(&s.workers, "workers", runtime.NumCPU(), "execute `N` runs in parallel")
	f.TextVar(&s.rules.Overrun, "overrun", workload.Raise, "if a job runs longer than its estimate, `raise|truncate|kill`: raise the estimate, truncate the runtime, or kill the job")
	f.TextVar(&s.rules.Size, "size", workload.Allocated, "use the `requested|allocated` processors of a job in a trace as its size")
	f.TextVar(&s.rules.Filter, "filter", workload.Lindsay, "drop records from a trace, `none|lindsay`: no records, or the records that Lindsay et al. drop")
	f.IntVar(&s.rules.Limit, "limit", 0, "keep only the first `N` jobs of each trace")
	quietFlag(f, e)
	return c
}

// runStudies runs the selected studies and writes their tables. With the flag -list, it lists the
// studies instead.
func (s *studyOptions) runStudies(args []string) error {
	if s.list {
		return s.printList()
	}
	studies, figures, files, err := s.selectStudies(args)
	if err != nil {
		return err
	}
	if err := s.makeFolder(); err != nil {
		return err
	}
	if err := s.writeFigures(figures); err != nil || len(studies) == 0 {
		return err
	}
	if s.storedRuns == "" {
		s.storedRuns = filepath.Join(s.out, "cells.jsonl")
	}
	store, err := openRuns(s.storedRuns, s.fresh)
	if err != nil {
		return err
	}
	r := &studyRuns{store: store, byKey: map[string]*studyBatch{}}
	err = s.addRuns(r, studies, files)
	p := &runPool{env: s.env, store: store, workers: max(1, s.workers), batches: r.batches}
	if err == nil {
		err = p.run()
	}
	if err := errors.Join(err, store.close()); err != nil {
		return err
	}
	for _, x := range studies {
		if err := s.write(s.table(r, x)); err != nil {
			return err
		}
	}
	s.printStatistics(p)
	return nil
}

// writeFigures computes worked figures, which are figures about a few jobs that a paper lists. It
// writes them as Markdown and CSV.
func (s *studyOptions) writeFigures(list []*experiment.WorkedFigure) error {
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

// makeFolder creates the output folder if necessary.
func (s *studyOptions) makeFolder() error {
	if err := os.MkdirAll(s.out, 0o777); err != nil {
		return fmt.Errorf("%s: the folder cannot be created: %s", s.out, errorText(err))
	}
	return nil
}

// printList prints all studies and worked figures.
func (s *studyOptions) printList() error {
	for _, w := range experiment.AllWorkedFigures {
		fmt.Fprintf(s.env.out, "%-22s %-9s %s (%s)\n", w.Name, "built in", w.Title, w.Paper)
	}
	for _, x := range experiment.All() {
		fmt.Fprintf(s.env.out, "%-22s %-9s %s (%s)\n", x.Name, x.Source(), x.Title, x.Paper)
	}
	return nil
}

// selectStudies returns the studies and worked figures that the first argument names, and the trace
// files that the other arguments name.
func (s *studyOptions) selectStudies(args []string) (list []*experiment.Study, figures []*experiment.WorkedFigure, files []string, err error) {
	if len(args) == 0 {
		return nil, nil, nil, usageErrorf("expected the name of a study (-list lists them), got nothing")
	}
	if list, figures, err = experiment.Find(args[0]); err != nil {
		return nil, nil, nil, usageErrorf("%v", err)
	}
	onTraces := slices.ContainsFunc(list, func(x *experiment.Study) bool { return x.Rows == nil })
	switch {
	case onTraces && len(args) == 1:
		return nil, nil, nil, usageErrorf("expected trace files or folders for %s, got none", args[0])
	case !onTraces && len(args) > 1:
		return nil, nil, nil, usageErrorf("expected no files for %s, which generates its workloads, got %s", args[0], args[1])
	case onTraces:
		files, err = listTraces(args[1:])
	}
	slices.SortFunc(files, func(a, b string) int { return strings.Compare(traceName(a), traceName(b)) })
	return list, figures, files, err
}

// addRuns opens the trace files, and adds to r the runs that the studies need.
func (s *studyOptions) addRuns(r *studyRuns, studies []*experiment.Study, files []string) error {
	for _, f := range files {
		t, err := openTrace(s.env, f, s.rules)
		if err != nil {
			return err
		}
		s.traces = append(s.traces, t)
	}
	for _, x := range studies {
		for source, c := range x.Runs {
			r.add(source, c)
		}
		if x.Rows != nil {
			continue
		}
		for _, t := range s.traces {
			for _, c := range x.Cases() {
				r.add(t, c)
			}
		}
	}
	return nil
}

// table returns the table of study x, made from stored results.
func (s *studyOptions) table(r *studyRuns, x *experiment.Study) *experiment.Table {
	if x.Rows != nil {
		return x.GeneratedTable(r.facts, r.result)
	}
	rows := make([]string, len(s.traces))
	for i, t := range s.traces {
		rows[i] = t.String()
	}
	return x.NewTable(rows,
		func(i int) []experiment.Results { return []experiment.Results{r.facts(s.traces[i])} },
		func(i int, c *experiment.Case) []experiment.Results {
			return []experiment.Results{r.result(s.traces[i], c)}
		})
}

// write writes a table as Markdown and CSV, and the definition of its study. If the study has a
// figure, it also writes the figure as SVG.
func (s *studyOptions) write(t *experiment.Table) error {
	name := filepath.Join(s.out, t.Study.Name)
	o := &outputs{}
	o.add(name+".md", func(w io.Writer) error { return t.Markdown(w, s.commandLine(t.Study)) })
	o.add(name+".csv", t.CSV)
	definition, err := experiment.Definition(t.Study.Name)
	if err != nil {
		return err
	}
	o.add(name+".json", func(w io.Writer) error { _, err := w.Write(definition); return err })
	if len(t.FigureColumns()) > 0 {
		o.add(name+".svg", func(w io.Writer) error { return drawStudy(w, t) })
	}
	return o.write(s.env)
}

// commandLine returns a command line that runs study x again with the same data rules.
func (s *studyOptions) commandLine(x *experiment.Study) string {
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

// printStatistics prints how many runs were executed and how long they took.
func (s *studyOptions) printStatistics(p *runPool) {
	if s.env.quiet {
		return
	}
	fmt.Fprintf(s.env.err, "%s executed and %s reused in %s.\n", format.Count(p.made, "run"), format.Count(p.reused, "run"), p.elapsed.Round(time.Second/10))
	if p.longest.Seconds > 0 {
		fmt.Fprintf(s.env.err, "The longest run was %s on %s, which took %.1f s.\n", p.longest.Case, p.longest.Load, p.longest.Seconds)
	}
}
