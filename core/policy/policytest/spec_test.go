package policytest_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/cluster"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/sim"
)

var kebabCase = regexp.MustCompile(`^(inner\.)?[a-z0-9]+(-[a-z0-9]+)*$`)

// TestSpecs checks that every registered policy has a complete description. It also checks
// that the policy accepts each default and each choice of its knobs.
func TestSpecs(t *testing.T) {
	names := map[string]bool{}
	for _, s := range registry.All {
		require.Regexp(t, kebabCase, s.Name)
		require.False(t, names[s.Name], "%s is registered twice", s.Name)
		names[s.Name] = true
		require.NotEmpty(t, s.Title, s.Name)
		require.NotEmpty(t, s.Summary, s.Name)
		require.NotEmpty(t, s.Paper, s.Name)
		for _, k := range s.Knobs {
			require.Regexp(t, kebabCase, k.Name, s.Name)
			require.NotEmpty(t, k.Help, "%s, %s", s.Name, k.Name)
			require.Empty(t, k.TitleProblem(s.Knobs), s.Name)
			for _, value := range append([]string{k.Default}, k.Choices...) {
				v, err := s.Settings(map[string]string{k.Name: value})
				require.NoError(t, err)
				require.Equal(t, value, v.Text(k.Name))
				require.NotNil(t, s.New(v))
			}
		}
	}
}

// TestSettings checks that Settings accepts valid knob values. For an invalid value, its error must
// name the knob and state what was expected.
func TestSettings(t *testing.T) {
	s := &policy.Spec{Name: "p", Knobs: []policy.Knob{
		{Name: "n", Kind: policy.Integer, Default: "1", Min: 0, Max: 9, Choices: []string{"all"}},
		{Name: "f", Kind: policy.Number, Default: "0.5", Max: 1},
		{Name: "on", Kind: policy.Switch, Default: "true"},
		policy.OrderKnob("order", ""),
	}}
	v, err := s.Settings(map[string]string{"f": "1", "on": "false"})
	require.NoError(t, err)
	require.Equal(t, 1, v.Int("n"))
	require.Equal(t, 1.0, v.Float("f"))
	require.False(t, v.On("on"))
	require.Equal(t, "fifo", v.Text("order"))
	v, err = s.Settings(map[string]string{"n": "all"})
	require.NoError(t, err)
	require.Equal(t, -1, v.Int("n"))
	for _, c := range [][3]string{
		{"n", "10", `policy p, knob n: expected 0 to 9 or all, got "10"`},
		{"n", "1.5", `policy p, knob n: expected 0 to 9 or all, got "1.5"`},
		{"f", "-0.1", `policy p, knob f: expected 0 to 1, got "-0.1"`},
		{"f", "NaN", `policy p, knob f: expected 0 to 1, got "NaN"`},
		{"on", "yes", `policy p, knob on: expected true or false, got "yes"`},
		{"order", "FIFO", `policy p, knob order: expected fifo, sjf, ljf, wjf, njf or a formula (column 1: expected submit, wait, estimate, procs, user, res:NAME, a number, a function or "(", got "FIFO"), got "FIFO"`},
		{"order", "-wait/(estimate", `policy p, knob order: expected fifo, sjf, ljf, wjf, njf or a formula (column 16: expected ")", got the end), got "-wait/(estimate"`},
		{"x", "1", `policy p, knob x: expected one of its knobs: n, f, on, order, got "x"`},
	} {
		_, err := s.Settings(map[string]string{c[0]: c[1]})
		require.EqualError(t, err, c[2])
	}
	on := cluster.Machine{Resources: []cluster.Resource{{Name: "gpu", Capacity: 4}, {Name: "disk", Capacity: 9}}}
	v, err = s.SettingsOn(&on, map[string]string{"order": "res:gpu-res:disk"})
	require.NoError(t, err)
	require.Equal(t, "res:gpu-res:disk", v.Text("order"))
	_, err = s.SettingsOn(&on, map[string]string{"order": "res:gpu-res:tape"})
	require.EqualError(t, err, `policy p, knob order: expected a resource of the machine (gpu, disk), got "tape"`)
	_, err = s.SettingsOn(&cluster.Machine{}, map[string]string{"order": "res:gpu"})
	require.EqualError(t, err, `policy p, knob order: expected no resource, because the machine has none, got "gpu"`)
	_, err = registry.New("nope", nil)
	require.ErrorContains(t, err, "policy: expected one of fcfs, first-fit, ")
	require.ErrorContains(t, err, `got "nope"`)
	const program = `policy: expected the name of a policy, got the program "exec:./mine": only the flag -policy of a command that runs policies can name a program`
	_, err = registry.New("exec:./mine", nil)
	require.EqualError(t, err, program)
	_, _, err = registry.Resolve("exec:./mine")
	require.EqualError(t, err, program)
}

// TestSettingsOfWrapper checks that a wrapper policy, here scojo-pect, offers the knobs of all its
// possible inner policies. A knob that several inner policies share appears once. The wrapper rejects
// combinations of knobs that contradict each other.
func TestSettingsOfWrapper(t *testing.T) {
	s, err := registry.Find("scojo-pect")
	require.NoError(t, err)
	require.Equal(t, []string{"conservative", "easy", "fcfs", "fair-slack", "glomarc-ts"}, s.Knob("inner").Choices)
	require.Equal(t, []string{"conservative", "easy", "fcfs"}, s.Knob("inner.order").DependsOnValues)
	help := "Conservative: order in which jobs are planned again; EASY: order of the queue, whose first job holds a reservation"
	require.Equal(t, help, s.Knob("inner.order").Help, "the help of FCFS is part of the help of EASY")
	shown := func(inner string) (names []string) {
		for _, k := range s.Knobs {
			value := func(x *policy.Knob) string { return map[string]string{"inner": inner}[x.Name] }
			if k.DependsOn != "" && !k.DisabledBy("inner", s.Knobs, value) {
				names = append(names, k.Name)
			}
		}
		return names
	}
	require.Equal(t, []string{"inner.order"}, shown("fcfs"))
	require.Equal(t, []string{"inner.compress", "inner.search", "inner.order"}, shown("conservative"))
	for _, k := range s.Knobs { // shared knobs must be equal except for their texts
		if k.DependsOn != "inner" {
			continue
		}
		for _, name := range k.DependsOnValues {
			inner, err := registry.Find(name)
			require.NoError(t, err)
			same := *inner.Knob(strings.TrimPrefix(k.Name, "inner."))
			same.Name, same.Help, same.DependsOn, same.DependsOnValues, same.Needs = k.Name, k.Help, k.DependsOn, k.DependsOnValues, k.Needs
			require.Equal(t, k, same)
		}
	}
	for _, name := range s.Knob("inner").Choices { // a knob that the wrapper and an inner policy share must be equal in both, since it has one value
		inner, err := registry.Find(name)
		require.NoError(t, err)
		for _, k := range inner.Knobs {
			if own := s.Knob(k.Name); own != nil {
				k.Help = own.Help
				require.Equal(t, k, *own, name)
			}
		}
	}
	for _, c := range []struct {
		knobs map[string]string
		want  string
	}{
		{map[string]string{"inner.reservations": "x"}, `policy scojo-pect, knob inner.reservations: expected 0 to 5,000,000 or all, got "x"`},
		{map[string]string{"overhead": "60", "short-slice": "60"}, `policy scojo-pect, knob short-slice: expected more than the overhead of 60 s, got "60"`},
		{map[string]string{"interval": "600"}, `policy scojo-pect, knob interval: expected an interval in which the slices of medium and long jobs last longer than the overhead of 0 s, even after a short slice of 600 s, got "600"`},
		{map[string]string{"share-medium": "0.01", "overhead": "60"}, `policy scojo-pect, knob interval: expected an interval in which the slices of medium and long jobs last longer than the overhead of 60 s, even after a short slice of 660 s, got "3600"`},
	} {
		_, err := s.Settings(c.knobs)
		require.EqualError(t, err, c.want)
		_, err = s.SettingsUnchecked(c.knobs)
		require.Equal(t, c.knobs["inner.reservations"] == "", err == nil, "each knob is valid by itself")
	}
}

// TestKnobOfWrapperAndInner checks a knob that both the wrapper and its inner policy have. The
// wrapper must offer it once, and the inner policy must use the wrapper's value.
func TestKnobOfWrapperAndInner(t *testing.T) {
	var got policy.Values
	inside := policy.Spec{Name: "inside", Knobs: []policy.Knob{
		{Name: "short-max", Kind: policy.Integer, Default: "7", Max: 9000},
		{Name: "slack", Kind: policy.Integer, Default: "2", Max: 9},
	}, New: func(v policy.Values) sim.Policy {
		got = v
		return nil
	}}
	in := policy.Inner{&inside}
	s := policy.Spec{Name: "wrapper", Knobs: in.Knobs([]policy.Knob{{Name: "short-max", Kind: policy.Integer, Default: "600", Max: 9000}})}
	var names []string
	for _, k := range s.Knobs {
		names = append(names, k.Name)
	}
	require.Equal(t, []string{"inner", "inner.slack", "short-max"}, names)
	_, err := s.Settings(map[string]string{"inner.short-max": "5"})
	require.EqualError(t, err, `policy wrapper, knob inner.short-max: expected one of its knobs: inner, inner.slack, short-max, got "inner.short-max"`)
	v, err := s.Settings(map[string]string{"inner.slack": "3"})
	require.NoError(t, err)
	in.Maker(v)()
	require.Equal(t, policy.Values{"short-max": "600", "slack": "3"}, got)
	v["short-max"] = "900"
	own, is := inside.InnerValues(v)
	require.True(t, is)
	require.Equal(t, "900", own["short-max"])
}
