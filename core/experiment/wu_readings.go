package experiment

import "maps"

// reading is one way to take what the paper leaves open.
type reading struct {
	name  string
	knobs map[string]string // of the policy
	jobs  map[string]string // of the workload model
}

var wuAllReadings = []reading{
	{name: "as it is"},
	{name: "budget-includes-initial", knobs: map[string]string{"budget-includes-initial": "true"}},
	{name: "realloc=start", knobs: map[string]string{"realloc": "start"}},
	{name: "both", knobs: map[string]string{"budget-includes-initial": "true", "realloc": "start"}},
	{name: "stop-at-zero=false", knobs: map[string]string{"stop-at-zero": "false"}},
	{name: "fair-population=queued", knobs: map[string]string{"fair-population": "queued"}},
	{name: "greedy=turnaround", knobs: map[string]string{"greedy": "turnaround"}},
	{name: "length=ctc", jobs: map[string]string{"length": "ctc"}},
	{name: "length=kth", jobs: map[string]string{"length": "kth"}},
	{name: "length=sdsc", jobs: map[string]string{"length": "sdsc"}},
	{name: "cycle=ctc", jobs: map[string]string{"cycle": "ctc"}},
	{name: "length=ctc cycle=ctc", jobs: map[string]string{"length": "ctc", "cycle": "ctc"}},
	{name: "median 15000", jobs: map[string]string{"length-median": "15000"}},
	{name: "median 60000", jobs: map[string]string{"length-median": "60000"}},
	{name: "spread 0.8", jobs: map[string]string{"length-median": "90000", "length-spread": "0.8"}},
	{name: "sigma 0", jobs: map[string]string{"sigma-max": "0"}},
}

func wuReadings() []*Study {
	return []*Study{
		{Name: "wu-readings", Title: "r", Paper: wuEtAl, Text: "x", Columns: wuCompared(wuTimes[0]),
			Rows: readingRows(func(s Source, k map[string]string) []Part {
				return wuPairs(s, []string{"0.5", "0.8", "1.1"}, []string{"0.4", "0.7", "1.0"}, k)
			}, 10)},
		readingSweep("alpha", tenths(5, 12), "threshold", "0.9"),
		readingSweep("threshold", tenths(1, 10), "alpha", "1"),
	}
}

func readingRows(parts func(Source, map[string]string) []Part, seeds int) (out []Row) {
	for _, how := range wuSelections {
		for _, load := range wuLoads {
			for _, x := range wuAllReadings {
				r := Row{Name: load.name + ", " + how.name + ": " + x.name}
				k := map[string]string{"select": how.knob}
				maps.Copy(k, x.knobs)
				for _, source := range wuSources(seeds, load.between, x.jobs) {
					r.Parts = append(r.Parts, parts(source, k)...)
				}
				out = append(out, r)
			}
		}
	}
	return out
}

func readingSweep(knob string, values []string, other, at string) *Study {
	s := &Study{Name: "wu-readings-" + knob, Title: "r", Paper: wuEtAl, Text: "x"}
	for _, v := range values {
		s.Columns = append(s.Columns, Column{Title: v, Metric: "mean-response", Case: moldable("hrf", "fcfs").with(map[string]string{knob: v, other: at})})
	}
	s.Rows = readingRows(func(src Source, k map[string]string) []Part { return []Part{{src, k}} }, 20)
	return s
}
