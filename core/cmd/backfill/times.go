package main

import (
	"time"
	_ "time/tzdata" // the time zones, for machines that have no copy

	"github.com/spf13/pflag"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
)

// secondsFlag adds the flag that has all times written in seconds.
func secondsFlag(f *pflag.FlagSet, e *env) {
	f.BoolVar(&e.seconds, "seconds", false, "write all times in seconds")
}

// clock returns the clock for the jobs of a run and their calendar, nil if they have none.
func (e *env) clock(jobs []job.Job, c *format.Calendar) format.Clock {
	end := job.Time(0)
	for i := range jobs {
		end = max(end, jobs[i].Submit+max(jobs[i].Estimate, jobs[i].Runtime))
	}
	if e.seconds {
		return format.Clock{}
	}
	return format.ClockFor(end, e.withOffsets(c, end))
}

// withOffsets returns a calendar with the offsets of its time zone, for a run and twice as
// long after it. If the zone is not known, it says so, and the dates are in UTC.
func (e *env) withOffsets(c *format.Calendar, end job.Time) *format.Calendar {
	if c == nil || c.Zone == "" || len(c.Offsets) > 0 {
		return c
	}
	if seconds, ok := format.FixedOffset(c.Zone); ok {
		return &format.Calendar{Start: c.Start, Zone: c.Zone, Offsets: []format.Offset{{Seconds: seconds}}}
	}
	zone, err := time.LoadLocation(c.Zone)
	if err != nil {
		e.note("The time zone %s is not known here; dates are in UTC.", c.Zone)
		return &format.Calendar{Start: c.Start}
	}
	out := *c
	for at, last := time.Unix(c.Start, 0).In(zone), c.Start+3*end; ; {
		_, offset := at.Zone()
		out.Offsets = append(out.Offsets, format.Offset{From: at.Unix(), Seconds: offset})
		_, next := at.ZoneBounds()
		if next.IsZero() || next.Unix() > last {
			return &out
		}
		at = next
	}
}
