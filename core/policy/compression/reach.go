package compression

import (
	"math"

	"backfill-lab/core/job"
	"backfill-lab/core/profile"
)

// reach is until when, from a moment on, how many processors stay free without
// a break, whatever becomes of other resources: steps of falling Free, each with the end of its stretch.
type reach struct{ steps []profile.Step }

// measure takes the reach from now on.
func (r *reach) measure(p *profile.Profile, now job.Time) {
	r.steps = r.steps[:0]
	least := math.MaxInt
	for _, s := range p.Steps() {
		p.Looked++
		if s.Free >= least {
			continue
		}
		if n := len(r.steps); n > 0 {
			r.steps[n-1].At = s.At
		}
		r.steps = append(r.steps, profile.Step{At: job.Never, Free: s.Free})
		if least = s.Free; least == 0 {
			return
		}
	}
}

// free returns the processors that are free at the beginning.
func (r *reach) free() int32 { return int32(r.steps[0].Free) }

// of returns until when procs processors stay free; procs must be free now.
func (r *reach) of(procs int32) job.Time {
	i := 0
	for i+1 < len(r.steps) && int32(r.steps[i+1].Free) >= procs {
		i++
	}
	return r.steps[i].At
}
