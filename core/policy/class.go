package policy

import "backfill-lab/core/job"

// Class is the type of a job by its estimate, as time slices and groups tell jobs
// apart (Esbaugh and Sodan 2007; Jin 2009, section 4; Zeng 2009, section 4).
type Class uint8

const (
	Short Class = iota
	Medium
	Long
	Classes // how many there are
)

// Bounds is the longest estimates of short and of medium jobs.
type Bounds struct{ Short, Medium job.Time }

// BoundsOf returns the bounds that the knobs short-max and medium-max say.
func BoundsOf(v Values) Bounds {
	return Bounds{int64(v.Int("short-max")), int64(v.Int("medium-max"))}
}

// Class returns the type of a job.
func (b *Bounds) Class(q *job.Request) Class {
	switch {
	case q.Estimate <= b.Short:
		return Short
	case q.Estimate <= b.Medium:
		return Medium
	}
	return Long
}
