package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"backfill-lab/core/workload"
)

// benchPolicies lists the policies that bench measures, with their knobs.
var benchPolicies = []string{"fcfs", "easy", "conservative", "pc order=ljf", "pc order=sjf", "dc order=ljf", "dc order=sjf"}

// referenceRules holds the data rules of the reference schedules. They do not change a trace that
// was written with them.
var referenceRules = workload.Rules{Filter: workload.Lindsay, Size: workload.Allocated, Zero: workload.DropZero, Overrun: workload.Truncate}

// report holds the results of bench.
type report struct {
	Calibration float64       `json:"calibration-ms"`
	Runs        int           `json:"runs"`
	Go          string        `json:"go"`
	System      string        `json:"system"`
	Traces      []timing      `json:"traces,omitempty"`
	Limits      []limitResult `json:"limits,omitempty"`
	Growth      []growth      `json:"growth,omitempty"`
}

// bench holds the flags and the results of the command bench.
type bench struct {
	env    *env
	runs   int
	asJSON bool
	grow   bool
	report report
}

func benchCommand(e *env) *cobra.Command {
	b := &bench{env: e}
	c := &cobra.Command{
		Use: "bench [DIR|FILE...]", Short: "time parsing and simulation of traces",
		Long: "Time parsing and simulation (" + strings.Join(benchPolicies, ", ") + "; decisions recorded) of SWF traces,\ngiven as files or folders. Times are medians in milliseconds, next to the time of a fixed\namount of integer work that shows the speed of this machine. The data rules are those of the\nreference schedules: filter=lindsay, size=allocated, zero-runtime=drop, overrun=truncate. Without arguments, it\nuses the reference data in the folder BACKFILL_REFERENCE.",
		Args: cobra.ArbitraryArgs,
		RunE: runE(func(args []string) error { return b.run(args) }),
	}
	c.Flags().IntVar(&b.runs, "runs", 5, "number of runs whose median is reported")
	c.Flags().BoolVar(&b.asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&b.grow, "growth", false, "instead, measure how the time per job grows: repeat the first 10,000 jobs of each trace up to a million jobs")
	return c
}

func (b *bench) run(args []string) error {
	if b.runs < 1 || b.runs > 1000 {
		return misuse("-runs: expected 1 to 1000, got %d", b.runs)
	}
	if len(args) == 0 {
		args = referenceTraces(b.grow)
	}
	files, err := listTraces(args)
	if err != nil {
		return err
	}
	b.report = report{Calibration: median(b.runs, calibrate), Runs: b.runs, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH}
	b.print("%s %s, median of %d, decisions recorded\ncalibration: %d steps of xorshift64 in %.1f ms\n", b.report.Go, b.report.System, b.runs, calibration, b.report.Calibration)
	work := b.printTimes
	if b.grow {
		work = b.printGrowth
	}
	if err := work(files); err != nil || !b.asJSON {
		return err
	}
	enc := json.NewEncoder(b.env.out)
	enc.SetIndent("", "  ")
	return enc.Encode(b.report)
}

// print prints a line of the tables, unless the output is JSON.
func (b *bench) print(format string, args ...any) {
	if !b.asJSON {
		fmt.Fprintf(b.env.out, format+"\n", args...)
	}
}

// printTimes prints the times of the traces, then the limits for them.
func (b *bench) printTimes(files []string) error {
	b.print("%-28s %8s %6s %8s %8s%s %6s", "times in ms", "jobs", "procs", "parse", "plain", timeHeaders(), "MB")
	for _, f := range files {
		t, err := timeTrace(f, b.runs)
		if err != nil {
			return withFile(f, err)
		}
		b.report.Traces = append(b.report.Traces, t)
		b.print("%s", t.line())
	}
	b.print("\nparse: of the file as stored; plain: of its uncompressed text. allocs: allocations per job.\nMB: memory obtained from the system so far.")
	b.printLimits(files)
	return nil
}

// referenceTraces returns the traces of the reference data: the normalised ones and, if
// present, the longest published ones. For growth it returns only one trace.
func referenceTraces(grow bool) []string {
	folder := os.Getenv("BACKFILL_REFERENCE")
	if folder == "" {
		return nil
	}
	glob := func(pattern ...string) []string {
		found, _ := filepath.Glob(filepath.Join(append([]string{folder}, pattern...)...)) // the patterns are valid
		return found
	}
	if grow {
		return glob("golden", "KTH-*.swf.gz")
	}
	return slices.Concat([]string{filepath.Join(folder, "golden")}, glob("traces", "HPC2N-*.swf.gz"), glob("traces", "SDSC-BLUE-*.swf.gz"))
}

// listTraces returns the SWF files among the arguments, which are files or folders.
func listTraces(args []string) (files []string, err error) {
	if len(args) == 0 {
		return nil, misuse("expected traces or folders with traces, or BACKFILL_REFERENCE set, got nothing")
	}
	for _, a := range args {
		s, err := os.Stat(a)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: expected a trace or a folder with traces, got nothing", a)
		case !s.IsDir() && !s.Mode().IsRegular():
			return nil, fmt.Errorf("%s: expected a trace or a folder with traces, got %s", a, fileKind(s.Mode()))
		case !s.IsDir():
			files = append(files, a)
			continue
		}
		for _, pattern := range []string{"*.swf", "*.swf.gz"} {
			found, _ := filepath.Glob(filepath.Join(a, pattern)) // the pattern is valid
			files = append(files, found...)
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: expected SWF traces (.swf, .swf.gz), got none", strings.Join(args, ", "))
	}
	slices.Sort(files)
	return files, nil
}

// timeHeaders returns the column headings of the policies.
func timeHeaders() (text string) {
	for _, p := range benchPolicies {
		text += fmt.Sprintf(" %12s %7s", p, "allocs")
	}
	return text
}
