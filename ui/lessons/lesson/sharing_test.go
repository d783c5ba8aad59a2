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

// TestSharing compares the complete logs of the lessons on shared nodes with testdata:
// every candidate, set of jobs, gain, decision and completion.
func TestSharing(t *testing.T) {
	scenarios := map[string]*scenario.Scenario{}
	for _, file := range lessons.List {
		l, err := parsed(file)
		require.NoError(t, err)
		s, err := scenario.Parse(l.Scenario)
		require.NoError(t, err)
		if s.Policies[0].Name == "glomarc-ts" {
			scenarios[file.Name] = s
		}
	}
	compared := 0
	datadriven.Walk(t, "testdata/sharing", func(t *testing.T, path string) {
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var policy int
			d.ScanArgs(t, "policy", &policy)
			s := scenarios[d.Cmd]
			require.NotNil(t, s, "%s: no lesson %s", d.Pos, d.Cmd)
			compared++
			return records(t, run(t, s, policy))
		})
	})
	policies := 0
	for _, s := range scenarios {
		policies += len(s.Policies)
	}
	require.Equal(t, policies, compared, "testdata has each policy of each lesson once")
}

// Every gain and slowdown in the text of a step occurs in the log of its policy.
func TestGainsInWords(t *testing.T) {
	quoted := 0
	each(t, func(t *testing.T, l *lesson.Lesson, s *scenario.Scenario) {
		if s.Policies[0].Name != "glomarc-ts" {
			return
		}
		for i, x := range l.Steps {
			logged := ratios(run(t, s, x.Policy))
			for _, number := range regexp.MustCompile(`\b\d\.\d{3}\b`).FindAllString(x.Text, -1) {
				require.Contains(t, logged, number, "step %d", i+1)
				quoted++
			}
		}
	})
	require.Greater(t, quoted, 15)
}

// ratios returns the set of all gains and slowdowns in a log, as text with three decimals.
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
		case log.RateChange:
			add(1 / math.Float64frombits(uint64(r.X)))
		}
	}
	return out
}

// records returns the records of a log in its text form.
func records(t *testing.T, l *log.Log) string {
	var b bytes.Buffer
	require.NoError(t, log.Write(&b, l, nil))
	_, text, found := strings.Cut(b.String(), "\nrecords ")
	require.True(t, found)
	_, text, _ = strings.Cut(text, "\n")
	return text
}

// groups returns the groups of jobs in a log, in the order in which they were formed. Each entry contains the time,
// the jobs, the case and the gain of a group. The case, such as case-join, says which of the jobs were already
// running.
func groups(l *log.Log) (out []string) {
	names, more := "", int64(0) // jobs of the current group, and the number of its records that follow
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

// apply returns the slowdowns s of a scenario, with the pairs of jobs in p added or replaced. It does
// not change s.
func (p slowdowns) apply(s *scenario.Slowdown) *scenario.Slowdown {
	if len(p) == 0 {
		return s
	}
	out := *s
	out.Pairs = slices.Clone(s.Pairs)
	for _, of := range slices.Sorted(maps.Keys(p)) {
		for _, nextTo := range slices.Sorted(maps.Keys(p[of])) {
			out.Pairs = slices.DeleteFunc(out.Pairs, func(x slowdown.Pair) bool { return x.Of == of && x.NextTo == nextTo })
			out.Pairs = append(out.Pairs, slowdown.Pair{Of: of, NextTo: nextTo, Slow: p[of][nextTo]})
		}
	}
	return &out
}

// ownSlowdowns returns a copy of m with the nonzero values of SLnos and SLcrs from a. These are the
// factors by which the processes of a job slow each other down.
func (a *plainJob) ownSlowdowns(m *job.More) *job.More {
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
