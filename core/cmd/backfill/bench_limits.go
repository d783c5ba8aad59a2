package main

import (
	"os"
	"os/exec"
	"strings"
)

// limit is how much a trace may take: milliseconds of a policy or of parsing
// (gzip: the packed file, plain: its text), or megabytes of resident memory of a
// whole run.
type limit struct {
	trace, what string
	most        float64
}

const peakMemory = "peak MB, conservative"

// promisedLimits is what we hold ourselves to on a quiet machine like CI's. They
// are printed, not enforced: a busy machine meets none of them.
var promisedLimits = []limit{
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

// kept is a limit beside what was measured.
type kept struct {
	Trace string  `json:"trace"`
	What  string  `json:"what"`
	Value float64 `json:"value"`
	Most  float64 `json:"limit"`
	Met   bool    `json:"met"`
}

// limits holds the traces against their limits.
func (b *benching) limits(files []string) {
	for _, l := range promisedLimits {
		for i := range b.report.Traces {
			t := &b.report.Traces[i]
			if !strings.HasPrefix(t.Trace, l.trace) {
				continue
			}
			if v := l.value(t, files[i]); v > 0 {
				b.report.Limits = append(b.report.Limits, kept{t.Trace, l.what, v, l.most, v <= l.most})
			}
		}
	}
	if len(b.report.Limits) == 0 {
		return
	}
	b.say("\n%-28s %-22s %8s %8s", "limits, on a quiet machine", "", "value", "limit")
	for _, k := range b.report.Limits {
		b.say("%-28s %-22s %8.1f %8.0f  %s", k.Trace, k.What, k.Value, k.Most, verdict(k.Met))
	}
}

func verdict(met bool) string {
	if met {
		return "met"
	}
	return "NOT MET"
}

// value returns what was measured of the limit; 0 where this system cannot tell.
func (l *limit) value(t *timing, file string) float64 {
	switch l.what {
	case "parse, plain":
		return t.Plain
	case "parse, gzip":
		if !strings.HasSuffix(file, ".gz") {
			return 0
		}
		return t.Parse
	case peakMemory:
		return peakOfRun(file)
	}
	return t.Run[l.what]
}

// peakOfRun returns the most resident memory, in MB, of this program while it reads
// a trace, runs it and writes its schedule.
func peakOfRun(file string) float64 {
	self, err := os.Executable()
	if err != nil {
		return 0
	}
	c := exec.Command(self, "run", "-in", file, "-policy", "conservative", "-filter", "lindsay", "-size", "allocated",
		"-zero-runtime", "drop", "-overrun", "truncate", "-quiet", "-jobs", "-")
	if c.Run() != nil {
		return 0
	}
	return peakOf(c.ProcessState)
}
