package session

import (
	"encoding/json"

	"backfill-lab/core/format"
	"backfill-lab/ui/browser"
)

// offsetsFor is the time in seconds after the start of the calendar for which the page knows the UTC
// offsets of a time zone: 20 years.
const offsetsFor = 20 * 366 * 86400

// calendar returns the calendar of the scenario, with the UTC offsets of its time zone from the
// browser. It returns nil if the scenario has no dates.
func (c *Session) calendar() *format.Calendar {
	base := c.Doc().Base
	if base == nil || base.Calendar == nil {
		return nil
	}
	own := &base.Calendar.Calendar
	if c.dates == nil || c.datesOf.Start != own.Start || c.datesOf.Zone != own.Zone {
		c.datesOf = *own
		c.dates, _ = own.WithOffsets(func(zone string) []format.Offset { return zoneOffsets(zone, own.Start) })
	}
	return c.dates
}

// zoneOffsets returns the UTC offsets of a time zone, starting at a Unix time. It returns nil if
// the browser does not know the zone.
func zoneOffsets(zone string, start int64) (list []format.Offset) {
	text, err := browser.Call("labZoneOffsets", zone, float64(start), float64(start+offsetsFor))
	if encoded, ok := text.(string); err != nil || !ok || json.Unmarshal([]byte(encoded), &list) != nil {
		return nil
	}
	return list
}

// ToggleSeconds switches between times in seconds and times in larger units or dates. The
// scenario runs again, because the worker's sentences contain times.
func (c *Session) ToggleSeconds() {
	c.Seconds = !c.Seconds
	c.Rerun()
}

// SecondsShown returns the aria-pressed value of the button of ToggleSeconds.
func (c *Session) SecondsShown() string {
	if c.Seconds {
		return "true"
	}
	return "false"
}

// HasLongTimes reports whether the page offers to switch between seconds and larger units or dates.
func (c *Session) HasLongTimes() bool { return c.Seconds || c.Clock().Units }
