package worker_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"backfill-lab/core/colour"
	"backfill-lab/core/gantt"
	"backfill-lab/ui/protocol"
)

// requestClasses requests a view with colour classes. It returns the scale, and the class label and the value of
// each piece that stands for one job.
func requestClasses(t *testing.T, p *page, v protocol.View) (scale *protocol.Scale, words []string, values []float64) {
	r := p.ask("view", "view", v)
	scale = read[protocol.Viewed](t, r).Scale
	require.NotNil(t, scale)
	for i, x := range gantt.Decode(r.bufs[0]) {
		at := func(k int) float64 {
			return math.Float64frombits(binary.LittleEndian.Uint64(r.bufs[5][8*(2*i+k):]))
		}
		if x.Flags&gantt.Bin == 0 {
			words, values = append(words, scale.Labels[int(at(0))]), append(values, at(1))
		} else {
			assert.True(t, math.IsNaN(at(1)))
		}
	}
	return scale, words, values
}

func TestViewsHaveClasses(t *testing.T) {
	p, _ := ran(t)
	v := protocol.View{Result: 1, To: 48, Columns: 480, Lane1: 8, Rows: 80, Colour: colour.Difference}
	scale, words, values := requestClasses(t, p, v)
	assert.Equal(t, "starts {} later than under EASY", scale.Sentences[2])
	assert.Equal(t, []string{"same", "same", "up to 2 s earlier", "up to 2 s earlier", "up to 2 s later", "up to 2 s later", "up to 1 s later", "up to 1 s later"}, first(words, 8))
	assert.Equal(t, []float64{0, 0, -2, -2, 2, 2, 1, 1}, first(values, 8))
	v.Base = 1
	_, words, _ = requestClasses(t, p, v)
	assert.NotContains(t, words, "up to 2 s later", "a result does not differ from itself")
	v.Result = 0
	_, _, values = requestClasses(t, p, v)
	assert.Contains(t, values, -2.0)

	for _, k := range colour.Kinds {
		v.Colour = k.Name
		scale, words, _ = requestClasses(t, p, v)
		assert.Equal(t, k.Title, scale.Title)
		assert.Len(t, words, len(gantt.Decode(p.ask("view", "view", v).bufs[0])))
	}
	v.Colour = "none such"
	r := p.ask("view", "view", v)
	assert.Nil(t, read[protocol.Viewed](t, r).Scale)
	assert.Len(t, r.bufs, 7)
}

func first[T any](list []T, n int) []T { return list[:min(n, len(list))] }
