package sacct_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/workload/sacct"
)

func TestLimits(t *testing.T) {
	l, err := sacct.ParseLimits("gpu=1d, 12:00:00, batch = 90")
	require.NoError(t, err)
	assert.EqualValues(t, "batch=90,gpu=86400,43200", l)
	again, err := sacct.ParseLimits(l.String())
	require.NoError(t, err)
	assert.Equal(t, l, again)
	assert.Equal(t, []int64{90, 86400, 43200}, []int64{l.For("batch"), l.For("gpu"), l.For("long")})
	assert.Equal(t, []int64{0, 43200}, []int64{l.Listed("long"), l.Listed("")})
	assert.EqualValues(t, "batch=90,43200", l.With("gpu", 0))
	assert.EqualValues(t, "gpu=86400,7", l.With("batch", 0).With("", 7))
	assert.EqualValues(t, 0, sacct.Limits("").For("batch"))

	for text, want := range map[string]string{
		"batch=":     "expected a duration such as",
		"12:30":      "write 12:30:00 for hours and minutes",
		"=5":         `expected PARTITION=DURATION, got "=5"`,
		"a=0":        `expected a wall time limit of at least 1 s, got "0"`,
		"a=5,a=6":    "expected one limit for each partition, got two",
		"a=2d x":     "expected a duration such as",
		"1h,2h":      "expected one limit for each partition, got two",
		"batch=soon": "expected a duration such as",
	} {
		_, err := sacct.ParseLimits(text)
		assert.ErrorContains(t, err, want, text)
	}
}
