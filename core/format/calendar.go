package format

import (
	"sort"
	"strconv"
	"time"
)

// Calendar relates the times of a run to dates in the time zone of the machine.
type Calendar struct {
	Start   int64    `json:"start"`             // time 0 as Unix time, in seconds
	Zone    string   `json:"zone,omitempty"`    // name of the time zone, such as Europe/Berlin; "" if unknown
	Offsets []Offset `json:"offsets,omitempty"` // sorted by From; if empty, local time is UTC
}

// Later returns the calendar of a run whose time 0 is a number of seconds later.
func (c *Calendar) Later(seconds int64) *Calendar {
	if c == nil {
		return nil
	}
	later := *c
	later.Start += seconds
	return &later
}

// WithOffsets returns a calendar with the offsets of its time zone. It calls lookup for a zone
// whose name does not contain its offset. If lookup returns no offsets, the zone is unknown: dates
// are in UTC, and known is false.
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

// Offset is the difference between local time and UTC, starting at an instant.
type Offset struct {
	From    int64 `json:"from"`    // Unix time
	Seconds int   `json:"seconds"` // positive east of Greenwich
}

// FixedZone returns a name, such as UTC-08:00, for a time zone without daylight saving time. The
// argument is in seconds east of Greenwich.
func FixedZone(seconds int) string {
	sign := "+"
	if seconds < 0 {
		sign, seconds = "-", -seconds
	}
	return "UTC" + sign + twoDigits(seconds/hour%100) + ":" + twoDigits(seconds%hour/minute)
}

// fixedOffset parses a name returned by FixedZone. It returns the seconds east of Greenwich.
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

// local returns the local time at t seconds after time 0, in a location with a fixed offset.
func (c *Calendar) local(t int64) time.Time {
	unix := c.Start + t
	return time.Unix(unix+int64(c.offset(unix)), 0).UTC()
}

// offset returns the difference from UTC at a Unix time. Before the first entry, it returns the
// first offset.
func (c *Calendar) offset(unix int64) int {
	n := sort.Search(len(c.Offsets), func(i int) bool { return c.Offsets[i].From > unix })
	if len(c.Offsets) == 0 {
		return 0
	}
	return c.Offsets[max(n-1, 0)].Seconds
}

// instant returns the first t at which clocks in the time zone show the given local time. It returns
// false if the clocks skip that time.
func (c *Calendar) instant(local time.Time) (t int64, ok bool) {
	wall := local.Unix()
	for _, o := range append([]Offset{{Seconds: c.offset(wall)}}, c.Offsets...) {
		if unix := wall - int64(o.Seconds); c.offset(unix) == o.Seconds && (!ok || unix-c.Start < t) {
			t, ok = unix-c.Start, true
		}
	}
	return t, ok
}
