package session

import (
	"encoding/json"

	"backfill-lab/core/format"
	"backfill-lab/ui/browser"
)

// offsetsFor is the time after time 0 for which the page knows the offsets of a time zone.
const offsetsFor = 20 * 366 * 86400

// calendar returns the dates of the scenario with the offsets of its time zone, nil if it
// has none. The browser knows the time zones. Dates of a zone that it does not know are in
// UTC.
func (c *Session) calendar() *format.Calendar {
	base := c.Doc().Base
	if base == nil || base.Calendar == nil {
		return nil
	}
	out := base.Calendar.Calendar
	if seconds, ok := format.FixedOffset(out.Zone); ok {
		out.Offsets = []format.Offset{{Seconds: seconds}}
		return &out
	}
	if known := c.zone; known != nil && known.Start == out.Start && known.Zone == out.Zone {
		return known
	}
	if out.Zone != "" {
		text, err := browser.Call("labZoneOffsets", out.Zone, float64(out.Start), float64(out.Start+offsetsFor))
		if list, ok := text.(string); err != nil || !ok || json.Unmarshal([]byte(list), &out.Offsets) != nil {
			out.Zone, out.Offsets = "UTC+00:00", nil
		}
	}
	c.zone = &out
	return &out
}

// ToggleSeconds switches between seconds and larger units or dates. The worker writes its
// sentences anew.
func (c *Session) ToggleSeconds() {
	c.Seconds = !c.Seconds
	c.Rerun()
}

// SecondsShown returns the aria-pressed value of the switch.
func (c *Session) SecondsShown() string {
	if c.Seconds {
		return "true"
	}
	return "false"
}

// HasLongTimes reports whether the times can be written in seconds and in larger units.
func (c *Session) HasLongTimes() bool { return c.Seconds || c.Clock().Units }
