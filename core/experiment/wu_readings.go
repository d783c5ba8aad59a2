package experiment

import "maps"

// reading is one way to take what the paper leaves open.
type reading struct {
	name  string
	knobs map[string]string // of the policy
	jobs  map[string]string // of the workload model
}

var wuAllReadings = []reading{
{name: "kth", knobs: map[string]string{}, jobs: map[string]string{"length": "kth"}},
{name: "incl", knobs: map[string]string{"budget-includes-initial": "true"}, jobs: map[string]string{"length": "kth"}},
{name: "start", knobs: map[string]string{"realloc": "start"}, jobs: map[string]string{"length": "kth"}},
{name: "incl+start", knobs: map[string]string{"budget-includes-initial": "true","realloc": "start"}, jobs: map[string]string{"length": "kth"}},
{name: "stop0=false", knobs: map[string]string{"stop-at-zero":"false"}, jobs: map[string]string{"length": "kth"}},
{name: "queued", knobs: map[string]string{"fair-population":"queued"}, jobs: map[string]string{"length": "kth"}},
{name: "turnaround", knobs: map[string]string{"greedy":"turnaround"}, jobs: map[string]string{"length": "kth"}},
{name: "cycle=kth", knobs: map[string]string{}, jobs: map[string]string{"length": "kth","cycle":"kth"}},
{name: "sigma1", knobs: map[string]string{}, jobs: map[string]string{"length": "kth","sigma-max":"1"}},
{name: "sigma0", knobs: map[string]string{}, jobs: map[string]string{"length": "kth","sigma-max":"0"}},
{name: "A 1000", knobs: map[string]string{}, jobs: map[string]string{"length": "kth","max-parallelism":"1000"}},
{name: "A 1000 s1", knobs: map[string]string{}, jobs: map[string]string{"length": "kth","max-parallelism":"1000","sigma-max":"1"}},
{name: "A 1000 s0", knobs: map[string]string{}, jobs: map[string]string{"length": "kth","max-parallelism":"1000","sigma-max":"0"}},
{name: "incl sigma1", knobs: map[string]string{"budget-includes-initial": "true"}, jobs: map[string]string{"length": "kth","sigma-max":"1"}},
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
