package moldable

// Preset is a recipe of Wu et al. 2015: an allocation with a selection.
type Preset struct {
	Name  string // kebab-case
	Title string // as in the paper's figures
	Knobs map[string]string
}

// Presets is what section 6 of the paper compares.
var Presets = []Preset{
	preset("wu-hrf-fcfs", "HRFFcfs", byRevenue, "fcfs"),
	preset("wu-hrf-easy", "HRFBf", byRevenue, "easy"),
	preset("wu-greedy-fcfs", "SbmGrdyFcfs", byRuntime, "fcfs"),
	preset("wu-greedy-easy", "SbmGrdyBf", byRuntime, "easy"),
	preset("wu-submit-fair-fcfs", "SbmFairFcfs", bySubmit, "fcfs"),
	preset("wu-submit-fair-easy", "SbmFairBf", bySubmit, "easy"),
	preset("wu-schedule-fair-fcfs", "SchFairFcfs", bySchedule, "fcfs"),
	preset("wu-schedule-fair-easy", "SchFairBf", bySchedule, "easy"),
}

func preset(name, title, allocation, how string) Preset {
	return Preset{name, title, map[string]string{"allocation": allocation, "select": how}}
}
