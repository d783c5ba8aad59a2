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

// wuInterpretations lists the interpretations that the studies compare, the default first.
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

const interpretationText = "The row \"as it is\" is as in the other studies. In each other row, one knob of the policy or of the workload model is changed. "

// wuInterpretationStudy returns the study of the four allocations under every
// interpretation.
func wuInterpretationStudy() *Study {
	s := &Study{
		Name: "wu-readings", Title: "Four allocations under each interpretation", Paper: wuEtAl + "section 6.3",
		Text: interpretationText + "Mean turnaround over 10 workloads and nine pairs of alpha (0.5, 0.8, 1.1) and threshold (0.4, 0.7, 1.0). Fcfs and Bf are the selections FCFS and backfilling. " +
			"The ratios in the paper at middle load: HRF / SchFair 0.763, HRF / SbmFair 0.777, HRF / SbmGrdy 0.290 under FCFS; HRF Bf / Fcfs 0.564.",
	}
	selections := []namedValue{{"Fcfs", "fcfs"}, {"Bf", "easy"}}
	for _, selection := range selections {
		for _, x := range wuAllocations {
			s.Columns = append(s.Columns, Column{Title: x.name + selection.name + ", s", Metric: "mean-response", Case: moldableCase(x.value, selection.value)})
		}
	}
	for _, selection := range selections {
		s.Columns = append(s.Columns, wuRatios(selection.value, ", "+selection.name)...)
	}
	s.Columns = append(s.Columns, Column{Title: "HRF Bf / Fcfs", Metric: "mean-response", Case: moldableCase("hrf", "easy"), Base: moldableCase("hrf", "fcfs"), Comparison: Ratio, Digits: 3})
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

// wuInterpretationSweep returns the study of the turnaround of highest revenue first with every
// interpretation that affects it. Each column has another value of a knob. The knob other has the value
// fixed in all columns.
func wuInterpretationSweep(name, heading, figure, knob string, values []string, other, fixed string) *Study {
	s := &Study{Name: name, Title: heading, Paper: wuEtAl + figure,
		Text: interpretationText + "Mean turnaround of highest revenue first in seconds over 20 workloads, at each " + knob + "; " + other + " is " + fixed + "."}
	for _, v := range values {
		s.Columns = append(s.Columns, Column{Title: v, Metric: "mean-response", Case: moldableCase("hrf", "fcfs").withKnobs(map[string]string{knob: v, other: fixed})})
	}
	for _, selection := range wuSelections {
		for _, load := range wuLoads {
			for _, x := range wuInterpretations {
				if x.allocation == "" || x.allocation == "hrf" {
					s.Rows = append(s.Rows, x.row(load, selection))
				}
			}
		}
	}
	return s
}

// row returns the row of the interpretation for a load and a selection.
func (x *interpretation) row(load, selection namedValue) Row {
	r := Row{Name: load.name + ", " + selection.name + ": " + x.name}
	knobs := map[string]string{"select": selection.value}
	maps.Copy(knobs, x.knobs)
	for _, source := range x.sources(wuSeeds, load.value) {
		r.Parts = append(r.Parts, Part{source, knobs})
	}
	return r
}

// sources returns the workloads of the interpretation, with the seeds 1 to seeds and a mean time between
// arrivals in seconds.
func (x *interpretation) sources(seeds int, interarrival string) []Source {
	if x.jobs != nil {
		return wuSources(seeds, interarrival, x.jobs)
	}
	return wuSources(seeds, interarrival, wuJobs)
}
