package main

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/sim"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/input"
	"backfill-lab/core/workload/swf"
)

// calibration is the number of steps of the random number generator xorshift64 in the calibration
// loop. The duration of this loop shows how fast the computer is.
const calibration = 200_000_000

// timing holds the measured values for one trace. Times are in milliseconds.
type timing struct {
	Trace    string             `json:"trace"`
	Jobs     int                `json:"jobs"`
	Procs    int                `json:"processors"`
	Parse    float64            `json:"parse-ms"`          // time to decompress and parse the file and to apply the data rules
	Plain    float64            `json:"parse-plain-ms"`    // time to parse the uncompressed text and to apply the data rules
	Run      map[string]float64 `json:"run-ms"`            // time to run each policy, by policy
	Allocs   map[string]float64 `json:"allocations-a-job"` // memory allocations per job, by policy
	MemoryMB float64            `json:"memory-mb"`         // memory obtained from the operating system so far
}

// timeTrace measures the time to parse a trace, and the time to run each policy on it.
func timeTrace(file string, runs int) (timing, error) {
	data, err := readFile(file)
	if err != nil {
		return timing{}, err
	}
	text, err := unpack(data)
	if err != nil {
		return timing{}, err
	}
	w, err := parseTrace(data)
	if err != nil {
		return timing{}, err
	}
	t := timing{Trace: traceName(file), Jobs: len(w.Jobs), Procs: w.Procs, Run: map[string]float64{}, Allocs: map[string]float64{}}
	// The errors can be ignored, because the same data was parsed without an error above.
	t.Parse = medianTime(runs, func() { _, _ = parseTrace(data) })
	t.Plain = medianTime(runs, func() { _, _ = parseTrace(text) })
	for _, policy := range benchPolicies {
		t.Run[policy] = medianTime(runs, func() { t.Allocs[policy], err = allocations(w.Procs, w.Jobs, policy) })
		if err != nil {
			return t, err
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.MemoryMB = float64(m.Sys) / (1 << 20)
	return t, nil
}

// traceName returns the file name of a trace, without its folder and extension.
func traceName(file string) string {
	name, _, _ := strings.Cut(filepath.Base(file), ".swf")
	return name
}

// unpack returns the text of a file, which may be compressed with gzip.
func unpack(data []byte) ([]byte, error) {
	r, err := input.Open(bytes.NewReader(data), input.Options{})
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// parseTrace parses an SWF trace and applies the reference rules.
func parseTrace(data []byte) (*workload.Workload, error) {
	return workload.Read(bytes.NewReader(data), swf.Options{}, 0, referenceRules)
}

// simulateOnce runs a policy, given by its name and knobs, as in "pc order=sjf". It records the
// decisions of the policy.
func simulateOnce(procs int, jobs []job.Job, policy string) error {
	words := strings.Fields(policy)
	knobs := map[string]string{}
	for _, w := range words[1:] {
		name, value, _ := strings.Cut(w, "=")
		knobs[name] = value
	}
	p, err := registry.New(words[0], knobs)
	if err != nil {
		return err
	}
	e, err := sim.New(sim.Config{Machine: cluster.Flat(procs), Jobs: jobs, Policy: p, Level: log.Decisions})
	if err != nil {
		return err
	}
	return e.Run()
}

// allocations runs a policy and returns the number of memory allocations per job.
func allocations(procs int, jobs []job.Job, policy string) (float64, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := simulateOnce(procs, jobs, policy)
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs-before.Mallocs) / float64(len(jobs)), err
}

// medianTime runs f several times and returns the median of the times, in milliseconds. It collects
// garbage before each run.
func medianTime(runs int, f func()) float64 {
	return medianDuration(runs, func() time.Duration {
		from := time.Now()
		f()
		return time.Since(from)
	})
}

// medianDuration calls measure several times and returns the median of the durations, in milliseconds. It
// collects garbage before each call.
func medianDuration(runs int, measure func() time.Duration) float64 {
	times := make([]float64, runs)
	for i := range times {
		runtime.GC()
		times[i] = float64(measure().Nanoseconds()) / 1e6
	}
	slices.Sort(times)
	return (times[(runs-1)/2] + times[runs/2]) / 2
}

// calibrate runs the calibration loop, which consists of integer arithmetic.
func calibrate() {
	x := uint64(88172645463325252)
	for range calibration {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	runtime.KeepAlive(x) // keeps the compiler from removing the loop
}

// tableRow returns the row for one trace in the table of times.
func (t *timing) tableRow() string {
	text := fmt.Sprintf("%-28s %8d %6d %8.1f %8.1f", t.Trace, t.Jobs, t.Procs, t.Parse, t.Plain)
	for _, p := range benchPolicies {
		text += fmt.Sprintf(" %12.1f %7.2f", t.Run[p], t.Allocs[p])
	}
	return text + fmt.Sprintf(" %6.0f", t.MemoryMB)
}
