package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"backfill-lab/core/experiment"
	"backfill-lab/core/format"
	"backfill-lab/core/scenario"
	"backfill-lab/core/sweep"
)

// sweepOptions holds the flags of the command sweep.
type sweepOptions struct {
	env       *env
	out, runs string
	shard     string
	summary   string
	workers   int
	fresh     bool
	slurm     slurmOptions
	flags     *pflag.FlagSet
}

func sweepCommand(e *env) *cobra.Command {
	s := &sweepOptions{env: e}
	c := &cobra.Command{
		Use: "sweep FILE", Short: "run every policy on every workload of an experiment, with intervals",
		Long: "Run the experiment that FILE defines: every policy on every workload, at each load and with each seed.\nPrint means with 95 % confidence intervals, compared with the baseline on the same seeds, and write a table with\na row for each run. Runs are stored as they finish, so that the same command continues an interrupted sweep.\nThe table does not depend on the number of workers or on interruptions.\nWith -shard I/N, make only a part of the runs; backfill collect joins the parts.\nWith -slurm, let Slurm make the parts: write the script of a job array next to FILE and submit it.",
		Args: cobra.MaximumNArgs(1),
		RunE: runE(s.do),
	}
	f := c.Flags()
	s.flags, f.SortFlags = f, false
	f.StringVar(&s.out, "out", "", "`FILE` of the table, CSV, or Parquet if it ends in .parquet; - for standard output (default: the name of the definition with .csv)")
	f.StringVar(&s.summary, "summary", "", summaryUsage)
	f.StringVar(&s.shard, "shard", "", "make part `I/N` of the runs only, such as 3/8")
	f.IntVar(&s.workers, "workers", runtime.NumCPU(), "number of parallel runs, `N`")
	f.StringVar(&s.runs, "runs", "", "`FILE` of stored runs (default: the name of the table with .runs)")
	f.BoolVar(&s.fresh, "fresh", false, "ignore stored runs")
	s.slurm.addFlags(f)
	f.BoolVar(&e.countLines, "progress", false, "print the number of finished runs on standard error, line by line, for programs")
	secondsFlag(f, e)
	quietFlag(f, e)
	return c
}

// checkFlags returns the shard that the flags select, or an error for invalid flags.
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

// do runs the sweep of a definition.
func (s *sweepOptions) do(args []string) error {
	if len(args) != 1 {
		return usageErrorf("expected the file of a definition, got nothing")
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
	store, err := s.openStore()
	if err != nil {
		return err
	}
	r := &sweepRunner{env: s.env, d: d, load: load, store: store, shard: shard, workers: s.workers}
	err = r.run()
	if err := errors.Join(err, store.close()); err != nil {
		return err
	}
	o := &outputs{}
	o.addTable(s.out, sweepTypes, func(w io.Writer) error { return d.WriteTable(w, shard, r.values) })
	o.addSummary(s.summary, d, r.values)
	if err := o.write(s.env); err != nil {
		return err
	}
	if shard.N == 0 {
		s.env.printSummaries(d, r.values)
	}
	s.env.note("%d runs made, %d found in %s.", r.made, r.reused, s.runs)
	return nil
}

// openStore opens the stored runs. It waits while another process makes the same runs. This happens if a
// batch system starts a task again while the first process still runs.
func (s *sweepOptions) openStore() (*cellStore, error) {
	store, err := openCells(s.runs, s.fresh)
	if errors.Is(err, errStoreInUse) {
		fmt.Fprintf(s.env.err, "%s: another backfill writes to this file. Waiting until it ends.\n", s.runs)
	}
	for errors.Is(err, errStoreInUse) {
		time.Sleep(time.Second)
		store, err = openCells(s.runs, s.fresh)
	}
	return store, err
}

// nameFiles completes the names of the table and of the stored runs.
func (s *sweepOptions) nameFiles(definition string) {
	base := strings.TrimSuffix(definition, filepath.Ext(definition))
	if s.shard != "" {
		base += "." + strings.ReplaceAll(s.shard, "/", "-of-")
	}
	if s.out == "" {
		s.out = base + ".csv"
	}
	if s.runs == "" {
		if s.out != standardInput {
			base = strings.TrimSuffix(s.out, filepath.Ext(s.out))
		}
		s.runs = base + ".runs"
	}
}

// openSweep reads a definition. It returns an error if a file of jobs is missing or is not the one that
// the definition names.
func (e *env) openSweep(name string) (*sweep.Definition, sweep.Load, error) {
	data, err := readFile(name)
	if err != nil {
		return nil, nil, err
	}
	d, err := sweep.Parse(data)
	if err != nil {
		return nil, nil, withFile(name, err)
	}
	for _, w := range d.Workloads {
		f := w.Scenario.Workload.File
		if f == nil {
			continue
		}
		hash, err := hashFile(filepath.Join(filepath.Dir(name), filepath.Base(f.Name)))
		if err != nil {
			return nil, nil, fmt.Errorf("%s: workloads, %s: expected the file %s next to the definition, got %s", name, w.Name, f.Name, errorText(err))
		}
		if f.SHA256 != "" && f.SHA256 != hash {
			return nil, nil, fmt.Errorf("%s: workloads, %s, sha256: expected %s as the hash of %s, got %s", name, w.Name, f.SHA256, f.Name, hash)
		}
		f.SHA256 = hash // so that the keys of the runs depend on the content of the file
	}
	return d, e.sweepLoader(name), nil
}

// sweepLoader returns a function that draws the jobs of a scenario, or reads them from the file
// that it names, which lies next to the definition.
func (e *env) sweepLoader(definition string) sweep.Load {
	quiet := &env{err: e.err, quiet: true}
	return func(x *scenario.Scenario) (*scenario.Setup, error) {
		if x.Workload.File == nil {
			return x.Setup()
		}
		file := *x.Workload.File
		s := &source{in: definition, flagSet: pflag.NewFlagSet("", pflag.ContinueOnError)}
		s.recordFlags(s.flagSet)
		return quiet.loadNamedFile(s, x, &file)
	}
}

// sweepRunner makes the runs of a sweep, several in parallel. The runs of a group share their jobs.
type sweepRunner struct {
	env     *env
	d       *sweep.Definition
	load    sweep.Load
	store   *cellStore
	shard   sweep.Shard
	workers int

	results []sweep.Values // by run, nil while a run is missing

	mu           sync.Mutex // protects the fields below, the results and the store
	failed       error
	made, reused int
}

// sweepCase is the case under which the store holds a run; its key identifies it.
var sweepCase = &experiment.Case{Policy: "sweep"}

func (r *sweepRunner) key(group, policy int) string {
	return r.store.program + " " + r.d.Key(r.d.Group(group), policy)
}

// values returns the results of a run.
func (r *sweepRunner) values(group, policy int) sweep.Values {
	return r.results[group*len(r.d.Policies)+policy]
}

// run makes the runs that are not stored. An interrupt lets the runs under way finish.
func (r *sweepRunner) run() error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	todo, total := r.missing()
	p := r.env.newProgress("runs", total)
	defer p.close()
	groups := make(chan int)
	var wg sync.WaitGroup
	for range r.workers {
		wg.Go(func() {
			for g := range groups {
				if err := r.runGroup(ctx, g, todo[g], p); err != nil {
					r.fail(err)
				}
			}
		})
	}
	for g := range r.d.Groups() {
		if ctx.Err() != nil || r.hasFailed() {
			break
		}
		if len(todo[g]) > 0 {
			groups <- g
		}
	}
	close(groups)
	wg.Wait()
	if r.failed == nil && ctx.Err() != nil {
		return fmt.Errorf("interrupted: %d of %d runs are stored. The same command continues", r.made+r.reused, total)
	}
	if r.store.err != nil {
		return fmt.Errorf("the stored runs could not be written (%w): %d of %d runs are stored. The same command continues", r.store.err, r.made+r.reused, total)
	}
	return r.failed
}

// missing returns the policies of each group whose runs are not stored, and the number of runs of
// the shard.
func (r *sweepRunner) missing() (todo map[int][]int, total int) {
	todo, r.results = map[int][]int{}, make([]sweep.Values, r.d.Runs())
	for g := range r.d.Groups() {
		if !r.shard.Has(g) {
			continue
		}
		for p := range r.d.Policies {
			key := r.key(g, p)
			if total++; r.store.has(key, sweepCase) {
				r.results[g*len(r.d.Policies)+p] = sweep.Values(r.store.get(key, sweepCase))
				r.reused++
			} else {
				todo[g] = append(todo[g], p)
			}
		}
	}
	return todo, total
}

// runGroup makes runs of a group and stores each.
func (r *sweepRunner) runGroup(ctx context.Context, group int, policies []int, p *progress) error {
	jobs, err := r.d.Prepare(r.d.Group(group), r.load)
	if err != nil {
		return err
	}
	for _, policy := range policies {
		if ctx.Err() != nil || r.hasFailed() {
			return nil
		}
		v, err := jobs.Run(policy)
		if err != nil {
			return err
		}
		p.update(r.record(group, policy, v))
	}
	return nil
}

// record stores a run and returns the number of finished runs.
func (r *sweepRunner) record(group, policy int, v sweep.Values) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.store.add(cellLine{Key: r.key(group, policy), Load: r.d.Describe(r.d.Group(group)), Case: sweepCase.String(), Metrics: experiment.Results(v)})
	r.results[group*len(r.d.Policies)+policy] = v
	if r.store.err == nil {
		r.made++
	}
	return r.made + r.reused
}

func (r *sweepRunner) fail(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failed = errors.Join(r.failed, err)
}

// hasFailed reports whether a run or the store has failed, after which no more runs start.
func (r *sweepRunner) hasFailed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed != nil || r.store.err != nil
}

// printSummaries prints the means of all metrics with their intervals.
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
				half = "± " + s.Metric.Text(r.Mean.Half(), clock)
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
