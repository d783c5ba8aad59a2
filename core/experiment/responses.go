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

// leinberger returns the evaluation of Leinberger, Karypis and Kumar 1999, section 3.
func leinberger() []*Study {
	return []*Study{
		responses("leinberger-fig2", "Mean response with K resources", "Fig. 2", "mean-response",
			"Balanced backfilling (BB) is to beat FF-EASY by 10 to 50 %, BL not to, FF-CONS to be far behind."),
		responses("leinberger-fig3", "Weighted response with K resources", "Fig. 3", "weighted-response",
			"As Fig. 2, with each job weighted by its runtime times its mean share of the resources: BB is to beat FF-EASY by 10 to 30 %."),
		pooledGains(),
		fullness(),
		settings(),
	}
}

// picked returns EASY with a rule of choice and a reading of fullness.
func picked(rule, fullness string) *Case {
	return &Case{Policy: "easy", Knobs: map[string]string{"pick": rule, "fullness": fullness}}
}

// matching returns EASY with BL, which starts nobody without a match.
func matching(fullness string) *Case {
	return picked(pick.BL, fullness).with(map[string]string{"fallback": pick.NoJob})
}

// responses compares the paper's policies in one metric. FF-CONS is the
// conservative policy: estimates are exact, so that planning anew at each event,
// as the paper does, gives the same schedule and takes a thousand times as long.
func responses(name, heading, figure, metric, text string) *Study {
	over := func(who string, c *Case) Column {
		return Column{Title: who + ", %", Metric: metric, Case: c, Base: easy, How: Improvement, Digits: 1, Chart: c != conservative}
	}
	return &Study{
		Name: name, Title: heading, Paper: leinbergerEtAl + figure, Text: text + " " + drawnText,
		Columns: []Column{
			{Title: "between arrivals, s", Metric: "interarrival", How: OfLoad},
			{Title: "jobs waiting", Metric: "queue", How: OfLoad, Digits: 1},
			{Title: "FF-EASY, s", Metric: metric, Case: easy},
			over("BB-EASY", picked(pick.BB, pick.Usual)),
			over("BL-EASY", picked(pick.BL, pick.Usual)),
			over("BL-EASY fallback=none", matching(pick.Usual)),
			over("FF-CONS", conservative),
		},
		Rows: vectorRows(), Lines: true, Axis: "improvement over FF-EASY, %",
	}
}

// fullness compares the readings of a point that the paper leaves open.
func fullness() *Study {
	s := &Study{
		Name: "leinberger-readings", Title: "Readings of fullness", Paper: leinbergerEtAl + "section 2.2",
		Text: "How a nearly full machine is to relax the balance, the paper does not say: four readings, each as the improvement over FF-EASY. " + drawnText,
		Rows: vectorRows(), Lines: true, Axis: "gain in mean response, %",
	}
	for _, metric := range []string{"mean-response", "weighted-response"} {
		for _, rule := range []string{pick.BB, pick.BL} {
			for _, reading := range []string{pick.Relaxed, pick.Product, pick.Sum, pick.None} {
				c := Column{Title: fmt.Sprintf("%s %s, %%", map[string]string{pick.BB: "BB", pick.BL: "BL"}[rule], reading),
					Metric: metric, Case: picked(rule, reading), Base: easy, How: Improvement, Digits: 1, Chart: rule == pick.BB && metric == "mean-response"}
				if metric == "weighted-response" {
					c.Title = "weighted " + c.Title
				}
				s.Columns = append(s.Columns, c)
			}
		}
	}
	return s
}

// What the workloads are: the model and the queues are the paper's (section
// 3.2), the machine, the unit of time and the number of jobs ours. With this unit
// the times between arrivals are long enough that whole seconds do not bend them.
const (
	vectorProcs = 128
	vectorJobs  = "10000"
	vectorUnit  = "10000"
	vectorSeeds = 6
	drawnText   = "Workloads: feitelson96, K resources, of which 128 processors are one, exact estimates; Poisson arrivals at the rate at which the mean number of waiting jobs " +
		"under FF-EASY is the Q of the row; means over 6 seeds of 10,000 jobs each."
)

// pooledGains returns the gains of fig2 and fig3 over several of their rows, and what they
// are more on some rows than on others.
func pooledGains() *Study {
	s := &Study{
		Name: "leinberger-pooled", Title: "Gains over several workloads", Paper: leinbergerEtAl + "sections 3.3.1 to 3.3.3",
		Text: "The mean improvement over FF-EASY, in percent, over those rows of leinberger-fig2 and leinberger-fig3 that the name of a row says; the last two columns are the improvement of BB-EASY over BL-EASY. " +
			"A row with \"less\" shows differences in percentage points. Each of the 6 seeds counts once, with its mean.",
	}
	for _, metric := range []called{{"", "mean-response"}, {"weighted ", "weighted-response"}} {
		for _, x := range []struct {
			name string
			c    *Case
		}{
			{"BB-EASY", picked(pick.BB, pick.Usual)}, {"BL-EASY", picked(pick.BL, pick.Usual)}, {"BL-EASY fallback=none", matching(pick.Usual)}, {"FF-CONS", conservative},
			{"BB fullness=none", picked(pick.BB, pick.None)}, {"BL fullness=none", picked(pick.BL, pick.None)}, {"BL fullness=none fallback=none", matching(pick.None)},
		} {
			s.Columns = append(s.Columns, Column{Title: metric.name + x.name, Metric: metric.value, Case: x.c, Base: easy, How: Improvement, Digits: 1})
		}
	}
	for _, metric := range []called{{"", "mean-response"}, {"weighted ", "weighted-response"}} {
		s.Columns = append(s.Columns, Column{Title: metric.name + "BB over BL", Metric: metric.value, Case: picked(pick.BB, pick.Usual), Base: picked(pick.BL, pick.Usual), How: Improvement, Digits: 1})
	}
	// of returns the parts of the rows whose names contain all of the texts.
	of := func(texts ...string) (parts []Part) {
		for _, r := range vectorRows() {
			if !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(r.Name+" ", text) }) {
				parts = append(parts, r.Parts...)
			}
		}
		return parts
	}
	const lightest = "uniform K=2 Q=64" // made again by each test run
	s.Rows = []Row{
		{Name: "all", Parts: of()},
		{Name: lightest, Parts: of(lightest + " ")},
		{Name: "uniform", Parts: of("uniform")},
		{Name: "exponential", Parts: of("exponential")},
		{Name: "uniform less exponential", Parts: of("uniform"), Than: of("exponential")},
	}
	for _, k := range []string{"K=2", "K=4", "K=8"} {
		s.Rows = append(s.Rows, Row{Name: k, Parts: of(k)})
	}
	s.Rows = append(s.Rows,
		Row{Name: "K=4 less K=2", Parts: of("K=4"), Than: of("K=2")},
		Row{Name: "K=8 less K=4", Parts: of("K=8"), Than: of("K=4")},
		Row{Name: "K=8 less K=2", Parts: of("K=8"), Than: of("K=2")})
	for _, q := range []string{"Q=64 ", "Q=128 ", "Q=256 "} {
		s.Rows = append(s.Rows, Row{Name: strings.TrimSpace(q), Parts: of(q)})
	}
	s.Rows = append(s.Rows,
		Row{Name: "Q=128 less Q=64", Parts: of("Q=128 "), Than: of("Q=64 ")},
		Row{Name: "Q=256 less Q=128", Parts: of("Q=256 "), Than: of("Q=128 ")})
	for _, d := range []string{"uniform", "exponential"} {
		for _, k := range []string{"K=2", "K=4", "K=8"} {
			for _, q := range [][2]string{{"Q=128 ", "Q=64 "}, {"Q=256 ", "Q=128 "}} {
				s.Rows = append(s.Rows, Row{Name: d + " " + k + ": " + q[0] + "less " + strings.TrimSpace(q[1]), Parts: of(d, k, q[0]), Than: of(d, k, q[1])})
			}
		}
	}
	for i := range s.Rows {
		s.Rows[i].Pair = true
	}
	return s
}

// vectorRows returns a row for each distribution, number of resources and queue.
func vectorRows() (rows []Row) {
	for _, distribution := range []string{"uniform", "exponential"} {
		for _, k := range []int{2, 4, 8} {
			group := fmt.Sprintf("%s K=%d", distribution, k)
			for _, queue := range []float64{64, 128, 256} {
				row := Row{Name: fmt.Sprintf("%s Q=%g", group, queue), Group: group}
				for seed := range vectorSeeds {
					row.Parts = append(row.Parts, Part{Source: vectors(int64(seed+1), queue, map[string]string{"resources": strconv.Itoa(k), "distribution": distribution})})
				}
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// vectors returns a workload of the evaluation, its knobs those that differ from it.
func vectors(seed int64, queue float64, knobs map[string]string) *tuned {
	set := map[string]string{generator.Jobs: vectorJobs, "time-unit": vectorUnit}
	maps.Copy(set, knobs)
	order := registry.Order{Model: "feitelson96", Procs: vectorProcs, Seed: seed, Knobs: set}
	return &tuned{generated: generated{order}, under: easy, queue: queue, least: 150, most: 2500}
}
