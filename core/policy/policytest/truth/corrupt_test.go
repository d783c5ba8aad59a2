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
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/policy/policytest/truth"
	"backfill-lab/core/schedule"
)

// fields is what is changed of a record.
var fields = []string{"x", "y", "other", "code", "at", "job"}

// corrupt changes a field of a record to another value.
func corrupt(r *rand.Rand, x *log.Record, field string, jobs int) {
	was := *x
	for *x == was {
		switch d := []int64{-7, -1, 1, 2, 1000}[r.IntN(5)]; field {
		case "x":
			x.X += d
		case "y":
			x.Y += d
		case "other":
			x.Other = job.Index(r.IntN(jobs+1) - 1)
		case "code":
			x.Code = log.Code(r.IntN(len(log.Codes)))
		case "at":
			x.At = max(0, x.At+d)
		case "job":
			x.Job = job.Index(r.IntN(jobs+1) - 1)
		}
	}
}

// Whatever is changed of a record with a reason, the checker finds it, or the one of
// schedules, which every log has to pass.
func TestSoakCorruptedLogsAreCaught(t *testing.T) {
	tried, caught := map[string]int{}, map[string]int{}
	for n, s := range settings {
		t.Run(s.name, func(t *testing.T) {
			missed := 0
			for run := range max(2, soak.Cases(t)/3000) {
				x := judged(t, s.generator().Example(1000+run))
				require.False(t, untrue(x), "it is true before anything is changed")
				r := rand.New(rand.NewPCG(uint64(n), uint64(run)))
				for range 40 {
					place := r.IntN(x.Log.Len())
					record, field := x.Log.Record(place), fields[r.IntN(len(fields))]
					if !truth.Judged(record) || equivalent(x.Log, place, field) {
						continue
					}
					was := *record
					corrupt(r, record, field, len(x.Log.Jobs))
					of := log.Codes[was.Code].Name + " " + field
					tried[of]++
					if untrue(x) {
						caught[of]++
					} else if missed++; missed < 4 {
						t.Errorf("run %d: missed: %s of %v is %v", run, field, was, *record)
					}
					*record = was
				}
			}
		})
	}
	var lines []string
	for of, n := range tried {
		lines = append(lines, fmt.Sprintf("%-24s %5d of %5d", of, caught[of], n))
	}
	slices.Sort(lines)
	if testing.Verbose() {
		t.Log("\n" + strings.Join(lines, "\n"))
	}
}

// In time slices, where promises and moves are not on record, every planned and former
// start is judged all the same, and which job made room.
func TestSoakCorruptedPlansAreCaught(t *testing.T) {
	moves := []log.Code{log.MovedUp, log.MovedNow, log.MovedSooner}
	tried := map[log.Code]int{}
	for _, s := range settings {
		if s.policy != "scojo-pect" || s.knobs["inner"] != "conservative" {
			continue
		}
		for run := range max(2, soak.Cases(t)/3000) {
			x := judged(t, s.generator().Example(run))
			for place := range x.Log.Len() {
				r := x.Log.Record(place)
				was := *r
				caught := func(changed log.Record) {
					*r = changed
					require.True(t, changed == was || untrue(x), "%s, run %d: %v is %v", s.name, run, was, changed)
					*r, tried[was.Code] = was, tried[was.Code]+1
				}
				if moved := slices.Contains(moves, was.Code); moved || was.Code == log.PlannedSlice {
					for _, d := range []int64{-1000, -1, 1, 1000} {
						changed := was
						changed.X += d
						caught(changed)
					}
					for k := range x.Log.Jobs {
						changed := was
						changed.Other = job.Index(k)
						caught(changed)
					}
					for _, code := range append(moves, log.Planned) {
						changed := was
						changed.Code = code
						caught(changed)
					}
				}
			}
		}
	}
	t.Log(tried)
}

// equivalent reports whether another value of a field contradicts nothing: that a
// primary was tried, and nobody was looked at, is true of more primaries, cases and
// moments than are on record; and a job is held up until the other leaves, also later
// than it is told so first.
func equivalent(l *log.Log, place int, field string) bool {
	r, looks := l.Record(place), place+1 < l.Len() && l.Record(place+1).Kind == log.Candidate
	if r.Code == log.HeldByOther {
		return field == "at"
	}
	return r.Kind == log.Form && !looks && (field == "at" || field == "job" || field == "code")
}

// untrue reports whether anything is wrong with a log.
func untrue(x *truth.Case) bool {
	return len(x.Check(truth.Counts{})) > 0 || len(schedule.CheckLogWith(x.Log, schedule.Options{Promises: x.Cos == nil, Rates: true})) > 0
}
