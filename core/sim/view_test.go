package sim_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/sim"
)

// ownsAll makes a view own every job.
func ownsAll(*job.Request) bool { return true }

// TestViewClock checks that the clock of a view stops between slices, and that WakeAt of the inner
// policy uses that clock.
func TestViewClock(t *testing.T) {
	v := sim.NewView(3, ownsAll)
	var outer, inner []job.Time
	in := script(func(p *sim.Pass) {
		inner = append(inner, p.Now())
		greedy(p)
		p.WakeAt(6)
	})
	turns := map[job.Time]bool{2: true, 5: false, 9: true}
	e := newEngine(t, sim.Config{Machine: cluster.Flat(2), Jobs: parseJobs(t, "A 1/30(28)@2"), Policy: script(func(p *sim.Pass) {
		outer = append(outer, p.Now())
		p.Collect(v)
		if on, turn := turns[p.Now()]; turn {
			p.SetClock(v, on, 0)
		}
		switch {
		case p.Now() == 5:
			require.Equal(t, job.Time(3), v.Now(5))
			require.Equal(t, job.Time(3), v.Now(8), "the clock is stopped")
			p.RepeatWakeAt(v)
			p.WakeAt(9)
		default:
			p.RunInner(v, in)
		}
		if p.Now() == 2 {
			p.WakeAt(5)
		}
	})})
	require.NoError(t, e.Run())
	require.Equal(t, []job.Time{2, 5, 9, 12, 30}, outer)
	require.Equal(t, []job.Time{0, 3, 6, 24}, inner, "wall-clock time 12 is virtual time 6")
	var slices []job.Time
	for r := range e.Log().All() {
		if r.Kind == log.Slice {
			slices = append(slices, r.At, r.X)
			require.Equal(t, uint8(3), r.View)
		}
		if r.Kind == log.Start {
			require.Equal(t, uint8(3), r.View, "a start is recorded with its view")
			require.Equal(t, job.Time(2), r.At, "in wall-clock time")
		}
	}
	require.Equal(t, []job.Time{2, 1, 5, 0, 9, 1}, slices)
}

// TestViewShowsOwnJobs checks that a view shows only its own jobs and events, and that its
// suspended jobs hold their slots.
func TestViewShowsOwnJobs(t *testing.T) {
	narrow := sim.NewView(1, func(r *job.Request) bool { return r.Procs == 1 })
	js := parseJobs(t, "A 1/9(4)\nW 2/9\nB 1/5@4")
	var seen []sim.Event
	done := false
	e := newEngine(t, sim.Config{Machine: cluster.Flat(4), Jobs: js, Policy: script(func(p *sim.Pass) {
		p.Collect(narrow)
		if p.Now() == 0 {
			p.SetClock(narrow, true, 0)
			p.Start(1, sim.Claim{}, log.Reason{Other: job.None})
		}
		require.Equal(t, p.Now() == 0 || p.Now() == 4 || p.Now() >= 9, narrow.HasEvents())
		p.RunInner(narrow, script(func(p *sim.Pass) {
			seen = append(seen, slices.Clone(p.Events())...)
			require.NotContains(t, slices.Collect(p.Waiting()), job.Index(1))
			require.NotContains(t, slices.Collect(p.Running()), job.Index(1))
			if p.Now() == 0 {
				require.Equal(t, 4, p.Free(), "W is not in the view")
			}
			greedy(p)
		}))
		if p.Now() == 4 && !done {
			done = true
			p.Suspend(2, log.Reason{Other: job.None})
			p.RunInner(narrow, script(func(p *sim.Pass) {
				require.Equal(t, []job.Index{2}, slices.Collect(p.Running()), "suspended counts as running")
				require.Empty(t, slices.Collect(p.Suspended()))
				require.Equal(t, 3, p.Free())
				require.Equal(t, job.Time(9), p.PredictedEnd(2))
				p.Promise(2, 99)
			}))
			require.Equal(t, []job.Index{2}, slices.Collect(p.Suspended()))
			p.Resume(2, log.Reason{Other: job.None})
		}
	})})
	require.NoError(t, e.Run())
	require.Equal(t, []sim.Event{{sim.Submitted, 0}, {sim.Finished, 0}, {sim.Submitted, 2}, {sim.Finished, 2}}, seen)
	require.Equal(t, "A 0-4\nW 0-9\nB 4-4;4-9\n", policytest.FormatIntervals(e.Log()), "promises in a view are not recorded")
}

// TestViewStart checks that a job of a view starts only on idle slots that are not bound to a
// suspended job of the view. If there are too few such slots, the job does not start.
func TestViewStart(t *testing.T) {
	a := sim.NewView(1, func(r *job.Request) bool { return r.Procs != 3 })
	e := newEngine(t, sim.Config{Machine: cluster.Flat(6), Jobs: parseJobs(t, "A 2/9\nB 3/9\nC 2/9@1\nD 1/2@1"), Policy: script(func(p *sim.Pass) {
		p.Collect(a)
		start := func(p *sim.Pass, j job.Index) bool { return p.Start(j, sim.Claim{}, log.Reason{Other: job.None}) }
		switch p.Now() {
		case 0:
			p.RunInner(a, script(func(p *sim.Pass) { require.True(t, start(p, 0)) }))
			p.Start(1, sim.Claim{}, log.Reason{Other: job.None})
		case 1:
			p.Suspend(0, log.Reason{Other: job.None})
			p.RunInner(a, script(func(p *sim.Pass) {
				require.Equal(t, 4, p.Free(), "B is not in the view")
				require.False(t, start(p, 2), "only slot 5 is left")
				require.True(t, start(p, 3))
			}))
			p.Resume(0, log.Reason{Other: job.None})
		case 9, 10:
			if p.Free() >= 2 {
				greedy(p)
			}
		}
	})})
	require.NoError(t, e.Run())
	l := e.Log()
	require.Equal(t, "0-1 2-4 0-1 5", l.Alloc(0).String()+" "+l.Alloc(1).String()+" "+l.Alloc(2).String()+" "+l.Alloc(3).String())
}

// TestViewAddProgress checks that several calls of AddProgress for a job cause one EndChanged event.
func TestViewAddProgress(t *testing.T) {
	v := sim.NewView(1, ownsAll)
	require.False(t, v.HasEvents())
	v.AddProgress(0)
	v.AddProgress(0)
	c := v.Clone()
	c.AddProgress(1)
	var seen []sim.Event
	e := newEngine(t, sim.Config{Machine: cluster.Flat(2), Jobs: parseJobs(t, "A 1/4\nB 1/4"), Policy: script(func(p *sim.Pass) {
		if p.Now() == 0 {
			greedy(p)
			p.Collect(v)
		}
		p.RunInner(v, script(func(p *sim.Pass) { seen = append(seen, slices.Clone(p.Events())...) }))
	})})
	require.NoError(t, e.Run())
	require.Equal(t, []sim.Event{{sim.EndChanged, 0}, {sim.Submitted, 0}, {sim.Submitted, 1}}, seen)
	require.True(t, c.HasEvents())
}

// highestSlotsHost is a Host that refuses one job, and starts the others on the highest slots.
type highestSlotsHost struct {
	sim.Policy
	refuse job.Index
	open   []int // number of open slots in each call of Admit
}

func (h *highestSlotsHost) Admit(_ *sim.Pass, v *sim.View, j job.Index, open *cluster.Free, why log.Reason) (cluster.Set, log.Reason) {
	h.open = append(h.open, open.Count())
	if j == h.refuse || open.Count() == 0 {
		return nil, why
	}
	why.Y = int64(v.Number)
	return cluster.Set{{Lo: 3 - int32(j), Hi: 4 - int32(j)}}, why
}

func (h *highestSlotsHost) WallClockAt(_ *sim.Pass, _ *sim.View, t job.Time) job.Time {
	return 1000 + t
}

// TestViewHost checks that the host of a view can refuse starts, and that it sets slots, reasons
// and wall-clock times. While jobs of other views hold the extra resource, Admit must get no open
// slots.
func TestViewHost(t *testing.T) {
	v, h := sim.NewView(2, func(r *job.Request) bool { return r.Procs == 1 }), &highestSlotsHost{refuse: 1}
	v.Host = h
	js := parseJobs(t, "A 1/9 +1\nB 1/9\nC 2/5 +2\nD 1/9 +2")
	m := cluster.Flat(4)
	m.Resources = []cluster.Resource{{Name: "r", Capacity: 3}}
	e := newEngine(t, sim.Config{Machine: m, Jobs: js, Policy: script(func(p *sim.Pass) {
		p.Collect(v)
		start := func(p *sim.Pass, j job.Index) bool {
			return p.Start(j, sim.Claim{}, log.Reason{Code: log.BeforeShadow, Other: job.None, X: 7})
		}
		switch p.Now() {
		case 0:
			require.Equal(t, 4, p.UnfinishedJobs())
			p.Start(2, sim.Claim{Slots: cluster.Set{{Lo: 0, Hi: 2}}}, log.Reason{Other: job.None})
			p.RunInner(v, script(func(p *sim.Pass) {
				require.Equal(t, int64(3), p.FreeExtra(0), "C is not in the view")
				require.True(t, start(p, 0))
				require.Equal(t, int64(2), p.FreeExtra(0))
				require.False(t, start(p, 1), "refused")
				require.False(t, start(p, 3), "A and C hold the resource")
				p.RecordWait(1, log.Reason{Code: log.Blocked, Other: job.None, X: 8, Y: 1})
				p.Move(1, 3, 2, log.Reason{Other: job.None})
			}))
		default:
			h.refuse = job.None
			p.RunInner(v, script(func(p *sim.Pass) {
				for j := range p.Waiting() {
					start(p, j)
				}
			}))
		}
	})})
	require.NoError(t, e.Run())
	l := e.Log()
	require.Equal(t, []int{2, 1, 0}, h.open[:3])
	require.Equal(t, "3 2 0", l.Alloc(0).String()+" "+l.Alloc(1).String()+" "+l.Alloc(3).String())
	for r := range l.All() {
		switch {
		case r.Kind == log.Start && r.View != 0:
			require.Equal(t, []int64{1007, 2}, []int64{r.X, r.Y}, "wall-clock time, and the number from the host")
		case r.Kind == log.Hold:
			require.Equal(t, []int64{1008, 1}, []int64{r.X, r.Y})
		}
		require.NotEqual(t, log.Move, r.Kind, "moves in a view are not recorded")
	}
}
