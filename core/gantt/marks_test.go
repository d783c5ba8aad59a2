package gantt_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
)

// TestInkContrast checks that text on a job is readable: its WCAG 2.2 contrast is at least 4.5, and
// at least that of the other text colour.
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
