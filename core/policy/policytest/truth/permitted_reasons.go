package truth

import "backfill-lab/core/log"

// ReasonsFor returns the reasons that the policy, with its knob settings, may give in records
// of a kind.
func (c *Case) ReasonsFor(kind log.Kind) []log.Code {
	if c.Rules != nil {
		return c.Rules.Reasons[kind]
	}
	switch kind {
	case log.Start:
		if c.inSlices && c.Knobs.On("non-type") && c.Policy != "glomarc-ts" {
			return append(c.startReasons(), log.StartedAsGuest)
		}
		return c.startReasons()
	case log.Suspend:
		if c.inSlices {
			return []log.Code{log.SliceEnd}
		}
	case log.Resume:
		if c.inSlices && c.Knobs.On("non-type") {
			return []log.Code{log.SliceBegin, log.ResumedAsGuest}
		} else if c.inSlices {
			return []log.Code{log.SliceBegin}
		}
	case log.Move:
		return c.moveReasons()
	case log.Hold:
		return append(c.waitReasons(), c.sliceWaitReasons()...)
	case log.Size:
		return c.sizeReasons()
	case log.Candidate:
		if c.Policy != "glomarc-ts" || c.Knobs.Text("variant") == "ssp" {
			return nil
		}
		return []log.Code{log.Suited, log.SlowedDown, log.SlowsPrimary, log.RunsLonger}
	case log.GroupVerdict:
		if c.Policy != "glomarc-ts" || c.Knobs.Text("variant") == "ssp" {
			return nil
		}
		return []log.Code{log.GroupFair, log.GroupUnfair, log.NoNodes, log.NotForWholeRuntime}
	case log.SetTried:
		if c.Policy == "fair-slack" {
			return c.setSearchReasons()
		}
	}
	return nil
}

// AllReasons returns the reasons that the policy, with its knob settings, may give in any record.
func (c *Case) AllReasons() (out []log.Code) {
	c = withInnerPolicy(c)
	for k := range log.Kinds {
		out = append(out, c.ReasonsFor(log.Kind(k))...)
	}
	return append(out, c.otherReasons()...)
}

// otherReasons returns the reasons that ReasonsFor does not cover: those for the cases and the sets
// of a search for groups.
func (c *Case) otherReasons() []log.Code {
	variant := c.Knobs["variant"]
	if c.Policy != "glomarc-ts" || variant == "ssp" {
		return nil
	}
	out := []log.Code{log.CaseWaiting, log.CaseRunning, log.CaseJoin, log.CaseAlone, log.EnoughGain, log.TooLittleGain}
	switch variant {
	case "cst", "cstws", "nh", "fbo":
		return out
	}
	return append(out, log.JobAdded)
}

// startReasons returns the reasons for starts, without the reasons for starts of guests in time
// slices.
func (c *Case) startReasons() []log.Code {
	switch c.Policy {
	case "fcfs":
		return []log.Code{log.Head}
	case "first-fit":
		return []log.Code{log.Head, log.FirstFit}
	case "easy":
		return append(c.easyStartReasons(), c.pickReasons()...)
	case "conservative":
		switch c.Knobs.Text("compress") {
		case "start":
			return append([]log.Code{log.Planned, log.AtOnce, log.MovedAfterEarlyEnd}, c.progressReasons()...)
		case "submit":
			return append([]log.Code{log.Planned, log.AtOnce, log.MovedAfterEarlyEnd, log.MovedNow}, c.progressReasons()...)
		case "replan":
			return []log.Code{log.Replanned}
		}
		return []log.Code{log.Planned, log.AtOnce}
	case "pc":
		return []log.Code{log.Planned, log.AtOnce, log.MovedAfterEarlyEnd}
	case "dc":
		return append([]log.Code{log.Planned, log.AtOnce}, c.moveReasons()...)
	case "fair-slack":
		if c.Knobs.Text("goal") == "utilization" {
			return []log.Code{log.Head, log.Replanned, log.UtilizationSet}
		}
		return []log.Code{log.Head, log.Replanned, log.FairSet}
	case "glomarc-ts":
		out := []log.Code{log.HeadAlone, log.BackfilledAlone}
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
			return []log.Code{log.Head, log.BeforeShadow, log.WithinExtra}
		}
		return []log.Code{log.Head}
	}
	return nil
}

// progressReasons returns the reason for starts that became possible because another job
// made progress as a guest.
func (c *Case) progressReasons() []log.Code {
	if c.inSlices && c.Knobs.On("non-type") {
		return []log.Code{log.MovedAfterProgress}
	}
	return nil
}

// easyStartReasons returns the reasons of the policy easy for starts, without the reasons that
// pickReasons returns.
func (c *Case) easyStartReasons() []log.Code {
	switch c.Knobs.Text("reservations") {
	case "1":
		return []log.Code{log.Head, log.BeforeShadow, log.WithinExtra}
	case "0":
		if o := c.Knobs.Text("backfill-order"); o == "order" || o == c.Knobs.Text("order") {
			return []log.Code{log.Head, log.FirstFit}
		}
	}
	return []log.Code{log.Head, log.DelaysNoReservation}
}

// backfillsOnlyMatching reports whether the policy easy with pick = bl backfills only jobs that match
// the least used resource.
func (c *Case) backfillsOnlyMatching() bool {
	return c.Knobs.Text("pick") == "bl" && c.Knobs.Text("fallback") == "none" && c.Knobs.Text("reservations") != "0"
}

// pickReasons returns the reasons of the policy easy for starting a job that is not the first job
// that may start.
func (c *Case) pickReasons() []log.Code {
	if c.Knobs.Text("reservations") == "all" {
		return nil // every waiting job holds a reservation
	}
	var out []log.Code
	switch c.Knobs.Text("pick") {
	case "first":
		return nil
	case "bl":
		out = []log.Code{log.LeastUsed}
		if f := c.Knobs.Text("fullness"); !c.backfillsOnlyMatching() && (f == "product" || f == "sum") {
			out = append(out, log.LeavesLessFree)
		}
	case "bb":
		out = []log.Code{log.BestBalance}
		if c.Knobs.Text("fullness") != "none" {
			out = append(out, log.LeavesLessFree)
		}
	}
	return out
}

// moveReasons returns the reasons to move a planned start.
func (c *Case) moveReasons() []log.Code {
	if c.inSlices {
		return nil // moves on a virtual machine are not recorded
	}
	switch c.Policy {
	case "pc":
		return []log.Code{log.MovedAfterEarlyEnd}
	case "dc":
		out := []log.Code{log.MovedAfterEarlyEnd}
		if c.Knobs.Text("check") == "every-end" {
			out = append(out, log.MovedNow)
		}
		if c.Knobs.Text("arrival") == "protect" {
			out = append(out, log.MovedToKeepPlace)
		}
		return out
	case "conservative":
		switch c.Knobs.Text("compress") {
		case "start":
			return []log.Code{log.MovedAfterEarlyEnd}
		case "submit":
			return []log.Code{log.MovedAfterEarlyEnd, log.MovedNow, log.MovedByCompression}
		}
	}
	return nil
}

// waitReasons returns the reasons to wait that the policy itself records (see sliceWaitReasons).
func (c *Case) waitReasons() []log.Code {
	switch c.Policy {
	case "fcfs":
		if len(c.Log.Machine.Outages) > 0 {
			return []log.Code{log.TooFewProcs, log.LacksResource, log.OutageAhead}
		}
		return []log.Code{log.TooFewProcs, log.LacksResource}
	case "easy":
		var out []log.Code
		if c.Knobs.Text("reservations") == "1" {
			out = append(out, log.Blocked)
		}
		if c.backfillsOnlyMatching() && c.Knobs.Text("reservations") != "all" {
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
		return []log.Code{log.TooFewProcs, log.LacksResource}
	}
	return nil
}

// setSearchReasons returns the reasons that the search of fair-slack may record for a set.
func (c *Case) setSearchReasons() []log.Code {
	out := []log.Code{log.SetKept, log.PastSlack, log.SetTooLarge}
	if c.Knobs.On("exact-prune") {
		out = append(out, log.SetKeptSoFar)
	}
	return out
}

// sliceWaitReasons returns the reasons to wait that time slices record.
func (c *Case) sliceWaitReasons() []log.Code {
	if !c.inSlices {
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

// sizeReasons returns the reasons for the final size of a moldable job.
func (c *Case) sizeReasons() []log.Code {
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
			return []log.Code{log.EarliestEnd}
		}
		return []log.Code{log.NoGain, log.AtThreshold}
	}
	return []log.Code{log.NoGain, log.AtThreshold, log.AtShare}
}
