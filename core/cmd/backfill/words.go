package main

import (
	"time"
	_ "time/tzdata" // adds a time zone database, for systems that have none

	"github.com/spf13/pflag"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/metrics"
	"backfill-lab/core/scenario"
)

// describeSetup returns a phrase with the number of jobs, and the size and resources of the machine.
func describeSetup(setup *scenario.Setup) string {
	m := &setup.Scenario.Machine
	text := format.Count(len(setup.Work.Jobs), "job") + " on " + format.Count(m.Nodes, "node")
	if m.SlotsPerNode() > 1 {
		text += " of " + format.Count(m.SlotsPerNode(), "core")
	}
	for _, r := range m.Resources {
		text += ", " + format.Whole(r.Capacity) + " " + r.Name
	}
	return text
}

// excludedLine returns a line about the jobs that the metrics exclude, or "" if they exclude none.
func excludedLine(o metrics.Options) string {
	if text := o.ExcludedText(); text != "" {
		return text + "\n"
	}
	return ""
}

// comparisonText returns a phrase such as "(12.5 % better)", which compares v with the value under
// the baseline. It returns "" if the values are equal or cannot be compared.
func comparisonText(base, v metrics.Value) string {
	p, ok := metrics.Improvement(base, v)
	switch {
	case !ok || p == 0:
		return ""
	case p > 0:
		return "(" + format.Decimals(p, 1) + " % better)"
	}
	return "(" + format.Decimals(-p, 1) + " % worse)"
}

// secondsFlag adds the flag -seconds, which sets e.seconds, to f.
func secondsFlag(f *pflag.FlagSet, e *env) {
	f.BoolVar(&e.seconds, "seconds", false, "write all times in seconds")
}

// clock returns a clock that formats the times of a run. The argument c is the calendar of the
// jobs, or nil.
func (e *env) clock(jobs []job.Job, c *format.Calendar) format.Clock {
	if e.seconds {
		return format.Clock{}
	}
	end := job.LastEnd(jobs)
	return format.ClockFor(end, e.withOffsets(c, 3*end))
}

// withOffsets returns the calendar c, which may be nil, with the UTC offsets of its time zone for the
// given number of seconds. If the time zone is unknown, it prints a note and uses UTC.
func (e *env) withOffsets(c *format.Calendar, seconds int64) *format.Calendar {
	dates, known := c.WithOffsets(func(zone string) []format.Offset { return zoneOffsets(zone, c.Start, c.Start+seconds) })
	if !known {
		e.note("Unknown time zone %s; dates are in UTC.", c.Zone)
	}
	return dates
}

// zoneOffsets returns the UTC offsets of a time zone between two Unix times. It returns nil if the
// time zone is unknown.
func zoneOffsets(name string, from, to int64) (list []format.Offset) {
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil
	}
	for at := time.Unix(from, 0).In(zone); ; {
		_, offset := at.Zone()
		list = append(list, format.Offset{From: at.Unix(), Seconds: offset})
		_, next := at.ZoneBounds()
		if next.IsZero() || next.Unix() > to {
			return list
		}
		if !next.After(at) { // ZoneBounds can return its own time, as on the last day of 2040 in Europe/Berlin
			next = at.AddDate(0, 0, 1)
		}
		at = next
	}
}
