package registry_test

import (
	"fmt"
	"hash/fnv"
	"math"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/job"
	"backfill-lab/core/knob"
	"backfill-lab/core/slowdown"
	"backfill-lab/core/workload/generator"
	"backfill-lab/core/workload/generator/registry"
)

var kebab = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// TestSpecs checks that every model has a complete description, and accepts its defaults and all
// its choices.
func TestSpecs(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range registry.All {
		require.Regexp(t, kebab, s.Name)
		require.False(t, seen[s.Name], "%s is listed twice", s.Name)
		seen[s.Name] = true
		require.NotEmpty(t, s.Title, s.Name)
		require.NotEmpty(t, s.Summary, s.Name)
		require.NotEmpty(t, s.Source, s.Name)
		names := map[string]bool{}
		for _, k := range s.Knobs {
			require.Regexp(t, kebab, k.Name, s.Name)
			require.False(t, names[k.Name], "%s has %s twice", s.Name, k.Name)
			names[k.Name] = true
			require.NotEmpty(t, k.Help, "%s, %s", s.Name, k.Name)
			require.Empty(t, k.TitleProblem(s.Knobs), s.Name)
			for _, value := range append([]string{k.Default}, k.Choices...) {
				o := registry.Settings{Model: s.Name, Knobs: map[string]string{k.Name: value}, Procs: 128}
				require.NoError(t, o.Check())
			}
		}
	}
}

// drawSettings draws a random model and random knobs within their ranges.
func drawSettings(t *rapid.T) registry.Settings {
	s := registry.All[rapid.IntRange(0, len(registry.All)-1).Draw(t, "model")]
	o := registry.Settings{Model: s.Name, Knobs: map[string]string{}, Procs: rapid.SampledFrom([]int{1, 2, 3, 7, 16, 100, 128, 9216}).Draw(t, "procs"),
		Seed: int64(rapid.Uint32().Draw(t, "seed"))}
	for i := range s.Knobs {
		k := &s.Knobs[i]
		if k.Name != generator.Jobs && rapid.IntRange(0, 2).Draw(t, "set") == 0 {
			o.Knobs[k.Name] = drawKnob(t, k)
		}
	}
	for _, cores := range []int{4, 2} {
		if o.Procs%cores == 0 && o.PerNode == 0 && rapid.Bool().Draw(t, "cores") {
			o.PerNode = cores
		}
	}
	o.Knobs[generator.Jobs] = strconv.Itoa(rapid.IntRange(1, 300).Draw(t, generator.Jobs))
	return o
}

func drawKnob(t *rapid.T, k *knob.Knob) string {
	switch {
	case k.Kind == knob.Switch:
		return strconv.FormatBool(rapid.Bool().Draw(t, k.Name))
	case k.Kind == knob.Choice, len(k.Choices) > 0 && rapid.Bool().Draw(t, k.Name+" word"):
		return rapid.SampledFrom(k.Choices).Draw(t, k.Name)
	case k.Kind == knob.Integer:
		return strconv.FormatInt(rapid.Int64Range(int64(k.Min), int64(k.Max)).Draw(t, k.Name), 10)
	}
	return strconv.FormatFloat(rapid.Float64Range(k.Min, k.Max).Draw(t, k.Name), 'g', -1, 64)
}

// TestAnySettings checks that random settings either cause an error about a knob, or give jobs that
// the machine can run, in order of submission. The size of the steps must not affect the jobs.
func TestAnySettings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawSettings(t)
		r, err := o.Start()
		if err != nil {
			var bad *knob.BadKnob
			require.ErrorAs(t, err, &bad)
			require.NotEmpty(t, bad.Expected)
			return
		}
		step := rapid.IntRange(1, 50).Draw(t, "step")
		for more := true; more; {
			if more, err = r.Step(step); err != nil {
				require.ErrorContains(t, err, "model "+o.Model)
				return
			}
		}
		d := r.Drawn()
		require.Len(t, d.Jobs, r.Total())
		for i := range d.Jobs {
			require.NoError(t, d.Jobs[i].Validate(i, o.Procs))
			require.True(t, i == 0 || d.Jobs[i-1].Submit <= d.Jobs[i].Submit, "job %d", i)
			for k, res := range d.Resources {
				require.True(t, d.Jobs[i].Extra(k) >= 1 && d.Jobs[i].Extra(k) <= res.Capacity)
			}
			requireCurve(t, &d.Jobs[i])
		}
		again, err := o.Generate()
		require.NoError(t, err)
		require.Equal(t, d, again)
	})
}

// TestFewerJobsAreTheFirst checks that reducing the number of jobs does not change the jobs that
// remain. Previews on the page rely on this. The test does not use the estimates of Tsafrir's
// model, which depend on all jobs.
func TestFewerJobsAreTheFirst(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := drawSettings(t)
		delete(o.Knobs, "estimate-max")
		if o.Knobs["estimates"] == "tsafrir" {
			o.Knobs["estimates"] = "uniform"
		}
		all, err := o.Generate()
		if err != nil {
			t.Skip("invalid settings: see TestAnySettings")
		}
		n := rapid.IntRange(1, len(all.Jobs)).Draw(t, "fewer")
		o.Knobs[generator.Jobs] = strconv.Itoa(n)
		few, err := o.Generate()
		require.NoError(t, err)
		require.Equal(t, all.Jobs[:n], few.Jobs)
	})
}

func requireCurve(t require.TestingT, j *job.Job) {
	if s := j.Speedup(); s != nil {
		require.True(t, s.A >= 1 && s.Sigma >= 0 && s.L >= 1 && !math.IsInf(s.L, 0))
		require.Equal(t, j.Runtime, j.Estimate)
	}
}

// TestBytes compares hashes of generated jobs with recorded hashes. It runs natively and in
// WebAssembly, which must both give the same jobs. After an intended change, run go test
// ./core/workload/generator/registry -run Bytes -rewrite.
func TestBytes(t *testing.T) {
	datadriven.RunTest(t, "testdata/bytes", func(t *testing.T, d *datadriven.TestData) string {
		var out strings.Builder
		for _, s := range registry.All {
			for _, knobs := range bytesKnobs(s) {
				for _, procs := range []int{128, 100} {
					o := registry.Settings{Model: s.Name, Knobs: knobs, Procs: procs, PerNode: 4, Seed: 71}
					fmt.Fprintf(&out, "%s %v on %d: %s\n", s.Name, knobs, procs, hashed(t, &o))
				}
			}
		}
		return out.String()
	})
}

func hashed(t *testing.T, o *registry.Settings) string {
	t.Helper()
	d, err := o.Generate()
	require.NoError(t, err)
	h := fnv.New64a()
	for i := range d.Jobs {
		j := &d.Jobs[i]
		fmt.Fprintln(h, j.ID, j.Submit, j.Procs, j.Estimate, j.Runtime)
		if j.More != nil {
			fmt.Fprintln(h, j.More.Extra)
		}
		if j.More != nil && j.More.SLnos > 0 {
			fmt.Fprintf(h, "%s %x %x\n", j.More.Class, j.More.SLnos, j.More.SLcrs)
		}
		if s := j.Speedup(); s != nil {
			fmt.Fprintf(h, "%x %x %x\n", s.L, s.A, s.Sigma)
		}
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// bytesKnobs returns the knobs of several runs of a model. The first run uses the defaults. Then comes
// a run for each value of a choice or switch that is not the default. If the model has extra
// resources, further runs draw slowdowns or extra resources.
func bytesKnobs(s *generator.Spec) []map[string]string {
	all := []map[string]string{nil}
	for _, k := range s.Knobs {
		choices := k.Choices
		if k.Kind == knob.Switch {
			choices = []string{"true"}
		}
		for _, c := range choices {
			if c != k.Default {
				all = append(all, map[string]string{k.Name: c})
			}
		}
	}
	if s.Resources != nil {
		all = append(all, map[string]string{"slowdowns": "grown", "app-classes": "5", "slowdown-seed": "3"})
		all = append(all, map[string]string{"resources": "4"}, map[string]string{"resources": "4", "distribution": "exponential"})
	}
	return all
}

// TestMillion checks that generating a million jobs takes less than 20 s. It takes about a second if
// the computer is idle.
func TestMillion(t *testing.T) {
	if runtime.GOOS == "js" || testing.Short() {
		t.Skip("measures time")
	}
	o := registry.Settings{Model: "lublin", Knobs: map[string]string{"jobs": "1000000", "estimates": "tsafrir"}, Procs: 128, Seed: 1}
	since := time.Now()
	d, err := o.Generate()
	require.NoError(t, err)
	require.Len(t, d.Jobs, 1_000_000)
	require.Less(t, time.Since(since), 20*time.Second)
}

func BenchmarkMillion(b *testing.B) {
	for _, s := range registry.All {
		b.Run(s.Name, func(b *testing.B) {
			o := registry.Settings{Model: s.Name, Knobs: map[string]string{"jobs": "1000000"}, Procs: 128, Seed: 1}
			for b.Loop() {
				_, err := o.Generate()
				require.NoError(b, err)
			}
		})
	}
}

// TestSlowdowns checks the slowdowns of generated jobs. The seed of the slowdowns must affect
// nothing else. With slowdowns=grown, the jobs must request more processors, so that they use all cores
// of their nodes (Zeng 2009, formula 7). Jobs of the same class must have the same slowdowns.
func TestSlowdowns(t *testing.T) {
	draw := func(procs, perNode int, knobs ...string) []job.Job {
		o := registry.Settings{Model: "lublin", Procs: procs, PerNode: perNode, Seed: 3, Knobs: map[string]string{"jobs": "2000"}}
		for i := 0; i < len(knobs); i += 2 {
			o.Knobs[knobs[i]] = knobs[i+1]
		}
		d, err := o.Generate()
		require.NoError(t, err)
		return d.Jobs
	}
	plain := draw(128, 1)
	drawn := draw(128, 1, "slowdowns", "drawn")
	other := draw(128, 1, "slowdowns", "drawn", "slowdown-seed", "4")
	grown := draw(512, 4, "slowdowns", "grown")
	classes := draw(512, 4, "slowdowns", "grown", "app-classes", "3")
	differ, wider, of := 0, 0, map[string]job.More{}
	for i := range plain {
		m := drawn[i].More
		require.True(t, m.SLnos >= 0.9 && m.SLnos < 1.4 && m.SLcrs >= 1 && m.SLcrs < 1.7)
		if m.SLnos != other[i].More.SLnos {
			differ++
		}
		require.Equal(t, m, grown[i].More)
		require.Equal(t, slowdown.GrownSize(plain[i].Procs, m.SLnos, m.SLcrs, 128, 4), grown[i].Procs)
		if grown[i].Procs > 128 {
			wider++
		}
		drawn[i].More, other[i].More, grown[i].More, grown[i].Procs = nil, nil, nil, plain[i].Procs
		require.Equal(t, plain[i], drawn[i])
		require.Equal(t, plain[i], other[i])
		require.Equal(t, plain[i], grown[i])

		c := *classes[i].More
		if _, ok := of[c.Class]; !ok {
			of[c.Class] = c
		}
		require.Equal(t, of[c.Class], c)
	}
	require.Len(t, of, 3)
	require.Greater(t, differ, 1900)
	require.Greater(t, wider, 20)
}
