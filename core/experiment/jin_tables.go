package experiment

// jinComposition returns the study of the composition of the workloads.
func jinComposition() *Study {
	s := &Study{
		Name: "jin-table2", Title: "What the workloads are made of", Paper: jin2009 + "Table 2",
		Text: jinText + "Short jobs run up to 10 minutes, medium jobs up to 3 hours. In the thesis, short, medium and long jobs are 64, 19.5 and 16.5 % of the jobs and have 0.5, 26 and 73.5 % of the work. 24 % of the jobs are serial, and 75 % of the parallel jobs have a power of two of processors.",
		Rows: jinByAlpha(),
	}
	for _, c := range []namedValue{
		{"short, %", "short"}, {"medium, %", "medium"}, {"long, %", "long"},
		{"work of short, %", "work-short"}, {"of medium, %", "work-medium"}, {"of long, %", "work-long"},
		{"serial, %", "serial"}, {"powers of two, %", "powers"},
	} {
		s.Columns = append(s.Columns, Column{Title: c.name, Metric: c.value, Comparison: WorkloadFact, Digits: 1})
	}
	s.Columns = append(s.Columns, Column{Title: "jobs finished", Metric: "jobs", Case: firstFit})
	return s
}

// jinUtilization returns the study of the utilization for each alpha.
func jinUtilization() *Study {
	s := &Study{
		Name: "jin-table4", Title: "Utilization", Paper: jin2009 + "Table 4", Axis: "utilization", AsLines: true,
		Text: jinText + "The load is the work divided by the capacity of the machine until the last submission. The thesis has utilizations of 76.43, 71.90, 63.29 and 85.29 % at alpha 10.33, 10.43, 10.73 and 10.05. " +
			"Whole shape: alpha is not multiplied by ARAR (1.0225); the published generator multiplies it.",
		Columns: []Column{{Title: "load, %", Metric: "load", Comparison: WorkloadFact, Digits: 2}},
		Rows:    jinByAlpha(),
	}
	for _, x := range []struct {
		name string
		*Case
	}{{"first fit", firstFit}, {"G1", fairnessGoal}, {"G2", utilizationGoal}} {
		s.Columns = append(s.Columns,
			Column{Title: "utilization, " + x.name, Metric: "utilization", Case: x.Case, Digits: 4, Chart: true},
			Column{Title: "in high load, " + x.name, Metric: "high-load-utilization", Case: x.Case, Digits: 4})
	}
	return s
}

// scojoResponse returns the study that compares time slices with space sharing.
func scojoResponse() *Study {
	s := &Study{
		Name: "scojo-response", Title: "Response in time slices", Paper: jin2009 + "section 4.4; Esbaugh and Sodan 2007",
		Text: jinText + jinRRText + "Scojo-PECT compared with conservative backfilling without slices, both with first fit: the mean response of all jobs and the relative response of each type. In the paper, medium and long jobs are served " +
			"as well as without slices, short jobs are served much better, and the mean response is about 50 % better.",
		Rows: jinByAlpha(), AsLines: true, Axis: "improvement over no slices, %",
	}
	for _, t := range append(jinTypes, namedValue{"all, cut off at 10 s", relative}, namedValue{"mean response", "mean-response"}) {
		s.Columns = append(s.Columns, Column{Title: t.name + ", %", Metric: t.value, Case: firstFit, Base: conservative, Comparison: Improvement, Digits: 2})
	}
	for i := range s.Columns[:3] {
		s.Columns[i].Chart = true
	}
	s.Columns = append(s.Columns,
		Column{Title: "short, RR with slices", Metric: relative + "-short" + tauSuffix, Case: firstFit, Digits: 2},
		Column{Title: "short, RR without", Metric: relative + "-short" + tauSuffix, Case: conservative, Digits: 2})
	return s
}

// byType is a formula for the queue order: short jobs first, then medium, then long ones. Ties are in
// order of submission.
const byType = "if(estimate <= 600, 0, if(estimate <= 10800, 1, 2))"

// scojoPriorities returns the study that compares time slices with space sharing. In space sharing,
// short jobs have priority over medium ones, and medium jobs over long ones.
func scojoPriorities() *Study {
	s := &Study{
		Name: "scojo-priorities", Title: "Time slices against priorities", Paper: jin2009 + "section 4.4; Esbaugh and Sodan 2007",
		Text: jinText + jinRRText + "Scojo-PECT with first fit inside its slices, compared with space sharing in which short jobs have priority over medium jobs, and medium jobs over long jobs. EASY: queue and backfilling in this order, " +
			"which may hold up long jobs. Replan: conservative backfilling that replans in this order.",
		Rows: jinByAlpha(), AsLines: true, Axis: "improvement over priorities, %",
	}
	for _, base := range []struct {
		name string
		*Case
	}{
		{"EASY", &Case{Policy: "easy", Knobs: map[string]string{"order": byType}}},
		{"replan", &Case{Policy: "conservative", Knobs: map[string]string{"compress": "replan", "order": byType}}},
	} {
		for i, t := range append(jinTypes, namedValue{"mean response", "mean-response"}) {
			s.Columns = append(s.Columns, Column{Title: base.name + ", " + t.name + ", %", Metric: t.value, Case: firstFit, Base: base.Case, Comparison: Improvement, Digits: 2, Chart: i < 3 && base.name == "EASY"})
		}
	}
	return s
}

// scojoVariants returns the study that compares variants of time slices with conservative
// backfilling.
func scojoVariants() *Study {
	s := &Study{
		Name: "scojo-variants", Title: "Variants of the time slices", Paper: jin2009 + "section 4.4; Esbaugh and Sodan 2007",
		Text: jinText + jinRRText + "Improvement over conservative backfilling without slices. The variants: EASY inside the slices, a choice of the nodes that the fewest jobs use, and idle nodes not given to jobs of other types.",
		Rows: jinByAlpha()[:5], AsLines: true, Axis: "improvement over no slices, %",
	}
	for _, v := range []struct{ name, knob, value string }{{"EASY", "inner", "easy"}, {"least shared", "node-choice", "least-shared"}, {"own slices", "non-type", "false"}} {
		for _, t := range jinTypes[:3] {
			s.Columns = append(s.Columns, Column{Title: v.name + ", " + t.name + ", %", Metric: t.value, Comparison: Improvement, Digits: 2, Base: conservative, Chart: t.name == "all",
				Case: &Case{Policy: "scojo-pect", Knobs: map[string]string{v.knob: v.value}}})
		}
	}
	return s
}
