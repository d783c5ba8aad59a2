package document

import (
	"slices"

	"backfill-lab/core/job"
	"backfill-lab/ui/plot"
)

// Survey summarizes a workload for the overview charts. Create it with NewSurvey, Add each
// job, then Close it.
type Survey struct {
	Jobs                 int             // number of jobs
	First, Last          job.Time        // submit times
	Work                 float64         // processor-seconds
	TotalRuntime         job.Time        // sum of all runtimes
	TotalProcs           int64           // sum of all processor requests
	Sizes, Runtimes      *plot.Histogram // requested processors, and runtimes in seconds
	Gaps                 *plot.Histogram // seconds between consecutive submissions
	HasUsers, HasClasses bool            // some job has a user or a class

	submits []job.Time // submit times of all jobs; nil after Close
}

// NewSurvey returns an empty survey.
func NewSurvey() *Survey {
	return &Survey{Sizes: plot.CountHistogram(), Runtimes: plot.DurationHistogram(), Gaps: plot.DurationHistogram()}
}

// Add adds a job.
func (s *Survey) Add(j *job.Job) {
	if s.Jobs == 0 {
		s.First, s.Last = j.Submit, j.Submit
	}
	s.Jobs++
	s.First, s.Last = min(s.First, j.Submit), max(s.Last, j.Submit)
	s.Work += float64(j.Procs) * float64(j.Runtime)
	s.TotalRuntime, s.TotalProcs = s.TotalRuntime+j.Runtime, s.TotalProcs+int64(j.Procs)
	s.Sizes.Add(int64(j.Procs))
	s.Runtimes.Add(j.Runtime)
	s.submits = append(s.submits, j.Submit)
	if j.More != nil {
		s.HasUsers = s.HasUsers || j.More.User != ""
		s.HasClasses = s.HasClasses || j.More.Class != ""
	}
}

// Close computes the values that need all jobs.
func (s *Survey) Close() {
	if !slices.IsSorted(s.submits) {
		slices.Sort(s.submits)
	}
	for i := 1; i < len(s.submits); i++ {
		s.Gaps.Add(s.submits[i] - s.submits[i-1])
	}
	s.submits = nil
}

// Load returns the offered load on a machine with the given number of slots: the work divided by the machine's
// capacity from the first to the last submission. It returns 0 if all submissions are at the same time.
func (s *Survey) Load(slots int) float64 { return load(s.Work, s.First, s.Last, slots) }

// load returns the work divided by the capacity of the slots between the times first and last, or 0 if this
// capacity is 0.
func load(work float64, first, last job.Time, slots int) float64 {
	if last <= first || slots == 0 {
		return 0
	}
	return work / float64(last-first) / float64(slots)
}

// Survey returns the survey of all rows without invalid cells. About every thousand rows, it
// calls pause with the number of rows done, and stops if pause returns an error.
func (r Rows) Survey(pause func(done int) error) (*Survey, error) {
	s := NewSurvey()
	err := r.each(func(row *Row) {
		if !row.hasInvalidCell() {
			j := row.Job()
			s.Add(&j)
		}
	}, pause)
	if err != nil {
		return nil, err
	}
	s.Close()
	return s, nil
}
