package gantt_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
)

// TestTextContrast checks that text on a job is readable. Its contrast, as defined by WCAG 2.2, must be
// at least 4.5. The other text colour (black or white) must not have a higher contrast.
func TestTextContrast(t *testing.T) {
	for j := range job.Index(12) {
		back := luminance(t, gantt.JobColour(j))
		text := luminance(t, gantt.TextColour(j))
		require.GreaterOrEqual(t, contrast(text, back), 4.5, gantt.JobColour(j))
		require.GreaterOrEqual(t, contrast(text, back), contrast(1-text, back))
	}
	require.Equal(t, gantt.JobColour(0), gantt.JobColour(12))
}

// contrast returns the WCAG 2.2 contrast of two luminances.
func contrast(a, b float64) float64 { return (max(a, b) + 0.05) / (min(a, b) + 0.05) }

// luminance returns the relative luminance of a colour such as "#56b4e9", from 0 to 1.
func luminance(t *testing.T, hex string) float64 {
	n, err := strconv.ParseUint(hex[1:], 16, 32)
	require.NoError(t, err)
	channel := func(shift int) float64 {
		c := float64(n>>shift&255) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*channel(16) + 0.7152*channel(8) + 0.0722*channel(0)
}
