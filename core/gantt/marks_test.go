package gantt_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
)

func TestTicks(t *testing.T) {
	const day = 86400
	for _, c := range []struct {
		t0, t1 job.Time
		most   int
		labels []string
	}{
		{0, 48, 10, []string{"0", "5", "10", "15", "20", "25", "30", "35", "40", "45"}},
		{0, 1000, 5, []string{"0", "500", "1000"}},
		{0, 3600, 6, []string{"0:00", "0:15", "0:30", "0:45", "1:00"}},
		{5000, 5030, 4, []string{"1:23:20", "1:23:30", "1:23:40", "1:23:50"}},
		{0, 2 * day, 5, []string{"0 d 0:00", "0 d 12:00", "1 d 0:00", "1 d 12:00", "2 d 0:00"}},
		{0, 30 * day, 6, []string{"0 d", "7 d", "14 d", "21 d", "28 d"}},
		{0, 1000 * day, 6, []string{"0 d", "200 d", "400 d", "600 d", "800 d", "1000 d"}},
		{7, 7, 3, []string{"7"}},
	} {
		step := gantt.Step(c.t0, c.t1, c.most)
		var labels []string
		for _, x := range gantt.Ticks(c.t0, c.t1, c.most) {
			labels = append(labels, gantt.Label(x, step, c.t1))
		}
		require.Equal(t, c.labels, labels)
	}
	require.Empty(t, gantt.Ticks(5, 4, 3))
}

func TestTicksAreFewAndInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		t0 := rapid.Int64Range(0, job.MaxTime).Draw(t, "t0")
		t1 := t0 + rapid.OneOf(rapid.Int64Range(0, 5000), rapid.Int64Range(0, job.MaxTime)).Draw(t, "time")
		most := rapid.IntRange(2, 20).Draw(t, "most")
		ticks := gantt.Ticks(t0, t1, most)
		require.LessOrEqual(t, len(ticks), most)
		for _, x := range ticks {
			require.True(t, t0 <= x && x <= t1)
		}
	})
}

// Text on a job is readable: its contrast by WCAG 2.2 is at least 4.5, and at least that
// of the other text colour.
func TestInkContrast(t *testing.T) {
	for j := range job.Index(12) {
		back := luminance(t, gantt.JobColour(j))
		ink := luminance(t, gantt.TextColour(j))
		require.GreaterOrEqual(t, contrast(ink, back), 4.5, gantt.JobColour(j))
		require.GreaterOrEqual(t, contrast(ink, back), contrast(1-ink, back))
	}
	require.Equal(t, gantt.JobColour(0), gantt.JobColour(12))
}

func contrast(a, b float64) float64 { return (max(a, b) + 0.05) / (min(a, b) + 0.05) }

func luminance(t *testing.T, hex string) float64 {
	n, err := strconv.ParseUint(hex[1:], 16, 32)
	require.NoError(t, err)
	part := func(shift int) float64 {
		c := float64(n>>shift&255) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*part(16) + 0.7152*part(8) + 0.0722*part(0)
}
