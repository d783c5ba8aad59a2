package profile_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy/policytest/soak"
	"backfill-lab/core/profile"
)

// TestSoakBlocksEqualFlat checks that a timeline in blocks and a flat timeline give the same
// answers and count the same steps. It does not use the reference implementation of package plain,
// which would be too slow for such long profiles.
func TestSoakBlocksEqualFlat(t *testing.T) {
	soak.Check(t, 0.03, func(t *rapid.T) {
		width := rapid.SampledFrom([]int{1, 2, 4, 32}).Draw(t, "processors")
		m := cluster.Flat(width)
		size := rapid.IntRange(1, 40).Draw(t, "block")
		m.Resources = []cluster.Resource{{Name: "r", Capacity: 9}}
		flat, long := profile.ForMachine(&m), profile.ForMachine(&m)
		var now job.Time
		type reservation struct {
			demand   job.Demand
			from, to job.Time
		}
		var reserved []reservation
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		for i := range rapid.IntRange(1, 300).Draw(t, "changes") {
			n := job.Demand{Procs: 1 + r.IntN(width), Extra: []int64{r.Int64N(10)}}
			d, from := 1+r.Int64N(60), now+r.Int64N(100)
			// both calls f on both profiles, checks that the results are equal, and returns the
			// result.
			both := func(f func(p *profile.Profile) any) any {
				want := f(flat)
				var got any
				profile.WithLimits(8, 4, size, func() { got = f(long) })
				require.Equal(t, want, got)
				return want
			}
			bookings := 6 // per ten changes; sometimes few, so that blocks become small and are joined
			if i/50%2 == 1 {
				bookings = 3
			}
			switch k := r.IntN(10); {
			case k < bookings:
				at := both(func(p *profile.Profile) any { return p.ReserveEarliest(n, d, from) }).(job.Time)
				reserved = append(reserved, reservation{n, at, at + d})
			case k < 8 && len(reserved) > 0:
				i := r.IntN(len(reserved))
				h := reserved[i]
				reserved[i] = reserved[len(reserved)-1]
				reserved = reserved[:len(reserved)-1]
				if start := max(h.from, now); start < h.to {
					both(func(p *profile.Profile) any { p.Release(h.demand, start, h.to); return p.TakeReleased() })
				}
			case k < 9 && len(reserved) > 0:
				h := &reserved[r.IntN(len(reserved))]
				if h.from > now {
					before, d := now+r.Int64N(h.from-now+1), h.to-h.from
					at := both(func(p *profile.Profile) any { return p.Earlier(h.demand, d, now, before, h.from) }).(job.Time)
					both(func(p *profile.Profile) any { p.Shift(h.demand, d, h.from, at); return nil })
					h.from, h.to = at, at+d
				}
			case r.IntN(2) == 0:
				both(func(p *profile.Profile) any { return p.Fits(n, d, from) })
			default:
				now += r.Int64N(40)
				both(func(p *profile.Profile) any { p.Trim(now); return nil })
				other := profile.ForMachine(&m)
				other.CopyFrom(long)
				long = other.Clone()
				long.StepsExamined = flat.StepsExamined
			}
			require.Equal(t, flat.StepsExamined, long.StepsExamined)
			require.Equal(t, flat.String(), long.String())
		}
	})
}

// bookMany books n jobs on an idle machine, each at its earliest start, and returns the profile.
// The jobs have random widths, and random lengths up to maxLength.
func bookMany(n int, maxLength job.Time) *profile.Profile {
	p, r := profile.New(128), rand.New(rand.NewPCG(1, 2))
	for range n {
		p.ReserveEarliest(procs(1+r.IntN(64)), 1+r.Int64N(maxLength), 0)
	}
	return p
}

// inBlocks returns a profile of n processors, with five short reservations from the given time on. It
// has more steps than a flat list may have, so it is stored in blocks.
func inBlocks(t *testing.T, n int, from job.Time) *profile.Profile {
	profile.SetLimits(t, 4, 3, 2)
	p := profile.New(n)
	for range 5 {
		p.Reserve(procs(1), from, from+10)
		from += 20
	}
	return p
}

// TestVeryLongReservation checks a search for a very long reservation. The memo has no class for
// its length, so the results of other searches must not limit this search.
func TestVeryLongReservation(t *testing.T) {
	p := inBlocks(t, 2, 0)
	require.EqualValues(t, 10, p.Find(procs(2), 1, 0))
	require.EqualValues(t, 0, p.Find(procs(1), 1<<36, 0), "one processor is always free")
}

// TestMemoOfShorterLength checks that the result of a search does not limit a search for a shorter length in the same
// class of lengths (96 to 99).
func TestMemoOfShorterLength(t *testing.T) {
	p := inBlocks(t, 3, 200)
	p.Reserve(procs(3), 98, 99)
	require.EqualValues(t, 99, p.Find(procs(2), 99, 0))
	require.EqualValues(t, 0, p.Find(procs(3), 98, 0))
}

// TestSearchAfterJoin checks a block that is joined with the next one. After that, a search can
// succeed in the block although it failed there before.
func TestSearchAfterJoin(t *testing.T) {
	profile.SetLimits(t, 4, 3, 4)
	p := profile.New(2)
	for _, x := range []struct {
		procs        int
		length, from job.Time
	}{{1, 1, 0}, {1, 1, 8}, {2, 2, 7}, {2, 2, 7}, {1, 7, 1}} {
		p.ReserveEarliest(procs(x.procs), x.length, x.from)
	}
	require.EqualValues(t, 13, p.Find(procs(2), 2, 0), p.String())
}

// TestLongPlanCost compares the average number of steps and blocks that a booking visits in plans
// of 30,000 and 300,000 jobs. The average of the longer plan must be less than twice that of the
// shorter plan.
func TestLongPlanCost(t *testing.T) {
	few, many := 30_000, 300_000
	a := float64(profile.Visited(bookMany(few, 36000))) / float64(few)
	b := float64(profile.Visited(bookMany(many, 36000))) / float64(many)
	t.Logf("steps and blocks visited for each job: %.0f with %d jobs, %.0f with %d", a, few, b, many)
	require.Positive(t, a)
	require.Less(t, b, 2*a)
}

func BenchmarkBook(b *testing.B) {
	for n := 1000; n <= 1_000_000; n *= 10 {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				bookMany(n, 36000)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/job")
		})
	}
}
