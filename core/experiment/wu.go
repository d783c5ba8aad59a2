package experiment

import (
	"fmt"
	"strconv"

	"backfill-lab/core/workload/generator"
	"backfill-lab/core/workload/generator/registry"
)

const wuEtAl = "Wu et al. 2015, "

// wuLoads is the loads of section 6 by their mean times between arrivals, in
// seconds.
var wuLoads = []struct{ name, between string }{{"light", "2000"}, {"middle", "1000"}, {"heavy", "600"}}

// wuSelections is the ways to start jobs that section 6 compares.
var wuSelections = []struct{ name, knob string }{{"FCFS", "fcfs"}, {"backfilling", "easy"}}

// wuSizers is the allocations that section 6 compares, as it calls them.
var wuSizers = []struct{ name, knob string }{
	{"HRF", "hrf"}, {"SchFair", "schedule-fair"}, {"SbmFair", "submit-fair"}, {"SbmGrdy", "submit-greedy"},
}

// wuTimes is what section 6 measures.
var wuTimes = []struct{ name, metric string }{{"ATT", "mean-response"}, {"AWT", "mean-wait"}, {"ART", "mean-run"}}

// wu is the evaluation of Wu et al. 2015, section 6.
func wu() []*Study {
	return []*Study{
		wuSweep("wu-fig5", "Turnaround, wait and runtime over alpha", "Fig. 5", "alpha", tenths(5, 12), map[string]string{"threshold": "0.9"},
			"Highest revenue first with threshold 0.9, at three loads. With alpha the wait is to rise and the runtime to fall. Under FCFS the best turnaround is to lie at alpha 0.8, 0.7 and the smallest "+
				"(light, middle, heavy load); with backfilling a larger alpha is to be better under heavier load. Means over 20 workloads of 200 jobs each."),
		wuSweep("wu-fig6", "Turnaround, wait and runtime over the threshold", "Fig. 6", "threshold", tenths(1, 10), map[string]string{"alpha": "1"},
			"Highest revenue first with alpha 1, at three loads. The turnaround is to be unstable for thresholds below 0.3 and stable above. Means over 20 workloads of 200 jobs each."),
		wuSchemes(),
	}
}

// wuSources is workloads of 200 jobs for 128 processors, as in section 6, from
// the stand-in for their generator, with seeds from 1 on.
func wuSources(seeds int, between string, knobs map[string]string) (out []Source) {
	for seed := range seeds {
		set := map[string]string{"jobs": "200", generator.Between: between}
		for k, v := range knobs {
			set[k] = v
		}
		out = append(out, &generated{registry.Order{Model: "cirne-like", Knobs: set, Procs: 128, Seed: int64(seed + 1)}})
	}
	return out
}

// tenths is the tenths from a to b: "0.5", ... "1.2".
func tenths(a, b int) (out []string) {
	for i := a; i <= b; i++ {
		out = append(out, strconv.FormatFloat(float64(i)/10, 'f', 1, 64))
	}
	return out
}

// moldable is the case of an allocation and a selection.
func moldable(allocation, how string) *Case {
	return &Case{Policy: "moldable", Knobs: map[string]string{"allocation": allocation, "select": how}}
}

// wuSweep is a knob of highest revenue first at several values, a line a metric
// and selection.
func wuSweep(name, heading, figure, knob string, values []string, fixed map[string]string, text string) *Study {
	s := &Study{Name: name, Title: heading, Paper: wuEtAl + figure, Text: text, Lines: true, Axis: "s"}
	for _, how := range wuSelections {
		for _, t := range wuTimes {
			s.Columns = append(s.Columns, Column{Title: t.name + " " + how.name + ", s", Metric: t.metric, Case: moldable("hrf", how.knob).with(fixed), Chart: true})
		}
	}
	for _, load := range wuLoads {
		for _, v := range values {
			r := Row{Name: fmt.Sprintf("%s %s", load.name, v), Group: load.name}
			for _, source := range wuSources(20, load.between, nil) {
				r.Parts = append(r.Parts, Part{source, map[string]string{knob: v}})
			}
			s.Rows = append(s.Rows, r)
		}
	}
	return s
}

// wuSchemes compares the allocations, in the mean over alpha and threshold.
func wuSchemes() *Study {
	s := &Study{
		Name: "wu-fig7", Title: "Four allocations under two selections", Paper: wuEtAl + "Fig. 7", Axis: "mean turnaround time, s",
		Text: "Means over 56 pairs (alpha 0.5 to 1.2, threshold 0.4 to 1.0) and 10 workloads of 200 jobs each. HRF is to have the least turnaround (ATT) within each selection at every load, " +
			"the greedy one the least runtime (ART) and the most turnaround. Middle load, FCFS, paper: HRF 23,617 s, SchFair 30,935, SbmFair 30,400, SbmGrdy 81,444; HRF with backfilling 13,309.",
	}
	s.Columns = wuCompared(wuTimes...)
	for _, load := range wuLoads {
		for _, how := range wuSelections {
			r := Row{Name: load.name + ", " + how.name}
			for _, source := range wuSources(10, load.between, nil) {
				r.Parts = append(r.Parts, wuPairs(source, tenths(5, 12), tenths(4, 10), map[string]string{"select": how.knob})...)
			}
			s.Rows = append(s.Rows, r)
		}
	}
	return s
}

// wuCompared is columns for each allocation and, by turnaround, HRF as a part of
// the others; the selection is that of the row.
func wuCompared(times ...struct{ name, metric string }) (out []Column) {
	of := func(sizer string) *Case { return moldable(sizer, "fcfs") }
	for _, t := range times {
		for _, x := range wuSizers {
			out = append(out, Column{Title: x.name + " " + t.name + ", s", Metric: t.metric, Case: of(x.knob), Chart: t.name == "ATT"})
		}
	}
	for _, x := range wuSizers[1:] {
		out = append(out, Column{Title: "HRF / " + x.name, Metric: "mean-response", Case: of("hrf"), Base: of(x.knob), How: Ratio, Digits: 3})
	}
	return out
}

// wuPairs is a workload under each pair of alpha and threshold.
func wuPairs(source Source, alphas, thresholds []string, knobs map[string]string) (out []Part) {
	for _, alpha := range alphas {
		for _, threshold := range thresholds {
			set := map[string]string{"alpha": alpha, "threshold": threshold}
			for k, v := range knobs {
				set[k] = v
			}
			out = append(out, Part{source, set})
		}
	}
	return out
}
