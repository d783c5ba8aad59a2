package cluster_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
)

// slots represents a set of slots in the simplest way, one bool per slot. Tests compare a
// cluster.Set with it.
type slots []bool

// set returns s as a cluster.Set.
func (s slots) set() cluster.Set {
	var out cluster.Set
	for i, in := range s {
		if in {
			out = out.Append(int32(i), int32(i)+1)
		}
	}
	return out
}

func (s slots) count() (n int) {
	for _, in := range s {
		if in {
			n++
		}
	}
	return n
}

// pick draws a random subset of the slots in s. If inside is false, it draws a subset of the other
// slots instead.
func (s slots) pick(t *rapid.T, inside bool) slots {
	out := make(slots, len(s))
	for i := range s {
		out[i] = s[i] == inside && rapid.Bool().Draw(t, "pick")
	}
	return out
}

// TestNodesOf checks that a node on which the set has two ranges is yielded only once.
func TestNodesOf(t *testing.T) {
	m := cluster.Machine{Nodes: 5, Processors: 2, Cores: 2}
	for text, want := range map[string][]int{"": nil, "0": {0}, "1 3 5-6": {0, 1}, "2-9 11 16": {0, 1, 2, 4}, "0-19": {0, 1, 2, 3, 4}} {
		s, err := cluster.ParseSet(text)
		require.NoError(t, err)
		require.Equal(t, want, slices.Collect(m.NodesOf(s)), text)
	}
}

// TestFree applies the same random operations to a Free and to a slice of bools, and checks that
// both contain the same free slots.
func TestFree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		model := make(slots, rapid.IntRange(1, 20).Draw(t, "slots"))
		for i := range model {
			model[i] = true
		}
		f := cluster.NewFree(len(model))
		last, lastText := f.Clone(), model.set().String()
		t.Repeat(map[string]func(*rapid.T){
			"lowest": func(t *rapid.T) {
				n := rapid.IntRange(0, model.count()).Draw(t, "n")
				var want cluster.Set
				for i := 0; want.Count() < n; i++ {
					if model[i] {
						want, model[i] = want.Append(int32(i), int32(i)+1), false
					}
				}
				require.Equal(t, want.String(), f.TakeLowest(n, nil).String())
			},
			"take": func(t *rapid.T) {
				s := model.pick(t, true)
				for i := range s {
					model[i] = model[i] && !s[i]
				}
				f.Take(s.set())
			},
			"put": func(t *rapid.T) {
				s := model.pick(t, false)
				for i := range s {
					model[i] = model[i] || s[i]
				}
				f.Put(s.set())
			},
			"has": func(t *rapid.T) {
				some := model.pick(t, true)
				require.True(t, f.Has(some.set()))
				more := model.pick(t, false)
				for i := range more {
					some[i] = some[i] || more[i]
				}
				require.Equal(t, more.count() == 0, f.Has(some.set()))
			},
			"clone": func(*rapid.T) { last, lastText = f.Clone(), model.set().String() },
			"": func(t *rapid.T) {
				require.Equal(t, model.set(), append(cluster.Set(nil), f.Set()...))
				require.Equal(t, model.count(), f.Count())
				require.Equal(t, lastText, last.Set().String(), "the clone")
			},
		})
	})
}

// TestTakeLowestAppends checks that TakeLowest appends its slots to those already in dst.
func TestTakeLowestAppends(t *testing.T) {
	f := cluster.NewFree(8)
	f.Take(cluster.Set{{Lo: 2, Hi: 4}})
	require.Equal(t, "9 0-1 4", f.TakeLowest(3, cluster.Set{{Lo: 9, Hi: 10}}).String())
	require.Equal(t, "5-7", f.Set().String())
}

func TestSetText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := make(slots, 30).pick(t, false).set()
		got, err := cluster.ParseSet(s.String())
		require.NoError(t, err)
		require.Equal(t, s, got)
		require.Equal(t, fmt.Sprint(s), string(s.AppendTo(nil)))
	})
	for text, want := range map[string]string{
		"": "", "3": "3", "0-3 8": "0-3 8", " 1  2-4\t9 ": "1-4 9", "5-5": "5", "3999999": "3999999",
	} {
		s, err := cluster.ParseSet(text)
		require.NoError(t, err, text)
		require.Equal(t, want, s.String())
	}
	for _, bad := range []string{"a", "1-", "-1", "3-2", "4 2", "1-3 3", "1-2-3", "4000000", "99999999999"} {
		_, err := cluster.ParseSet(bad)
		require.ErrorContains(t, err, fmt.Sprintf("slots %q", bad), bad)
	}
}

func TestMachine(t *testing.T) {
	m := cluster.Machine{Nodes: 3, Processors: 2, Cores: 4}
	require.Equal(t, 8, m.SlotsPerNode())
	require.Equal(t, 24, m.Slots())
	require.Equal(t, []int{0, 0, 1, 2}, []int{m.Node(0), m.Node(7), m.Node(8), m.Node(23)})
	require.Equal(t, cluster.Machine{Nodes: 5, Processors: 1, Cores: 1}, cluster.Flat(5))
}

func TestMachineValidate(t *testing.T) {
	good := cluster.Machine{Nodes: 1_000_000, Processors: 2, Cores: 2, Resources: []cluster.Resource{{Name: "memory"}}}
	require.NoError(t, good.Validate())
	for field, corrupt := range map[string]func(*cluster.Machine){
		"nodes":                      func(m *cluster.Machine) { m.Nodes = 0 },
		"processors":                 func(m *cluster.Machine) { m.Processors = 0 },
		"cores":                      func(m *cluster.Machine) { m.Cores = 0 },
		"nodes x processors x cores": func(m *cluster.Machine) { m.Cores = 3 },
		"resource":                   func(m *cluster.Machine) { m.Resources = []cluster.Resource{{Capacity: 1}} },
		"resource memory":            func(m *cluster.Machine) { m.Resources = []cluster.Resource{{Name: "memory", Capacity: -1}} },
	} {
		m := good
		corrupt(&m)
		var invalid *cluster.Invalid
		require.ErrorAs(t, m.Validate(), &invalid, field)
		require.Equal(t, field, invalid.Field)
	}
	tooMany := cluster.Flat(cluster.MaxNodes + 1)
	require.ErrorContains(t, tooMany.Validate(), "expected 1 to 1000000, got 1000001")
	huge := cluster.Machine{Nodes: 1, Processors: cluster.MaxSlots, Cores: cluster.MaxSlots}
	require.Error(t, huge.Validate(), "the product must not overflow")
}

// TestSets compares the set operations with the same operations on slices of bools.
func TestSets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := make(slots, 20).pick(t, false), make(slots, 20).pick(t, false)
		both, only := make(slots, 20), make(slots, 20)
		for i := range a {
			both[i], only[i] = a[i] && b[i], a[i] && !b[i]
		}
		require.Equal(t, both.set().String(), a.set().Intersect(b.set()).String())
		require.Equal(t, only.set().String(), a.set().Without(b.set()).String())
		require.Equal(t, a.set().String(), only.set().Union(both.set()).String())
		from := rapid.IntRange(0, a.count()).Draw(t, "from")
		n := rapid.IntRange(0, a.count()-from).Draw(t, "n")
		all := cluster.Free{}
		all.Put(a.set())
		all.TakeLowest(from, nil)
		require.Equal(t, all.TakeLowest(n, nil).String(), a.set().Slice(from, n).String())
	})
}
