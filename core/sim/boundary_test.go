package sim_test

// These tests show that Pass and a speed model are enough to write policies with time slices,
// shared nodes and moldable jobs. Each test defines its own small policy.

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/sim"
	"backfill-lab/core/speed"
)

// slicer gives short, medium and long jobs their own time slices, with conservative backfilling in
// each class. The short slice lasts 600 s. It is left out if no short job waits.
type slicer struct {
	views    [3]*sim.View
	inner    [3]sim.Policy
	overhead job.Time // idle time at the start of each slice
	fill     bool     // resume jobs of other classes on idle processors

	slices []slice // remaining slices of the current interval; the first is the current slice
	begun  bool    // whether the overhead of the current slice is over
}

// slice is a time slice [from,to) of one class.
type slice struct {
	class    int
	from, to job.Time
}

// These are the classes of jobs.
const (
	short = iota
	medium
	long
)

func newSlicer(t *testing.T, overhead job.Time, fill bool) *slicer {
	s := &slicer{overhead: overhead, fill: fill}
	for c := range s.views {
		s.views[c] = sim.NewView(uint8(c+1), func(r *job.Request) bool { return class(r) == c })
		inner, err := registry.New("conservative", nil)
		require.NoError(t, err)
		s.inner[c] = inner
	}
	return s
}

// class returns the class of a job, according to its estimate.
func class(r *job.Request) int {
	switch {
	case r.Estimate <= 600:
		return short
	case r.Estimate <= 10800:
		return medium
	}
	return long
}

func (s *slicer) Clone() sim.Policy {
	c := *s
	for i := range s.views {
		c.views[i], c.inner[i] = s.views[i].Clone(), s.inner[i].Clone()
	}
	c.slices = append([]slice(nil), s.slices...)
	return &c
}

func (s *slicer) Schedule(p *sim.Pass) {
	for _, v := range s.views {
		p.Collect(v)
	}
	now := p.Now()
	for len(s.slices) > 0 && s.slices[0].to <= now {
		s.end(p)
	}
	if len(s.slices) == 0 {
		s.layout(p, now-now%3600)
	}
	current := s.slices[0]
	p.WakeAt(current.to)
	if now < current.from+s.overhead {
		p.WakeAt(current.from + s.overhead)
		return
	}
	if !s.begun {
		s.begin(p, current.class)
	}
	p.RunInner(s.views[current.class], s.inner[current.class])
	if s.fill {
		s.resumeOthers(p, current.class)
	}
}

// layout sets the slices of one interval of 3600 s, which begins at the given time.
func (s *slicer) layout(p *sim.Pass, start job.Time) {
	rest, from := job.Time(3600), start
	for j := range p.Waiting() {
		if class(p.Job(j)) == short {
			s.slices = append(s.slices, slice{short, from, from + 600})
			rest, from = rest-600, from+600
			break
		}
	}
	mediumLength := (rest*3 + 5) / 10
	s.slices = append(s.slices, slice{medium, from, from + mediumLength}, slice{long, from + mediumLength, start + 3600})
}

// begin starts the clock of the view of class c, and resumes the suspended jobs of this class.
func (s *slicer) begin(p *sim.Pass, c int) {
	s.begun = true
	p.SetClock(s.views[c], true, s.slices[0].to)
	for j := range p.Suspended() {
		if class(p.Job(j)) == c {
			p.Resume(j, log.Reason{Other: job.None})
		}
	}
}

// end ends the current slice. It suspends all running jobs, and stops the clock of the view that owns
// the slice.
func (s *slicer) end(p *sim.Pass) {
	c := s.slices[0].class
	for j := range p.Running() {
		p.Suspend(j, log.Reason{Other: job.None})
		if other := class(p.Job(j)); other != c {
			s.views[other].AddProgress(j)
		}
	}
	if s.begun {
		p.SetClock(s.views[c], false, 0)
	}
	s.slices, s.begun = s.slices[1:], false
}

// resumeOthers resumes preempted jobs of other classes on processors that class c does not use. It
// does nothing while jobs of class c wait, so the resumed jobs cannot delay them.
func (s *slicer) resumeOthers(p *sim.Pass, c int) {
	for j := range p.Waiting() {
		if class(p.Job(j)) == c {
			return
		}
	}
	for j := range p.Suspended() {
		if p.Resumable(j) {
			p.Resume(j, log.Reason{Code: log.ResumedAsGuest, Other: job.None, X: s.slices[0].to})
		}
	}
}

// rigidJob returns a job that is not moldable and runs for its estimate.
func rigidJob(id string, procs int, estimate, submit job.Time) job.Job {
	return job.Job{ID: id, Runtime: estimate, Request: job.Request{Submit: submit, Estimate: estimate, Procs: procs}}
}

// run runs the engine to its end and returns the log. It checks that a clone made after a few steps
// writes the same log.
func run(t *testing.T, c sim.Config) *log.Log {
	t.Helper()
	c.Level = log.Full
	e, err := sim.New(c)
	require.NoError(t, err)
	for range 5 {
		_, err = e.Step()
		require.NoError(t, err)
	}
	other := e.Clone()
	require.NoError(t, e.Run())
	require.NoError(t, other.Run())
	require.Equal(t, records(e.Log()), records(other.Log()))
	return e.Log()
}

func records(l *log.Log) (out []log.Record) {
	for r := range l.All() {
		out = append(out, *r)
	}
	return out
}

// segments returns the intervals [from,to) in which job j ran.
func segments(l *log.Log, j job.Index) (out [][2]job.Time) {
	for _, s := range l.Spans() {
		if s.Job == j {
			out = append(out, [2]job.Time{s.From, s.To})
		}
	}
	return out
}

// TestBoundaryTimeSlices compares schedules of two jobs with results worked out by hand.
func TestBoundaryTimeSlices(t *testing.T) {
	type spans = [][2]job.Time
	for _, c := range []struct {
		name     string
		overhead job.Time
		fill     bool
		m1, l1   spans
	}{
		{"E1", 0, false, spans{{0, 1080}, {3600, 4520}},
			spans{{1080, 3600}, {4680, 7200}, {8280, 10800}, {11880, 14400}, {15480, 17400}}},
		{"E2", 0, true, spans{{0, 1080}, {3600, 4520}},
			spans{{1080, 3600}, {4520, 4680}, {4680, 7200}, {7200, 8280}, {8280, 10800}, {10800, 11880}, {11880, 14000}}},
		{"E3", 60, false, spans{{60, 1080}, {3660, 4640}},
			spans{{1140, 3600}, {4740, 7200}, {8340, 10800}, {11940, 14400}, {15540, 17700}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := run(t, sim.Config{Machine: cluster.Flat(4), Policy: newSlicer(t, c.overhead, c.fill),
				Jobs: []job.Job{rigidJob("L1", 4, 12000, 0), rigidJob("M1", 4, 2000, 0)}})
			require.Equal(t, c.l1, segments(l, 0))
			require.Equal(t, c.m1, segments(l, 1))
			require.Equal(t, "0-3", l.Alloc(0).String())
			for r := range l.All() {
				require.NotEqual(t, log.Promise, r.Kind, "no promises are recorded in a view")
			}
		})
	}
}

// TestBoundaryProgressInOtherSlices checks a job that also runs in slices of other classes and
// therefore ends earlier. The inner policy must then start the next job earlier too.
func TestBoundaryProgressInOtherSlices(t *testing.T) {
	l := run(t, sim.Config{Machine: cluster.Flat(4), Policy: newSlicer(t, 0, true),
		Jobs: []job.Job{rigidJob("L1", 4, 12000, 0), rigidJob("L2", 4, 11000, 0)}})
	require.Equal(t, job.Time(1080+12000), segments(l, 0)[len(segments(l, 0))-1][1])
	// L1 ends at 13080, within a slice of the long class, so L2 starts at once.
	require.Equal(t, job.Time(13080), segments(l, 1)[0][0])
}

// givenClaims starts each job immediately with the claim given for it, and collects all events.
type givenClaims struct {
	claims []sim.Claim // by job
	seen   []sim.Event
}

func (s *givenClaims) Clone() sim.Policy {
	return &givenClaims{s.claims, append([]sim.Event(nil), s.seen...)}
}

func (s *givenClaims) Schedule(p *sim.Pass) {
	s.seen = append(s.seen, p.Events()...)
	for j := range p.Waiting() {
		p.Start(j, s.claims[j], log.Reason{Code: log.Grouped, Other: 0})
	}
}

// TestBoundarySharedNodes compares the ends of three jobs with results worked out by hand. Job A
// runs on four nodes of four cores and shares them with J1 and J2. Its rate depends on the job that
// slows it down most.
func TestBoundarySharedNodes(t *testing.T) {
	slowdown := [3][3]float64{{0, 1.1, 1.05}, {1.1, 0, 0}, {1.0, 0, 0}}
	machine := cluster.Machine{Nodes: 4, Processors: 2, Cores: 2, JobsPerNode: 2}
	cores := func(core int, nodes ...int) (s cluster.Set) { // the slots of the core with this number, on both processors of each node
		for _, n := range nodes {
			s = s.Append(machine.Slot(n, 0, core)).Append(machine.Slot(n, 1, core))
		}
		return s
	}
	group := &givenClaims{claims: []sim.Claim{
		{PerNode: 2, Slots: cores(0, 0, 1, 2, 3)},
		{PerNode: 2, Slots: cores(1, 0, 1)},
		{PerNode: 2, Slots: cores(1, 2, 3)},
	}}
	more := &job.More{SLnos: 1, SLcrs: 1.3}
	jobs := []job.Job{rigidJob("A", 8, 4000, 0), rigidJob("J1", 4, 3000, 0), rigidJob("J2", 4, 1500, 0)}
	for i := range jobs {
		jobs[i].More = more
	}
	c := sim.Config{
		Machine: machine, Jobs: jobs, Policy: group,
		Speed: speed.Contention{Cos: func(i, j job.Index) float64 { return slowdown[i][j] }},
	}
	l := run(t, c)
	require.Equal(t, "1 3 5 7", l.Alloc(1).String())
	o := l.Outcomes()
	require.Equal(t, job.Time(4300), o[0].Finish)
	require.Equal(t, job.Time(3300), o[1].Finish)
	require.Equal(t, job.Time(1500), o[2].Finish)

	// Only the largest slowdown counts. J2 now slows A down by a factor of 1.2, so the rate of A
	// changes when J2 ends at 1500.
	slowdown[0][2] = 1.2
	group.seen = nil
	e, err := sim.New(c)
	require.NoError(t, err)
	require.NoError(t, e.Run())
	require.Contains(t, group.seen, sim.Event{Kind: sim.EndChanged, Job: 0})
	// By 3300, A has done 1500/1.2 + 1800/1.1 seconds of work at full speed.
	require.Equal(t, job.Time(3300+1114), e.Log().Outcomes()[0].Finish)
}

// moldableEasy is EASY with a fixed number of processors for each moldable job.
type moldableEasy struct {
	sizes    []int
	releases policy.Releases
}

func (m *moldableEasy) Clone() sim.Policy {
	return &moldableEasy{m.sizes, m.releases.Clone()}
}

func (m *moldableEasy) Schedule(p *sim.Pass) {
	m.releases.Update(p)
	head := job.None
	var shadow job.Time
	var spare policy.Capacity
	for j := range p.Waiting() {
		n := m.sizes[j]
		switch end := p.Now() + p.Runtime(j, n); {
		case head == job.None && n <= p.Free():
			m.start(p, j, n)
		case head == job.None:
			head = j
			shadow, spare = m.releases.Shadow(p, policy.DemandOf(p, j, int32(n)), policy.FreeCapacity(p))
		case n <= p.Free() && (end <= shadow || n <= spare.Procs):
			if end > shadow {
				spare.Take(policy.DemandOf(p, j, int32(n)))
			}
			m.start(p, j, n)
		}
	}
}

func (m *moldableEasy) start(p *sim.Pass, j job.Index, n int) {
	p.Start(j, sim.Claim{Procs: n}, log.Reason{Code: log.Head, Other: job.None})
	m.releases.Add(p.PredictedEnd(j), j, int32(n))
}

// TestBoundaryMoldable checks that moldableEasy reproduces the schedules of the strategies A, B and
// C of Wu et al. 2015, table 1 and figure 3.
func TestBoundaryMoldable(t *testing.T) {
	table := [][]job.Time{{10, 5}, {10, 7}, {10, 9}}
	for _, c := range []struct {
		name         string
		sizes        []int
		starts, ends []job.Time
	}{
		{"A", []int{2, 2, 1}, []job.Time{0, 5, 0}, []job.Time{5, 12, 10}},
		{"B", []int{2, 1, 2}, []job.Time{0, 0, 5}, []job.Time{5, 10, 14}},
		{"C", []int{1, 2, 2}, []job.Time{0, 0, 7}, []job.Time{10, 7, 16}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var jobs []job.Job
			for i, runtimes := range table {
				j := rigidJob(string(rune('1'+i)), 1, 10, 0)
				j.More = &job.More{Speedup: &job.Speedup{Table: runtimes}}
				jobs = append(jobs, j)
			}
			l := run(t, sim.Config{Machine: cluster.Flat(3), Jobs: jobs, Policy: &moldableEasy{sizes: c.sizes}})
			for i, o := range l.Outcomes() {
				require.Equal(t, c.starts[i], o.Start)
				require.Equal(t, c.ends[i], o.Finish)
				require.Equal(t, int32(c.sizes[i]), l.Layout(job.Index(i)).Procs)
			}
		})
	}
}
