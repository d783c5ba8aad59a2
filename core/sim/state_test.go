package sim

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/job"
)

// The heap gives ends in the order of (moment, job), whatever the order they
// came in.
func TestEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var h ends
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

func members(l *list) []job.Index {
	out := []job.Index{}
	for j := l.first(); j != job.None; j = l.after(j) {
		out = append(out, j)
	}
	return out
}

// The list of waiting jobs is in index order; a clone for the jobs so far goes its
// own way.
func TestList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l, model := newList(20), []job.Index{}
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

func chained(p *pool) []job.Index {
	out := []job.Index{}
	for w := p.runs[0].next; w != 0; w = p.runs[w].next {
		out = append(out, p.runs[w].job)
	}
	return out
}

// The pool keeps runs in the order of their starts and reuses their places; a
// clone goes its own way.
func TestPool(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const jobs = 12
		p, model := newPool(jobs), []job.Index{}
		last, lastModel := p.clone(jobs), []job.Index{}
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				j := rapid.Int32Range(0, jobs-1).Draw(t, "job")
				if p.of(j) == nil {
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
				require.Equal(t, model, chained(&p))
				require.Equal(t, len(model), p.count)
				require.Equal(t, lastModel, chained(&last))
				require.LessOrEqual(t, len(p.runs), jobs+1, "places are reused")
				for j := job.Index(0); j < jobs; j++ {
					r := p.of(j)
					require.Equal(t, slices.Contains(model, j), r != nil)
					require.True(t, r == nil || r.job == j && r.rate == float64(j))
				}
			},
		})
	})
}
