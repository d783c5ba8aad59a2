package experiment

import "fmt"

// zengComposition returns the study of the composition of the workloads.
func zengComposition() *Study {
	s := &Study{
		Name: "zeng-mix", Title: "What the workloads are made of", Paper: zeng2009 + "section 5.1",
		Text: zengText(zengCount, zengCompareSeeds, zengSeeds) + "The load is the node-seconds of all jobs divided by the capacity of the machine until the last submission. The node-seconds are those of a job that shares no nodes, with the processes per node of formula 11. " +
			"The thesis has 64, 19.5 and 16.5 % short, medium and long jobs. " + zengRR + "In the thesis, the RR of space sharing (SSP) on W2 are 17.5, 36.74 and 10.65.",
	}
	for _, a := range zengAlphas {
		s.Rows = append(s.Rows, zengRow(a.name, a.name, a.value, compareSeeds(a.value), nil))
		for i, source := range zengSources(a.value, zengJobs, compareSeeds(a.value)) {
			s.Rows = append(s.Rows, zengRowOf([]Source{source}, fmt.Sprintf("%s, seed %d", a.name, i+1), a.name, nil))
		}
	}
	for _, c := range []namedValue{
		{"load, %", "load"}, {"short, %", "short"}, {"medium, %", "medium"}, {"long, %", "long"},
		{"work of short, %", "work-short"}, {"of medium, %", "work-medium"}, {"of long, %", "work-long"}, {"serial, %", "serial"}, {"powers of two, %", "powers"},
	} {
		s.Columns = append(s.Columns, Column{Title: c.name, Metric: c.value, Comparison: WorkloadFact, Digits: 1})
	}
	s.Columns = append(s.Columns, Column{Title: "jobs finished", Metric: "jobs", Case: variantCase("ssp")})
	for _, t := range zengTypes {
		s.Columns = append(s.Columns, Column{Title: "SSP, RR " + t.name, Metric: t.value, Case: variantCase("ssp"), Digits: 2})
	}
	return s
}

// zengResponse returns the study that compares the variants by relative response.
func zengResponse() *Study {
	s := &Study{
		Name: "zeng-fig13", Title: "Relative response of the schedulers", Paper: zeng2009 + "Fig. 13",
		Text: zengText(zengCount, zengCompareSeeds, zengSeeds) + zengRR + "The table shows by how much G-LOMARC-TS is better than the scheduler of the row. On W1, the thesis has improvements of 34.9, 53.2 and 35.5 % over SSP for medium, long and all jobs, 19.4, 16.1 and 13.9 % over CST, and 28.6, 31.5 and 23.2 % over CSTWS. " +
			"On W2, it has RR of 17.5, 36.74 and 10.65 for SSP.",
		Rows: zengByVariant(zengVariants), Axis: "relative response time",
	}
	for _, t := range zengTypes {
		s.Columns = append(s.Columns, Column{Title: t.name, Metric: t.value, Case: anyVariant, Digits: 2, Chart: true})
	}
	s.Columns = append(s.Columns, Column{Title: "short", Metric: relative + "-short" + tauSuffix, Case: anyVariant, Digits: 2})
	for _, t := range zengTypes {
		s.Columns = append(s.Columns, Column{Title: "better on " + t.name + ", %", Metric: t.value, Case: variantCase("glts"), Base: anyVariant, Comparison: Improvement, Digits: 2})
	}
	for _, v := range []namedValue{zengVariants[1], zengVariants[2]} {
		s.Columns = append(s.Columns, Column{Title: v.name + " better on all, %", Metric: relative + tauSuffix, Case: variantCase(v.value), Base: anyVariant, Comparison: Improvement, Digits: 2})
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
		Text: zengText(zengCount, zengCompareSeeds, zengSeeds) + "Utilization of cores and nodes, overall and in phases of high load, in which 12 or more jobs wait. In the thesis, on W1, G-LOMARC-TS uses 26.8 % more cores at high load than SSP, 6.0 % more than CST and 10.1 % more than CSTWS. Overall, all are equal. " +
			"The last columns show the cores in use under G-LOMARC-TS divided by the cores in use under the scheduler of the row.",
		Rows: zengByVariant(zengVariants), Axis: "utilization of cores",
	}
	for _, m := range []namedValue{{"cores, high load", "high-load-utilization"}, {"cores, overall", "utilization"}} {
		s.Columns = append(s.Columns, Column{Title: m.name, Metric: m.value, Case: anyVariant, Digits: 4, Chart: true})
	}
	for _, m := range []namedValue{{"nodes, high load", "high-load-node-utilization"}, {"nodes, overall", "node-utilization"}} {
		s.Columns = append(s.Columns, Column{Title: m.name, Metric: m.value, Case: anyVariant, Digits: 4})
	}
	s.Columns = append(s.Columns,
		Column{Title: "high load, s", Metric: "high-load-length", Case: anyVariant},
		Column{Title: "G-LOMARC-TS by row, high load", Metric: "high-load-utilization", Case: variantCase("glts"), Base: anyVariant, Comparison: Ratio, Digits: 3},
		Column{Title: "G-LOMARC-TS by row, overall", Metric: "utilization", Case: variantCase("glts"), Base: anyVariant, Comparison: Ratio, Digits: 3})
	return s
}

// zengBlocks returns the study that varies the block size.
func zengBlocks() *Study {
	s := &Study{
		Name: "zeng-fig15", Title: "Block size", Paper: zeng2009 + "Fig. 15",
		Text:    zengText(zengCount, 0, zengBlockSeeds) + zengRR + "Workload W2. In the thesis, a block size of 12 is best, and FBO, which examines only the first block, is poor with small blocks. NH has no blocks.",
		AsLines: true, Axis: "relative response time",
	}
	for _, v := range []namedValue{zengVariants[0], zengVariants[4]} {
		for _, t := range zengTypes {
			s.Columns = append(s.Columns, Column{Title: v.name + ", " + t.name, Metric: t.value, Case: variantCase(v.value), Digits: 2, Chart: true})
		}
	}
	nh := variantCase("nh").withKnobs(map[string]string{"inner.block-size": "16"})
	for _, t := range zengTypes {
		s.Columns = append(s.Columns, Column{Title: "NH, " + t.name, Metric: t.value, Case: nh, Digits: 2})
	}
	better := func(title string, c, base *Case) Column {
		return Column{Title: title + ", %", Metric: relative + tauSuffix, Case: c, Base: base, Comparison: Improvement, Digits: 1}
	}
	twelve := variantCase("glts").withKnobs(map[string]string{"inner.block-size": "12"})
	s.Columns = append(s.Columns, better("12 better than the row on all", twelve, variantCase("glts")),
		better("G-LOMARC-TS better than FBO on all", variantCase("glts"), variantCase("fbo")))
	for _, size := range []string{"4", "8", "12", "16", "32"} {
		s.Rows = append(s.Rows, zengRow(size, "", zengAlphas[1].value, zengBlockSeeds, map[string]string{"inner.block-size": size}))
	}
	return s
}

// zengSlack returns the study that varies F_slack, the limit of unfairness.
func zengSlack() *Study {
	s := &Study{
		Name: "zeng-fig16", Title: "Slack", Paper: zeng2009 + "Fig. 16",
		Text:    zengText(zengCount, zengSeeds, 0) + zengRR + "Workload W1. G-LOMARC-TS with other values of F_slack, the maximum ratio of a response time to its estimate. In the thesis, values above 1.5 have no further effect.",
		AsLines: true, Axis: "relative response time",
	}
	for _, t := range zengTypes {
		s.Columns = append(s.Columns, Column{Title: t.name, Metric: t.value, Case: variantCase("glts"), Digits: 2, Chart: true})
	}
	s.Columns = append(s.Columns, Column{Title: "cores, high load", Metric: "high-load-utilization", Case: variantCase("glts"), Digits: 4}, Column{Title: "groups", Metric: "groups", Case: variantCase("glts")})
	base := variantCase("glts").withKnobs(map[string]string{"inner.slack": "1.5"})
	s.Columns = append(s.Columns, Column{Title: "1.5 better than the row on all, %", Metric: relative + tauSuffix, Case: base, Base: variantCase("glts"), Comparison: Improvement, Digits: 1})
	for _, slack := range []string{"1", "1.25", "1.5", "1.75", "2", "2.5"} {
		s.Rows = append(s.Rows, zengRow(slack, "", zengAlphas[0].value, zengSeeds, map[string]string{"inner.slack": slack}))
	}
	return s
}
