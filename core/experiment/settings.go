package experiment

import (
	"maps"

	"backfill-lab/core/policy/pick"
)

// settings tries what the paper does not tell of its workloads, and the reading
// that the rule of choice picks the head too, which leaves no reservation.
func settings() *Study {
	s := &Study{
		Name: "leinberger-settings", Title: "What the paper does not tell", Paper: leinbergerEtAl + "section 3.2",
		Text: "The improvement over FF-EASY when something is set that the paper leaves open: K = 4, Q = 128, the other settings and policies as in leinberger-fig2; means over 4 seeds. " +
			"The last columns let the rule choose among all waiting jobs, with no reservation for the first.",
		Lines: true, Axis: "improvement over FF-EASY, %",
	}
	over := func(who, metric string, c *Case) Column {
		return Column{Title: who + ", %", Metric: metric, Case: c, Base: easy, How: Improvement, Digits: 1}
	}
	const mean, weighted = "mean-response", "weighted-response"
	bb, bl, all := picked(pick.BB, pick.Usual), picked(pick.BL, pick.Usual), picked(pick.BB, pick.Usual).with(map[string]string{"reservations": "0"})
	s.Columns = []Column{
		{Title: "between arrivals, s", Metric: "interarrival", How: OfLoad},
		over("BB-EASY", mean, bb), over("BB without fullness", mean, picked(pick.BB, pick.None)), over("BL-EASY", mean, bl), over("FF-CONS", mean, conservative),
		over("weighted BB-EASY", weighted, bb), over("weighted BL-EASY", weighted, bl),
		over("BB without reservation", mean, all), over("weighted BB without reservation", weighted, all),
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
			w := vectors(int64(seed+1), 128, knobs)
			w.Procs, w.least, w.most = x.procs, 100, 5000
			row.Parts = append(row.Parts, Part{Source: w})
		}
		s.Rows = append(s.Rows, row)
	}
	return s
}
