package sweep

import (
	"fmt"
	"slices"
	"strings"

	"backfill-lab/core/scenario"
	"backfill-lab/core/scenario/raw"
	"backfill-lab/core/workload"
	"backfill-lab/core/workload/resample"
)

// resample reads the field that says which blocks of a trace to draw, such as weeks or users.
func (r *reader) resample(v raw.Value, at place) resample.Blocks {
	text := r.LongText(v, at)
	if !slices.Contains(resample.BlockNames, text) {
		r.Fail(v, at, strings.Join(resample.BlockNames, " or "))
	}
	return resample.Blocks(text)
}

// drawBlocks loads the jobs of a scenario and draws blocks of jobs at random. It applies the load
// factor afterwards, because scaling changes the length of a week.
func drawBlocks(x *scenario.Scenario, load Load, by resample.Blocks, seed int64) (*scenario.Setup, error) {
	factor := x.Rules.LoadFactor
	x.Rules.LoadFactor = 0
	up, err := load(x)
	if err != nil {
		return nil, err
	}
	jobs, err := resample.Jobs(up.Work.Jobs, by, uint32(seed))
	if err != nil {
		return nil, fmt.Errorf("resample: %w", err)
	}
	work, err := workload.Clean(jobs, nil, up.Work.Procs, workload.Rules{LoadFactor: factor})
	if err != nil {
		return nil, err
	}
	work.Header, work.Calendar = up.Work.Header, up.Work.Calendar
	drawn := *up
	drawn.Work = work
	return &drawn, nil
}
