package moldable

import "backfill-lab/core/policy"

// Presets is what section 6 of Wu et al. 2015 compares: each allocation with two
// selections.
var Presets = []policy.Preset{
	preset("wu-hrf-fcfs", "HRFFcfs", byRevenue, "fcfs"),
	preset("wu-hrf-easy", "HRFBf", byRevenue, "easy"),
	preset("wu-greedy-fcfs", "SbmGrdyFcfs", byRuntime, "fcfs"),
	preset("wu-greedy-easy", "SbmGrdyBf", byRuntime, "easy"),
	preset("wu-submit-fair-fcfs", "SbmFairFcfs", bySubmit, "fcfs"),
	preset("wu-submit-fair-easy", "SbmFairBf", bySubmit, "easy"),
	preset("wu-schedule-fair-fcfs", "SchFairFcfs", bySchedule, "fcfs"),
	preset("wu-schedule-fair-easy", "SchFairBf", bySchedule, "easy"),
}

func preset(name, title, allocation, how string) policy.Preset {
	return policy.Preset{Name: name, Title: title, Policy: "moldable", Knobs: [][2]string{{"allocation", allocation}, {"select", how}}}
}
