package experiment

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/policy/pick"
	"backfill-lab/core/workload/generator"
	"backfill-lab/core/workload/generator/registry"
)

const leinbergerEtAl = "Leinberger et al. 1999, "

// leinbergerStudies returns the studies of the evaluation in Leinberger, Karypis and Kumar 1999,
// section 3.
func leinbergerStudies() []*Study {
	return []*Study{
		leinbergerFigure("leinberger-fig2", "Mean response with K resources", "Fig. 2", "mean-response",
			"In the paper, balanced backfilling (BB) beats FF-EASY by 10 to 50 %, BL does not beat it, and FF-CONS is far behind."),
		leinbergerFigure("leinberger-fig3", "Weighted response with K resources", "Fig. 3", "weighted-response",
			"Like Fig. 2, but each job is weighted by its runtime times its mean share of the resources. In the paper, BB beats FF-EASY by 10 to 30 %."),
		leinbergerPooled(),
		leinbergerFullness(),
		leinbergerSettings(),
	}
}

// easyWithRule returns EASY with a selection rule and an interpretation of fullness, see package pick.
func easyWithRule(rule, fullness string) *Case {
	return &Case{Policy: "easy", Knobs: map[string]string{"pick": rule, "fullness": fullness}}
}

// blWithoutFallback returns EASY with the rule BL without a fallback. If no job matches, none starts.
func blWithoutFallback(fullness string) *Case {
	return easyWithRule(pick.BL, fullness).withKnobs(map[string]string{"fallback": pick.NoJob})
}

// leinbergerFigure returns the study that compares the paper's policies by one metric. FF-CONS, which
// replans at each event, is replaced by the conservative policy. That takes a thousandth of the time and
// gives the same schedule, because estimates are exact.
func leinbergerFigure(name, heading, figure, metric, text string) *Study {
	improvement := func(name string, c *Case) Column {
		return Column{Title: name + ", %", Metric: metric, Case: c, Base: easy, Comparison: Improvement, Digits: 1, Chart: c != conservative}
	}
	return &Study{
		Name: name, Title: heading, Paper: leinbergerEtAl + figure, Text: text + " " + vectorText,
		Columns: []Column{
			{Title: "between arrivals, s", Metric: "interarrival", Comparison: WorkloadFact},
			{Title: "jobs waiting", Metric: "queue", Comparison: WorkloadFact, Digits: 1},
			{Title: "FF-EASY, s", Metric: metric, Case: easy},
			improvement("BB-EASY", easyWithRule(pick.BB, pick.DefaultFullness)),
			improvement("BL-EASY", easyWithRule(pick.BL, pick.DefaultFullness)),
			improvement("BL-EASY fallback=none", blWithoutFallback(pick.DefaultFullness)),
			improvement("FF-CONS", conservative),
		},
		Rows: vectorRows(), AsLines: true, Axis: "improvement over FF-EASY, %",
	}
}

// leinbergerFullness returns the study of the interpretations of fullness, which the paper leaves
// open.
func leinbergerFullness() *Study {
	s := &Study{
		Name: "leinberger-readings", Title: "Interpretations of fullness", Paper: leinbergerEtAl + "section 2.2",
		Text: "The paper does not say how BB and BL relax the balance on a nearly full machine. The table shows four interpretations, each as the improvement over FF-EASY. " + vectorText,
		Rows: vectorRows(), AsLines: true, Axis: "gain in mean response, %",
	}
	for _, metric := range []string{"mean-response", "weighted-response"} {
		for _, rule := range []string{pick.BB, pick.BL} {
			for _, reading := range []string{pick.Relaxed, pick.Product, pick.Sum, pick.None} {
				c := Column{Title: fmt.Sprintf("%s %s, %%", map[string]string{pick.BB: "BB", pick.BL: "BL"}[rule], reading),
					Metric: metric, Case: easyWithRule(rule, reading), Base: easy, Comparison: Improvement, Digits: 1, Chart: rule == pick.BB && metric == "mean-response"}
				if metric == "weighted-response" {
					c.Title = "weighted " + c.Title
				}
				s.Columns = append(s.Columns, c)
			}
		}
	}
	return s
}

// These constants define the workloads. The model and the queue lengths are from section 3.2 of the
// paper. We chose the machine, the unit of time and the number of jobs. The unit is so large that
// rounding times between arrivals to seconds does not matter.
const (
	vectorProcs = 128
	vectorJobs  = "10000"
	vectorUnit  = "10000"
	vectorSeeds = 6
	vectorText  = "Workloads: feitelson96 with exact estimates and K resources, one of them 128 processors. Arrivals are a Poisson process with the rate at which the mean number of waiting jobs " +
		"under FF-EASY is the Q of the row. Values are means over 6 seeds of 10,000 jobs each."
)

// leinbergerPooled returns the study of mean gains over groups of rows of figures 2 and 3, and of the
// differences between groups.
func leinbergerPooled() *Study {
	s := &Study{
		Name: "leinberger-pooled", Title: "Gains over several workloads", Paper: leinbergerEtAl + "sections 3.3.1 to 3.3.3",
		Text: "The mean improvement over FF-EASY, in percent, over the rows of leinberger-fig2 and leinberger-fig3 whose names contain the name of the row. The last two columns show the improvement of BB-EASY over BL-EASY. " +
			"A row with \"less\" shows differences in percentage points. Each of the 6 seeds counts once, with its mean.",
	}
	for _, metric := range []namedValue{{"", "mean-response"}, {"weighted ", "weighted-response"}} {
		for _, x := range []struct {
			name string
			c    *Case
		}{
			{"BB-EASY", easyWithRule(pick.BB, pick.DefaultFullness)}, {"BL-EASY", easyWithRule(pick.BL, pick.DefaultFullness)}, {"BL-EASY fallback=none", blWithoutFallback(pick.DefaultFullness)}, {"FF-CONS", conservative},
			{"BB fullness=none", easyWithRule(pick.BB, pick.None)}, {"BL fullness=none", easyWithRule(pick.BL, pick.None)}, {"BL fullness=none fallback=none", blWithoutFallback(pick.None)},
		} {
			s.Columns = append(s.Columns, Column{Title: metric.name + x.name, Metric: metric.value, Case: x.c, Base: easy, Comparison: Improvement, Digits: 1})
		}
	}
	for _, metric := range []namedValue{{"", "mean-response"}, {"weighted ", "weighted-response"}} {
		s.Columns = append(s.Columns, Column{Title: metric.name + "BB over BL", Metric: metric.value, Case: easyWithRule(pick.BB, pick.DefaultFullness), Base: easyWithRule(pick.BL, pick.DefaultFullness), Comparison: Improvement, Digits: 1})
	}
	// partsOf returns the parts of all rows whose names contain each of the texts.
	partsOf := func(texts ...string) (parts []Part) {
		for _, r := range vectorRows() {
			if !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(r.Name+" ", text) }) {
				parts = append(parts, r.Parts...)
			}
		}
		return parts
	}
	const lightest = "uniform K=2 Q=64" // this row takes least time, so the tests run it
	s.Rows = []Row{
		{Name: "all", Parts: partsOf()},
		{Name: lightest, Parts: partsOf(lightest + " ")},
		{Name: "uniform", Parts: partsOf("uniform")},
		{Name: "exponential", Parts: partsOf("exponential")},
		{Name: "uniform less exponential", Parts: partsOf("uniform"), Base: partsOf("exponential")},
	}
	for _, k := range []string{"K=2", "K=4", "K=8"} {
		s.Rows = append(s.Rows, Row{Name: k, Parts: partsOf(k)})
	}
	s.Rows = append(s.Rows,
		Row{Name: "K=4 less K=2", Parts: partsOf("K=4"), Base: partsOf("K=2")},
		Row{Name: "K=8 less K=4", Parts: partsOf("K=8"), Base: partsOf("K=4")},
		Row{Name: "K=8 less K=2", Parts: partsOf("K=8"), Base: partsOf("K=2")})
	for _, q := range []string{"Q=64 ", "Q=128 ", "Q=256 "} {
		s.Rows = append(s.Rows, Row{Name: strings.TrimSpace(q), Parts: partsOf(q)})
	}
	s.Rows = append(s.Rows,
		Row{Name: "Q=128 less Q=64", Parts: partsOf("Q=128 "), Base: partsOf("Q=64 ")},
		Row{Name: "Q=256 less Q=128", Parts: partsOf("Q=256 "), Base: partsOf("Q=128 ")})
	for _, d := range []string{"uniform", "exponential"} {
		for _, k := range []string{"K=2", "K=4", "K=8"} {
			for _, q := range [][2]string{{"Q=128 ", "Q=64 "}, {"Q=256 ", "Q=128 "}} {
				s.Rows = append(s.Rows, Row{Name: d + " " + k + ": " + q[0] + "less " + strings.TrimSpace(q[1]), Parts: partsOf(d, k, q[0]), Base: partsOf(d, k, q[1])})
			}
		}
	}
	for i := range s.Rows {
		s.Rows[i].PairSeeds = true
	}
	return s
}

// vectorRows returns a row for each distribution, number of resources and queue length.
func vectorRows() (rows []Row) {
	for _, distribution := range []string{"uniform", "exponential"} {
		for _, k := range []int{2, 4, 8} {
			group := fmt.Sprintf("%s K=%d", distribution, k)
			for _, queue := range []float64{64, 128, 256} {
				row := Row{Name: fmt.Sprintf("%s Q=%g", group, queue), Group: group}
				for seed := range vectorSeeds {
					row.Parts = append(row.Parts, Part{Source: vectorWorkload(int64(seed+1), queue, map[string]string{"resources": strconv.Itoa(k), "distribution": distribution})})
				}
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// vectorWorkload returns a workload of the evaluation, with a mean queue length under EASY and with some
// knobs of the model changed.
func vectorWorkload(seed int64, queue float64, knobs map[string]string) *tunedQueue {
	set := map[string]string{generator.Jobs: vectorJobs, "time-unit": vectorUnit}
	maps.Copy(set, knobs)
	order := registry.Order{Model: "feitelson96", Procs: vectorProcs, Seed: seed, Knobs: set}
	return &tunedQueue{generated: generated{order}, policy: easy, queue: queue, minInterval: 150, maxInterval: 2500}
}

// leinbergerSettings returns the study that varies settings of the workloads that the paper leaves
// open. It also has a variant without a reservation, in which the rule can select any waiting job.
func leinbergerSettings() *Study {
	s := &Study{
		Name: "leinberger-settings", Title: "What the paper leaves open", Paper: leinbergerEtAl + "section 3.2",
		Text: "The improvement over FF-EASY with one setting changed that the paper leaves open. K = 4 and Q = 128; the other settings and the policies are as in leinberger-fig2. Values are means over 4 seeds. " +
			"In the last columns, the rule selects among all waiting jobs, and the first job has no reservation.",
		AsLines: true, Axis: "improvement over FF-EASY, %",
	}
	improvement := func(name, metric string, c *Case) Column {
		return Column{Title: name + ", %", Metric: metric, Case: c, Base: easy, Comparison: Improvement, Digits: 1}
	}
	const mean, weighted = "mean-response", "weighted-response"
	bb, bl, all := easyWithRule(pick.BB, pick.DefaultFullness), easyWithRule(pick.BL, pick.DefaultFullness), easyWithRule(pick.BB, pick.DefaultFullness).withKnobs(map[string]string{"reservations": "0"})
	s.Columns = []Column{
		{Title: "between arrivals, s", Metric: "interarrival", Comparison: WorkloadFact},
		improvement("BB-EASY", mean, bb), improvement("BB without fullness", mean, easyWithRule(pick.BB, pick.None)), improvement("BL-EASY", mean, bl), improvement("FF-CONS", mean, conservative),
		improvement("weighted BB-EASY", weighted, bb), improvement("weighted BL-EASY", weighted, bl),
		improvement("BB without reservation", mean, all), improvement("weighted BB without reservation", weighted, all),
	}
	for _, x := range []struct {
		name, distribution string
		procs              int
		knobs              map[string]string
	}{
		{"uniform", "uniform", vectorProcs, nil},
		{"exponential", "exponential", vectorProcs, nil},
		{"uniform, 32 processors", "uniform", 32, nil},
		{"uniform, 512 processors", "uniform", 512, nil},
		{"uniform, 2,000 jobs", "uniform", vectorProcs, map[string]string{"jobs": "2000"}},
		{"uniform, 5,000 jobs", "uniform", vectorProcs, map[string]string{"jobs": "5000"}},
		{"uniform, 20,000 jobs", "uniform", vectorProcs, map[string]string{"jobs": "20000"}},
		{"uniform, powers of two as likely as other sizes", "uniform", vectorProcs, map[string]string{"pow2-weight": "1"}},
		{"uniform, powers of two 16 times as likely", "uniform", vectorProcs, map[string]string{"pow2-weight": "16"}},
		{"uniform, jobs repeated", "uniform", vectorProcs, map[string]string{"repeats": "drawn"}},
		{"exponential of mean 0.25", "exponential", vectorProcs, map[string]string{"exponential-mean": "0.25"}},
		{"exponential of mean 1", "exponential", vectorProcs, map[string]string{"exponential-mean": "1"}},
	} {
		row := Row{Name: x.name}
		for seed := range 4 {
			knobs := map[string]string{"resources": "4", "distribution": x.distribution}
			maps.Copy(knobs, x.knobs)
			w := vectorWorkload(int64(seed+1), 128, knobs)
			w.Procs, w.minInterval, w.maxInterval = x.procs, 100, 5000
			row.Parts = append(row.Parts, Part{Source: w})
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}
