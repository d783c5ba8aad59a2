package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"backfill-lab/core/format"
	"backfill-lab/core/scenario"
	"backfill-lab/core/sweep"
)

// sweepOptions holds the flags of the command sweep.
type sweepOptions struct {
	env       *env
	out, runs string // files for the table and for stored runs; "" for the default names
	shard     string // part of the runs to execute, such as 3/8; "" for all
	summary   string // file for the means with their intervals; "" for none
	workers   int    // number of runs to execute in parallel
	fresh     bool   // whether to delete the stored runs first
	slurm     slurmOptions
	flags     *pflag.FlagSet // flags of the command; says which ones were given
}

func sweepCommand(e *env) *cobra.Command {
	s := &sweepOptions{env: e}
	c := &cobra.Command{
		Use: "sweep FILE", Short: "run every policy on every workload of an experiment, and print confidence intervals",
		Long: "Run the experiment that FILE defines: every policy on every workload, at each load and with each seed.\nPrint means with 95 % confidence intervals, compared with the baseline on the same seeds, and write a table with\na row for each run. Runs are stored as they finish, so that the same command continues an interrupted sweep.\nThe table does not depend on the number of workers or on interruptions.\nWith -shard I/N, execute only one part of the runs; backfill collect joins the tables of all parts.\nWith -slurm, let Slurm run the parts: write the script of a job array next to FILE and submit it.",
		Args: cobra.MaximumNArgs(1),
		RunE: runE(s.runSweep),
	}
	f := c.Flags()
	s.flags, f.SortFlags = f, false
	f.StringVar(&s.out, "out", "", "write the table to `FILE`, as CSV, or as Parquet if it ends in .parquet; - for standard output (default: the name of the definition with .csv)")
	f.StringVar(&s.summary, "summary", "", summaryUsage)
	f.StringVar(&s.shard, "shard", "", "execute only part `I/N` of the runs, such as 3/8")
	f.IntVar(&s.workers, "workers", runtime.NumCPU(), "execute `N` runs in parallel")
	f.StringVar(&s.runs, "runs", "", "store runs in `FILE` (default: the name of the table with .runs)")
	f.BoolVar(&s.fresh, "fresh", false, "delete all stored runs first")
	s.slurm.addFlags(f)
	f.BoolVar(&e.progressLines, "progress", false, "print the number of finished runs on standard error, line by line, for programs")
	secondsFlag(f, e)
	quietFlag(f, e)
	return c
}

// checkFlags returns the shard that the flags select. It returns an error if flags are invalid.
func (s *sweepOptions) checkFlags() (shard sweep.Shard, err error) {
	if s.workers < 1 {
		return shard, usageErrorf("-workers: expected at least 1, got %d", s.workers)
	}
	if s.shard != "" && s.summary != "" {
		return shard, usageErrorf("-summary: expected a whole sweep, got -shard; backfill collect -summary writes the summary of all parts")
	}
	if s.shard != "" {
		if shard, err = sweep.ParseShard(s.shard); err != nil {
			return shard, usageErrorf("-shard: %v", err)
		}
	}
	return shard, s.slurm.check(s.flags)
}

// gcPercent is how much a sweep allocates before the next garbage collection, in percent of the
// memory in use. The default of Go is 100. With 400, the runs need a fifth less processor time, and
// a task needs up to 40 MB more memory.
const gcPercent = 400

// runSweep runs the sweep that a file defines.
func (s *sweepOptions) runSweep(args []string) error {
	if len(args) != 1 {
		return usageErrorf("expected a sweep definition file, got nothing")
	}
	shard, err := s.checkFlags()
	if err != nil {
		return err
	}
	d, load, err := s.env.openSweep(args[0])
	if err != nil {
		return err
	}
	if s.slurm.on {
		return s.submit(args[0], d)
	}
	s.nameFiles(args[0])
	r, o := &sweepRuns{d: d, load: load}, &outputs{}
	o.addTable(s.out, sweepTypes, func(w io.Writer) error { return d.WriteTable(w, shard, r.values) })
	o.addSummary(s.summary, d, r.values)
	if err := s.checkFiles(o); err != nil {
		return err
	}
	store, err := s.openStore()
	if err != nil {
		return err
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	r.store = store
	p := &runPool{env: s.env, store: store, workers: s.workers, batches: r.batches(shard)}
	err = p.run()
	if err := errors.Join(err, store.close()); err != nil {
		return err
	}
	if err := o.write(s.env); err != nil {
		return err
	}
	if shard.N == 0 {
		s.env.printSummaries(d, r.values)
	}
	s.env.note("%s executed, %s found in %s.", format.Count(p.made, "run"), format.Whole(p.reused), s.runs)
	return nil
}

// openStore opens the file of stored runs. If another process uses it, openStore waits. This can
// happen if a batch system restarts a task before the first process has ended.
func (s *sweepOptions) openStore() (*runStore, error) {
	store, err := openRuns(s.runs, s.fresh)
	if errors.Is(err, errStoreInUse) {
		fmt.Fprintf(s.env.err, "%s: another backfill process is writing to this file. Waiting until it ends.\n", s.runs)
	}
	for errors.Is(err, errStoreInUse) {
		time.Sleep(time.Second)
		store, err = openRuns(s.runs, s.fresh)
	}
	return store, err
}

// checkFiles returns an error if the sweep would replace one of its inputs, or write two outputs to the
// same file.
func (s *sweepOptions) checkFiles(o *outputs) error {
	if err := o.checkNames(s.env); err != nil {
		return fmt.Errorf("%w; -out and -summary name the outputs", err)
	}
	if s.env.isInput(s.runs) {
		return inputError(s.runs)
	}
	for _, x := range o.list {
		if filepath.Clean(x.name) == filepath.Clean(s.runs) {
			return usageErrorf("-runs: expected a file that is no other output, got %s", s.runs)
		}
	}
	return nil
}

// nameFiles sets the names of the table and of the file of stored runs, unless flags set them.
func (s *sweepOptions) nameFiles(definition string) {
	base := strings.TrimSuffix(definition, filepath.Ext(definition))
	if s.shard != "" {
		base += "." + strings.ReplaceAll(s.shard, "/", "-of-")
	}
	if s.out == "" {
		s.out = base + ".csv"
	}
	if s.runs == "" {
		if s.out != standardStream {
			base = strings.TrimSuffix(s.out, filepath.Ext(s.out))
		}
		s.runs = base + ".runs"
	}
}

// openSweep reads the definition of a sweep, and returns it with a function that loads jobs. It
// returns an error if a file with jobs is missing, or if its hash differs from the hash in the
// definition.
func (e *env) openSweep(name string) (*sweep.Definition, sweep.JobLoader, error) {
	data, err := readFile(name)
	if err != nil {
		return nil, nil, err
	}
	e.addInput(name)
	d, err := sweep.Parse(data)
	if err == nil {
		err = d.CheckTraces()
	}
	if err != nil {
		return nil, nil, withFile(name, err)
	}
	for _, w := range d.Workloads {
		f := w.Scenario.Workload.File
		if f == nil {
			continue
		}
		jobs := filepath.Join(filepath.Dir(name), filepath.Base(f.Name))
		e.addInput(jobs)
		hash, err := hashFile(jobs)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: workloads, %s: expected the file %s next to the definition, got %s", name, w.Name, f.Name, errorText(err))
		}
		if f.SHA256 != "" && f.SHA256 != hash {
			return nil, nil, fmt.Errorf("%s: workloads, %s, sha256: expected %s as the hash of %s, got %s", name, w.Name, f.SHA256, f.Name, hash)
		}
		f.SHA256 = hash // makes the keys of the runs depend on the content of the file
	}
	return d, e.sweepLoader(name), nil
}

// sweepLoader returns a function that loads the jobs of a scenario. If the scenario names a file
// with jobs, the function reads this file from the folder of the definition. Otherwise, the
// scenario lists or generates its jobs.
func (e *env) sweepLoader(definition string) sweep.JobLoader {
	return func(x *scenario.Scenario) (*scenario.Setup, error) {
		if x.Workload.File == nil {
			return x.Setup()
		}
		quiet := &env{err: e.err, quiet: true} // one for each call, because calls run in parallel and record inputs
		file := *x.Workload.File
		s := &source{in: definition, flagSet: pflag.NewFlagSet("", pflag.ContinueOnError)}
		s.recordFlags(s.flagSet)
		return quiet.loadNamedFile(s, x, &file)
	}
}

// sweepRuns creates the runs of a sweep, in one batch per group. All runs of a group use the same jobs.
type sweepRuns struct {
	d     *sweep.Definition
	load  sweep.JobLoader
	store *runStore
}

// batches returns one batch for each group in a shard.
func (r *sweepRuns) batches(shard sweep.Shard) (out []*batch) {
	for g := range shard.Groups(r.d.Groups()) {
		out = append(out, &batch{
			runs:           len(r.d.Policies),
			withoutResults: func(policy int) storedRun { return r.withoutResults(g, policy) },
			load: func() (func(policy int) (results, error), error) {
				jobs, err := r.d.Prepare(r.d.Group(g), r.load)
				return func(policy int) (results, error) { return jobs.Run(policy) }, err
			},
		})
	}
	return out
}

// withoutResults returns a storedRun that identifies a run in the store. It has no results.
func (r *sweepRuns) withoutResults(group, policy int) storedRun {
	g := r.d.Group(group)
	return storedRun{Key: r.store.program + " " + r.d.Key(g, policy), Load: r.d.Describe(g)}
}

// values returns the stored results of a run.
func (r *sweepRuns) values(group, policy int) sweep.Values {
	return r.store.get(r.withoutResults(group, policy))
}

// printSummaries prints the mean of each metric, its confidence interval, and the comparison with
// the baseline.
func (e *env) printSummaries(d *sweep.Definition, values func(group, policy int) sweep.Values) {
	clock, where := format.Clock{Units: !e.seconds}, ""
	for _, s := range d.Summarize(values) {
		if s.Where != where {
			where = s.Where
			fmt.Fprintf(e.out, "\n%s\n", where)
		}
		unit := s.Metric.ShownUnit(clock)
		if unit != "" {
			unit = ", " + unit
		}
		rows := [][]string{{"", s.Metric.Title + unit, "mean", "", ""}}
		for i, r := range s.Rows {
			mark := ""
			if i == s.Baseline {
				mark = "(baseline)"
			}
			mean, half := "-", ""
			if r.Mean.N > 0 {
				mean = s.Metric.Text(r.Mean.Mean, clock)
			}
			if r.Mean.N > 1 {
				half = "± " + s.Metric.Text(r.Mean.HalfWidth(), clock)
			}
			rows = append(rows, []string{"", r.Title, mean, half, "", r.AgainstText() + mark})
		}
		rows[0] = append(rows[0], "compared with the baseline")
		writeColumns(e.out, rows)
		for _, w := range s.Warnings {
			fmt.Fprintln(e.out, "  "+w)
		}
	}
}
