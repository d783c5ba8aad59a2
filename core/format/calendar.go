package format

import (
	"sort"
	"strconv"
	"time"
)

// Calendar converts the times of a run to local dates of the machine.
type Calendar struct {
	Start   int64    `json:"start"`             // Unix time, in seconds, at time 0 of the run
	Zone    string   `json:"zone,omitempty"`    // name of the time zone, such as Europe/Berlin; "" if unknown
	Offsets []Offset `json:"offsets,omitempty"` // sorted by From; if empty, local time is UTC
}

// Later returns the calendar of a run that starts the given number of seconds later.
func (c *Calendar) Later(seconds int64) *Calendar {
	if c == nil {
		return nil
	}
	later := *c
	later.Start += seconds
	return &later
}

// WithOffsets returns a calendar with the UTC offsets of its time zone. It calls lookup unless the
// name of the zone contains the offset, such as UTC-08:00. If lookup returns no offsets, the zone
// is unknown: dates are then in UTC, and known is false. A calendar that has offsets or no zone is
// returned unchanged.
func (c *Calendar) WithOffsets(lookup func(zone string) []Offset) (out *Calendar, known bool) {
	if c == nil || c.Zone == "" || len(c.Offsets) > 0 {
		return c, true
	}
	with := *c
	if seconds, ok := fixedOffset(c.Zone); ok {
		with.Offsets = []Offset{{Seconds: seconds}}
	} else if with.Offsets = lookup(c.Zone); with.Offsets == nil {
		with.Zone = FixedZone(0)
		return &with, false
	}
	return &with, true
}

// Offset is the difference between local time and UTC from some time on.
type Offset struct {
	From    int64 `json:"from"`    // Unix time from which the offset applies
	Seconds int   `json:"seconds"` // seconds to add to UTC; positive east of Greenwich
}

// FixedZone returns a name such as UTC-08:00 for a time zone without daylight saving time. The
// argument is the offset in seconds, positive east of Greenwich.
func FixedZone(seconds int) string {
	sign := "+"
	if seconds < 0 {
		sign, seconds = "-", -seconds
	}
	return "UTC" + sign + twoDigits(seconds/hour%100) + ":" + twoDigits(seconds%hour/minute)
}

// fixedOffset parses a name that FixedZone returned. It returns the offset in seconds, and reports
// false for any other name.
func fixedOffset(zone string) (seconds int, ok bool) {
	if len(zone) != len("UTC-08:00") || zone[:3] != "UTC" || zone[6] != ':' {
		return 0, false
	}
	h, err := strconv.ParseUint(zone[4:6], 10, 8)
	m, err2 := strconv.ParseUint(zone[7:], 10, 8)
	seconds = int(h)*hour + int(m)*minute
	if zone[3] == '-' {
		seconds = -seconds
	}
	return seconds, err == nil && err2 == nil && (zone[3] == '-' || zone[3] == '+')
}

// local returns the local date and time at t seconds after time 0.
func (c *Calendar) local(t int64) time.Time {
	unix := c.Start + t
	return time.Unix(unix+int64(c.offset(unix)), 0).UTC()
}

// offset returns the UTC offset at a Unix time, in seconds. Before the first entry of c.Offsets, it
// returns the first offset.
func (c *Calendar) offset(unix int64) int {
	n := sort.Search(len(c.Offsets), func(i int) bool { return c.Offsets[i].From > unix })
	if len(c.Offsets) == 0 {
		return 0
	}
	return c.Offsets[max(n-1, 0)].Seconds
}

// instant returns the first time t of the run at which local clocks show the given date and time.
// It reports false if the clocks skip it.
func (c *Calendar) instant(local time.Time) (t int64, ok bool) {
	wall := local.Unix()
	for _, o := range append([]Offset{{Seconds: c.offset(wall)}}, c.Offsets...) {
		if unix := wall - int64(o.Seconds); c.offset(unix) == o.Seconds && (!ok || unix-c.Start < t) {
			t, ok = unix-c.Start, true
		}
	}
	return t, ok
}
