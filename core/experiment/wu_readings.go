package experiment

import "maps"

// interpretation is one way to resolve a point that the paper leaves open.
type interpretation struct {
	name       string
	knobs      map[string]string // knobs of the policy
	jobs       map[string]string // knobs of the workload model, instead of wuJobs
	allocation string            // the only allocation that the interpretation affects, or "" for all
}

// withKnob returns the interpretation that sets a knob of the policy.
func withKnob(allocation, knob, value string) interpretation {
	return interpretation{name: knob + "=" + value, knobs: map[string]string{knob: value}, allocation: allocation}
}

var wuInterpretations = []interpretation{
	{name: "as it is"},
	withKnob("hrf", "budget-includes-initial", "true"),
	withKnob("hrf", "realloc", "start"),
	withKnob("hrf", "stop-at-zero", "false"),
	withKnob("submit-fair", "fair-population", "queued"),
	withKnob("submit-greedy", "greedy", "turnaround"),
	{name: "length=log-normal", jobs: map[string]string{"length": "log-normal"}},
	{name: "length=ctc", jobs: map[string]string{"length": "ctc"}},
	{name: "length=sdsc", jobs: map[string]string{"length": "sdsc"}},
	{name: "cycle=kth", jobs: map[string]string{"length": "kth", "cycle": "kth"}},
	{name: "sigma 0", jobs: map[string]string{"length": "kth", "sigma-max": "0"}},
	{name: "sigma 0, A to 1000", jobs: map[string]string{"length": "kth", "sigma-max": "0", "max-parallelism": "1000"}},
}

const interpretationText = "Rows: as in the other studies, or with one knob of the policy or of the workload model changed. "

// wuInterpretationStudy returns the study of the four allocations under every
// interpretation.
func wuInterpretationStudy() *Study {
	s := &Study{
		Name: "wu-readings", Title: "Four allocations under each reading", Paper: wuEtAl + "section 6.3",
		Text: interpretationText + "Mean turnaround over 10 workloads and nine pairs of alpha (0.5, 0.8, 1.1) and threshold (0.4, 0.7, 1.0). Fcfs and Bf: the selection. " +
			"The paper prints for middle load: HRF / SchFair 0.763, HRF / SbmFair 0.777, HRF / SbmGrdy 0.290 under FCFS; HRF Bf / Fcfs 0.564.",
	}
	selections := []named{{"Fcfs", "fcfs"}, {"Bf", "easy"}}
	for _, how := range selections {
		for _, x := range wuAllocations {
			s.Columns = append(s.Columns, Column{Title: x.name + how.name + ", s", Metric: "mean-response", Case: moldable(x.value, how.value)})
		}
	}
	for _, how := range selections {
		s.Columns = append(s.Columns, wuRatios(how.value, ", "+how.name)...)
	}
	s.Columns = append(s.Columns, Column{Title: "HRF Bf / Fcfs", Metric: "mean-response", Case: moldable("hrf", "easy"), Base: moldable("hrf", "fcfs"), Comparison: Ratio, Digits: 3})
	for _, load := range wuLoads {
		for _, x := range wuInterpretations {
			r := Row{Name: load.name + ": " + x.name}
			for _, source := range x.sources(wuFewSeeds, load.value) {
				r.Parts = append(r.Parts, partsByParameters(source, []string{"0.5", "0.8", "1.1"}, []string{"0.4", "0.7", "1.0"}, x.knobs)...)
			}
			s.Rows = append(s.Rows, r)
		}
	}
	return s
}

// wuInterpretationSweep returns the study of the turnaround of highest revenue first, under every
// interpretation that affects it. It has a column for each value of a knob; the knob other has a
// fixed value.
func wuInterpretationSweep(name, heading, figure, knob string, values []string, other, fixed string) *Study {
	s := &Study{Name: name, Title: heading, Paper: wuEtAl + figure,
		Text: interpretationText + "Mean turnaround of highest revenue first in seconds over 20 workloads, at each " + knob + "; " + other + " is " + fixed + "."}
	for _, v := range values {
		s.Columns = append(s.Columns, Column{Title: v, Metric: "mean-response", Case: moldable("hrf", "fcfs").with(map[string]string{knob: v, other: fixed})})
	}
	for _, how := range wuSelections {
		for _, load := range wuLoads {
			for _, x := range wuInterpretations {
				if x.allocation == "" || x.allocation == "hrf" {
					s.Rows = append(s.Rows, x.row(load, how))
				}
			}
		}
	}
	return s
}

// row returns the row of the interpretation for a load and a selection.
func (x *interpretation) row(load, how named) Row {
	r := Row{Name: load.name + ", " + how.name + ": " + x.name}
	knobs := map[string]string{"select": how.value}
	maps.Copy(knobs, x.knobs)
	for _, source := range x.sources(wuSeeds, load.value) {
		r.Parts = append(r.Parts, Part{source, knobs})
	}
	return r
}

// sources returns the workloads of the interpretation.
func (x *interpretation) sources(seeds int, between string) []Source {
	if x.jobs != nil {
		return wuSources(seeds, between, x.jobs)
	}
	return wuSources(seeds, between, wuJobs)
}
