package experiment

import (
	"math/bits"

	"backfill-lab/core/job"
	"backfill-lab/core/metrics"
)

// mixed is a generated workload of rigid jobs whose facts tell what it is made of.
type mixed struct{ generated }

func (m *mixed) Load() (*Load, Cell, error) {
	l, facts, err := m.generated.Load()
	if err == nil {
		mix(l.Jobs, m.Procs, onProcessors, facts)
	}
	return l, facts, err
}

// onProcessors returns the work of a job in processor-seconds.
func onProcessors(j *job.Job) float64 { return float64(j.Procs) * float64(j.Runtime) }

// mix adds the share of each type of jobs and of its work, of serial jobs, of
// powers of two among the others, all in percent; and the load: the work by what
// a machine of that size can do from the first to the last submission.
func mix(jobs []job.Job, size int, workOf func(*job.Job) float64, facts Cell) {
	var work float64
	for i := range jobs {
		j := &jobs[i]
		w := workOf(j)
		kind := metrics.Default.Type(j.Estimate)
		facts[kind]++
		facts["work-"+kind] += w
		work += w
		switch {
		case j.Procs == 1:
			facts["serial"]++
		case bits.OnesCount(uint(j.Procs)) == 1:
			facts["powers"]++
		}
	}
	n := float64(len(jobs))
	facts["powers"] *= 100 / (n - facts["serial"])
	facts["serial"] *= 100 / n
	for _, t := range metrics.Types {
		facts[t] *= 100 / n
		facts["work-"+t] *= 100 / work
	}
	facts["load"] = 100 * work / (float64(size) * float64(jobs[len(jobs)-1].Submit-jobs[0].Submit))
}
