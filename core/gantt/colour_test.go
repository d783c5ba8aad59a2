package gantt_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"backfill-lab/core/gantt"
	"backfill-lab/core/job"
)

// TestClassesOfPieces checks that a piece has the class of its job, and that a bin has the class that
// the test computes lane by lane.
func TestClassesOfPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := gantt.New(drawLog(t))
		classes := gantt.JobClasses{ClassOf: make([]uint8, len(c.Log().Jobs)), Classes: 5, Mean: rapid.Bool().Draw(t, "mean")}
		for j := range classes.ClassOf {
			classes.ClassOf[j] = rapid.Uint8Range(0, 4).Draw(t, "class")
		}
		q := gantt.Query{T1: 1200, Columns: rapid.IntRange(1, 40).Draw(t, "columns"), Lanes1: c.Lanes, Rows: rapid.IntRange(1, 20).Draw(t, "rows"), MaxPieces: 64, JobClasses: classes}
		v := c.View(q)
		drawn := map[job.Index][]gantt.Piece{}
		for _, p := range v.Pieces {
			if p.Flags&gantt.Bin == 0 {
				require.Equal(t, classes.ClassOf[p.Job], p.Class)
				drawn[p.Job] = append(drawn[p.Job], p)
			}
		}
		for _, p := range v.Pieces {
			if p.Flags&gantt.Bin != 0 {
				require.Equal(t, classOf(c, &classes, &p, drawn), int(p.Class))
			}
		}
	})
}

// classOf returns the class of a bin, computed from all spans that are not drawn as pieces.
func classOf(c *gantt.Chart, classes *gantt.JobClasses, bin *gantt.Piece, drawn map[job.Index][]gantt.Piece) int {
	var busy [5]int
	for j := range c.Log().Jobs {
		for _, s := range c.JobSpans(job.Index(j)) {
			for _, r := range c.Log().Alloc(job.Index(j)) {
				for lane := max(r.Lo, bin.Lane0); lane < min(r.Hi, bin.Lane1); lane++ {
					if d := min(s.To, bin.To) - max(s.From, bin.From); d > 0 && !isPiece(drawn[job.Index(j)], s.From, lane) {
						busy[classes.ClassOf[j]] += int(d)
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
	if classes.Mean {
		return (2*sum + all) / (2 * all)
	}
	return best
}

// isPiece reports whether one of the pieces is on the given lane and starts at the given time.
func isPiece(pieces []gantt.Piece, from job.Time, lane int32) bool {
	for _, p := range pieces {
		if p.From == from && p.Lane0 <= lane && lane < p.Lane1 {
			return true
		}
	}
	return false
}
