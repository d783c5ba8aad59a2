package experiment

import "fmt"

// zengComposition returns the study of the composition of the workloads.
func zengComposition() *Study {
	s := &Study{
		Name: "zeng-mix", Title: "What the workloads are made of", Paper: zeng2009 + "section 5.1",
		Text: zengText(zengCount, zengCompareSeeds, zengSeeds) + "The load is the node-seconds of all jobs alone, with as many processes on a node as formula 11 gives them, by what the machine can do until the last submission. " +
			"The thesis has 64, 19.5 and 16.5 % short, medium and long jobs. " + zengRR + "Those of space sharing (SSP) are 17.5, 36.74 and 10.65 on W2 in the thesis.",
	}
	for _, a := range zengAlphas {
		s.Rows = append(s.Rows, zengRow(a.name, a.name, a.value, compareSeeds(a.value), nil))
		for i, source := range zengSources(a.value, zengJobs, compareSeeds(a.value)) {
			s.Rows = append(s.Rows, zengRowOf([]Source{source}, fmt.Sprintf("%s, seed %d", a.name, i+1), a.name, nil))
		}
	}
	for _, c := range []named{
		{"load, %", "load"}, {"short, %", "short"}, {"medium, %", "medium"}, {"long, %", "long"},
		{"work of short, %", "work-short"}, {"of medium, %", "work-medium"}, {"of long, %", "work-long"}, {"serial, %", "serial"}, {"powers of two, %", "powers"},
	} {
		s.Columns = append(s.Columns, Column{Title: c.name, Metric: c.value, Comparison: WorkloadFact, Digits: 1})
	}
	s.Columns = append(s.Columns, Column{Title: "jobs finished", Metric: "jobs", Case: variant("ssp")})
	for _, t := range zengTypes {
		s.Columns = append(s.Columns, Column{Title: "SSP, RR " + t.name, Metric: t.value, Case: variant("ssp"), Digits: 2})
	}
	return s
}

// zengResponse returns the study that compares the variants by relative response.
func zengResponse() *Study {
	s := &Study{
		Name: "zeng-fig13", Title: "Relative response of the schedulers", Paper: zeng2009 + "Fig. 13",
		Text: zengText(zengCount, zengCompareSeeds, zengSeeds) + zengRR + "By how much G-LOMARC-TS is better than the scheduler of the row: the thesis has 34.9, 53.2 and 35.5 % over SSP for medium, long and all jobs, 19.4, 16.1 and 13.9 % over CST, 28.6, 31.5 and 23.2 % over CSTWS, on W1. " +
			"On W2 it has 17.5, 36.74 and 10.65 for SSP.",
		Rows: zengByVariant(zengVariants), Axis: "relative response time",
	}
	for _, t := range zengTypes {
		s.Columns = append(s.Columns, Column{Title: t.name, Metric: t.value, Case: anyVariant, Digits: 2, Chart: true})
	}
	s.Columns = append(s.Columns, Column{Title: "short", Metric: relative + "-short" + tauSuffix, Case: anyVariant, Digits: 2})
	for _, t := range zengTypes {
		s.Columns = append(s.Columns, Column{Title: "better on " + t.name + ", %", Metric: t.value, Case: variant("glts"), Base: anyVariant, Comparison: Improvement, Digits: 2})
	}
	for _, v := range []named{zengVariants[1], zengVariants[2]} {
		s.Columns = append(s.Columns, Column{Title: v.name + " better on all, %", Metric: relative + tauSuffix, Case: variant(v.value), Base: anyVariant, Comparison: Improvement, Digits: 2})
	}
	s.Columns = append(s.Columns,
		Column{Title: "mean queue", Metric: "mean-queue-length", Case: anyVariant, Digits: 1},
		Column{Title: "makespan, s", Metric: "makespan", Case: anyVariant})
	return s
}

// zengUtilization returns the study that compares the variants by the utilization of cores
// and nodes.
func zengUtilization() *Study {
	s := &Study{
		Name: "zeng-fig14", Title: "Cores in use", Paper: zeng2009 + "Fig. 14",
		Text: zengText(zengCount, zengCompareSeeds, zengSeeds) + "Utilization of cores and nodes, overall and in phases of high load, in which 12 jobs or more wait. In these G-LOMARC-TS is to use 26.8 % more cores than SSP, 6.0 % more than CST and 10.1 % more than CSTWS, on W1; overall all are to be equal. " +
			"The last columns are the cores in use under G-LOMARC-TS by those of the row.",
		Rows: zengByVariant(zengVariants), Axis: "utilization of cores",
	}
	for _, m := range []named{{"cores, high load", "high-load-utilization"}, {"cores, overall", "utilization"}} {
		s.Columns = append(s.Columns, Column{Title: m.name, Metric: m.value, Case: anyVariant, Digits: 4, Chart: true})
	}
	for _, m := range []named{{"nodes, high load", "high-load-node-utilization"}, {"nodes, overall", "node-utilization"}} {
		s.Columns = append(s.Columns, Column{Title: m.name, Metric: m.value, Case: anyVariant, Digits: 4})
	}
	s.Columns = append(s.Columns,
		Column{Title: "high load, s", Metric: "high-load-length", Case: anyVariant},
		Column{Title: "G-LOMARC-TS by row, high load", Metric: "high-load-utilization", Case: variant("glts"), Base: anyVariant, Comparison: Ratio, Digits: 3},
		Column{Title: "G-LOMARC-TS by row, overall", Metric: "utilization", Case: variant("glts"), Base: anyVariant, Comparison: Ratio, Digits: 3})
	return s
}

// zengBlocks returns the study that varies the block size.
func zengBlocks() *Study {
	s := &Study{
		Name: "zeng-fig15", Title: "Block size", Paper: zeng2009 + "Fig. 15",
		Text:  zengText(zengCount, 0, zengBlockSeeds) + zengRR + "W2. A block size of 12 is to be best; FBO, which looks at the first block alone, is to be poor where blocks are small; NH has no blocks.",
		Lines: true, Axis: "relative response time",
	}
	for _, v := range []named{zengVariants[0], zengVariants[4]} {
		for _, t := range zengTypes {
			s.Columns = append(s.Columns, Column{Title: v.name + ", " + t.name, Metric: t.value, Case: variant(v.value), Digits: 2, Chart: true})
		}
	}
	nh := variant("nh").with(map[string]string{"inner.block-size": "16"})
	for _, t := range zengTypes {
		s.Columns = append(s.Columns, Column{Title: "NH, " + t.name, Metric: t.value, Case: nh, Digits: 2})
	}
	better := func(title string, c, base *Case) Column {
		return Column{Title: title + ", %", Metric: relative + tauSuffix, Case: c, Base: base, Comparison: Improvement, Digits: 1}
	}
	twelve := variant("glts").with(map[string]string{"inner.block-size": "12"})
	s.Columns = append(s.Columns, better("12 better than the row on all", twelve, variant("glts")),
		better("G-LOMARC-TS better than FBO on all", variant("glts"), variant("fbo")))
	for _, size := range []string{"4", "8", "12", "16", "32"} {
		s.Rows = append(s.Rows, zengRow(size, "", zengAlphas[1].value, zengBlockSeeds, map[string]string{"inner.block-size": size}))
	}
	return s
}

// zengSlack returns the study that varies the unfairness limit.
func zengSlack() *Study {
	s := &Study{
		Name: "zeng-fig16", Title: "Slack", Paper: zeng2009 + "Fig. 16",
		Text:  zengText(zengCount, zengSeeds, 0) + zengRR + "W1. G-LOMARC-TS with other values of F_slack, the most by which any response may be above its estimate. The effect is to end at 1.5.",
		Lines: true, Axis: "relative response time",
	}
	for _, t := range zengTypes {
		s.Columns = append(s.Columns, Column{Title: t.name, Metric: t.value, Case: variant("glts"), Digits: 2, Chart: true})
	}
	s.Columns = append(s.Columns, Column{Title: "cores, high load", Metric: "high-load-utilization", Case: variant("glts"), Digits: 4}, Column{Title: "groups", Metric: "groups", Case: variant("glts")})
	base := variant("glts").with(map[string]string{"inner.slack": "1.5"})
	s.Columns = append(s.Columns, Column{Title: "1.5 better than the row on all, %", Metric: relative + tauSuffix, Case: base, Base: variant("glts"), Comparison: Improvement, Digits: 1})
	for _, slack := range []string{"1", "1.25", "1.5", "1.75", "2", "2.5"} {
		s.Rows = append(s.Rows, zengRow(slack, "", zengAlphas[0].value, zengSeeds, map[string]string{"inner.slack": slack}))
	}
	return s
}
