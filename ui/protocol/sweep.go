package protocol

// SweepGroup asks for runs of an experiment: the given policies on the jobs of one group.
type SweepGroup struct {
	Group    int   `json:"group"`
	Policies []int `json:"policies"`
}

// SweptRun holds the results of a run of an experiment, by the name of the metric. Times are in
// seconds. Metrics that do not apply are missing.
type SweptRun struct {
	Group  int                `json:"group"`
	Policy int                `json:"policy"`
	Values map[string]float64 `json:"values"`
}
