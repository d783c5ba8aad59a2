package job_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/job"
)

// TestSortByTime compares SortByTime with a stable sort of the standard library. Depending on the
// range of the times, the radix sort sorts by up to six digits.
func TestSortByTime(t *testing.T) {
	type item struct {
		at    job.Time
		place int
	}
	rapid.Check(t, func(t *rapid.T) {
		most := rapid.SampledFrom([]job.Time{0, 3, 3000, 1 << 30, job.Never}).Draw(t, "most")
		least := rapid.SampledFrom([]job.Time{0, -most}).Draw(t, "least")
		list := make([]item, rapid.SampledFrom([]int{0, 1, 20, 255, 256, 400}).Draw(t, "n"))
		for i := range list {
			list[i] = item{rapid.Int64Range(least, most).Draw(t, "at"), i}
		}
		want := slices.Clone(list)
		slices.SortStableFunc(want, func(a, b item) int {
			switch {
			case a.at < b.at:
				return -1
			case a.at > b.at:
				return 1
			}
			return 0
		})
		job.SortByTime(list, func(x *item) job.Time { return x.at })
		require.Equal(t, want, list)
	})
}
