package lesson_test

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/scenario"
	"backfill-lab/core/slowdown"
	"backfill-lab/public/lessons"
	"backfill-lab/ui/lessons/lesson"
)

// TestSharing holds the lessons about shared nodes to their whole log: every
// candidate, set, gain and judgement, and who ends when.
func TestSharing(t *testing.T) {
	taught := map[string]*scenario.Scenario{}
	for _, file := range lessons.List {
		l, err := parsed(file)
		require.NoError(t, err)
		s, err := scenario.Parse(l.Scenario)
		require.NoError(t, err)
		if s.Policies[0].Name == "glomarc-ts" {
			taught[file.Name] = s
		}
	}
	told := 0
	datadriven.Walk(t, "testdata/sharing", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var policy int
			d.ScanArgs(t, "policy", &policy)
			s := taught[d.Cmd]
			require.NotNil(t, s, "%s: no lesson %s", d.Pos, d.Cmd)
			told++
			return records(t, run(t, s, policy))
		})
	})
	policies := 0
	for _, s := range taught {
		policies += len(s.Policies)
	}
	require.Equal(t, policies, told, "each policy of each lesson is there once")
}

// The gains and slowdowns in the words of a step are those of its run.
func TestGainsInWords(t *testing.T) {
	told := 0
	each(t, func(t *testing.T, l *lesson.Lesson, s *scenario.Scenario) {
		if s.Policies[0].Name != "glomarc-ts" {
			return
		}
		for i, x := range l.Steps {
			there := ratios(run(t, s, x.Policy))
			for _, word := range regexp.MustCompile(`\b\d\.\d{3}\b`).FindAllString(x.Text, -1) {
				require.Contains(t, there, word, "step %d", i+1)
				told++
			}
		}
	})
	require.Greater(t, told, 15)
}

// ratios returns the gains and slowdowns of a log to three decimals.
func ratios(l *log.Log) map[string]bool {
	out := map[string]bool{}
	add := func(v float64) { out[fmt.Sprintf("%.3f", v)] = true }
	for r := range l.All() {
		switch r.Kind {
		case log.Gains, log.Purge:
			add(float64(r.Y) / 1e6)
		case log.Group:
			add(float64(r.X) / 1e6)
		case log.Candidate:
			add(float64(r.X) / 1e6)
			add(float64(r.Y) / 1e6)
		case log.Reprice:
			add(1 / math.Float64frombits(uint64(r.X)))
		}
	}
	return out
}

// records returns the records of a log as they are written.
func records(t *testing.T, l *log.Log) string {
	var b bytes.Buffer
	require.NoError(t, log.Write(&b, l, nil))
	_, text, found := strings.Cut(b.String(), "\nrecords ")
	require.True(t, found)
	_, text, _ = strings.Cut(text, "\n")
	return text
}

// groups returns the groups of a log in words, in the order in which they were formed.
func groups(l *log.Log) (out []string) {
	names, more := "", int64(0) // jobs of the group still to come
	for r := range l.All() {
		if r.Kind != log.Group {
			continue
		}
		if more == 0 {
			names, more = l.Jobs[r.Other].ID, r.Y
		}
		names += "+" + l.Jobs[r.Job].ID
		if more--; more == 0 {
			out = append(out, fmt.Sprintf("%d %s %s %.3f", r.At, names, log.Codes[r.Code].Name, float64(r.X)/1e6))
		}
	}
	return out
}

// in returns how much the jobs of a scenario slow each other down with these changes.
func (p slowdowns) in(s *scenario.Slowdown) *scenario.Slowdown {
	if len(p) == 0 {
		return s
	}
	out := *s
	out.Pairs = slices.Clone(s.Pairs)
	for _, of := range slices.Sorted(maps.Keys(p)) {
		for _, beside := range slices.Sorted(maps.Keys(p[of])) {
			out.Pairs = slices.DeleteFunc(out.Pairs, func(x slowdown.Pair) bool { return x.Of == of && x.Beside == beside })
			out.Pairs = append(out.Pairs, slowdown.Pair{Of: of, Beside: beside, Slow: p[of][beside]})
		}
	}
	return &out
}

// crowded returns the traits of a job with the slowdowns by its own processes changed.
func (a *plainJob) crowded(m *job.More) *job.More {
	if a.SLnos == 0 && a.SLcrs == 0 {
		return m
	}
	out := *m
	if a.SLnos > 0 {
		out.SLnos = a.SLnos
	}
	if a.SLcrs > 0 {
		out.SLcrs = a.SLcrs
	}
	return &out
}
