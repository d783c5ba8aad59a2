package experiment

import (
	"strings"

	"backfill-lab/core/policy"
)

const lindsayEtAl = "Lindsay et al., "

var (
	conservative = &Case{Policy: "conservative"}
	easy         = &Case{Policy: "easy"}
)

// compressionCase returns the case of a policy with a queue order. The name is "pc" for prioritized
// compression or "dc" for delayed compression.
func compressionCase(name, order string) *Case {
	return &Case{Policy: name, Knobs: map[string]string{"order": order}}
}

// caseTitle returns the name of a case as in the paper, such as "PC-SJF".
func caseTitle(name, order string) string { return strings.ToUpper(name + "-" + order) }

// lindsayStudies returns the studies of the evaluation in Lindsay et al., section 4.
func lindsayStudies() []*Study {
	return []*Study{
		{
			Name: "lindsay-fig4", Title: "The traces", Paper: lindsayEtAl + "Fig. 4",
			Text: "The number of jobs after the filter, and the percentage of them that have an estimate. The runtime is the estimate of all other jobs.",
			Columns: []Column{
				{Title: "jobs", Metric: "jobs", Comparison: WorkloadFact},
				{Title: "processors", Metric: "processors", Comparison: WorkloadFact},
				{Title: "with estimate, %", Metric: "estimates", Comparison: WorkloadFact, Digits: 2},
			},
		},
		lindsayFigure("lindsay-fig5", "Mean wait, shortest job first", "Fig. 5", "mean-wait", "sjf",
			"In the paper, if the shortest jobs are compressed first, both policies beat conservative on all traces except DAS2-fs3, and EASY on most traces."),
		lindsayFigure("lindsay-fig6", "The longest 5 % of the waits, shortest job first", "Fig. 6", "top-5-wait", "sjf",
			"In the paper, priority for short jobs makes the longest waits worse only in a few cases."),
		lindsayFigure("lindsay-fig7", "The longest 1 % of the waits, shortest job first", "Fig. 7", "top-1-wait", "sjf",
			"Like Fig. 6, for the longest 1 % of the waits."),
		lindsayFigure("lindsay-fig8", "Wait of the widest 10 % of the jobs, widest job first", "Fig. 8", "widest-10-wait", "wjf",
			"In the paper, if the widest jobs are compressed first, the widest 10 % of the jobs wait less than under conservative and EASY on all traces except LLNL-Thunder. Traces of serial jobs have no widest jobs."),
		lindsayFigure("lindsay-fig9", "Mean wait, widest job first", "Fig. 9", "mean-wait", "wjf",
			"The effect of this order on all jobs. In the paper, the mean wait changes little, in either direction."),
		lindsayOrders(),
		lindsayCost(),
		lindsayExact(),
		lindsayInterpretations(),
	}
}

// lindsayFigure returns the study that compares PC and DC, in one order, with conservative
// backfilling and EASY.
func lindsayFigure(name, heading, figure, metric, order, text string) *Study {
	pc, dc := compressionCase("pc", order), compressionCase("dc", order)
	improvement := func(c *Case, name string, base *Case, baseName string) Column {
		return Column{Title: name + " over " + baseName + ", %", Metric: metric, Case: c, Base: base, Comparison: Improvement, Digits: 1, Chart: baseName == "CONS"}
	}
	return &Study{
		Name: name, Title: heading, Paper: lindsayEtAl + figure, Text: text,
		Columns: []Column{
			{Title: "CONS, s", Metric: metric, Case: conservative},
			{Title: "EASY, s", Metric: metric, Case: easy},
			{Title: caseTitle("pc", order) + ", s", Metric: metric, Case: pc},
			{Title: caseTitle("dc", order) + ", s", Metric: metric, Case: dc},
			improvement(pc, caseTitle("pc", order), conservative, "CONS"),
			improvement(dc, caseTitle("dc", order), conservative, "CONS"),
			improvement(easy, "EASY", conservative, "CONS"),
			improvement(pc, caseTitle("pc", order), easy, "EASY"),
			improvement(dc, caseTitle("dc", order), easy, "EASY"),
			improvement(dc, caseTitle("dc", order), pc, caseTitle("pc", order)),
		},
	}
}

// lindsayOrders returns the study of the mean wait under every algorithm and order.
func lindsayOrders() *Study {
	s := &Study{
		Name: "lindsay-orders", Title: "Mean wait in every order", Paper: lindsayEtAl + "section 4.1",
		Text:  "The improvement of the mean wait over conservative for both algorithms and all orders. Of 150 combinations the paper finds 49 worse than conservative, the worst by 38 % (DC-LJF).",
		Tally: true,
	}
	s.Columns = append(s.Columns,
		Column{Title: "CONS, s", Metric: "mean-wait", Case: conservative},
		Column{Title: "EASY, %", Metric: "mean-wait", Case: easy, Base: conservative, Comparison: Improvement, Digits: 1})
	for _, name := range []string{"pc", "dc"} {
		for _, order := range policy.Orders {
			s.Columns = append(s.Columns, Column{Title: caseTitle(name, order) + ", %", Metric: "mean-wait",
				Case: compressionCase(name, order), Base: conservative, Comparison: Improvement, Digits: 1, Chart: order == "sjf" || order == "ljf"})
		}
	}
	return s
}

// lindsayCost returns the study of the cost of prioritized compression, measured in profile breakpoints.
// With search=plain, the policy tries every job again after each move, as in the paper.
func lindsayCost() *Study {
	s := &Study{
		Name: "lindsay-cost", Title: "Profile events examined during compression", Paper: lindsayEtAl + "section 4.3",
		Text: "The number of profile breakpoints that PC examines divided by the number that conservative examines, if both try every job as the paper describes. The paper finds ratios up to about 580 (LJF, DAS2-fs0), then 127, 72, and at most 43. The last columns: the same schedule, found without trying jobs that cannot move.",
	}
	plain := func(c *Case) *Case {
		knobs := map[string]string{"search": "plain"}
		for k, v := range c.Knobs {
			knobs[k] = v
		}
		return &Case{Policy: c.Policy, Knobs: knobs}
	}
	const breakpoints = "profile-events"
	s.Columns = append(s.Columns, Column{Title: "CONS, events", Metric: breakpoints, Case: plain(conservative)})
	for _, order := range policy.Orders {
		s.Columns = append(s.Columns, Column{Title: caseTitle("pc", order) + " / CONS", Metric: breakpoints,
			Case: plain(compressionCase("pc", order)), Base: plain(conservative), Comparison: Ratio, Digits: 1, Chart: true})
	}
	for _, order := range []string{"ljf", "sjf"} {
		s.Columns = append(s.Columns, Column{Title: caseTitle("pc", order) + ", pruned / plain", Metric: breakpoints,
			Case: compressionCase("pc", order), Base: plain(compressionCase("pc", order)), Comparison: Ratio, Digits: 4})
	}
	return s
}

// lindsayExact returns the study of how much compression improves if some estimates are exact.
func lindsayExact() *Study {
	s := &Study{
		Name: "lindsay-exact", Title: "Gain with better estimates", Paper: lindsayEtAl + "section 4.1",
		Text: "The improvement of DC-SJF over conservative in mean wait when some of the estimates are exact. Early ends leave holes in the plan; exact estimates leave none. The paper explains the outlier LLNL-Thunder by its few holes, because only 32 % of its jobs have estimates.",
	}
	for _, percent := range []int{0, 34, 68, 90, 100} {
		with := func(c *Case) *Case { return &Case{Policy: c.Policy, Knobs: c.Knobs, ExactPercent: percent} }
		t := "all as they are"
		if percent > 0 {
			t = strings.TrimPrefix(with(&Case{}).String(), " exact=") + " exact"
		}
		s.Columns = append(s.Columns, Column{Title: t + ", %", Metric: "mean-wait",
			Case: with(compressionCase("dc", "sjf")), Base: with(conservative), Comparison: Improvement, Digits: 1, Chart: true})
	}
	return s
}

// lindsayInterpretations returns the study of the interpretations of DC that the description in the
// paper allows.
func lindsayInterpretations() *Study {
	s := &Study{
		Name: "lindsay-readings", Title: "Interpretations of delayed compression", Paper: lindsayEtAl + "section 2.2",
		Text: "The improvement of the mean wait over conservative under DC-SJF and DC-LJF, with the default knobs and with one knob changed.",
	}
	for _, order := range []string{"sjf", "ljf"} {
		for _, knob := range [][2]string{
			{}, {"restart", "false"}, {"check", "early-end"}, {"arrival-restart", "false"},
			{"arrival-limit", "fixed"}, {"arrival-tie", "at"}, {"arrival", "none"},
		} {
			c := compressionCase("dc", order)
			t := caseTitle("dc", order)
			if knob[0] != "" {
				c.Knobs[knob[0]] = knob[1]
				t += " " + knob[0] + "=" + knob[1]
			}
			s.Columns = append(s.Columns, Column{Title: t + ", %", Metric: "mean-wait", Case: c, Base: conservative, Comparison: Improvement, Digits: 2})
		}
	}
	return s
}
