package experiment

import "strings"

// These studies use fewer jobs, because full logs of all jobs would not fit in memory.
const formsJobs, formsCount = "10000", "10,000 jobs"

// zengGroups returns the study of the number and the size of groups.
func zengGroups() *Study {
	s := &Study{
		Name: "zeng-groups", Title: "Groups", Paper: zeng2009 + "sections 5.2 and 5.3",
		Text: zengText(zengCount, zengCompareSeeds, zengSeeds) + "The number of groups, the mean number of jobs per group including the primary job, and the share of the medium and long jobs that were in a group at any time. The thesis has about 1,500 groups of 2.5 jobs with 41.7 % of the jobs on W1. On W2, it has about 2,000 groups of 2.6 jobs, and 25 % more jobs in groups. The last row has the other interpretation of fairness: a group is unfair if any response is too long with it.",
	}
	var variants []namedValue
	for _, v := range zengVariants {
		if v.value != "ssp" {
			variants = append(variants, v)
		}
	}
	s.Rows = zengByVariant(variants)
	w1 := zengAlphas[0]
	s.Rows = append(s.Rows, zengRow(w1.name+" G-LOMARC-TS, unfair=any", w1.name, w1.value, zengCompareSeeds, map[string]string{"inner.variant": "glts", "inner.unfair": "any"}))
	for _, m := range []struct {
		namedValue
		digits int
	}{{namedValue{"groups", "groups"}, 0}, {namedValue{"jobs per group", "jobs-per-group"}, 2}, {namedValue{"share in groups", "grouped-jobs"}, 3}} {
		s.Columns = append(s.Columns, Column{Title: m.name, Metric: m.value, Case: anyVariant, Digits: m.digits})
	}
	return s
}

// zengForms returns the study of how many candidates there are for a group.
func zengForms() *Study {
	s := &Study{
		Name: "zeng-forms", Title: "Candidates for a group", Paper: zeng2009 + "section 5.3",
		Text: zengText(formsCount, zengSeeds, zengSeeds) + "How often a job is tried as the primary job of a group, and in what share of these tries fewer than four jobs or no jobs suit it. The thesis has fewer than four candidates in 85 % of the cases on W1. " +
			"The numbers come from the full logs of runs with fewer jobs.",
	}
	for _, c := range []namedValue{{"tries", groupAttempts}, {"fewer than 4 suit", fewCandidates}, {"none suits", noCandidates}} {
		full := *variantCase("glts")
		full.FullLog = true
		digits := 3
		if c.value == groupAttempts {
			digits = 0
		}
		s.Columns = append(s.Columns, Column{Title: c.name, Metric: c.value, Case: &full, Digits: digits})
	}
	for _, a := range zengAlphas {
		s.Rows = append(s.Rows, zengRowOf(zengSources(a.value, formsJobs, zengSeeds), a.name, a.name, nil))
	}
	return s
}

// zengInterpretationStudy returns the study of the points that the thesis leaves open.
func zengInterpretationStudy() *Study {
	s := &Study{
		Name: "zeng-readings", Title: "What the thesis leaves open", Paper: zeng2009 + "sections 4 and 5",
		Text:    zengText(zengCount, zengSeeds, 0) + zengRR + "Workload W1 with one interpretation changed per row, for all schedulers. The last column shows how much better the default is. On W1, the thesis has improvements of 34.9, 53.2 and 35.5 % over SSP for medium, long and all jobs, and for all jobs 13.9 % over CST and 23.2 % over CSTWS.",
		AsLines: true, Axis: "improvement, %",
	}
	for _, t := range zengTypes {
		s.Columns = append(s.Columns, Column{Title: t.name, Metric: t.value, Case: variantCase("glts"), Digits: 2})
	}
	improvement := func(name, base, title, metric string) Column {
		return Column{Title: "over " + name + ", " + title + ", %", Metric: metric, Case: variantCase("glts"), Base: variantCase(base), Comparison: Improvement, Digits: 2, Chart: title == "all"}
	}
	for _, t := range zengTypes {
		s.Columns = append(s.Columns, improvement("SSP", "ssp", t.name, t.value))
	}
	s.Columns = append(s.Columns, improvement("CST", "cst", "all", relative+tauSuffix), improvement("CSTWS", "cstws", "all", relative+tauSuffix))
	for _, m := range []struct {
		namedValue
		digits int
	}{{namedValue{"cores, high load", "high-load-utilization"}, 4}, {namedValue{"groups", "groups"}, 0}, {namedValue{"jobs per group", "jobs-per-group"}, 2}, {namedValue{"share in groups", "grouped-jobs"}, 3}} {
		s.Columns = append(s.Columns, Column{Title: m.name, Metric: m.value, Case: variantCase("glts"), Digits: m.digits})
	}
	s.Columns = append(s.Columns, Column{Title: "default better on all, %", Metric: relative + tauSuffix, Case: defaultCase(), Base: variantCase("glts"), Comparison: Improvement, Digits: 1})
	w1 := zengAlphas[0]
	s.Rows = append(s.Rows, zengRow("default", "", w1.value, zengSeeds, nil))
	for _, o := range zengInterpretations {
		name := strings.TrimPrefix(o.knob, "inner.") + "=" + o.value
		s.Rows = append(s.Rows, zengRow(name, "", w1.value, zengSeeds, map[string]string{o.knob: o.value}))
	}
	return s
}

// defaultCase returns G-LOMARC-TS with the default interpretations on every row.
func defaultCase() *Case {
	knobs := map[string]string{}
	for _, o := range zengInterpretations {
		knobs[o.knob] = o.defaultValue
	}
	return variantCase("glts").withKnobs(knobs)
}

// zengInterpretations lists the interpretations of the thesis other than the default. Each changes the
// value of one knob.
var zengInterpretations = []struct{ knob, value, defaultValue string }{
	{"inner.unfair", "any", "worsened"},
	{"inner.cst-compare-space", "false", "true"},
	{"inner.estimate-adjust", "1", "0.75"},
	{"inner.pack-alone", "false", "true"},
	{"inner.backfill-serial", "burst", "single"},
	{"non-type", "false", "true"},
}
