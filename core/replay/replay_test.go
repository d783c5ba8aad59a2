package replay_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/explain"
	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/replay"
)

// TestGolden compares the events of small runs with testdata. After each event, it compares the
// running jobs, the waiting jobs and the free processors too.
func TestGolden(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var jobs []job.Job
		var procs int
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "scenario" {
				var err error
				d.ScanArgs(t, "m", &procs)
				jobs, err = policytest.ParseJobs(d.Input)
				require.NoError(t, err)
				return ""
			}
			knobs := map[string]string{}
			for _, a := range d.CmdArgs[1:] {
				knobs[a.Key] = a.Vals[0]
			}
			l := policytest.Simulate(t, procs, jobs, d.CmdArgs[0].Key, knobs)
			return describe(replay.New(explain.NewIndex(l), gantt.New(l)))
		})
	})
}

// describe returns all events as text, each with the state after it.
func describe(p *replay.Replay) string {
	var b strings.Builder
	for n := range p.Len() + 1 {
		s := p.State(n)
		fmt.Fprintf(&b, "%d at %d %s: %s\n ", n, p.At(n), p.Kind(n), p.Text(n).Text())
		for _, h := range s.Running {
			fmt.Fprintf(&b, " %s-%d", p.Jobs()[h.Job].ID, h.Until)
		}
		b.WriteString(" |")
		for _, w := range s.Waiting {
			fmt.Fprintf(&b, " %s", p.Jobs()[w.Job].ID)
			if w.Start != job.Never {
				fmt.Fprintf(&b, ">%d", w.Start)
			}
		}
		b.WriteString(" |")
		for _, f := range s.Free(p.At(n)) {
			fmt.Fprintf(&b, " %d:%d", f.At, f.Free)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// isAttempt maps the name of each kind of record to true if such records describe what a policy
// tries in a search. Records of the other kinds describe what happens to a job.
var isAttempt = func() map[string]bool {
	out := map[string]bool{}
	for _, k := range log.Kinds {
		out[k.Name] = k.Attempt
	}
	return out
}()

// TestStatesAgreeWithTheLog checks that every event occurs once, and that the events of each job
// are in order. After the last event at each time, the state must agree with the index of the log.
func TestStatesAgreeWithTheLog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := rapid.SampledFrom(registry.All).Draw(t, "policy")
		w := policytest.DrawWorkload(t)
		if rapid.Bool().Draw(t, "moldable") {
			w = policytest.DrawDowneyWorkload(t)
		}
		l := w.Case(t, spec.Name, policytest.DrawKnobs(t, spec, nil)).Run(t)
		x := explain.NewIndex(l)
		p := replay.New(x, gantt.New(x.Log()))
		records := len(l.Jobs)
		for r := range l.All() {
			if r.Job != job.None && r.Kind != log.Size && r.Kind != log.RateChange {
				records++
			}
		}
		require.Equal(t, records, p.Len())
		stage := make([]int, len(l.Jobs)) // 1 waiting, 2 running, 3 finished, 4 suspended
		for n := 1; n <= p.Len(); n++ {
			require.GreaterOrEqual(t, p.At(n), p.At(n-1))
			switch j := p.Job(n); p.Kind(n) {
			case replay.Submitted:
				require.Zero(t, stage[j])
				stage[j] = 1
			case log.Kinds[log.Start].Name:
				require.Equal(t, 1, stage[j])
				stage[j] = 2
			case log.Kinds[log.Finish].Name:
				require.Equal(t, 2, stage[j])
				stage[j] = 3
			case log.Kinds[log.Suspend].Name:
				require.Equal(t, 2, stage[j])
				stage[j] = 4
			case log.Kinds[log.Resume].Name:
				require.Equal(t, 4, stage[j])
				stage[j] = 2
			default:
				allowed := []int{1}
				if isAttempt[p.Kind(n)] {
					allowed = []int{1, 4} // sets can contain preempted jobs
				}
				require.Contains(t, allowed, stage[j], "%s", p.Text(n).Text())
			}
			suspended := []job.Index{}
			for j, s := range stage {
				if s == 4 {
					suspended = append(suspended, job.Index(j))
				}
			}
			before, after := p.StatesAround(n)
			require.Equal(t, p.State(n-1), before)
			require.Equal(t, p.State(n), after)
			require.Equal(t, suspended, append([]job.Index{}, after.Preempted...))
			if n == p.Len() || p.At(n+1) > p.At(n) {
				requireAgreement(t, p, x, n)
			}
		}
	})
}

// TestSharedStatesAgreeWithTheLog checks that states agree with the log if jobs share nodes and
// change their rates.
func TestSharedStatesAgreeWithTheLog(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, model := policytest.DrawShared(t, func(j *job.Job, m *cluster.Machine) bool { return j.Procs <= m.Nodes })
		c := w.Case(t, "glomarc-ts", map[string]string{"short-max": "1", "medium-max": "20", "slack": "3"})
		c.Speed = model.Speed(w.Jobs)
		x := explain.NewIndex(c.Run(t))
		p := replay.New(x, gantt.New(x.Log()))
		for n := 1; n <= p.Len(); n++ {
			if n == p.Len() || p.At(n+1) > p.At(n) {
				requireAgreement(t, p, x, n)
			}
		}
	})
}

// requireAgreement checks that the state after event n agrees with x, the index of the log. Event n
// must be the last event at its time. It also checks that Find returns n for a reference to the state
// after all events at that time.
func requireAgreement(t *rapid.T, p *replay.Replay, x *explain.Index, n int) {
	s, at := p.State(n), p.At(n)
	m := x.At(at)
	require.Equal(t, len(m.Waiting), len(s.Waiting))
	for _, j := range m.Waiting {
		found := false
		for _, w := range s.Waiting {
			found = found || w.Job == j
		}
		require.True(t, found)
	}
	require.Equal(t, append([]explain.Holder{}, m.Running...), append([]explain.Holder{}, s.Running...))
	// With time slices, other jobs may still run on the processors of a job whose planned start has
	// come. The difference can then be negative.
	require.Equal(t, max(0, m.Free-dueProcs(&s)), s.Free(at)[0].Free)
	for _, r := range x.Plans().Reservations(at) {
		require.Equal(t, r.Start, max(s.Planned(r.Job), at))
	}
	steps := s.Free(at)
	require.Equal(t, x.Log().Machine.Slots(), steps[len(steps)-1].Free)
	found, ok := p.Find(replay.EventRef{Time: at, Event: replay.After})
	require.True(t, ok)
	require.Equal(t, n, found)
}

// dueProcs returns the number of processors planned for waiting jobs whose planned start is now or
// earlier.
func dueProcs(s *replay.State) (n int) {
	for _, w := range s.Waiting {
		if w.Start != job.Never && w.Start <= s.At {
			n += w.Procs
		}
	}
	return n
}

// TestFind checks that Find returns the event of a reference, and event n for the reference Ref(n).
// For a reference to a missing event, Find must return the last event up to the time of the reference.
func TestFind(t *testing.T) {
	jobs, err := policytest.ParseJobs("A 1/5(1)\nB 2/2\nC 1/2\nD 3/3\n")
	require.NoError(t, err)
	l := policytest.Simulate(t, 3, jobs, "pc", map[string]string{"order": "wjf"})
	p := replay.New(explain.NewIndex(l), gantt.New(l))
	text := func(ref replay.EventRef) string {
		n, ok := p.Find(ref)
		require.True(t, ok, "%v", ref)
		return p.Text(n).Text()
	}
	require.Contains(t, text(replay.EventRef{Time: 1, Event: "move", Job: "D"}), "from 5 to 4")
	require.Contains(t, text(replay.EventRef{Time: 1, Event: "move", Job: "D", Nth: 2}), "from 4 to 3")
	require.Contains(t, text(replay.EventRef{Time: 1, Event: "move", Nth: 2}), "from 2 to 1")
	require.Equal(t, "Job B starts. It started when it was submitted: enough resources were free, and it delayed no existing reservation.", text(replay.EventRef{Time: 1, Event: replay.Before}))
	require.Contains(t, text(replay.EventRef{Time: 1, Event: replay.After}), "Job C starts.")
	for n := range p.Len() + 1 { // Find reverses Ref
		found, ok := p.Find(p.Ref(n))
		require.True(t, ok)
		require.Equal(t, n, found)
	}
	require.Equal(t, replay.EventRef{Event: replay.Before}, p.Ref(0))
	require.Equal(t, "Nothing has happened yet.", text(replay.EventRef{Time: 0, Event: replay.Before}))
	for _, none := range []replay.EventRef{{Time: 1, Event: "move", Job: "D", Nth: 3}, {Time: 2, Event: "move"}, {Time: 1, Event: "move", Job: "X"}, {Time: 1, Event: "word"}} {
		n, ok := p.Find(none)
		require.False(t, ok)
		last, _ := p.Find(replay.EventRef{Time: none.Time, Event: replay.After})
		require.Equal(t, last, n)
	}
}
