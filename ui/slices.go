package ui

import "fmt"

// SliceKey is an entry of the legend: whose time slice has which bar.
type Key struct{ Class, Text string }

// SliceKeys is the types of time slices, if the machine is shared by some result.
func (c *App) SliceKeys() (out []Key) {
	if c.lab.ran == nil {
		return nil
	}
	for _, r := range c.lab.ran.Results {
		for i, name := range r.Slices {
			if i == len(out) {
				out = append(out, Key{fmt.Sprintf("key slice n%d", i+1), name + " slice"})
			}
		}
	}
	if out != nil {
		out = append(out, Key{"key slice n0", "overhead, or several slices"}, Key{"key join", "preempted"})
	}
	return out
}

// HasCores reports whether the nodes that the charts show have several cores.
func (c *App) HasCores() bool { return c.lab.ran != nil && c.lab.ran.Cores > 1 }

// PlayedTurn is the time slice and the clocks of the virtual machines after the event.
func (c *App) PlayedTurn() string {
	if x := c.player.shown; x != nil {
		return x.Turn
	}
	return ""
}
