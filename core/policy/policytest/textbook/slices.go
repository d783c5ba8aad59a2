package textbook

import (
	"cmp"
	"math"
	"slices"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
)

// Slices is the rules of Scojo-PECT (spec 4) around conservative backfilling, or
// around backfilling with fairness and slack.
type Slices struct {
	Interval, ShortMax, MediumMax, Overhead job.Time
	ShortSlice                              job.Time // -1: by the short jobs
	Share                                   float64
	NonType, LeastShared                    bool
	Compress                                string
	Order                                   policy.Order // of compress=replan, else FIFO
	Fair                                    *FairSlack   // nil: conservative
}

// Sliced is what became of a job: when it ran, and on which nodes.
type Sliced struct {
	Segments [][2]job.Time
	Nodes    []int
}

// sliced is a machine in time slices at a second. A job that has nodes and is
// not done is active; one that runs has a last segment without end.
type sliced struct {
	Slices
	*world
	jobs    []Sliced
	ran     []job.Time     // by job
	planned []job.Time     // by job, on the clock of its type
	until   []job.Time     // by job: end it is known to have, on the same clock
	clock   [3]job.Time    // by type
	slice   [3][2]job.Time // by type: in this interval
	fair    *fairSlack
}

const open = job.Never // end of a segment that still runs

// Run runs the jobs second by second.
func (r Slices) Run(m *cluster.Machine, jobs []job.Job) []Sliced { return r.run(m, jobs).jobs }

// RunFair runs them with fairness and slack, of which it tells as well.
func (r Slices) RunFair(m *cluster.Machine, jobs []job.Job) ([]Sliced, Fair) {
	s := r.run(m, jobs)
	return s.jobs, Fair{FST: s.fair.fair, Decisions: s.fair.decisions}
}

func (r Slices) run(m *cluster.Machine, jobs []job.Job) *sliced {
	s := &sliced{Slices: r, world: newWorld(m, jobs), jobs: make([]Sliced, len(jobs))}
	for range jobs {
		s.Starts = append(s.Starts, job.Never)
	}
	s.ran, s.planned, s.until = make([]job.Time, len(jobs)), make([]job.Time, len(jobs)), make([]job.Time, len(jobs))
	if r.Fair != nil {
		s.fair = r.Fair.begin(jobs)
	}
	for ; !s.done(); s.now++ {
		s.second()
		for j := range s.jobs {
			if s.runs(j) {
				s.ran[j]++
			}
		}
		if c := s.present(); c >= 0 {
			s.clock[c]++
		}
	}
	return s
}

func (s *sliced) done() bool {
	for j := range s.jobs {
		if s.ran[j] < s.world.jobs[j].Runtime || s.runs(j) {
			return false
		}
	}
	return true
}

func (s *sliced) second() {
	event := s.finish()
	if s.now%s.Interval == 0 {
		s.preempt()
		s.layOut()
		event = true
	}
	for c := range s.slice {
		if s.now == s.slice[c][0] || s.now == s.slice[c][0]+s.Overhead {
			s.preempt()
			event = true
		}
	}
	for j := range s.world.jobs {
		event = event || s.world.jobs[j].Submit == s.now
	}
	own := s.present()
	if own >= 0 {
		s.resume(own)
		if event || s.fair == nil && s.due(own) {
			s.act(own)
		}
	}
	if !event {
		return
	}
	if own >= 0 && s.NonType {
		s.fill(own)
	}
	for c := range s.slice {
		if c != own {
			s.act(c)
		}
	}
}

// finish ends the jobs that are done and reports whether there were any.
func (s *sliced) finish() (any bool) {
	for j := range s.jobs {
		if s.runs(j) && s.ran[j] == s.world.jobs[j].Runtime {
			s.stop(j)
			any = true
		}
	}
	return any
}

func (s *sliced) preempt() {
	for j := range s.jobs {
		if s.runs(j) {
			s.stop(j)
		}
	}
}

func (s *sliced) stop(j int) { s.last(j)[1] = s.now }

func (s *sliced) run(j int) {
	s.jobs[j].Segments = append(s.jobs[j].Segments, [2]job.Time{s.now, open})
}

func (s *sliced) last(j int) *[2]job.Time { return &s.jobs[j].Segments[len(s.jobs[j].Segments)-1] }

func (s *sliced) runs(j int) bool { return len(s.jobs[j].Segments) > 0 && s.last(j)[1] == open }

// active reports whether job j has started and is not done.
func (s *sliced) active(j int) bool {
	return s.jobs[j].Nodes != nil && s.ran[j] < s.world.jobs[j].Runtime
}

func (s *sliced) left(j int) job.Time { return s.world.jobs[j].Estimate - s.ran[j] }

func (s *sliced) class(j int) int {
	switch e := s.world.jobs[j].Estimate; {
	case e <= s.ShortMax:
		return 0
	case e <= s.MediumMax:
		return 1
	}
	return 2
}

// present returns the type whose slice is usable at this second, -1 if there is none.
func (s *sliced) present() int {
	for c, x := range s.slice {
		if x[0]+s.Overhead <= s.now && s.now < x[1] {
			return c
		}
	}
	return -1
}

// layOut lays out the interval that begins now (spec 4.1).
func (s *sliced) layOut() {
	length := job.Time(0)
	if need := s.shortNeed(); need > 0 && s.ShortSlice < 0 {
		length = s.Overhead + min(s.ShortMax, need)
	} else if need > 0 {
		length = s.ShortSlice
	}
	s.slice = s.layout(s.now, length)
}

// layout returns the slices of the interval that begins at a second, with a short
// slice of that length.
func (r *Slices) layout(begin, length job.Time) [3][2]job.Time {
	medium := job.Time(math.Round(r.Share * float64(r.Interval-length)))
	return [3][2]job.Time{{begin, begin + length}, {begin + length, begin + length + medium}, {begin + length + medium, begin + r.Interval}}
}

// shortNeed returns how long the short jobs that are there would take, planned
// conservatively. Who comes at this very second comes after the slice begins.
func (s *sliced) shortNeed() (end job.Time) {
	p := &plan{whole: s.whole}
	for j := range s.jobs {
		if s.class(j) == 0 && s.active(j) {
			p.take(s.rest(j), 0)
			end = max(end, s.left(j))
		}
	}
	for j := range s.jobs {
		if s.class(j) == 0 && s.waits(j) && s.world.jobs[j].Submit < s.now {
			at := p.first(&s.world.jobs[j])
			p.take(&s.world.jobs[j], at)
			end = max(end, at+s.world.jobs[j].Estimate)
		}
	}
	return end
}

// rest returns job j as far as it has not run.
func (s *sliced) rest(j int) *job.Job {
	rest := s.world.jobs[j]
	rest.Estimate = s.left(j)
	return &rest
}

// byPlan returns the waiting jobs of a type in the order of their planned starts.
func (s *sliced) byPlan(c int) []int {
	queue := s.queue(c)
	slices.SortStableFunc(queue, func(a, b int) int { return cmp.Compare(s.planned[a], s.planned[b]) })
	return queue
}

// queue returns the waiting jobs of a type that came before this second.
func (s *sliced) queue(c int) []int {
	var queue []int
	for j := range s.jobs {
		if s.class(j) == c && s.waits(j) && s.world.jobs[j].Submit < s.now {
			queue = append(queue, j)
		}
	}
	return queue
}
