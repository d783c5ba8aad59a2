package ui

import (
	"encoding/json"
	"time"

	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
)

// checkSoon has results that were not checked yet checked, once the charts had
// time to be drawn.
func (c *App) checkSoon() {
	l, ran := &c.lab, c.lab.ran
	l.checks = nil
	if ran.Jobs >= protocol.CheckBelow {
		return
	}
	time.AfterFunc(pause, func() {
		defer browser.Recover("checking")
		c.env.Lock()
		defer c.env.UnlockOnly()
		if l.ran != ran || l.task != 0 { // others are on their way
			return
		}
		l.checks = map[int]int{}
		for i := range ran.Results {
			if !ran.Results[i].Checked {
				l.checks[l.post("check", protocol.Moment{Result: i, Generation: ran.Generation}, browser.Message{})] = i
			}
		}
	})
}

// checked takes in what the checker says; it reports whether there is anything to
// be seen.
func (c *App) checked(m browser.Message) bool {
	i, ok := c.lab.checks[m.ID]
	if x := (protocol.Checked{}); ok && json.Unmarshal(m.Head, &x) == nil && x.Generation == c.lab.ran.Generation {
		r := &c.lab.ran.Results[i]
		r.Checked, r.Findings = true, x.Findings
		return len(x.Findings) > 0
	}
	return false
}

// soonRows is up to how many jobs the results of a run mostly come before a frame or
// two are drawn.
const soonRows = 500

// Soon reports whether an answer is about to come that changes most of the page.
func (c *App) Soon() bool {
	l := &c.lab
	return c.player.asking != 0 || l.task != 0 && l.running != nil && l.running.Rows.Len() <= soonRows
}
