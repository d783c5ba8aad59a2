package colour_test

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/colour"
	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// twoRuns returns two runs of the same three jobs. The second run starts job b 30 s
// later and job c 4 s earlier than the first.
func twoRuns() []colour.Run {
	jobs := []job.Job{
		{ID: "a", Runtime: 5, Request: job.Request{Procs: 1, Estimate: 10, More: &job.More{User: "ann"}}},
		{ID: "b", Runtime: 20, Request: job.Request{Submit: 2, Procs: 3, Estimate: 700}},
		{ID: "c", Runtime: 20, Request: job.Request{Submit: 2, Procs: 4, Estimate: 20000, More: &job.More{User: "ann"}}},
	}
	run := func(title string, starts ...job.Time) colour.Run {
		l := log.New(cluster.Flat(4), jobs, log.Spans)
		for j, t := range starts {
			l.Add(log.Record{At: t, Kind: log.Start, Job: job.Index(j), Code: []log.Code{log.Head, log.BeforeShadow, log.MovedAfterEarlyEnd}[j], Other: job.None})
			l.Add(log.Record{At: t + jobs[j].Runtime, Kind: log.Finish, Job: job.Index(j), Other: job.None})
		}
		return colour.Run{Title: title, Log: l, Outcomes: l.Outcomes()}
	}
	return []colour.Run{run("EASY", 0, 9, 29), run("Other", 0, 39, 25)}
}

// classes returns the class label of each job of a run.
func classes(t *testing.T, kind string, run int) (out []string) {
	s := colour.Classify(kind, twoRuns(), 0)
	require.NotNil(t, s)
	require.Equal(t, kind, s.Kind)
	require.NotEmpty(t, s.Title)
	require.Len(t, s.ColourIndexes, len(s.Labels))
	for _, k := range s.Classes[run] {
		out = append(out, s.Labels[k])
	}
	return out
}

// TestClasses checks the classes of the jobs of twoRuns for every kind.
func TestClasses(t *testing.T) {
	require.Equal(t, []string{"1", "3 to 4", "3 to 4"}, classes(t, colour.Size, 0))
	require.Equal(t, []string{"none", "up to 10 s", "up to 50 s"}, classes(t, colour.Wait, 0))
	require.Equal(t, []string{"1", "up to 1.5", "up to 3"}, classes(t, colour.Slowdown, 0))
	require.Equal(t, []string{"short", "medium", "long"}, classes(t, colour.Type, 0))
	require.Equal(t, []string{"ann", "no user", "ann"}, classes(t, colour.User, 0))
	require.Equal(t, []string{"no class", "no class", "no class"}, classes(t, colour.Class, 0))
	require.Equal(t, []string{"first in its queue", "backfilled", "moved earlier"}, classes(t, colour.StartReason, 1))
	require.Equal(t, []string{"same", "same", "same"}, classes(t, colour.Difference, 0))
	require.Equal(t, []string{"same", "over 20 s later", "up to 10 s earlier"}, classes(t, colour.Difference, 1))
	require.Nil(t, colour.Classify("job", twoRuns(), 0))
}

// TestReasonClasses checks that the class of a start agrees with the sentence of its reason.
func TestReasonClasses(t *testing.T) {
	beginnings := []struct{ sentence, class string }{
		{"{job} was backfilled", "backfilled"}, {"{job} was planned to start at {x}. It started earlier", "moved earlier"},
		{"{job} started on nodes that it shares", "in a group"}, {"{job} started in the group", "in a group"}, {"{job} started as the primary", "in a group"},
	}
	for code, info := range log.Codes {
		l := log.New(cluster.Flat(1), []job.Job{{ID: "a", Request: job.Request{Procs: 1, Estimate: 1}, Runtime: 1}}, log.Full)
		l.Add(log.Record{Kind: log.Start, Job: 0, Code: log.Code(code), Other: job.None})
		l.Add(log.Record{At: 1, Kind: log.Finish, Job: 0, Other: job.None})
		s := colour.Classify(colour.StartReason, []colour.Run{{Title: "EASY", Log: l, Outcomes: l.Outcomes()}}, 0)
		for _, w := range beginnings {
			if strings.HasPrefix(info.Sentence, w.sentence) {
				require.Equal(t, w.class, s.Labels[s.Classes[0][0]], info.Name)
			}
		}
	}
}

// TestDifferenceIsFromTheBase checks that differences are computed from the baseline run, and that
// sentences name the policy of this run.
func TestDifferenceIsFromTheBase(t *testing.T) {
	s := colour.Classify(colour.Difference, twoRuns(), 1)
	require.Equal(t, []float64{0, -30, 4}, []float64{s.Value(0, 0), s.Value(0, 1), s.Value(0, 2)})
	require.Equal(t, "starts {} earlier than under Other", s.Sentences[0])
	require.Equal(t, 0, s.ColourIndexes[s.Classes[0][1]])
	require.Equal(t, "EASY", colour.Classify(colour.Difference, twoRuns(), -7).Sentences[1][len("starts at the same time as under "):], "an invalid base index means the first run")
}

// TestManyNames checks that the seven most frequent names get a class each, most frequent first,
// and that all other names share one class.
func TestManyNames(t *testing.T) {
	runs := twoRuns()
	l := runs[0].Log
	l.Jobs = nil
	for i := range 30 {
		for range 1 + i%9 {
			l.Jobs = append(l.Jobs, job.Job{Request: job.Request{More: &job.More{User: string(rune('A' + i))}}})
		}
	}
	s := colour.Classify(colour.User, runs[:1], 0)
	require.Equal(t, []string{"I", "R", "[" /* after Z */, "H", "Q", "Z", "G", "others"}, s.Labels)
	require.Equal(t, "others", s.Labels[s.Classes[0][0]])
}

// TestLongerWaitsGetHigherClasses checks that a longer wait never gets a lower class, and that
// only a wait of 0 gets class 0.
func TestLongerWaitsGetHigherClasses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		starts := rapid.SliceOfN(rapid.Int64Range(0, 1<<rapid.IntRange(1, 39).Draw(t, "bits")), 1, 20).Draw(t, "starts")
		l := log.New(cluster.Flat(4), make([]job.Job, len(starts)), log.Spans)
		ends := make([]log.Outcome, len(starts))
		for j, at := range starts {
			ends[j] = log.Outcome{Start: at, Finish: at + 1}
		}
		s := colour.Classify(colour.Wait, []colour.Run{{Log: l, Outcomes: ends}}, 0)
		for i, a := range starts {
			require.Equal(t, a == 0, s.Classes[0][i] == 0)
			for k, b := range starts {
				if a < b {
					require.LessOrEqual(t, s.Classes[0][i], s.Classes[0][k], "%d and %d", a, b)
				}
			}
		}
		require.LessOrEqual(t, len(s.Labels), 7)
		require.False(t, math.IsNaN(s.Value(0, 0)))
	})
}
