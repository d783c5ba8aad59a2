package claims

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"backfill-lab/core/cluster"
	"backfill-lab/core/exact"
	"backfill-lab/core/job"
	"backfill-lab/core/metrics"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/fairslack"
	"backfill-lab/core/policy/glomarc/gain"
	"backfill-lab/core/policy/pick"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/schedule"
	"backfill-lab/core/slowdown"
	"backfill-lab/core/stats"
)

// calculations maps the name of a calculation to a function that evaluates formulas of a paper.
var calculations = map[string]func() ([]float64, error){
	"slack-factor":  slackFactor,
	"slack-grows":   slackAfterWaits,
	"unfairness":    unfairness,
	"balance":       balance,
	"group-gain":    nodeSecondsAlone,
	"slowdown-bins": maxBinDifference,
	"grown-sizes":   grownSizes,
	"convex":        countIncreases,
	"overhead":      sliceOverhead,
}

// checkCalculation compares the values of a calculation with the values in the paper. It first
// rounds our values to p.Digits decimal places, or to whole numbers if p.Digits is nil.
func (p *Part) checkCalculation() (Finding, error) {
	calculate := calculations[p.Calculation]
	if calculate == nil {
		return Finding{}, fmt.Errorf("calculation: expected one of %s, got %q", join(slices.Sorted(maps.Keys(calculations))), p.Calculation)
	}
	values, err := calculate()
	if err == nil {
		err = p.Rule.check(len(values))
	}
	if err != nil {
		return Finding{}, fmt.Errorf("calculation %s: %w", p.Calculation, err)
	}
	digits := 0
	if p.Digits != nil {
		digits = *p.Digits
	}
	verdicts, scale := make([]Verdict, len(values)), exact.Pow(10, float64(digits))
	for i, x := range values {
		v := stats.Interval{N: 1, Mean: math.Round(x*scale) / scale, Low: math.NaN(), High: math.NaN()}
		verdicts[i] = p.Rule.judge(v, i)
		values[i] = v.Mean
	}
	expected := p.Rule.expectedTexts()
	if p.Rule.Agrees != nil { // the paper gives a number for each of our values
		expected = numbersText(p.Rule.Agrees, digits)
	}
	return Finding{p.Label, numbersText(values, digits), expected, stats.Interval{}, combine(verdicts)}, nil
}

// numbersText formats numbers with the given decimal places and joins them with commas.
func numbersText(values []float64, digits int) string {
	var out []string
	for _, x := range values {
		out = append(out, strconv.FormatFloat(x, 'f', digits, 64))
	}
	return join(out)
}

// slackFactor returns the slack factors at expected waits of 5,000, 65,000 and 125,000 s (Jin 2009,
// figure 6).
func slackFactor() (out []float64, err error) {
	v, err := fairslack.Spec.Settings(nil)
	if err != nil {
		return nil, err
	}
	slack := fairslack.Slack(v)
	for _, wait := range []job.Time{5000, 65000, 125000} {
		out = append(out, slack.Factor(wait, 1000))
	}
	return out, nil
}

// slackAfterWaits returns the slack factor of a job with an expected wait of 1000 s, after it has waited
// 0, 500 and 1000 s (Jin 2009, formulas 6 and 7).
func slackAfterWaits() (out []float64, err error) {
	v, err := fairslack.Spec.Settings(nil)
	if err != nil {
		return nil, err
	}
	slack := fairslack.Slack(v)
	for _, waited := range []job.Time{0, 500, 1000} {
		out = append(out, slack.CurrentFactor(waited, 1000, 1000))
	}
	return out, nil
}

// unfairness returns the unfairness of a schedule of four jobs, one of which starts 120 s after its
// fair start (Jin 2009, formulas 3 and 4).
func unfairness() ([]float64, error) {
	s := &schedule.Schedule{}
	for i, delay := range []job.Time{0, 0, 0, 120} {
		r := schedule.Row{ID: fmt.Sprint(i), Submit: job.Time(i), Start: 200, Finish: 210, Procs: 1, Runtime: 10, Estimate: 10, Promised: job.Never}
		r.Fair = r.Start - delay
		s.Rows = append(s.Rows, r)
	}
	return []float64{metrics.Find(metrics.Compute(s, cluster.Flat(4), metrics.Default), "unfairness").Number}, nil
}

// balance returns the balances of the jobs X, Y and Z in the lesson leinberger-balance (Leinberger et al. 1999,
// section 2.2). The balance of a job says how unevenly the resources would be used if it ran together with job R.
func balance() (out []float64, err error) {
	m := cluster.Flat(10)
	m.Resources = []cluster.Resource{{Name: "memory", Capacity: 10}}
	used := pick.SharesInUse(&m, &policy.Capacity{Procs: 4, Extra: []int64{8}}) // this capacity is free while job R runs
	for _, d := range [][2]int64{{4, 2}, {1, 5}, {2, 3}} {
		b, _ := pick.Balance(used, pick.AppendShares(nil, &m, job.Demand{Procs: int(d[0]), Extra: []int64{d[1]}}))
		out = append(out, b)
	}
	return out, nil
}

// nodeSecondsAlone returns the node-seconds that a group of jobs would use without node sharing. As
// in Zeng 2009, figure 11, the jobs have 8, 4 and 4 processes. While the group runs, they complete
// 3000, 3000 and 1500 s of work.
func nodeSecondsAlone() ([]float64, error) {
	g := gain.Group{Primary: gain.Job{Procs: 8, PerNode: 2, Nos: 1, Left: 4000}, Matched: []gain.Member{
		{Job: gain.Job{Procs: 4, PerNode: 2, Nos: 1, Left: 3000}, Causes: 1.2, Suffers: 1.2},
		{Job: gain.Job{Procs: 4, PerNode: 2, Nos: 1, Left: 1500}, Causes: 1.1, Suffers: 1.0},
	}}
	return []float64{g.Gain().Alone}, nil
}

// maxBinDifference compares package slowdown with the measurements in tables 2 and 3 of Zeng 2009
// (section 4.10). The tables list 24 values of SL_crs and 8 of SL_nos, two slowdowns that a job's
// own processes cause. For each bin (range of slowdowns), the function compares the percentage of
// the values in the tables with the percentage in the package. It returns the largest difference.
// Like Zeng 2009, it first moves 5 % of the values of SL_nos from bin 1.0 to bin 1.2.
func maxBinDifference() ([]float64, error) {
	crs, nos := [9]float64{0, 6, 4, 4, 3, 4, 2, 1, 0}, [9]float64{2, 4, 1, 0, 1}
	moved := [9]float64{0, -5, 0, 5, 0, 0, 0, 0, 0}
	most := 0.0
	for k := range crs {
		most = max(most, math.Abs(100*crs[k]/24-float64(slowdown.Crs[k])), math.Abs(100*nos[k]/8+moved[k]-float64(slowdown.Nos[k])))
	}
	return []float64{most}, nil
}

// grownSizes applies two formulas of Zeng 2009 to three jobs of 8 processes, which move from single-core
// nodes to nodes of 4 cores. The first three values are the new sizes of the jobs, in processes (formula 7).
// The last three are the numbers of processes per node for jobs of these sizes (formula 11).
func grownSizes() (out []float64, err error) {
	jobs := [][2]float64{{1, 1.1}, {1.05, 1.4}, {1.35, 1.3}} // SL_nos and SL_crs
	for _, j := range jobs {
		out = append(out, float64(slowdown.GrownSize(8, j[0], j[1], 128, 4)))
	}
	for i, j := range jobs {
		out = append(out, float64(slowdown.ThesisLimits.ProcsPerNode(int(out[i]), j[0], j[1], 4)))
	}
	return out, nil
}

// countIncreases counts the cases in which an additional processor lengthens the runtime of a job,
// or saves more time than the previous additional processor. It tries Downey's speedups with average
// parallelism A from 1 to 100 and variation sigma from 0 to 2, on up to 300 processors.
func countIncreases() ([]float64, error) {
	rises := 0.0
	for a := 1.0; a < 100; a *= 1.3 {
		for sigma := 0.0; sigma <= 2; sigma += 0.1 {
			s := &job.Speedup{L: 30000, A: a, Sigma: sigma}
			last := s.L
			for n := 1; n < 300; n++ {
				saved := s.Runtime(n) - s.Runtime(n+1)
				if saved < -1e-9 || saved > last+1e-7 {
					rises++
				}
				last = saved
			}
		}
	}
	return []float64{rises}, nil
}

// sliceOverhead returns the percentage of each hour that the machine loses by switching slices
// three times, at 60 s per switch.
func sliceOverhead() ([]float64, error) {
	spec, err := registry.Find("scojo-pect")
	if err != nil {
		return nil, err
	}
	v, err := spec.Settings(map[string]string{"overhead": "60"})
	if err != nil {
		return nil, err
	}
	return []float64{100 * float64(len(metrics.Types)*v.Int("overhead")) / float64(v.Int("interval"))}, nil
}
