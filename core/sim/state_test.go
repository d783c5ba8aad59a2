package sim

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// TestEnds checks that the heap returns ends sorted by time, then job, for any order of pushes.
func TestEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h endHeap
		var model []end
		t.Repeat(map[string]func(*rapid.T){
			"push": func(t *rapid.T) {
				e := end{rapid.Int64Range(0, 5).Draw(t, "at"), rapid.Int32Range(0, 9).Draw(t, "job")}
				h.push(e)
				model = append(model, e)
			},
			"pop": func(t *rapid.T) {
				if len(model) == 0 {
					return
				}
				slices.SortFunc(model, func(a, b end) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.job, b.job)) })
				require.Equal(t, model[0], h.pop())
				model = model[1:]
			},
			"": func(t *rapid.T) { require.Equal(t, len(model), h.count) },
		})
	})
}

// members returns the jobs of the list, in order.
func members(l *jobList) []job.Index {
	out := []job.Index{}
	for j := l.first(); j != job.None; j = l.after(j) {
		out = append(out, j)
	}
	return out
}

// TestList checks that the list stays in index order and that clones are independent.
func TestList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, model := newJobList(20), []job.Index{}
		last, lastModel := l.clone(0), []job.Index{}
		next := job.Index(0)
		t.Repeat(map[string]func(*rapid.T){
			"push": func(*rapid.T) {
				if next < 20 {
					l.push(next)
					model = append(model, next)
					next++
				}
			},
			"remove": func(t *rapid.T) {
				if len(model) > 0 {
					i := rapid.IntRange(0, len(model)-1).Draw(t, "which")
					l.remove(model[i])
					model = slices.Delete(model, i, i+1)
				}
			},
			"clone": func(*rapid.T) { last, lastModel = l.clone(int(next)), slices.Clone(model) },
			"": func(t *rapid.T) {
				require.Equal(t, model, members(&l))
				require.Equal(t, len(model), l.count)
				require.Equal(t, lastModel, members(&last))
				require.Equal(t, len(lastModel), last.count)
			},
		})
	})
}

// linkedJobs returns the jobs of the pool, in the order of its linked list.
func linkedJobs(p *runPool) []job.Index {
	out := []job.Index{}
	for w := p.runs[0].next; w != 0; w = p.runs[w].next {
		out = append(out, p.runs[w].job)
	}
	return out
}

// TestPool checks that the pool keeps runs in order of start and reuses the elements of removed runs.
// It also checks that clones are independent.
func TestPool(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const jobs = 12
		p, model := newRunPool(jobs), []job.Index{}
		last, lastModel := p.clone(jobs), []job.Index{}
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				j := rapid.Int32Range(0, jobs-1).Draw(t, "job")
				if p.find(j) == nil {
					p.add(j).rate = float64(j)
					model = append(model, j)
				}
			},
			"remove": func(t *rapid.T) {
				if len(model) > 0 {
					i := rapid.IntRange(0, len(model)-1).Draw(t, "which")
					p.remove(model[i])
					model = slices.Delete(model, i, i+1)
				}
			},
			"clone": func(*rapid.T) { last, lastModel = p.clone(jobs), slices.Clone(model) },
			"": func(t *rapid.T) {
				require.Equal(t, model, linkedJobs(&p))
				require.Equal(t, len(model), p.count)
				require.Equal(t, lastModel, linkedJobs(&last))
				require.LessOrEqual(t, len(p.runs), jobs+1, "elements are reused")
				for j := job.Index(0); j < jobs; j++ {
					r := p.find(j)
					require.Equal(t, slices.Contains(model, j), r != nil)
					require.True(t, r == nil || r.job == j && r.rate == float64(j))
				}
			},
		})
	})
}

// eager starts every job that fits, in order of submit time.
type eager struct{}

func (eager) Clone() Policy { return eager{} }
func (eager) Schedule(p *Pass) {
	for j := range p.Waiting() {
		if p.Job(j).Procs <= p.Free() {
			p.Start(j, Claim{}, log.Reason{Other: job.None})
		}
	}
}

// TestLimits checks that a run ends with an error when its log or its times exceed the limits.
func TestLimits(t *testing.T) {
	jobs := make([]job.Job, 1200)
	for i := range jobs {
		jobs[i] = job.Job{ID: "a", Runtime: job.MaxTime, Request: job.Request{Estimate: job.MaxTime, Procs: 1}}
	}
	engine := func() *Engine {
		e, err := New(Config{Machine: cluster.Flat(1), Jobs: jobs, Policy: eager{}})
		require.NoError(t, err)
		require.Equal(t, MaxRecords+RecordsPerJob*len(jobs), e.maxRecords)
		return e
	}
	require.EqualError(t, engine().Run(), "at 1000000000000000: expected a run to end by 1000000000000000, got an event at 1001000000000000")
	e := engine()
	e.maxRecords = 100
	require.EqualError(t, e.Run(), "at 50000000000000: expected a run of 1200 jobs to have at most 100 records, got more when 50 jobs had finished")
	_, err := e.Step()
	require.Error(t, err, "the error is permanent")
}

// TestViewEvents checks that a view gets its events sorted by kind, without EndChanged events of
// finished jobs.
func TestViewEvents(t *testing.T) {
	e := &Engine{runs: newRunPool(4)}
	e.runs.add(2)
	v := &View{events: []Event{{EndChanged, 1}, {Submitted, 3}, {EndChanged, 2}, {EndChanged, 0}, {Finished, 1}, {Finished, 0}}}
	v.sortEvents(e)
	require.Equal(t, []Event{{Finished, 1}, {Finished, 0}, {EndChanged, 2}, {Submitted, 3}}, v.events)
}
