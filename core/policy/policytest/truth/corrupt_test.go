package truth_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
	"backfill-lab/core/policy/policytest/judge"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/policytest/truth"
	"backfill-lab/core/schedule"
)

// corruptedFields lists the fields of a record that corruptField can change.
var corruptedFields = []string{"x", "y", "other", "code", "at", "job"}

// corruptField changes a field of a record to a different value.
func corruptField(random *rand.Rand, record *log.Record, field string, jobs int) {
	original := *record
	for *record == original {
		switch d := []int64{-7, -1, 1, 2, 1000}[random.IntN(5)]; field {
		case "x":
			record.X += d
		case "y":
			record.Y += d
		case "other":
			record.Other = job.Index(random.IntN(jobs+1) - 1)
		case "code":
			record.Code = log.Code(random.IntN(len(log.Codes)))
		case "at":
			record.At = max(0, record.At+d)
		case "job":
			record.Job = job.Index(random.IntN(jobs+1) - 1)
		}
	}
}

// TestSoakCorruptedLogsAreCaught changes one field of a record at a time. Either Case.Check or
// package schedule, whose checks every log must pass, has to report an error.
func TestSoakCorruptedLogsAreCaught(t *testing.T) {
	tried, caught := map[string]int{}, map[string]int{}
	for n, s := range settings {
		t.Run(s.name, func(t *testing.T) {
			missed := 0
			for run := range max(2, soak.CaseCount(t)/3000) {
				tc := judge.TruthCase(t, s.generator().Example(1000+run))
				require.False(t, hasErrors(tc), "the unchanged log is true")
				r := rand.New(rand.NewPCG(uint64(n), uint64(run)))
				for range 40 {
					index := r.IntN(tc.Log.Len())
					record, field := tc.Log.Record(index), corruptedFields[r.IntN(len(corruptedFields))]
					if !truth.IsChecked(record) || stillTrue(tc.Log, index, field) {
						continue
					}
					original := *record
					corruptField(r, record, field, len(tc.Log.Jobs))
					label := log.Codes[original.Code].Name + " " + field
					tried[label]++
					if hasErrors(tc) {
						caught[label]++
					} else if missed++; missed < 4 {
						t.Errorf("run %d: no error found after a change of field %s: %v became %v", run, field, original, *record)
					}
					*record = original
				}
			}
		})
	}
	var lines []string
	for label, n := range tried {
		lines = append(lines, fmt.Sprintf("%-24s %5d of %5d", label, caught[label], n))
	}
	slices.Sort(lines)
	if testing.Verbose() {
		t.Log("\n" + strings.Join(lines, "\n"))
	}
}

// TestSoakCorruptedPlansAreCaught changes the planned starts, reasons and other jobs of records in
// logs with time slices. An error has to be reported each time, although these logs do not contain
// promises and moves.
func TestSoakCorruptedPlansAreCaught(t *testing.T) {
	moves := []log.Code{log.MovedAfterEarlyEnd, log.MovedNow, log.MovedAfterProgress}
	changes := map[log.Code]int{}
	for _, s := range settings {
		if s.policy != "scojo-pect" || s.knobs["inner"] != "conservative" {
			continue
		}
		for run := range max(2, soak.CaseCount(t)/3000) {
			tc := judge.TruthCase(t, s.generator().Example(run))
			for index := range tc.Log.Len() {
				r := tc.Log.Record(index)
				original := *r
				caught := func(changed log.Record) {
					*r = changed
					require.True(t, changed == original || hasErrors(tc), "%s, run %d: %v became %v", s.name, run, original, changed)
					*r, changes[original.Code] = original, changes[original.Code]+1
				}
				if moved := slices.Contains(moves, original.Code); moved || original.Code == log.PlannedSlice {
					for _, d := range []int64{-1000, -1, 1, 1000} {
						changed := original
						changed.X += d
						caught(changed)
					}
					for k := range tc.Log.Jobs {
						changed := original
						changed.Other = job.Index(k)
						caught(changed)
					}
					for _, code := range append(moves, log.Planned) {
						changed := original
						changed.Code = code
						caught(changed)
					}
				}
			}
		}
	}
	t.Log(changes)
}

// stillTrue reports whether a log can stay true if the named field of the record with the given
// index changes. This is possible for two kinds of records. A log.PrimaryTried record starts a
// search for a group. If no candidates follow, no other record contradicts a change of its time,
// job or code. If a record has the reason held-by-other, its time may be different, because the
// reason is true until the other job stops.
func stillTrue(l *log.Log, index int, field string) bool {
	r, hasCandidates := l.Record(index), index+1 < l.Len() && l.Record(index+1).Kind == log.Candidate
	if r.Code == log.HeldByOther {
		return field == "at"
	}
	return r.Kind == log.PrimaryTried && !hasCandidates && (field == "at" || field == "job" || field == "code")
}

// hasErrors reports whether a log has any error.
func hasErrors(tc *truth.Case) bool {
	return len(tc.Check(truth.Counts{})) > 0 || len(schedule.CheckLogWith(tc.Log, schedule.Options{Promises: tc.Slowdown == nil, Rates: true})) > 0
}
