package experiment

import "maps"

// reading is one way to take what the paper leaves open.
type reading struct {
	name  string
	knobs map[string]string // of the policy
	jobs  map[string]string // of the workload model, in the place of wuJobs
	of    string            // the only allocation that it concerns; empty: all
}

// turned returns the reading with a knob of the policy set.
func turned(of, knob, value string) reading {
	return reading{name: knob + "=" + value, knobs: map[string]string{knob: value}, of: of}
}

var wuAllReadings = []reading{
	{name: "as it is"},
	turned("hrf", "budget-includes-initial", "true"),
	turned("hrf", "realloc", "start"),
	turned("hrf", "stop-at-zero", "false"),
	turned("submit-fair", "fair-population", "queued"),
	turned("submit-greedy", "greedy", "turnaround"),
	{name: "length=log-normal", jobs: map[string]string{"length": "log-normal"}},
	{name: "length=ctc", jobs: map[string]string{"length": "ctc"}},
	{name: "length=sdsc", jobs: map[string]string{"length": "sdsc"}},
	{name: "cycle=kth", jobs: map[string]string{"length": "kth", "cycle": "kth"}},
	{name: "sigma 0", jobs: map[string]string{"length": "kth", "sigma-max": "0"}},
	{name: "sigma 0, A to 1000", jobs: map[string]string{"length": "kth", "sigma-max": "0", "max-parallelism": "1000"}},
}

const ofReadings = "Rows: as in the other studies, or with one knob of the policy or of the workload model changed. "

// wuReadings returns the four allocations under every reading.
func wuReadings() *Study {
	s := &Study{
		Name: "wu-readings", Title: "Four allocations under each reading", Paper: wuEtAl + "section 6.3",
		Text: ofReadings + "Mean turnaround over 10 workloads and nine pairs of alpha (0.5, 0.8, 1.1) and threshold (0.4, 0.7, 1.0). Fcfs and Bf: the selection. " +
			"The paper prints for middle load: HRF / SchFair 0.763, HRF / SbmFair 0.777, HRF / SbmGrdy 0.290 under FCFS; HRF Bf / Fcfs 0.564.",
	}
	selections := []called{{"Fcfs", "fcfs"}, {"Bf", "easy"}}
	for _, how := range selections {
		for _, x := range wuSizers {
			s.Columns = append(s.Columns, Column{Title: x.name + how.name + ", s", Metric: "mean-response", Case: moldable(x.value, how.value)})
		}
	}
	for _, how := range selections {
		s.Columns = append(s.Columns, wuRatios(how.value, ", "+how.name)...)
	}
	s.Columns = append(s.Columns, Column{Title: "HRF Bf / Fcfs", Metric: "mean-response", Case: moldable("hrf", "easy"), Base: moldable("hrf", "fcfs"), How: Ratio, Digits: 3})
	for _, load := range wuLoads {
		for _, x := range wuAllReadings {
			r := Row{Name: load.name + ": " + x.name}
			for _, source := range x.sources(wuFewSeeds, load.value) {
				r.Parts = append(r.Parts, wuPairs(source, []string{"0.5", "0.8", "1.1"}, []string{"0.4", "0.7", "1.0"}, x.knobs)...)
			}
			s.Rows = append(s.Rows, r)
		}
	}
	return s
}

// wuReadingSweep returns the turnaround of highest revenue first under every reading
// that concerns it, a column for each value of a knob.
func wuReadingSweep(name, heading, figure, knob string, values []string, other, at string) *Study {
	s := &Study{Name: name, Title: heading, Paper: wuEtAl + figure,
		Text: ofReadings + "Mean turnaround of highest revenue first in seconds over 20 workloads, at each " + knob + "; " + other + " is " + at + "."}
	for _, v := range values {
		s.Columns = append(s.Columns, Column{Title: v, Metric: "mean-response", Case: moldable("hrf", "fcfs").with(map[string]string{knob: v, other: at})})
	}
	for _, how := range wuSelections {
		for _, load := range wuLoads {
			for _, x := range wuAllReadings {
				if x.of == "" || x.of == "hrf" {
					s.Rows = append(s.Rows, x.swept(load, how))
				}
			}
		}
	}
	return s
}

func (x *reading) swept(load, how called) Row {
	r := Row{Name: load.name + ", " + how.name + ": " + x.name}
	knobs := map[string]string{"select": how.value}
	maps.Copy(knobs, x.knobs)
	for _, source := range x.sources(wuSeeds, load.value) {
		r.Parts = append(r.Parts, Part{source, knobs})
	}
	return r
}

func (x *reading) sources(seeds int, between string) []Source {
	if x.jobs != nil {
		return wuSources(seeds, between, x.jobs)
	}
	return wuSources(seeds, between, wuJobs)
}
