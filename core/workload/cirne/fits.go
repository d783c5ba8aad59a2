package cirne

import (
	"backfill-lab/core/exact"
	"backfill-lab/core/workload/draw"
)

// log holds what we fitted to a log of the Parallel Workloads Archive, in the form of Cirne
// and Berman 2001. Requested times are log-uniform. So are sizes, except for serial jobs and
// powers of two.
type log struct {
	name              string
	serial, pow2      float64     // serial jobs as a fraction of all jobs; powers of two as a fraction of the parallel jobs
	slope, base       float64     // fraction of jobs with at most n processors: slope * log2(n) + base
	shortest, longest float64     // range of requested times, seconds
	hours             [24]float64 // percentage of the jobs that arrive in each hour of the day
}

var fits = [...]log{
	{"ctc", 0.420, 0.702, 0.0573, 0.5868, 232, 311333, [24]float64{3.36, 2.11, 1.37, 1.26, .96, .69, .93, 1.42, 2.38, 4.67, 7.23, 8.22,
		7.00, 6.90, 7.19, 6.73, 6.49, 6.08, 5.06, 3.89, 3.79, 3.92, 4.56, 3.81}},
	{"kth", 0.329, 0.615, 0.0818, 0.5051, 113, 105649, [24]float64{1.75, 1.62, 1.05, .54, .35, .24, .38, 1.02, 3.30, 6.61, 7.96, 8.08,
		6.59, 8.09, 9.21, 8.61, 8.82, 7.13, 5.40, 3.36, 2.67, 2.57, 2.55, 2.10}},
	{"sdsc", 0.232, 0.800, 0.1051, 0.3299, 210, 130248, [24]float64{1.99, 1.84, 1.80, 1.33, 1.67, 2.32, 3.37, 4.41, 5.18, 5.50, 6.25, 7.15,
		6.71, 6.90, 7.18, 6.51, 5.53, 3.93, 4.29, 4.21, 3.36, 2.93, 2.85, 2.78}},
}

// logs returns the names of the fitted logs.
func logs() (names []string) {
	for i := range fits {
		names = append(names, fits[i].name)
	}
	return names
}

// fit returns the fitted log with the given name, or nil if there is none.
func fit(name string) *log {
	for i := range fits {
		if fits[i].name == name {
			return &fits[i]
		}
	}
	return nil
}

// size draws the number of processors of a request.
func (f *log) size(s *draw.Source) int {
	u := s.Uniform()
	if u < f.serial {
		return 1
	}
	log := max(1, (u-f.base)/f.slope)
	if s.Uniform() < f.pow2 {
		log = float64(int(log + 0.5))
	}
	return int(exact.Pow(2, log) + 0.5)
}
