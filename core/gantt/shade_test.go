package gantt_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
)

// A piece has the class of its job, a bin that of what is in it: counted here lane
// by lane.
func TestClassesOfPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := gantt.New(random(t))
		shade := gantt.Shade{Of: make([]uint8, len(c.Log().Jobs)), Classes: 5, Mean: rapid.Bool().Draw(t, "mean")}
		for j := range shade.Of {
			shade.Of[j] = rapid.Uint8Range(0, 4).Draw(t, "class")
		}
		q := gantt.Query{T1: 1200, Columns: rapid.IntRange(1, 40).Draw(t, "columns"), Lanes1: c.Lanes, Rows: rapid.IntRange(1, 20).Draw(t, "rows"), Most: 64, Shade: shade}
		v := c.View(q)
		drawn := map[job.Index][]gantt.Piece{}
		for _, p := range v.Pieces {
			if p.Flags&gantt.Bin == 0 {
				require.Equal(t, shade.Of[p.Job], p.Class)
				drawn[p.Job] = append(drawn[p.Job], p)
			}
		}
		for _, p := range v.Pieces {
			if p.Flags&gantt.Bin != 0 {
				require.Equal(t, classOf(c, &shade, &p, drawn), int(p.Class))
			}
		}
	})
}

// classOf returns the class of what a bin gathers.
func classOf(c *gantt.Chart, shade *gantt.Shade, bin *gantt.Piece, drawn map[job.Index][]gantt.Piece) int {
	var busy [5]int
	for j := range c.Log().Jobs {
		for _, s := range c.JobSpans(job.Index(j)) {
			for _, r := range c.Log().Alloc(job.Index(j)) {
				for lane := max(r.Lo, bin.Lane0); lane < min(r.Hi, bin.Lane1); lane++ {
					if d := min(s.To, bin.To) - max(s.From, bin.From); d > 0 && !alone(drawn[job.Index(j)], s.From, lane) {
						busy[shade.Of[j]] += int(d)
					}
				}
			}
		}
	}
	best, sum, all := 0, 0, 0
	for k, b := range busy {
		if sum, all = sum+k*b, all+b; b > busy[best] {
			best = k
		}
	}
	if shade.Mean {
		return (2*sum + all) / (2 * all)
	}
	return best
}

// alone reports whether a lane of a stretch is drawn as a piece.
func alone(pieces []gantt.Piece, from job.Time, lane int32) bool {
	for _, p := range pieces {
		if p.From == from && p.Lane0 <= lane && lane < p.Lane1 {
			return true
		}
	}
	return false
}
