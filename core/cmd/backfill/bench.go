package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"backfill-lab/core/cluster"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/sim"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/swf"
)

// benched is the policies that bench times.
var benched = []string{"fcfs", "easy", "conservative"}

// calibration is how many steps of xorshift64 the calibration loop takes:
// integer work in one register, so that times of two machines can be compared.
const calibration = 200_000_000

// normalised is the data rules of the reference schedules; a trace that was
// written under them passes unchanged.
var normalised = workload.Rules{Filter: workload.Lindsay, Size: workload.Allocated, Zero: workload.DropZero, Overrun: workload.Truncate}

// timing is what bench measured on one trace.
type timing struct {
	Trace    string             `json:"trace"`
	Jobs     int                `json:"jobs"`
	Procs    int                `json:"processors"`
	Parse    float64            `json:"parse-ms"`
	Run      map[string]float64 `json:"run-ms"`
	Allocs   map[string]float64 `json:"allocations-a-job"`
	MemoryMB float64            `json:"memory-mb"` // taken from the system so far
}

// report is what bench prints.
type report struct {
	Calibration float64  `json:"calibration-ms"`
	Runs        int      `json:"runs"`
	Go          string   `json:"go"`
	System      string   `json:"system"`
	Traces      []timing `json:"traces"`
}

func benchCommand(e *env) *cobra.Command {
	runs, asJSON := 0, false
	c := &cobra.Command{
		Use: "bench [DIR|FILE...]", Short: "time parsing and simulation of traces",
		Long: "Time parsing and simulation (" + strings.Join(benched, ", ") + "; decisions recorded) of the SWF traces\nthat are named or lie in a folder. Times are medians in milliseconds, beside a fixed\namount of integer work that tells how fast this machine is. Data rules as of the\nreference schedules: filter=lindsay, size=allocated, zero-runtime=drop, overrun=truncate. Without names it takes the\nreference data whose folder BACKFILL_REFERENCE names.",
		Args: cobra.ArbitraryArgs,
		RunE: does(func(args []string) error { return bench(e, args, runs, asJSON) }),
	}
	c.Flags().IntVar(&runs, "runs", 5, "runs of which the median is taken")
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON, for programs")
	return c
}

func bench(e *env, args []string, runs int, asJSON bool) error {
	if runs < 1 || runs > 1000 {
		return misuse("-runs: expected 1 to 1000, got %d", runs)
	}
	if len(args) == 0 {
		args = reference()
	}
	files, err := traces(args)
	if err != nil {
		return err
	}
	r := report{median(runs, calibrate), runs, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH, nil}
	if !asJSON {
		fmt.Fprintf(e.out, "%s %s, median of %d, decisions recorded\ncalibration: %d steps of xorshift64 in %.1f ms\n\n", r.Go, r.System, runs, calibration, r.Calibration)
		fmt.Fprintf(e.out, "%-28s %8s %6s %9s%s %8s\n", "times in ms", "jobs", "procs", "parse", timeHeads(), "MB")
	}
	for _, f := range files {
		t, err := timeTrace(f, runs)
		if err != nil {
			return placed(f, err)
		}
		r.Traces = append(r.Traces, t)
		if !asJSON {
			fmt.Fprintln(e.out, t.line())
		}
	}
	if asJSON {
		enc := json.NewEncoder(e.out)
		enc.SetIndent("", "  ")
		return enc.Encode(r)
	}
	fmt.Fprintln(e.out, "\nallocs: allocations a job. MB: memory taken from the system so far.")
	return nil
}

// reference is the traces of the reference data: the normalised ones, and the
// longest of the published ones where it is there.
func reference() []string {
	folder := os.Getenv("BACKFILL_REFERENCE")
	if folder == "" {
		return nil
	}
	raw, _ := filepath.Glob(filepath.Join(folder, "traces", "HPC2N-*.swf.gz")) // the pattern is well formed
	return append([]string{filepath.Join(folder, "golden")}, raw...)
}

// traces lists the SWF files that the arguments name.
func traces(args []string) (files []string, err error) {
	if len(args) == 0 {
		return nil, misuse("expected traces or folders with traces, or BACKFILL_REFERENCE set, got nothing")
	}
	for _, a := range args {
		s, err := os.Stat(a)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%s: expected a trace or a folder with traces, got nothing", a)
		case !s.IsDir():
			files = append(files, a)
			continue
		}
		for _, pattern := range []string{"*.swf", "*.swf.gz"} {
			found, _ := filepath.Glob(filepath.Join(a, pattern)) // the pattern is well formed
			files = append(files, found...)
		}
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: expected SWF traces (.swf, .swf.gz), got none", strings.Join(args, ", "))
	}
	slices.Sort(files)
	return files, nil
}

func timeTrace(file string, runs int) (timing, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return timing{}, err
	}
	var w *workload.Workload
	parse := median(runs, func() {
		if w, err = workload.Read(bytes.NewReader(data), swf.Options{}, 0, normalised); err != nil {
			w = nil
		}
	})
	if err != nil {
		return timing{}, err
	}
	name, _, _ := strings.Cut(filepath.Base(file), ".swf")
	t := timing{name, len(w.Jobs), w.Procs, parse, map[string]float64{}, map[string]float64{}, 0}
	for _, policy := range benched {
		t.Run[policy] = median(runs, func() { t.Allocs[policy], err = simulateOnce(w, policy) })
		if err != nil {
			return t, err
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.MemoryMB = float64(m.Sys) / (1 << 20)
	return t, nil
}

// simulateOnce runs a policy and returns its allocations a job.
func simulateOnce(w *workload.Workload, policy string) (float64, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p, err := registry.New(policy, nil)
	if err != nil {
		return 0, err
	}
	e, err := sim.New(sim.Config{Machine: cluster.Flat(w.Procs), Jobs: w.Jobs, Policy: p, Level: log.Decisions})
	if err != nil {
		return 0, err
	}
	err = e.Run()
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs-before.Mallocs) / float64(len(w.Jobs)), err
}

// median is the middle duration of f in milliseconds; each run begins with a
// clean heap.
func median(runs int, f func()) float64 {
	times := make([]float64, runs)
	for i := range times {
		runtime.GC()
		from := time.Now()
		f()
		times[i] = float64(time.Since(from).Nanoseconds()) / 1e6
	}
	slices.Sort(times)
	return (times[(runs-1)/2] + times[runs/2]) / 2
}

func calibrate() {
	x := uint64(88172645463325252)
	for range calibration {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	runtime.KeepAlive(x) // or the loop could be left out
}

func timeHeads() (text string) {
	for _, p := range benched {
		text += fmt.Sprintf(" %12s %7s", p, "allocs")
	}
	return text
}

func (t *timing) line() string {
	text := fmt.Sprintf("%-28s %8d %6d %9.1f", t.Trace, t.Jobs, t.Procs, t.Parse)
	for _, p := range benched {
		text += fmt.Sprintf(" %12.1f %7.2f", t.Run[p], t.Allocs[p])
	}
	return text + fmt.Sprintf(" %8.0f", t.MemoryMB)
}
