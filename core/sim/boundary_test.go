package sim_test

// The boundary between engine and policy, proved before anything is built on
// it: three small throw-away policies of the kinds to come - time slices, shared
// nodes, moldable jobs - that need nothing but the Pass and a speed model.

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

// slicer is a time-slice wrapper around any inner policy (spec 4.1-4.3 for
// preempted jobs; the short slice is fixed at 600 s).
type slicer struct {
	views    [3]*sim.View
	inner    [3]sim.Policy
	overhead job.Time
	fill     bool

	slices []slice // of the present interval, the first one is the present one
	begun  bool    // the overhead of the present slice is over
	guests []job.Index
}

type slice struct {
	class    int
	from, to job.Time
}

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
	c.guests = append([]job.Index(nil), s.guests...)
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
	present := s.slices[0]
	p.WakeAt(present.to)
	if now < present.from+s.overhead {
		p.WakeAt(present.from + s.overhead)
		return
	}
	if !s.begun {
		s.begin(p, present.class)
	}
	p.In(s.views[present.class], s.inner[present.class])
	if s.fill {
		s.fillIn(p, present.class)
	}
}

func (s *slicer) layout(p *sim.Pass, start job.Time) {
	rest, from := job.Time(3600), start
	for j := range p.Waiting() {
		if class(p.Job(j)) == short {
			s.slices = append(s.slices, slice{short, from, from + 600})
			rest, from = rest-600, from+600
			break
		}
	}
	m := (rest*3 + 5) / 10
	s.slices = append(s.slices, slice{medium, from, from + m}, slice{long, from + m, start + 3600})
}

func (s *slicer) begin(p *sim.Pass, c int) {
	s.begun = true
	p.Turn(s.views[c], true, s.slices[0].to)
	for j := range p.Suspended() {
		if class(p.Job(j)) == c {
			p.Resume(j, log.Reason{Other: job.None})
		}
	}
}

func (s *slicer) end(p *sim.Pass) {
	c := s.slices[0].class
	for j := range p.Running() {
		p.Suspend(j, log.Reason{Other: job.None})
		if of := class(p.Job(j)); of != c {
			s.views[of].Progressed(j)
		}
	}
	if s.begun {
		p.Turn(s.views[c], false, 0)
	}
	s.slices, s.begun = s.slices[1:], false
}

// fillIn resumes preempted jobs of other classes on processors that the class
// of the slice neither uses nor plans to use.
func (s *slicer) fillIn(p *sim.Pass, c int) {
	for j := range p.Waiting() {
		if class(p.Job(j)) == c {
			return // a simple safe rule is enough here
		}
	}
	for j := range p.Suspended() {
		if p.Resumable(j) {
			p.Resume(j, log.Reason{Code: log.Filled, Other: job.None, X: s.slices[0].to})
		}
	}
}

func rigid(id string, procs int, estimate, submit job.Time) job.Job {
	return job.Job{ID: id, Runtime: estimate, Request: job.Request{Submit: submit, Estimate: estimate, Procs: procs}}
}

func run(t *testing.T, c sim.Config) *log.Log {
	t.Helper()
	c.Level = log.Full
	e, err := sim.New(c)
	require.NoError(t, err)
	// A clone taken in the middle must give the same bytes.
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

func segments(l *log.Log, j job.Index) (out [][2]job.Time) {
	for _, s := range l.Spans() {
		if s.Job == j {
			out = append(out, [2]job.Time{s.From, s.To})
		}
	}
	return out
}

// Oracles E1, E2 and E3.
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
				Jobs: []job.Job{rigid("L1", 4, 12000, 0), rigid("M1", 4, 2000, 0)}})
			require.Equal(t, c.l1, segments(l, 0))
			require.Equal(t, c.m1, segments(l, 1))
			require.Equal(t, "0-3", l.Alloc(0).String())
			for r := range l.All() {
				require.NotEqual(t, log.Promise, r.Kind, "a view promises nothing")
			}
		})
	}
}

// In a view the inner policy plans in virtual time: what it learns about a job
// that made progress in a foreign slice lets it pull the next one forward.
func TestBoundaryProgressInForeignSlices(t *testing.T) {
	l := run(t, sim.Config{Machine: cluster.Flat(4), Policy: newSlicer(t, 0, true),
		Jobs: []job.Job{rigid("L1", 4, 12000, 0), rigid("L2", 4, 11000, 0)}})
	require.Equal(t, job.Time(1080+12000), segments(l, 0)[len(segments(l, 0))-1][1])
	// The rest of the medium slice stays idle: only preempted jobs fill it here.
	require.Equal(t, job.Time(13080), segments(l, 1)[0][0])
}

// pair starts each job at once, on the slots it is given.
type pair struct {
	claims []sim.Claim
	seen   []sim.Event
}

func (s *pair) Clone() sim.Policy { return &pair{s.claims, append([]sim.Event(nil), s.seen...)} }

func (s *pair) Schedule(p *sim.Pass) {
	s.seen = append(s.seen, p.Events()...)
	for j := range p.Waiting() {
		p.Start(j, s.claims[j], log.Reason{Code: log.Grouped, Other: 0})
	}
}

// Oracle F8: a job on four nodes of four cores beside two others; every change
// of neighbours changes its rate.
func TestBoundarySharedNodes(t *testing.T) {
	slowdown := [3][3]float64{{0, 1.1, 1.05}, {1.1, 0, 0}, {1.0, 0, 0}}
	machine := cluster.Machine{Nodes: 4, Processors: 2, Cores: 2, JobsPerNode: 2}
	cores := func(core int, nodes ...int) (s cluster.Set) { // that core of both processors
		for _, n := range nodes {
			s = s.Append(machine.Slot(n, 0, core)).Append(machine.Slot(n, 1, core))
		}
		return s
	}
	group := &pair{claims: []sim.Claim{
		{PerNode: 2, Slots: cores(0, 0, 1, 2, 3)},
		{PerNode: 2, Slots: cores(1, 0, 1)},
		{PerNode: 2, Slots: cores(1, 2, 3)},
	}}
	more := &job.More{SLnos: 1, SLcrs: 1.3}
	jobs := []job.Job{rigid("A", 8, 4000, 0), rigid("J1", 4, 3000, 0), rigid("J2", 4, 1500, 0)}
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

	// The worst neighbour counts: with 1.2 beside J2 the rate of A changes at 1500.
	slowdown[0][2] = 1.2
	group.seen = nil
	e, err := sim.New(c)
	require.NoError(t, err)
	require.NoError(t, e.Run())
	require.Contains(t, group.seen, sim.Event{Kind: sim.Repriced, Job: 0})
	// 1500/1.2 + 1800/1.1 dedicated seconds are done at 3300.
	require.Equal(t, job.Time(3300+1114), e.Log().Outcomes()[0].Finish)
}

// moldableEasy is EASY over sizes chosen beforehand.
type moldableEasy struct {
	sizes    []int
	releases policy.Releases
}

func (m *moldableEasy) Clone() sim.Policy {
	return &moldableEasy{m.sizes, m.releases.Clone()}
}

func (m *moldableEasy) Schedule(p *sim.Pass) {
	m.releases.Observe(p)
	head := job.None
	var shadow job.Time
	var spare policy.Room
	for j := range p.Waiting() {
		n := m.sizes[j]
		switch end := p.Now() + p.Runtime(j, n); {
		case head == job.None && n <= p.Free():
			m.start(p, j, n)
		case head == job.None:
			head = j
			shadow, spare = m.releases.Shadow(p, policy.NeedOf(p, j, int32(n)), policy.Free(p))
		case n <= p.Free() && (end <= shadow || n <= spare.Procs):
			if end > shadow {
				spare.Take(policy.NeedOf(p, j, int32(n)))
			}
			m.start(p, j, n)
		}
	}
}

func (m *moldableEasy) start(p *sim.Pass, j job.Index, n int) {
	p.Start(j, sim.Claim{Procs: n}, log.Reason{Code: log.Head, Other: job.None})
	m.releases.Add(p.Predict(j), j, int32(n))
}

// Table 1 and figure 3 of Wu et al. (spec 7.5): strategies A, B and C.
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
				j := rigid(string(rune('1'+i)), 1, 10, 0)
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
