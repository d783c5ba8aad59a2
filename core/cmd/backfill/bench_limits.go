package main

import (
	"os"
	"os/exec"
	"strings"
)

// limit is the maximum that a measured value may have on some traces.
type limit struct {
	trace string  // beginning of the names of these traces
	what  string  // measured value: the time of a policy, "parse, gzip", "parse, plain" or peakMemory
	max   float64 // milliseconds, or MB if the value is peakMemory
}

// peakMemory is the name of a measured value: the peak memory of a run under the conservative
// policy.
const peakMemory = "peak MB, conservative"

// benchLimits lists limits for an idle computer, such as a CI runner. The command bench prints
// whether the limits are met. Exceeding a limit is not an error, because it can happen on any
// busy computer.
var benchLimits = []limit{
	{"KTH-SP2-", "easy", 10},
	{"KTH-SP2-", "conservative", 30},
	{"SDSC-SP2-", "conservative", 110},
	{"CTC-SP2-", "easy", 40},
	{"CTC-SP2-", "conservative", 300},
	{"HPC2N-", "easy", 60},
	{"HPC2N-", "conservative", 600},
	{"KTH-SP2-", "pc order=ljf", 60},
	{"KTH-SP2-", "pc order=sjf", 60},
	{"CTC-SP2-", "pc order=ljf", 800},
	{"CTC-SP2-", "pc order=sjf", 800},
	{"HPC2N-", "pc order=ljf", 5000},
	{"HPC2N-", "pc order=sjf", 5000},
	{"over256", "pc order=ljf", 2000},
	{"HPC2N-", "parse, plain", 60},
	{"HPC2N-", "parse, gzip", 120},
	{"SDSC-BLUE-", peakMemory, 200},
}

// limitResult holds a limit and the value that was measured.
type limitResult struct {
	Trace string  `json:"trace"`
	What  string  `json:"what"`  // what was measured, as in limit.what
	Value float64 `json:"value"` // in the unit of Max
	Max   float64 `json:"limit"` // limit, in milliseconds, or in MB if What is peakMemory
	Met   bool    `json:"met"`   // whether Value is at most Max
}

// printLimits compares the measured values with the limits for the traces, and prints the results.
func (b *bench) printLimits(files []string) {
	for _, l := range benchLimits {
		for i := range b.report.Traces {
			t := &b.report.Traces[i]
			if !strings.HasPrefix(t.Trace, l.trace) {
				continue
			}
			if v := l.measured(t, files[i]); v > 0 {
				b.report.Limits = append(b.report.Limits, limitResult{t.Trace, l.what, v, l.max, v <= l.max})
			}
		}
	}
	if len(b.report.Limits) == 0 {
		return
	}
	b.print("\n%-28s %-22s %8s %8s", "limits for an idle computer", "", "value", "limit")
	for _, k := range b.report.Limits {
		b.print("%-28s %-22s %8.1f %8.0f  %s", k.Trace, k.What, k.Value, k.Max, verdict(k.Met))
	}
}

// verdict returns "met" or "NOT MET", depending on whether a limit is met.
func verdict(met bool) string {
	if met {
		return "met"
	}
	return "NOT MET"
}

// measured returns the measured value to which the limit applies, or 0 if it was not measured.
func (l *limit) measured(t *timing, file string) float64 {
	switch l.what {
	case "parse, plain":
		return t.Plain
	case "parse, gzip":
		if !strings.HasSuffix(file, ".gz") {
			return 0
		}
		return t.Parse
	case peakMemory:
		return peakMemoryOfRun(file)
	}
	return t.Run[l.what]
}

// peakMemoryOfRun returns the peak resident memory of this program, in MB, while it reads a trace,
// simulates it and writes the schedule. It returns 0 if the run fails.
func peakMemoryOfRun(file string) float64 {
	self, err := os.Executable()
	if err != nil {
		return 0
	}
	c := exec.Command(self, "run", "-in", file, "-policy", "conservative", "-filter", "lindsay", "-size", "allocated",
		"-zero-runtime", "drop", "-overrun", "truncate", "-quiet", "-jobs", "-")
	if c.Run() != nil {
		return 0
	}
	return peakMemoryMB(c.ProcessState)
}
