package worker

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/format"
	"backfill-lab/core/sim"
)

// An error of a run contains the time in the format of the page.
func TestTimedText(t *testing.T) {
	err := fmt.Errorf("Script: %w", &sim.Violation{At: 614555, Why: "line 11: expected a loop that ends"})
	dates := format.Clock{Units: true, Calendar: &format.Calendar{Start: 1_764_547_200}} // 2025-12-01
	require.Equal(t, "Script: at 2025-12-08 02:42:35: line 11: expected a loop that ends", timedText(err, dates))
	require.Equal(t, "Script: at 614555: line 11: expected a loop that ends", timedText(err, format.Clock{}))
	require.Equal(t, "at 3", timedText(errors.New("at 3"), dates))
}
