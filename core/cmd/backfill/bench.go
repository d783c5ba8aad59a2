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

// benchPolicies lists the policies that the command bench measures, with their knobs (parameters).
var benchPolicies = []string{"fcfs", "easy", "conservative", "pc order=ljf", "pc order=sjf", "dc order=ljf", "dc order=sjf"}

// referenceRules holds the data rules with which the reference schedules were made. Applying these
// rules to a trace a second time changes nothing.
var referenceRules = workload.Rules{Filter: workload.Lindsay, Size: workload.Allocated, Zero: workload.DropZero, Overrun: workload.Truncate}

// report holds the results of the command bench.
type report struct {
	Calibration float64        `json:"calibration-ms"` // median time of calibrate, in milliseconds
	Runs        int            `json:"runs"`           // minimum number of runs for each median
	Go          string         `json:"go"`             // version of Go
	System      string         `json:"system"`         // operating system and architecture, such as linux/amd64
	Traces      []timing       `json:"traces,omitempty"`
	Limits      []limitResult  `json:"limits,omitempty"`
	Growth      []growthResult `json:"growth,omitempty"`
}

// bench holds the flags and the results of the command bench.
type bench struct {
	env    *env
	runs   int // minimum number of runs for each median
	asJSON bool
	grow   bool // whether to measure how the time per job grows with the number of jobs
	report report
}

func benchCommand(e *env) *cobra.Command {
	b := &bench{env: e}
	c := &cobra.Command{
		Use: "bench [DIR|FILE...]", Short: "measure the time to parse and simulate traces",
		Long: "Measure the time to parse and simulate SWF traces, given as files or folders.\nThe simulation runs these policies and records their decisions: " + strings.Join(benchPolicies, ", ") + ".\nTimes are medians in milliseconds. The time of a fixed amount of integer work shows the speed of this computer.\nThe data rules are filter=lindsay, size=allocated, zero-runtime=drop and overrun=truncate.\nWithout arguments, the command measures the reference traces in the folder that the environment variable BACKFILL_REFERENCE names.",
		Args: cobra.ArbitraryArgs,
		RunE: runE(func(args []string) error { return b.run(args) }),
	}
	c.Flags().IntVar(&b.runs, "runs", 5, "number of runs; the output is the median of their times")
	c.Flags().BoolVar(&b.asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&b.grow, "growth", false, "instead, measure how the time per job grows if the first 10,000 jobs of each trace are repeated, up to a million jobs")
	return c
}

func (b *bench) run(args []string) error {
	if b.runs < 1 || b.runs > 1000 {
		return usageErrorf("-runs: expected 1 to 1000, got %d", b.runs)
	}
	if len(args) == 0 {
		args = referenceTraces(b.grow)
	}
	files, err := listTraces(args)
	if err != nil {
		return err
	}
	b.report = report{Calibration: medianTime(b.runs, calibrate), Runs: b.runs, Go: runtime.Version(), System: runtime.GOOS + "/" + runtime.GOARCH}
	b.print("%s %s, medians of at least %d runs, decisions recorded\ncalibration: %d steps of xorshift64 in %.1f ms\n", b.report.Go, b.report.System, b.runs, calibration, b.report.Calibration)
	measure := b.printTimes
	if b.grow {
		measure = b.printGrowth
	}
	if err := measure(files); err != nil || !b.asJSON {
		return err
	}
	enc := json.NewEncoder(b.env.out)
	enc.SetIndent("", "  ")
	return enc.Encode(b.report)
}

// print prints formatted text and a newline. It prints nothing if the output is JSON.
func (b *bench) print(format string, args ...any) {
	if !b.asJSON {
		fmt.Fprintf(b.env.out, format+"\n", args...)
	}
}

// printTimes measures and prints the times for each trace, then compares them with the limits.
func (b *bench) printTimes(files []string) error {
	b.print("%-28s %8s %6s %8s %8s%s %6s", "times in ms", "jobs", "procs", "parse", "plain", timeHeaders(), "MB")
	for _, f := range files {
		t, err := timeTrace(f, b.runs)
		if err != nil {
			return withFile(f, err)
		}
		b.report.Traces = append(b.report.Traces, t)
		b.print("%s", t.tableRow())
	}
	b.print("\nparse: time to parse the file as stored; plain: time to parse its uncompressed text; allocs: allocations per job;\nMB: memory obtained from the system so far.")
	b.printLimits(files)
	return nil
}

// referenceTraces returns paths in the folder that the variable BACKFILL_REFERENCE names, or nil if
// the variable is not set. These are the subfolder golden, whose traces already obey the data
// rules, and the files of the longest published traces, if they exist. If grow is set, for the
// growth test, the result is only the trace KTH.
func referenceTraces(grow bool) []string {
	folder := os.Getenv("BACKFILL_REFERENCE")
	if folder == "" {
		return nil
	}
	glob := func(pattern ...string) []string { // the arguments are the elements of a path
		found, _ := filepath.Glob(filepath.Join(append([]string{folder}, pattern...)...)) // cannot fail, because the patterns are valid
		return found
	}
	if grow {
		return glob("golden", "KTH-*.swf.gz")
	}
	return slices.Concat([]string{filepath.Join(folder, "golden")}, glob("traces", "HPC2N-*.swf.gz"), glob("traces", "SDSC-BLUE-*.swf.gz"))
}

// listTraces returns the files among the arguments and the SWF files in the folders among the
// arguments, sorted by name. It returns an error if there are none.
func listTraces(args []string) (files []string, err error) {
	if len(args) == 0 {
		return nil, usageErrorf("expected traces or folders with traces, or the environment variable BACKFILL_REFERENCE, got nothing")
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
			found, _ := filepath.Glob(filepath.Join(a, pattern)) // cannot fail, because the pattern is valid
			files = append(files, found...)
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: expected SWF traces (.swf, .swf.gz), got none", strings.Join(args, ", "))
	}
	slices.Sort(files)
	return files, nil
}

// timeHeaders returns two column headings for each policy, one for its time and one for its
// allocations.
func timeHeaders() (text string) {
	for _, p := range benchPolicies {
		text += fmt.Sprintf(" %12s %7s", p, "allocs")
	}
	return text
}
