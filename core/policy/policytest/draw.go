package policytest

import (
	"math/rand/v2"
	"strconv"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/formula"
	"backfill-lab/core/formula/plain"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/workload/small"
)

// Workload holds a machine and the jobs submitted to it.
type Workload struct {
	Machine cluster.Machine
	Jobs    []job.Job
}

// Case returns a test case that runs the workload under the named policy.
func (w *Workload) Case(t TB, name string, knobs map[string]string) *Case {
	t.Helper()
	s, err := registry.Find(name)
	require.NoError(t, err)
	return &Case{Machine: w.Machine, Jobs: w.Jobs, Spec: s, Knobs: knobs}
}

// DrawWorkload draws a small workload with package small. Some machines have extra resources. Half
// of the workloads use uniform random numbers. The other half uses the generators of package rapid,
// which can reduce a workload that fails a test to a smaller one. But these generators prefer small
// numbers, so their workloads leave the machine mostly idle.
func DrawWorkload(t *rapid.T) Workload {
	number := rapidNumbers(t)
	if rapid.Bool().Draw(t, "uniform") {
		number = uniformNumbers(rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "seed"))))
	}
	m, jobs := small.Draw(number, 16, number(1, 25, "jobs"))
	w := Workload{m, jobs}
	small.AddResources(&w.Machine, w.Jobs, int(max(0, number(0, 8, "resources")-5)), number)
	return w
}

// AddOutages adds 1 to 4 random outages, which may overlap.
func (w *Workload) AddOutages(t *rapid.T) { small.AddOutages(&w.Machine, rapidNumbers(t)) }

// rapidNumbers returns a function that draws numbers from lo to hi with rapid.
func rapidNumbers(t *rapid.T) small.NumberSource {
	return func(lo, hi int64, name string) int64 { return rapid.Int64Range(lo, hi).Draw(t, name) }
}

// DrawKnobs returns a value for every knob of a policy: the fixed value, if there is one, and
// otherwise a random value. It returns only combinations that the policy accepts.
func DrawKnobs(t *rapid.T, s *policy.Spec, fixed map[string]string) map[string]string {
	for {
		knobs := map[string]string{}
		for i := range s.Knobs {
			k := &s.Knobs[i]
			if v, ok := fixed[k.Name]; ok {
				knobs[k.Name] = v
			} else {
				knobs[k.Name] = drawKnob(t, k)
			}
		}
		if _, err := s.Settings(knobs); err == nil || s.Check == nil {
			return knobs
		}
	}
}

// usefulValues lists, by knob, values that affect small workloads. Without this list, drawKnob would
// mostly draw default or small values, which often have no effect for these knobs.
var usefulValues = map[string][]string{
	"interval": {"20", "31", "47", "90"}, "short-max": {"2", "5", "9"}, "medium-max": {"8", "14", "20"},
	"short-slice": {"auto", "4", "8"}, "overhead": {"0", "1", "3"}, "share-medium": {"0.3", "0.5", "0.8"},
	"lookahead": {"20", "1", "3", "9"}, "node-limit": {"20000", "1", "2", "5", "40"}, "slack-unit": {"8640", "1", "10", "60"},
	"slack-up": {"1.5", "1", "2", "4"}, "slack-down": {"1.2", "1", "1.5", "3"}, "slack-min": {"1.1", "1", "2"},
	"k1": {"-0.5", "0", "-3"}, "k2": {"0.4", "0", "2"},
	"range-unfairness": {"auto", "0", "1", "1.5"}, "range-skip": {"auto", "0.5", "1", "3"}, "range-utilization": {"auto", "0.9", "1", "1.3"},
	"range-unfairness-abs": {"0", "0.5", "3", "20"},
}

// drawKnob draws a value of one knob. A knob that takes a queue order may get a formula.
func drawKnob(t *rapid.T, k *policy.Knob) string {
	values := append([]string{k.Default}, k.Choices...)
	switch {
	case usefulValues[k.Name] != nil:
		values = usefulValues[k.Name]
	case k.Kind == policy.ByOrder && rapid.IntRange(0, 3).Draw(t, "formula") == 0:
		return DrawFormula(t, &cluster.Machine{}, false)
	case k.Kind == policy.Switch:
		values = []string{"true", "false"}
	case k.Kind == policy.Integer:
		for n := int64(k.Min); n <= int64(min(k.Max, k.Min+5)); n++ {
			values = append(values, strconv.FormatInt(n, 10))
		}
	case k.Kind == policy.Number:
		for _, f := range []float64{k.Min, k.Max, k.Min + (k.Max-k.Min)/8} {
			values = append(values, strconv.FormatFloat(f, 'g', -1, 64))
		}
	}
	return rapid.SampledFrom(values).Draw(t, k.Name)
}

// DrawFormula draws a formula for a queue order. The formula may use the extra resources of the machine.
// If timed is true, the order may change as time passes.
func DrawFormula(t *rapid.T, m *cluster.Machine, timed bool) string {
	var resources []string
	for _, r := range m.Resources {
		resources = append(resources, r.Name)
	}
	for {
		if text := plain.Draw(t, resources, []string{"ann", "bob"}, timed); len(text) <= formula.MaxLength {
			return text
		}
	}
}

// DrawTableWorkload draws a workload in which most jobs are moldable, with tables of runtimes in
// whole seconds.
func DrawTableWorkload(t *rapid.T) Workload {
	return drawMoldable(t, func(r *rand.Rand, work job.Time, procs int) *job.Speedup {
		return small.Table(work, procs, uniformNumbers(r))
	})
}

// DrawDowneyWorkload draws a workload in which most jobs are moldable and follow Downey's speedup
// model (Downey 1997).
func DrawDowneyWorkload(t *rapid.T) Workload {
	return drawMoldable(t, func(r *rand.Rand, work job.Time, procs int) *job.Speedup {
		return &job.Speedup{L: float64(work) + r.Float64(), A: 1 + r.Float64()*float64(procs), Sigma: []float64{0, 0.5, 1, 2}[r.IntN(4)]}
	})
}

// drawMoldable draws a small workload and makes most of its jobs moldable. It calls drawCurve to
// draw the speedup of a job, given its runtime on one processor and the number of processors of the
// machine.
func drawMoldable(t *rapid.T, drawCurve func(*rand.Rand, job.Time, int) *job.Speedup) Workload {
	w := DrawWorkload(t)
	r := rand.New(rand.NewPCG(3, rapid.Uint64().Draw(t, "curves")))
	procs := w.Machine.Slots()
	small.MakeMoldable(w.Jobs, procs, uniformNumbers(r), func(work job.Time) *job.Speedup { return drawCurve(r, work, procs) })
	return w
}

// uniformNumbers returns a function that draws numbers from a uniform distribution.
func uniformNumbers(r *rand.Rand) small.NumberSource {
	return func(lo, hi int64, _ string) int64 { return lo + r.Int64N(hi-lo+1) }
}

// DrawBlockedQueue draws a workload in which a wide job often blocks the queue. Many narrow jobs
// wait behind it, and only some combinations of them can start together.
func DrawBlockedQueue(t *rapid.T) Workload {
	r := rand.New(rand.NewPCG(4, rapid.Uint64().Draw(t, "seed")))
	procs := 6 + r.IntN(20)
	gap, longest := 1+r.Int64N(4), 6+r.Int64N(20)
	early := r.IntN(2) == 0
	now := int64(0)
	jobs := make([]job.Job, 10+r.IntN(25))
	for i := range jobs {
		now += r.Int64N(gap)
		j := job.Job{ID: strconv.Itoa(i + 1)}
		j.Submit, j.Procs, j.Estimate = now, 1+r.IntN(1+procs/4), 1+r.Int64N(longest)
		if r.IntN(5) == 0 {
			j.Procs = procs/2 + r.IntN(procs/2+1)
		}
		j.Runtime = j.Estimate
		if early {
			j.Runtime = 1 + r.Int64N(j.Estimate)
		}
		jobs[i] = j
	}
	w := Workload{cluster.Flat(procs), jobs}
	small.AddResources(&w.Machine, w.Jobs, max(0, r.IntN(6)-4), func(lo, hi int64, _ string) int64 { return lo + r.Int64N(1+r.Int64N(hi-lo+1)) })
	return w
}

// DrawLongQueue draws a workload of 100 to 299 jobs. The jobs usually arrive faster than the
// machine can run them, so the queue becomes long. Most jobs end before their estimates.
func DrawLongQueue(t *rapid.T) Workload {
	r := rand.New(rand.NewPCG(2, rapid.Uint64().Draw(t, "seed")))
	procs := 4 + r.IntN(60)
	widest, longest := 1+r.IntN(procs), 20+r.Int64N(500)
	now := int64(0)
	jobs := make([]job.Job, 100+r.IntN(200))
	for i := range jobs {
		now += r.Int64N(8)
		j := job.Job{ID: strconv.Itoa(i + 1)}
		j.Submit, j.Procs, j.Estimate = now, 1+r.IntN(1+r.IntN(widest)), 1+r.Int64N(longest)
		j.Runtime = 1 + r.Int64N(j.Estimate)
		jobs[i] = j
	}
	w := Workload{cluster.Flat(procs), jobs}
	small.AddResources(&w.Machine, w.Jobs, max(0, r.IntN(6)-3), func(lo, hi int64, _ string) int64 { return lo + r.Int64N(1+r.Int64N(hi-lo+1)) })
	return w
}
