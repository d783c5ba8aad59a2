package schedule_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/schedule"
)

// requireCodes fails unless the findings have exactly these codes, in any order.
func requireCodes(t require.TestingT, found []schedule.Finding, want ...schedule.Code) {
	got := []schedule.Code{}
	for _, f := range found {
		got = append(got, f.Code)
	}
	require.ElementsMatch(t, want, got, "%v", found)
}

// machine has 2 nodes of 4 cores and 10 units of memory. Up to 2 jobs may share a node.
var machine = cluster.Machine{Nodes: 2, Processors: 2, Cores: 2, JobsPerNode: 2,
	Resources: []cluster.Resource{{Name: "memory", Capacity: 10}}}

// set parses the text form of a set of slots.
func set(t require.TestingT, text string) cluster.Set {
	s, err := cluster.ParseSet(text)
	require.NoError(t, err)
	return s
}

// validSchedule returns a schedule that breaks no rule. At some times its jobs use all slots of
// node 0, and all of the memory.
func validSchedule(t require.TestingT) *schedule.Schedule {
	return &schedule.Schedule{Rows: []schedule.Row{
		{ID: "a", Submit: 0, Start: 0, Finish: 5, Procs: 2, Runtime: 5, Estimate: 5, Promised: job.Never, Fair: job.Never,
			Segments: []schedule.Segment{{From: 0, To: 5}}, Alloc: set(t, "0-1"), Extra: []int64{4}},
		{ID: "b", Submit: 0, Start: 1, Finish: 9, Procs: 2, Runtime: 6, Estimate: 8, Promised: 1,
			Segments: []schedule.Segment{{From: 1, To: 3}, {From: 5, To: 9}}, Alloc: set(t, "2 4"), PerNode: 1, Extra: []int64{6}},
		{ID: "c", Submit: 2, Start: 5, Finish: 6, Procs: 3, Runtime: 1, Estimate: 1, Promised: 7,
			Segments: []schedule.Segment{{From: 5, To: 6}}, Alloc: set(t, "0-1 6")},
	}}
}

// scheduleChanges lists changes made to a valid schedule, and the codes of the errors that the checker
// must then report.
var scheduleChanges = []struct {
	name   string
	change func(t *testing.T, s *schedule.Schedule)
	want   []schedule.Code
}{
	{"nothing", func(*testing.T, *schedule.Schedule) {}, nil},
	{"job never starts", func(_ *testing.T, s *schedule.Schedule) {
		s.Rows[0].Start, s.Rows[0].Finish, s.Rows[0].Segments = job.Never, job.Never, nil
	}, []schedule.Code{schedule.Unfinished}},
	{"job never finishes", func(_ *testing.T, s *schedule.Schedule) {
		s.Rows[2].Finish, s.Rows[2].Segments[0].To = job.Never, job.Never
	}, []schedule.Code{schedule.Unfinished}},
	{"early start", func(_ *testing.T, s *schedule.Schedule) { s.Rows[2].Submit = 6 }, []schedule.Code{schedule.EarlyStart}},
	{"runtime above estimate", func(_ *testing.T, s *schedule.Schedule) { s.Rows[0].Estimate = 4 }, []schedule.Code{schedule.BadRequest}},
	{"no processors", func(_ *testing.T, s *schedule.Schedule) { s.Rows[0].Procs, s.Rows[0].Alloc = 0, nil }, []schedule.Code{schedule.BadRequest}},
	{"no runtime", func(_ *testing.T, s *schedule.Schedule) {
		s.Rows[0].Runtime, s.Rows[0].Finish, s.Rows[0].Segments[0].To = 0, 0, 0
	}, []schedule.Code{schedule.BadRequest}},
	{"segments overlap", func(_ *testing.T, s *schedule.Schedule) { s.Rows[1].Segments[1].From = 2 }, []schedule.Code{schedule.SegmentOrder}},
	{"segment runs backwards", func(_ *testing.T, s *schedule.Schedule) { s.Rows[1].Segments[0].To = 0 }, []schedule.Code{schedule.SegmentOrder}},
	{"start differs from the segments", func(_ *testing.T, s *schedule.Schedule) { s.Rows[1].Start = 0 }, []schedule.Code{schedule.StartAt}},
	{"no segments", func(_ *testing.T, s *schedule.Schedule) { s.Rows[1].Segments = nil }, []schedule.Code{schedule.StartAt}},
	{"finish differs from the segments", func(_ *testing.T, s *schedule.Schedule) { s.Rows[1].Finish = 10 }, []schedule.Code{schedule.FinishAt}},
	{"too little work", func(_ *testing.T, s *schedule.Schedule) { s.Rows[1].Runtime = 7 }, []schedule.Code{schedule.Work}},
	{"too much work", func(_ *testing.T, s *schedule.Schedule) { s.Rows[1].Runtime = 5 }, []schedule.Code{schedule.Work}},
	{"broken promise", func(_ *testing.T, s *schedule.Schedule) { s.Rows[2].Promised = 4 }, []schedule.Code{schedule.PromiseBroken}},
	{"slots outside the machine", func(t *testing.T, s *schedule.Schedule) { s.Rows[2].Alloc = set(t, "0-1 8") }, []schedule.Code{schedule.InvalidSlots}},
	{"slots out of order", func(_ *testing.T, s *schedule.Schedule) {
		s.Rows[2].Alloc = cluster.Set{{Lo: 5, Hi: 7}, {Lo: 0, Hi: 1}}
	}, []schedule.Code{schedule.InvalidSlots}},
	{"empty range of slots", func(_ *testing.T, s *schedule.Schedule) {
		s.Rows[2].Alloc = cluster.Set{{Lo: 0, Hi: 3}, {Lo: 7, Hi: 7}}
	}, []schedule.Code{schedule.InvalidSlots}},
	{"too few slots", func(t *testing.T, s *schedule.Schedule) { s.Rows[2].Alloc = set(t, "0 6") }, []schedule.Code{schedule.SlotCount}},
	{"more processes per node than the layout allows", func(t *testing.T, s *schedule.Schedule) { s.Rows[1].Alloc = set(t, "2-3") }, []schedule.Code{schedule.PerNode}},
	{"too many processors", func(_ *testing.T, s *schedule.Schedule) { s.Rows[2].Procs, s.Rows[2].Alloc = 7, nil }, []schedule.Code{schedule.Capacity}},
	{"slot shared", func(t *testing.T, s *schedule.Schedule) { s.Rows[2].Alloc = set(t, "0-1 4") }, []schedule.Code{schedule.SlotShared}},
	{"node crowded", func(t *testing.T, s *schedule.Schedule) {
		s.Rows[1].PerNode, s.Rows[1].Alloc, s.Rows[2].Submit = 0, set(t, "5-6"), 0
		s.Rows[2] = schedule.Row{ID: "c", Start: 1, Finish: 2, Procs: 1, Runtime: 1, Estimate: 1, Promised: job.Never, Fair: job.Never,
			Segments: []schedule.Segment{{From: 1, To: 2}}, Alloc: set(t, "4")}
		d := s.Rows[2]
		d.ID, d.Alloc = "d", set(t, "7")
		s.Rows = append(s.Rows, d)
	}, []schedule.Code{schedule.NodeCrowded}},
	{"too much memory", func(_ *testing.T, s *schedule.Schedule) { s.Rows[0].Extra[0] = 5 }, []schedule.Code{schedule.Resource}},
}

func TestEachRule(t *testing.T) {
	tested := map[schedule.Code]bool{}
	for _, c := range scheduleChanges {
		t.Run(c.name, func(t *testing.T) {
			s := validSchedule(t)
			c.change(t, s)
			found := schedule.Check(s, machine, schedule.Options{Promises: true})
			requireCodes(t, found, c.want...)
			for _, f := range found {
				tested[f.Code] = true
				assert.NotEmpty(t, f.Job)
				assert.NotContains(t, f.String(), "%!")
				assert.NotContains(t, f.String(), fmt.Sprint(job.Never))
			}
		})
	}
	for _, r := range schedule.Rules {
		assert.True(t, r.Log || tested[r.Code], "no schedule breaks %s", r.Code)
	}
}

// TestFindingNamesTheOccupant checks a finding about two jobs on the same slot. It must name the job
// that occupies the slot, not a job that has just ended there. The slot is 0, the lowest number.
func TestFindingNamesTheOccupant(t *testing.T) {
	s := &schedule.Schedule{}
	for _, j := range []struct {
		id       string
		from, to job.Time
		slots    string
	}{{"ended", 0, 5, "0-1"}, {"slots 1-2", 5, 9, "1-2"}, {"first", 5, 9, "0"}, {"second", 5, 9, "0"}, {"slot 3", 6, 9, "3"}} {
		s.Rows = append(s.Rows, schedule.Row{ID: j.id, Start: j.from, Finish: j.to, Procs: set(t, j.slots).Count(), Runtime: j.to - j.from,
			Estimate: j.to - j.from, Promised: job.Never, Fair: job.Never, Segments: []schedule.Segment{{From: j.from, To: j.to}}, Alloc: set(t, j.slots)})
	}
	found := schedule.Check(s, cluster.Flat(8), schedule.Options{})
	requireCodes(t, found, schedule.SlotShared)
	assert.Equal(t, schedule.Finding{Code: schedule.SlotShared, Job: "second", At: 5,
		Text: `job "second" starts to run at 5 on slot 0, which job "first" occupies`}, found[0])
}

func TestOptions(t *testing.T) {
	s := validSchedule(t)
	s.Rows[2].Promised, s.Rows[1].Runtime = 4, 7
	requireCodes(t, schedule.Check(s, machine, schedule.Options{Rates: true}))
	s = validSchedule(t)
	s.Rows[2].Start, s.Rows[2].Finish, s.Rows[2].Segments = job.Never, job.Never, nil
	requireCodes(t, schedule.Check(s, machine, schedule.Options{Promises: true}), schedule.Unfinished)
	requireCodes(t, schedule.Check(s, machine, schedule.Options{Promises: true, Partial: true}))
	requireCodes(t, schedule.Check(bigSchedule(1000), cluster.Flat(1), schedule.Options{Limit: 3}),
		schedule.InvalidSlots, schedule.InvalidSlots, schedule.InvalidSlots, schedule.Capacity, schedule.Capacity, schedule.Capacity)
}

// TestLargeMachine checks a schedule in which a job holds the last slot of a large machine.
func TestLargeMachine(t *testing.T) {
	m := cluster.Flat(100_000)
	r := schedule.Row{ID: "a", Finish: 5, Procs: 1, Runtime: 5, Estimate: 5, Promised: job.Never, Fair: job.Never,
		Alloc: cluster.Set{{Lo: 99_999, Hi: 100_000}}, Segments: []schedule.Segment{{From: 0, To: 5}}}
	requireCodes(t, schedule.Check(&schedule.Schedule{Rows: []schedule.Row{r}}, m, schedule.Options{}))
}

const (
	slots = 8  // slots of the machine that runs the random schedules
	until = 60 // time by which every random schedule has ended
)

// drawSchedule draws a small schedule that may break rules about the machine, but no other rules.
func drawSchedule(t *rapid.T) *schedule.Schedule {
	s := &schedule.Schedule{}
	submit := job.Time(0)
	for i := range rapid.IntRange(1, 8).Draw(t, "jobs") {
		submit += rapid.Int64Range(0, 3).Draw(t, "gap")
		r := schedule.Row{ID: fmt.Sprint(i), Submit: submit, Promised: job.Never, Fair: job.Never}
		r.Start = submit + rapid.Int64Range(0, 9).Draw(t, "wait")
		r.Finish = r.Start
		for range rapid.IntRange(1, 3).Draw(t, "segments") {
			from := r.Finish
			if r.Segments != nil {
				from += rapid.Int64Range(0, 2).Draw(t, "pause")
			}
			r.Finish = from + rapid.Int64Range(1, 4).Draw(t, "length")
			r.Segments = append(r.Segments, schedule.Segment{From: from, To: r.Finish})
			r.Runtime += r.Finish - from
		}
		r.Estimate = r.Runtime
		lo := rapid.Int32Range(0, slots-1).Draw(t, "lo")
		r.Alloc = cluster.Set{{Lo: lo, Hi: rapid.Int32Range(lo+1, slots).Draw(t, "hi")}}
		if last := r.Alloc[0].Hi; last < slots-1 && rapid.Bool().Draw(t, "second") {
			r.Alloc = append(r.Alloc, cluster.Range{Lo: last + 1, Hi: slots})
		}
		r.Procs = r.Alloc.Count()
		s.Rows = append(s.Rows, r)
	}
	return s
}

// TestSweepAgreesWithSeconds checks the method sweep, which looks only at the starts and ends of
// segments. It must find the same broken rules as a count of every slot and node, second by second.
func TestSweepAgreesWithSeconds(t *testing.T) {
	m := cluster.Machine{Nodes: 2, Processors: 2, Cores: 2, JobsPerNode: 1, Resources: []cluster.Resource{{Name: "memory", Capacity: 5}}}
	rapid.Check(t, func(t *rapid.T) {
		s := drawSchedule(t)
		for i := range s.Rows {
			s.Rows[i].Extra = []int64{rapid.Int64Range(0, 4).Draw(t, "memory")}
		}
		var full, shared, crowded, memory bool
		for now := job.Time(0); now < until; now++ {
			var procs, units int64
			onSlot, onNode := map[int32]int{}, map[int32]int{}
			for _, r := range s.Rows {
				if !slices.ContainsFunc(r.Segments, func(g schedule.Segment) bool { return g.From <= now && now < g.To }) {
					continue
				}
				procs += int64(r.Procs)
				units += r.Extra[0]
				nodes := map[int32]bool{}
				for _, a := range r.Alloc {
					for slot := a.Lo; slot < a.Hi; slot++ {
						onSlot[slot]++
						nodes[slot/4] = true
						shared = shared || onSlot[slot] > 1
					}
				}
				for n := range nodes {
					onNode[n]++
					crowded = crowded || onNode[n] > 1
				}
			}
			full = full || procs > slots
			memory = memory || units > 5
		}
		found := schedule.Check(s, m, schedule.Options{})
		for code, want := range map[schedule.Code]bool{
			schedule.Capacity: full, schedule.SlotShared: shared, schedule.NodeCrowded: crowded, schedule.Resource: memory,
		} {
			got := slices.ContainsFunc(found, func(f schedule.Finding) bool { return f.Code == code })
			require.Equal(t, want, got, "%s: %v", code, found)
		}
		for _, f := range found {
			require.Contains(t, []schedule.Code{schedule.Capacity, schedule.SlotShared, schedule.NodeCrowded, schedule.Resource}, f.Code)
		}
	})
}
