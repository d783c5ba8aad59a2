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

// calibration is how many steps of xorshift64 the calibration loop takes:
// integer work in one register, so that times of two machines can be compared.
const calibration = 200_000_000

// timing is what bench measured on one trace.
type timing struct {
	Trace    string             `json:"trace"`
	Jobs     int                `json:"jobs"`
	Procs    int                `json:"processors"`
	Parse    float64            `json:"parse-ms"`       // of the file as it is
	Plain    float64            `json:"parse-plain-ms"` // of its text
	Run      map[string]float64 `json:"run-ms"`
	Allocs   map[string]float64 `json:"allocations-a-job"`
	MemoryMB float64            `json:"memory-mb"` // taken from the system so far
}

func timeTrace(file string, runs int) (timing, error) {
	data, err := wholeFile(file)
	if err != nil {
		return timing{}, err
	}
	text, err := unpacked(data)
	if err != nil {
		return timing{}, err
	}
	w, err := parsed(data)
	if err != nil {
		return timing{}, err
	}
	t := timing{Trace: traceName(file), Jobs: len(w.Jobs), Procs: w.Procs, Run: map[string]float64{}, Allocs: map[string]float64{}}
	// The same bytes were read above without an error.
	t.Parse = median(runs, func() { _, _ = parsed(data) })
	t.Plain = median(runs, func() { _, _ = parsed(text) })
	for _, policy := range benched {
		t.Run[policy] = median(runs, func() { t.Allocs[policy], err = allocations(w.Procs, w.Jobs, policy) })
		if err != nil {
			return t, err
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	t.MemoryMB = float64(m.Sys) / (1 << 20)
	return t, nil
}

func traceName(file string) string {
	name, _, _ := strings.Cut(filepath.Base(file), ".swf")
	return name
}

func unpacked(data []byte) ([]byte, error) {
	r, err := input.Open(bytes.NewReader(data), input.Options{})
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

func parsed(data []byte) (*workload.Workload, error) {
	return workload.Read(bytes.NewReader(data), swf.Options{}, 0, normalised)
}

// simulateOnce runs a policy such as "pc order=sjf", decisions recorded.
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

// allocations runs a policy and returns its allocations a job.
func allocations(procs int, jobs []job.Job, policy string) (float64, error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := simulateOnce(procs, jobs, policy)
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs-before.Mallocs) / float64(len(jobs)), err
}

// median returns the middle duration of f in milliseconds; each run begins with a
// clean heap.
func median(runs int, f func()) float64 {
	return middle(runs, func() time.Duration {
		from := time.Now()
		f()
		return time.Since(from)
	})
}

func middle(runs int, measure func() time.Duration) float64 {
	times := make([]float64, runs)
	for i := range times {
		runtime.GC()
		times[i] = float64(measure().Nanoseconds()) / 1e6
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

func (t *timing) line() string {
	text := fmt.Sprintf("%-28s %8d %6d %8.1f %8.1f", t.Trace, t.Jobs, t.Procs, t.Parse, t.Plain)
	for _, p := range benched {
		text += fmt.Sprintf(" %12.1f %7.2f", t.Run[p], t.Allocs[p])
	}
	return text + fmt.Sprintf(" %6.0f", t.MemoryMB)
}
