package policytest

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/formula"
	"backfill-lab/core/formula/plain"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/registry"
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

// DrawWorkload draws a small workload in which rare events are frequent: simultaneous
// submissions and completions, early ends, full machines and long queues. A third of the
// machines have extra resources. Half of the workloads use uniform random numbers.
// The other half uses rapid's generators, which prefer small numbers. These shrink well
// but leave the machine idle.
func DrawWorkload(t *rapid.T) Workload {
	number := rapidNumbers(t)
	if rapid.Bool().Draw(t, "uniform") {
		r := rand.New(rand.NewPCG(1, rapid.Uint64().Draw(t, "seed")))
		number = func(lo, hi int64, _ string) int64 { return lo + r.Int64N(hi-lo+1) }
	}
	procs := int(number(1, 16, "m"))
	gap := []int64{0, 1, 3, 9}[number(0, 3, "gap")]
	longest := []int64{2, 6, 12, 30}[number(0, 3, "longest")]
	widest := number(1, int64(procs), "widest")
	exact := number(0, 2, "exact") == 0
	now := int64(0)
	jobs := make([]job.Job, number(1, 25, "jobs"))
	for i := range jobs {
		now += number(0, gap, "after")
		j := job.Job{ID: strconv.Itoa(i + 1)}
		j.Submit, j.Procs = now, int(number(1, widest, "q"))
		j.Estimate = number(1, longest, "e")
		j.Runtime = j.Estimate
		if !exact {
			j.Runtime = number(1, j.Estimate, "p")
		}
		jobs[i] = j
	}
	w := Workload{cluster.Flat(procs), jobs}
	w.addExtras(int(max(0, number(0, 8, "resources")-5)), number)
	return w
}

// AddOutages adds 1 to 4 random outages, which may overlap. It skips an outage that would
// make the machine invalid.
func (w *Workload) AddOutages(t *rapid.T) {
	for range rapid.IntRange(1, 4).Draw(t, "outages") {
		from := rapid.Int64Range(0, 60).Draw(t, "from")
		b := cluster.Outage{From: from, To: from + rapid.Int64Range(1, 20).Draw(t, "length"), Procs: rapid.IntRange(1, w.Machine.Slots()).Draw(t, "procs")}
		with := append(slices.Clip(w.Machine.Outages), b)
		if m := (cluster.Machine{Nodes: w.Machine.Nodes, Processors: 1, Cores: 1, Outages: with}); m.Validate() == nil {
			w.Machine.Outages = with
		}
	}
}

// addExtras adds extra resources to the machine and random requests for them to the jobs. A
// quarter of the jobs request only processors.
func (w *Workload) addExtras(resources int, number func(lo, hi int64, name string) int64) {
	if resources == 0 {
		return
	}
	for k := range resources {
		w.Machine.Resources = append(w.Machine.Resources, cluster.Resource{Name: "r" + strconv.Itoa(k+1), Capacity: number(0, 12, "capacity")})
	}
	for i := range w.Jobs {
		if number(0, 3, "plain") == 0 {
			continue
		}
		var extra []int64
		for _, r := range w.Machine.Resources {
			extra = append(extra, number(0, r.Capacity, "amount"))
		}
		w.Jobs[i].More = &job.More{Extra: extra}
	}
}

// rapidNumbers returns a function that draws numbers from lo to hi with rapid.
func rapidNumbers(t *rapid.T) func(lo, hi int64, name string) int64 {
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

// usefulValues lists values of knobs that affect small workloads. For these knobs, the values near
// the minimum that drawKnob uses otherwise would often have no effect.
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

// DrawFormula draws a formula for a queue order on a machine. If timed is true, the order may
// change as time passes.
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

// DrawTables draws a workload in which most jobs are moldable, with tables of runtimes in
// whole seconds. In two thirds of the tables, each further processor saves less time than
// the one before. A further processor may also increase the runtime.
func DrawTables(t *rapid.T) Workload {
	return withCurves(t, func(r *rand.Rand, work job.Time, procs int) *job.Speedup {
		gains := make([]job.Time, r.IntN(procs+1))
		for i := range gains {
			gains[i] = r.Int64N(1+work/2) - work/8
		}
		if r.IntN(3) > 0 {
			slices.Sort(gains)
			slices.Reverse(gains)
		}
		table := []job.Time{work}
		for i, g := range gains {
			table = append(table, max(1, table[i]-g))
		}
		return &job.Speedup{Table: table}
	})
}

// DrawDowney draws a workload in which most jobs are moldable and follow Downey's speedup
// model (Downey 1997).
func DrawDowney(t *rapid.T) Workload {
	return withCurves(t, func(r *rand.Rand, work job.Time, procs int) *job.Speedup {
		return &job.Speedup{L: float64(work) + r.Float64(), A: 1 + r.Float64()*float64(procs), Sigma: []float64{0, 0.5, 1, 2}[r.IntN(4)]}
	})
}

// withCurves draws a small workload and makes most of its jobs moldable. The function curve draws
// the speedup of a job, given its runtime on one processor and the number of processors of the
// machine.
func withCurves(t *rapid.T, curve func(*rand.Rand, job.Time, int) *job.Speedup) Workload {
	w := DrawWorkload(t)
	r := rand.New(rand.NewPCG(3, rapid.Uint64().Draw(t, "curves")))
	procs := w.Machine.Slots()
	for i := range w.Jobs {
		if j := &w.Jobs[i]; r.IntN(5) > 0 {
			s := curve(r, j.Estimate*job.Time(1+r.IntN(procs)), procs)
			if j.More == nil {
				j.More = &job.More{}
			}
			j.More.Speedup, j.Procs = s, 1
			j.Estimate = RuntimeOn(s, 1)
			j.Runtime = j.Estimate
		}
	}
	return w
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
	w.addExtras(max(0, r.IntN(6)-4), func(lo, hi int64, _ string) int64 { return lo + r.Int64N(1+r.Int64N(hi-lo+1)) })
	return w
}

// Scaled returns a copy of the jobs with all times multiplied by factor.
func Scaled(jobs []job.Job, factor job.Time) []job.Job {
	out := append([]job.Job(nil), jobs...)
	for i := range out {
		j := &out[i]
		j.Submit *= factor
		j.Estimate *= factor
		j.Runtime *= factor
		if s := j.Speedup(); s != nil {
			j.More = &job.More{Extra: j.More.Extra, Speedup: scaled(*s, factor)}
		}
	}
	return out
}

// scaled returns a copy of a speedup curve with all times multiplied by factor.
func scaled(s job.Speedup, factor job.Time) *job.Speedup {
	s.L *= float64(factor)
	s.Table = slices.Clone(s.Table)
	for i := range s.Table {
		s.Table[i] *= factor
	}
	return &s
}

// DrawLongQueue draws a workload with a long queue. It has 100 to 299 jobs, which arrive faster
// than the machine can run them and end early.
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
	w.addExtras(max(0, r.IntN(6)-3), func(lo, hi int64, _ string) int64 { return lo + r.Int64N(1+r.Int64N(hi-lo+1)) })
	return w
}
