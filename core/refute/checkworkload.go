package refute

import (
	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// CheckWorkload checks the first of Config.Goals on a workload that the caller chose. It returns
// nil if the workload does not reach the goal. It also reports whether the goal applies to the
// workload. The jobs must be in order of submission.
func CheckWorkload(c Config, m cluster.Machine, jobs []job.Job) (f *Finding, applies bool, err error) {
	c.Tries = 1
	s, err := NewSearch(c)
	if err != nil {
		return nil, false, err
	}
	s.best = &workload{m, jobs}
	if !s.accepts(s.best) {
		return nil, false, nil
	}
	at, applies, err := c.Goals[0].reached(s.trial(s.best))
	if at == nil {
		return nil, applies, err
	}
	s.found = c.Goals[0]
	f, err = s.Finding()
	return f, true, err
}
