package document

import (
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/ui/plot"
)

func TestSurvey(t *testing.T) {
	d := four().SetCell(0, Submit, "15") // out of order now
	d = d.AddRow(3).SetCell(4, Runtime, "x")
	s, err := d.Rows.Survey(still)
	require.NoError(t, err)
	require.Equal(t, 4, s.Jobs, "what is half-typed is no job yet")
	require.Equal(t, 94.0, s.Work)
	require.InDelta(t, 94.0/7/4, s.Load(4), 1e-12)
	require.Equal(t, []plot.Bin{{From: 1, To: 2, N: 2}, {From: 2, To: 4, N: 1}, {From: 4, To: 8, N: 1}}, s.Sizes.Bins())
	require.Equal(t, []plot.Bin{{From: 0, To: 1, N: 1}, {From: 1, To: 2}, {From: 2, To: 5, N: 1}, {From: 5, To: 10, N: 1}}, s.Gaps.Bins())
	s, err = Rows{}.Survey(still)
	require.NoError(t, err)
	require.Zero(t, s.Load(4))
	require.Empty(t, s.Gaps.Bins())
}
