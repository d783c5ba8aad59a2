package experiment

import (
	"fmt"
	"maps"
	"strconv"

	"backfill-lab/core/workload/generator"
	"backfill-lab/core/workload/generator/registry"
)

const wuEtAl = "Wu et al. 2015, "

// namedValue is a value, such as the name of a metric or the value of a knob, with its name in a table.
type namedValue struct{ name, value string }

var (
	// wuLoads holds the mean time between arrivals in seconds for each load of section 6.
	wuLoads = []namedValue{{"light", "2000"}, {"middle", "1000"}, {"heavy", "600"}}
	// wuSelections holds the selections that section 6 compares.
	wuSelections = []namedValue{{"FCFS", "fcfs"}, {"backfilling", "easy"}}
	// wuAllocations holds the allocations that section 6 compares, under their names in the paper.
	wuAllocations = []namedValue{{"HRF", "hrf"}, {"SchFair", "schedule-fair"}, {"SbmFair", "submit-fair"}, {"SbmGrdy", "submit-greedy"}}
	// wuTimes holds the metrics of section 6: turnaround, wait and runtime.
	wuTimes = []namedValue{{"ATT", "mean-response"}, {"AWT", "mean-wait"}, {"ART", "mean-run"}}
)

// wuJobs holds the knobs of the workload model. The paper's generator is not available. We tried
// several models instead. The one with requests as on KTH-SP2 gives the turnaround times nearest to the
// published ones, see the study wu-readings.
var wuJobs = map[string]string{"length": "kth"}

const (
	wuSeeds     = 20 // number of workloads for each value of a sweep
	wuFewSeeds  = 10 // number of workloads for runs with many pairs of alpha and threshold
	wuWorkloads = "Generated jobs: 200 for 128 processors, lengths as on KTH-SP2. "
)

// wuStudies returns the studies of the evaluation in Wu et al. 2015, section 6.
func wuStudies() []*Study {
	return []*Study{
		wuSweep("wu-fig5", "Turnaround, wait and runtime over alpha", "Fig. 5", "alpha", tenths(5, 12), map[string]string{"threshold": "0.9"},
			"Highest revenue first with threshold 0.9. "+wuWorkloads+"Means over 20 workloads. In the paper, the wait (AWT) rises and the runtime (ART) falls with alpha. Under FCFS, the turnaround (ATT) is best at alpha 0.8, 0.7 "+
				"and the smallest alpha at light, middle and heavy load. With backfilling, a larger alpha is better at heavier load."),
		wuSweep("wu-fig6", "Turnaround, wait and runtime over the threshold", "Fig. 6", "threshold", tenths(1, 10), map[string]string{"alpha": "1"},
			"Highest revenue first with alpha 1. "+wuWorkloads+"Means over 20 workloads. In the paper, the turnaround (ATT) is unstable for thresholds below 0.3 and stable above."),
		wuSteps("wu-alpha-steps", "What a step of alpha changes", "Fig. 5", "wu-fig5", "alpha", tenths(5, 12), map[string]string{"threshold": "0.9"},
			map[string][][2]string{"light": {{"0.8", "0.5"}, {"1.2", "0.5"}}, "middle": {{"0.7", "0.5"}, {"1.2", "0.5"}}, "heavy": {{"1.2", "0.5"}}}),
		wuSteps("wu-threshold-steps", "What a step of the threshold changes", "Fig. 6", "wu-fig6", "threshold", tenths(1, 10), map[string]string{"alpha": "1"},
			map[string][][2]string{"light": {{"1.0", "0.3"}}, "middle": {{"1.0", "0.3"}}, "heavy": {{"1.0", "0.3"}}}),
		wuSchemes(),
		wuPaired(),
		wuClosest(),
		wuBackfilling(),
		wuInterpretationStudy(),
		wuInterpretationSweep("wu-readings-alpha", "Turnaround over alpha under each interpretation", "Fig. 5", "alpha", tenths(5, 12), "threshold", "0.9"),
		wuInterpretationSweep("wu-readings-threshold", "Turnaround over the threshold under each interpretation", "Fig. 6", "threshold", tenths(1, 10), "alpha", "1"),
	}
}

// wuSources returns workloads like those of section 6, with the seeds 1 to seeds. The mean time between
// arrivals is interarrival, in seconds. Jobs holds further knobs of the workload model.
func wuSources(seeds int, interarrival string, jobs map[string]string) (out []Source) {
	for seed := range seeds {
		knobs := map[string]string{"jobs": "200", generator.MeanInterarrival: interarrival}
		maps.Copy(knobs, jobs)
		out = append(out, &generated{registry.Order{Model: "cirne-like", Knobs: knobs, Procs: 128, Seed: int64(seed + 1)}})
	}
	return out
}

// tenths returns the decimal numbers from a/10 to b/10, such as "0.5", ..., "1.2".
func tenths(a, b int) (out []string) {
	for i := a; i <= b; i++ {
		out = append(out, strconv.FormatFloat(float64(i)/10, 'f', 1, 64))
	}
	return out
}

// moldableCase returns the policy for moldable jobs with an allocation and a selection.
func moldableCase(allocation, selection string) *Case {
	return &Case{Policy: "moldable", Knobs: map[string]string{"allocation": allocation, "select": selection}}
}

// wuSweep returns the study that varies a knob of highest revenue first. The figure has a line for each
// metric and selection. Fixed holds the other knobs.
func wuSweep(name, heading, figure, knob string, values []string, fixed map[string]string, text string) *Study {
	s := &Study{Name: name, Title: heading, Paper: wuEtAl + figure, Text: text, AsLines: true, Axis: "s"}
	for _, selection := range wuSelections {
		for _, t := range wuTimes {
			s.Columns = append(s.Columns, Column{Title: t.name + " " + selection.name + ", s", Metric: t.value, Case: moldableCase("hrf", selection.value).withKnobs(fixed), Chart: true})
		}
	}
	for _, load := range wuLoads {
		for _, v := range values {
			r := Row{Name: load.name + " " + v, Group: load.name}
			for _, source := range wuSources(wuSeeds, load.value, wuJobs) {
				r.Parts = append(r.Parts, Part{source, map[string]string{knob: v}})
			}
			s.Rows = append(s.Rows, r)
		}
	}
	return s
}

// wuSteps returns the study that compares each value of a knob with the next one, under highest revenue
// first. Further holds more pairs of values to compare, by load. Values are paired by the workloads of
// another study, which the text names.
func wuSteps(name, heading, figure, study, knob string, values []string, fixed map[string]string, further map[string][][2]string) *Study {
	s := &Study{Name: name, Title: heading, Paper: wuEtAl + figure,
		Text: "By how many percent turnaround (ATT), wait (AWT) and runtime (ART) under highest revenue first are longer at one " + knob + " than at another. " + wuWorkloads +
			"Paired over the 20 workloads of " + study + "."}
	for _, t := range wuTimes {
		s.Columns = append(s.Columns, Column{Title: t.name + ", %", Metric: t.value, Case: moldableCase("hrf", "fcfs").withKnobs(fixed), Digits: 1})
	}
	for _, selection := range wuSelections {
		for _, load := range wuLoads {
			partsAt := func(v string) (parts []Part) {
				for _, source := range wuSources(wuSeeds, load.value, wuJobs) {
					parts = append(parts, Part{source, map[string]string{knob: v, "select": selection.value}})
				}
				return parts
			}
			var pairs [][2]string
			for i := range values[1:] {
				pairs = append(pairs, [2]string{values[i+1], values[i]})
			}
			for _, v := range append(pairs, further[load.name]...) {
				s.Rows = append(s.Rows, Row{Name: fmt.Sprintf("%s, %s: %s over %s", load.name, selection.name, v[0], v[1]), Parts: partsAt(v[0]), Base: partsAt(v[1]), PairSeeds: true})
			}
		}
	}
	return s
}

// wuPaired returns the study that compares the allocations of wuSchemes in pairs.
func wuPaired() *Study {
	s := &Study{Name: "wu-paired", Title: "Allocations compared in pairs", Paper: wuEtAl + "section 6.3",
		Text: "The runs of wu-fig7, compared workload by workload. In the paper, HRF has the shortest turnaround (ATT), SchFair has a shorter one than SbmFair in most cases, and SbmGrdy has the shortest runtime (ART)."}
	compare := func(metric namedValue, allocation, base namedValue) {
		s.Columns = append(s.Columns, Column{Title: fmt.Sprintf("%s over %s, %s, %%", allocation.name, base.name, metric.name), Metric: metric.value,
			Case: moldableCase(allocation.value, "fcfs"), Base: moldableCase(base.value, "fcfs"), Comparison: Improvement, Digits: 1})
	}
	hrf, scheduled, submitted, greedy := wuAllocations[0], wuAllocations[1], wuAllocations[2], wuAllocations[3]
	for _, x := range wuAllocations[1:] {
		compare(wuTimes[0], hrf, x)
	}
	compare(wuTimes[0], scheduled, submitted)
	for _, x := range wuAllocations[1:3] {
		compare(wuTimes[0], x, greedy)
	}
	for _, x := range wuAllocations[:3] {
		compare(wuTimes[2], greedy, x)
	}
	s.Rows = wuSchemes().Rows
	return s
}

// wuClosest returns the study that repeats, on more workloads, the rows of wuSchemes in which HRF is
// closest to the next best allocation.
func wuClosest() *Study {
	s := &Study{Name: "wu-forty", Title: "The closest comparisons on 40 workloads", Paper: wuEtAl + "section 6.3",
		Text: wuWorkloads + "The three rows of wu-fig7 in which HRF is closest to another allocation, on 40 workloads instead of 10."}
	for _, x := range wuAllocations[:3] {
		s.Columns = append(s.Columns, Column{Title: x.name + " ATT, s", Metric: "mean-response", Case: moldableCase(x.value, "fcfs")})
	}
	for _, x := range wuAllocations[1:3] {
		s.Columns = append(s.Columns, Column{Title: "HRF over " + x.name + ", ATT, %", Metric: "mean-response", Case: moldableCase("hrf", "fcfs"), Base: moldableCase(x.value, "fcfs"), Comparison: Improvement, Digits: 1})
	}
	for _, x := range [][2]namedValue{{wuLoads[0], wuSelections[0]}, {wuLoads[0], wuSelections[1]}, {wuLoads[2], wuSelections[0]}} {
		load, selection := x[0], x[1]
		r := Row{Name: load.name + ", " + selection.name}
		for _, source := range wuSources(40, load.value, wuJobs) {
			r.Parts = append(r.Parts, partsByParameters(source, tenths(5, 12), tenths(4, 10), map[string]string{"select": selection.value})...)
		}
		s.Rows = append(s.Rows, r)
	}
	return s
}

// wuBackfilling returns the study of the improvement of backfilling over FCFS with each allocation.
func wuBackfilling() *Study {
	s := &Study{Name: "wu-backfilling", Title: "Backfilling against FCFS", Paper: wuEtAl + "section 6.3",
		Text: "The runs of wu-fig7: by how much backfilling shortens the turnaround (ATT). In the paper, it shortens it with every allocation. The numbers in the paper give 43.6 % for HRF at middle load."}
	for _, x := range wuAllocations {
		s.Columns = append(s.Columns, Column{Title: x.name + ", %", Metric: "mean-response", Case: moldableCase(x.value, "easy"), Base: moldableCase(x.value, "fcfs"), Comparison: Improvement, Digits: 1})
	}
	for _, load := range wuLoads {
		r := Row{Name: load.name}
		for _, source := range wuSources(wuFewSeeds, load.value, wuJobs) {
			r.Parts = append(r.Parts, partsByParameters(source, tenths(5, 12), tenths(4, 10), nil)...)
		}
		s.Rows = append(s.Rows, r)
	}
	return s
}

// wuSchemes returns the study that compares the allocations. Values are means over several values of
// alpha and threshold. Each row sets the selection.
func wuSchemes() *Study {
	s := &Study{
		Name: "wu-fig7", Title: "Four allocations under two selections", Paper: wuEtAl + "Fig. 7", Axis: "mean turnaround time, s",
		Text: wuWorkloads + "Means over 10 workloads and 56 pairs of alpha (0.5 to 1.2) and threshold (0.4 to 1.0). In the paper, HRF has the shortest turnaround (ATT) with each selection at every load. " +
			"The greedy allocation has the shortest runtime (ART) and the longest turnaround. The paper gives the ATT at middle load: 23,617, 30,935, 30,400 and 81,444 s under FCFS, 13,309 s for HRF with backfilling.",
	}
	for _, t := range wuTimes {
		for _, x := range wuAllocations {
			s.Columns = append(s.Columns, Column{Title: x.name + " " + t.name + ", s", Metric: t.value, Case: moldableCase(x.value, "fcfs"), Chart: t.name == "ATT"})
		}
	}
	s.Columns = append(s.Columns, wuRatios("fcfs", "")...)
	for _, load := range wuLoads {
		for _, selection := range wuSelections {
			r := Row{Name: load.name + ", " + selection.name}
			for _, source := range wuSources(wuFewSeeds, load.value, wuJobs) {
				r.Parts = append(r.Parts, partsByParameters(source, tenths(5, 12), tenths(4, 10), map[string]string{"select": selection.value})...)
			}
			s.Rows = append(s.Rows, r)
		}
	}
	return s
}

// wuRatios returns a column for each other allocation: the turnaround of HRF divided by the turnaround of
// that allocation.
func wuRatios(selection, suffix string) (out []Column) {
	for _, x := range wuAllocations[1:] {
		out = append(out, Column{Title: "HRF / " + x.name + suffix, Metric: "mean-response", Case: moldableCase("hrf", selection), Base: moldableCase(x.value, selection), Comparison: Ratio, Digits: 3})
	}
	return out
}

// partsByParameters returns a part for each pair of alpha and threshold, all with the same workload.
func partsByParameters(source Source, alphas, thresholds []string, knobs map[string]string) (out []Part) {
	for _, alpha := range alphas {
		for _, threshold := range thresholds {
			merged := map[string]string{"alpha": alpha, "threshold": threshold}
			maps.Copy(merged, knobs)
			out = append(out, Part{source, merged})
		}
	}
	return out
}
