package truth

import (
	"strings"

	"backfill-lab/core/log"
)

func contains(s, part string) bool { return strings.Contains(s, part) }

// Records returns the reasons that a policy with its knobs may record with a kind of
// record.
func (c *Case) Records(kind log.Kind) []log.Code {
	switch kind {
	case log.Start:
		if c.sliced && c.Knobs.On("non-type") && c.Policy != "glomarc-ts" {
			return append(c.starts(), log.Entered)
		}
		return c.starts()
	case log.Suspend:
		if c.sliced {
			return []log.Code{log.Sliced}
		}
	case log.Resume:
		if c.sliced && c.Knobs.On("non-type") {
			return []log.Code{log.SliceBegin, log.Filled}
		} else if c.sliced {
			return []log.Code{log.SliceBegin}
		}
	case log.Move:
		return c.moves()
	case log.Hold:
		return append(c.waits(), c.sliceWaits()...)
	case log.Size:
		return c.sizes()
	case log.Candidate:
		if c.Policy != "glomarc-ts" || c.Knobs.Text("variant") == "ssp" {
			return nil
		}
		return []log.Code{log.Suited, log.SlowedDown, log.SlowsPrimary, log.RunsLonger}
	case log.Judge:
		if c.Policy != "glomarc-ts" || c.Knobs.Text("variant") == "ssp" {
			return nil
		}
		return []log.Code{log.Tolerated, log.Unfair, log.NoNodes, log.NotForLong}
	case log.Node:
		if c.Policy == "fair-slack" {
			return c.tries()
		}
	}
	return nil
}

// All returns all of them.
func (c *Case) All() (out []log.Code) {
	c = inside(c)
	for k := range log.Kinds {
		out = append(out, c.Records(log.Kind(k))...)
	}
	return append(out, c.told()...)
}

// told returns those of records that tell what was tried in other words.
func (c *Case) told() []log.Code {
	switch v := c.Knobs["variant"]; {
	case c.Policy != "glomarc-ts" || v == "ssp":
		return nil
	case v == "cst" || v == "cstws" || v == "nh" || v == "fbo":
		return []log.Code{log.CaseWaiting, log.CaseRunning, log.CaseJoin, log.CaseAlone, log.Window, log.TooLittle}
	}
	return []log.Code{log.CaseWaiting, log.CaseRunning, log.CaseJoin, log.CaseAlone, log.Window, log.TooLittle, log.Widened}
}

func (c *Case) starts() []log.Code {
	switch c.Policy {
	case "fcfs":
		return []log.Code{log.Head}
	case "first-fit":
		return []log.Code{log.FirstFit}
	case "easy":
		return append(c.easyStarts(), c.picks()...)
	case "conservative":
		switch c.Knobs.Text("compress") {
		case "start":
			return append([]log.Code{log.Planned, log.AtOnce, log.MovedUp}, c.sooner()...)
		case "submit":
			return append([]log.Code{log.Planned, log.AtOnce, log.MovedUp, log.MovedNow}, c.sooner()...)
		case "replan":
			return []log.Code{log.Replanned}
		}
		return []log.Code{log.Planned, log.AtOnce}
	case "pc":
		return []log.Code{log.Planned, log.AtOnce, log.MovedUp}
	case "dc":
		return append([]log.Code{log.Planned, log.AtOnce}, c.moves()...)
	case "fair-slack":
		if c.Knobs.Text("goal") == "utilization" {
			return []log.Code{log.Head, log.Replanned, log.BusySet}
		}
		return []log.Code{log.Head, log.Replanned, log.FairSet}
	case "glomarc-ts":
		out := []log.Code{log.Alone, log.AloneFilled}
		if len(c.Log.Machine.Resources) > 0 {
			out = append(out, log.FirstFit)
		}
		switch c.Knobs.Text("variant") {
		case "ssp":
			return out
		case "cst", "cstws":
			return append(out, log.Leads, log.Grouped)
		}
		return append(out, log.Leads, log.Grouped, log.GroupedApart)
	case "moldable":
		if c.Knobs.Text("select") == "easy" {
			return []log.Code{log.Head, log.BeforeShadow, log.BesideShadow}
		}
		return []log.Code{log.Head}
	}
	return nil
}

// sooner is for jobs that make progress in the slices of others.
func (c *Case) sooner() []log.Code {
	if c.sliced && c.Knobs.On("non-type") {
		return []log.Code{log.MovedSooner}
	}
	return nil
}

func (c *Case) easyStarts() []log.Code {
	switch c.Knobs.Text("reservations") {
	case "1":
		return []log.Code{log.Head, log.BeforeShadow, log.BesideShadow}
	case "0":
		if o := c.Knobs.Text("backfill-order"); o == "order" || o == c.Knobs.Text("order") {
			return []log.Code{log.FirstFit}
		}
		return []log.Code{log.BesidePlan}
	}
	return []log.Code{log.Head, log.BesidePlan}
}

// matchesOnly reports whether bl starts only jobs that match.
func (c *Case) matchesOnly() bool {
	return c.Knobs.Text("pick") == "bl" && c.Knobs.Text("fallback") == "none" && c.Knobs.Text("reservations") != "0"
}

func (c *Case) picks() []log.Code {
	if c.Knobs.Text("reservations") == "all" {
		return nil // all others hold reservations
	}
	var out []log.Code
	switch c.Knobs.Text("pick") {
	case "first":
		return nil
	case "bl":
		out = []log.Code{log.LeastUsed}
		if f := c.Knobs.Text("fullness"); !c.matchesOnly() && (f == "product" || f == "sum") {
			out = append(out, log.Fuller)
		}
	case "bb":
		out = []log.Code{log.BestBalance}
		if c.Knobs.Text("fullness") != "none" {
			out = append(out, log.Fuller)
		}
	}
	return out
}

func (c *Case) moves() []log.Code {
	if c.sliced {
		return nil // a virtual machine promises nothing that could move
	}
	switch c.Policy {
	case "pc":
		return []log.Code{log.MovedUp}
	case "dc":
		out := []log.Code{log.MovedUp}
		if c.Knobs.Text("check") == "every-end" {
			out = append(out, log.MovedNow)
		}
		if c.Knobs.Text("arrival") == "protect" {
			out = append(out, log.MovedAhead)
		}
		return out
	case "conservative":
		switch c.Knobs.Text("compress") {
		case "start":
			return []log.Code{log.MovedUp}
		case "submit":
			return []log.Code{log.MovedUp, log.MovedNow, log.MovedAgain}
		}
	}
	return nil
}

func (c *Case) waits() []log.Code {
	switch c.Policy {
	case "fcfs":
		if len(c.Log.Machine.Outages) > 0 {
			return []log.Code{log.NoRoom, log.Lacks, log.BlockAhead}
		}
		return []log.Code{log.NoRoom, log.Lacks}
	case "easy":
		var out []log.Code
		if c.Knobs.Text("reservations") == "1" {
			out = append(out, log.Blocked)
		}
		if c.matchesOnly() && c.Knobs.Text("reservations") != "all" {
			out = append(out, log.Unmatched)
		}
		return out
	case "fair-slack":
		return []log.Code{log.LeftOut, log.Unsearched, log.Expected}
	case "glomarc-ts":
		return []log.Code{log.Expected}
	case "moldable":
		if c.Knobs.Text("select") == "easy" {
			return []log.Code{log.Blocked}
		}
		return []log.Code{log.NoRoom, log.Lacks}
	}
	return nil
}

func (c *Case) tries() []log.Code {
	out := []log.Code{log.Kept, log.PastSlack, log.TooMuch}
	if c.Knobs.On("exact-prune") {
		out = append(out, log.KeptSoFar)
	}
	return out
}

// sliceWaits returns what jobs wait for in time slices.
func (c *Case) sliceWaits() []log.Code {
	if !c.sliced {
		return nil
	}
	out := []log.Code{log.AwaitsSlice}
	if c.Policy != "fcfs" {
		out = append(out, log.PlannedSlice)
	}
	if c.Knobs.On("non-type") && (c.Policy != "glomarc-ts" || len(c.Log.Machine.Resources) > 0) {
		out = append(out, log.HeldByOther)
	}
	return out
}

func (c *Case) sizes() []log.Code {
	if c.Policy != "moldable" {
		return nil
	}
	switch c.Knobs.Text("allocation") {
	case "hrf":
		out := []log.Code{log.BudgetSpent, log.AtThreshold}
		if c.Knobs.On("stop-at-zero") {
			out = append(out, log.NoGain)
		}
		return out
	case "submit-greedy":
		if c.Knobs.Text("greedy") == "turnaround" {
			return []log.Code{log.Soonest}
		}
		return []log.Code{log.NoGain, log.AtThreshold}
	}
	return []log.Code{log.NoGain, log.AtThreshold, log.AtShare}
}
