package textbook

import (
	"cmp"
	"math"
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
)

// ScojoPECT holds the knobs of Scojo-PECT, which gives each job type a time slice in each interval
// (Esbaugh and Sodan 2007). The inner policy is conservative backfilling, or backfilling with
// fairness and slack.
type ScojoPECT struct {
	// length of an interval, longest estimates of a short and of a medium job, unusable time at the start of a slice
	Interval, ShortMax, MediumMax, Overhead job.Time
	ShortSlice                              job.Time     // length of the short slice; -1: as long as the waiting and active short jobs need
	MediumShare                             float64      // length of the medium slice, as a fraction of the interval minus the short slice
	NonType                                 bool         // whether jobs of other types may run in a slice
	LeastShared                             bool         // whether jobs prefer the nodes with the fewest active jobs of other types
	Compress                                string       // knob compress of conservative backfilling
	Order                                   policy.Order // queue order with compress=replan; otherwise FIFO
	Fair                                    *FairSlack   // nil: conservative backfilling
}

// SlicedJob records when and where a job ran.
type SlicedJob struct {
	Segments [][2]job.Time // start and end of each execution interval
	Nodes    []int         // ascending; nil before the start, and always in a sharedSim
}

// slicedSim simulates a machine with time slices. The job types are 0 (short), 1 (medium) and 2
// (long). Each type has a virtual machine: a machine on which only jobs of this type run. Its clock,
// the virtual clock, stops outside the slices of the type and during their overhead. A slice is
// usable after its overhead. An active job has started but not ended. While it runs, the end of its
// last segment is open.
type slicedSim struct {
	ScojoPECT
	*simulation
	jobs         []SlicedJob    // by job: when and where it ran so far
	ran          []job.Time     // by job: seconds run so far
	planned      []job.Time     // by job: planned start, in virtual time of its type
	knownEnd     []job.Time     // by job: estimated end, in virtual time, as last computed; -1 after the job ended
	virtualClock [3]job.Time    // by type
	slice        [3][2]job.Time // by type: start and end of its slice in this interval
	fairRule     *fairSlack     // nil: conservative backfilling
}

// open is the end of a segment in which the job still runs.
const open = job.Never

// Run simulates the jobs second by second.
func (r ScojoPECT) Run(m *cluster.Machine, jobs []job.Job) []SlicedJob {
	return r.simulate(m, jobs).jobs
}

// RunFair simulates the jobs with fairness and slack inside the slices. It also returns
// the fair start times and the decisions. The Result of the returned FairSlackResult is empty.
func (r ScojoPECT) RunFair(m *cluster.Machine, jobs []job.Job) ([]SlicedJob, FairSlackResult) {
	s := r.simulate(m, jobs)
	return s.jobs, FairSlackResult{FST: s.fairRule.fairStarts, Decisions: s.fairRule.decisions}
}

// simulate runs the simulation and returns its final state.
func (r ScojoPECT) simulate(m *cluster.Machine, jobs []job.Job) *slicedSim {
	s := &slicedSim{ScojoPECT: r, simulation: newSimulation(m, jobs), jobs: make([]SlicedJob, len(jobs))}
	for range jobs {
		s.Starts = append(s.Starts, job.Never)
	}
	s.ran, s.planned, s.knownEnd = make([]job.Time, len(jobs)), make([]job.Time, len(jobs)), make([]job.Time, len(jobs))
	if r.Fair != nil {
		s.fairRule = r.Fair.newRule(jobs)
	}
	for ; !s.done(); s.now++ {
		s.simulateSecond()
		for j := range s.jobs {
			if s.runs(j) {
				s.ran[j]++
			}
		}
		if c := s.usableType(); c >= 0 {
			s.virtualClock[c]++
		}
	}
	return s
}

// done reports whether all jobs have ended.
func (s *slicedSim) done() bool {
	for j := range s.jobs {
		if s.ran[j] < s.simulation.jobs[j].Runtime || s.runs(j) {
			return false
		}
	}
	return true
}

// simulateSecond simulates one second: completions, slice changes, resumptions and starts.
func (s *slicedSim) simulateSecond() {
	event := s.finish()
	if s.now%s.Interval == 0 {
		s.preempt()
		s.layOutInterval()
		event = true
	}
	for c := range s.slice {
		if s.now == s.slice[c][0] || s.now == s.slice[c][0]+s.Overhead {
			s.preempt()
			event = true
		}
	}
	for j := range s.simulation.jobs {
		event = event || s.simulation.jobs[j].Submit == s.now
	}
	sliceType := s.usableType()
	if sliceType >= 0 {
		s.resume(sliceType)
		if event || s.fairRule == nil && s.anyDue(sliceType) {
			s.schedule(sliceType)
		}
	}
	if !event {
		return
	}
	if sliceType >= 0 && s.NonType {
		s.resumeGuests(sliceType)
	}
	for c := range s.slice {
		if c != sliceType {
			s.schedule(c)
		}
	}
}

// finish ends the jobs that have run for their whole runtime. It reports whether any job ended.
func (s *slicedSim) finish() (anyEnded bool) {
	for j := range s.jobs {
		if s.runs(j) && s.ran[j] == s.simulation.jobs[j].Runtime {
			s.stop(j)
			anyEnded = true
		}
	}
	return anyEnded
}

// preempt stops all running jobs.
func (s *slicedSim) preempt() {
	for j := range s.jobs {
		if s.runs(j) {
			s.stop(j)
		}
	}
}

// stop ends the current segment of job j.
func (s *slicedSim) stop(j int) { s.lastSegment(j)[1] = s.now }

// run lets job j run from now on, in a new segment.
func (s *slicedSim) run(j int) {
	s.jobs[j].Segments = append(s.jobs[j].Segments, [2]job.Time{s.now, open})
}

// lastSegment returns the last segment of the started job j.
func (s *slicedSim) lastSegment(j int) *[2]job.Time {
	return &s.jobs[j].Segments[len(s.jobs[j].Segments)-1]
}

// runs reports whether job j runs now.
func (s *slicedSim) runs(j int) bool {
	return len(s.jobs[j].Segments) > 0 && s.lastSegment(j)[1] == open
}

// active reports whether job j has started but not ended. It may be preempted.
func (s *slicedSim) active(j int) bool {
	return s.jobs[j].Nodes != nil && s.ran[j] < s.simulation.jobs[j].Runtime
}

// estimateLeft returns the estimate of job j minus the time that it has run.
func (s *slicedSim) estimateLeft(j int) job.Time { return s.simulation.jobs[j].Estimate - s.ran[j] }

// typeOf returns the type of job j, according to its estimate.
func (s *slicedSim) typeOf(j int) int {
	switch e := s.simulation.jobs[j].Estimate; {
	case e <= s.ShortMax:
		return 0
	case e <= s.MediumMax:
		return 1
	}
	return 2
}

// usableType returns the type whose slice is usable now, or -1 during an overhead.
func (s *slicedSim) usableType() int {
	for c, x := range s.slice {
		if x[0]+s.Overhead <= s.now && s.now < x[1] {
			return c
		}
	}
	return -1
}

// layOutInterval lays out the slices of the interval that starts now.
func (s *slicedSim) layOutInterval() {
	length := job.Time(0)
	if need := s.timeForShortJobs(); need > 0 && s.ShortSlice < 0 {
		length = s.Overhead + min(s.ShortMax, need)
	} else if need > 0 {
		length = s.ShortSlice
	}
	s.slice = s.layout(s.now, length)
}

// layout returns the start and end of each slice in an interval, given the start of the interval and the length of the
// short slice.
func (r *ScojoPECT) layout(begin, shortLength job.Time) [3][2]job.Time {
	medium := job.Time(math.Round(r.MediumShare * float64(r.Interval-shortLength)))
	return [3][2]job.Time{{begin, begin + shortLength}, {begin + shortLength, begin + shortLength + medium}, {begin + shortLength + medium, begin + r.Interval}}
}

// timeForShortJobs returns the time until all active and waiting short jobs have ended, according to a
// conservative plan. It ignores jobs submitted now, because the slices are laid out before submissions.
func (s *slicedSim) timeForShortJobs() (end job.Time) {
	p := &plan{capacity: s.capacity}
	for j := range s.jobs {
		if s.typeOf(j) == 0 && s.active(j) {
			p.reserve(s.remainingJob(j), 0)
			end = max(end, s.estimateLeft(j))
		}
	}
	for j := range s.jobs {
		if s.typeOf(j) == 0 && s.waits(j) && s.simulation.jobs[j].Submit < s.now {
			at := p.earliest(&s.simulation.jobs[j])
			p.reserve(&s.simulation.jobs[j], at)
			end = max(end, at+s.simulation.jobs[j].Estimate)
		}
	}
	return end
}

// remainingJob returns a copy of job j whose estimate is reduced by the time it has run.
func (s *slicedSim) remainingJob(j int) *job.Job {
	rest := s.simulation.jobs[j]
	rest.Estimate = s.estimateLeft(j)
	return &rest
}

// waitingByPlan returns the waiting jobs of a type, sorted by planned start.
func (s *slicedSim) waitingByPlan(c int) []int {
	queue := s.earlierWaiting(c)
	slices.SortStableFunc(queue, func(a, b int) int { return cmp.Compare(s.planned[a], s.planned[b]) })
	return queue
}

// earlierWaiting returns the waiting jobs of a type that were submitted before now.
func (s *slicedSim) earlierWaiting(c int) []int {
	var queue []int
	for j := range s.jobs {
		if s.typeOf(j) == c && s.waits(j) && s.simulation.jobs[j].Submit < s.now {
			queue = append(queue, j)
		}
	}
	return queue
}
