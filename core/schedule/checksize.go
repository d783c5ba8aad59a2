package schedule

import (
	"math"

	"backfill-lab/core/log"
)

// resize checks a Resize record: the job must be moldable and waiting, and the old and new
// sizes must make sense.
func (w *walker) resize(r *log.Record, j *state) {
	if w.l.Jobs[r.Job].Speedup() == nil || j.phase != fresh || r.X != j.size || r.Y < 1 || r.Y > int64(w.l.Machine.Slots()) {
		w.add(Sized, w.id(r), r.At, "at %d, the size of job %q, %s, goes from %d to %d, but it was %d", r.At, w.id(r), j.phase, r.X, r.Y, j.size)
	}
	j.size = r.Y
}

// started checks that a moldable job starts with the size last chosen for it.
func (w *walker) started(r *log.Record, j *state) {
	if n := int64(w.l.Width(r.Job).Procs); r.Kind == log.Start && j.size != 0 && j.size != n {
		w.add(Sized, w.id(r), r.At, "at %d, job %q starts on %d processors, its size was %d", r.At, w.id(r), n, j.size)
	}
}

// size checks a Size record: how much time the last processor saves, and how much one more
// would save.
func (w *walker) size(r *log.Record, j *state) {
	s, n := w.l.Jobs[r.Job].Speedup(), int(w.l.Width(r.Job).Procs)
	if s == nil || j.phase != running {
		w.add(Sized, w.id(r), r.At, "at %d, the size of job %q, %s, is explained, which is no moldable job that runs", r.At, w.id(r), j.phase)
		return
	}
	saved, next := 0.0, s.Runtime(n)-s.Runtime(n+1)
	if n > 1 {
		saved = s.Runtime(n-1) - s.Runtime(n)
	}
	if math.Abs(float64(saved*1e6)-float64(r.X)) > 1 || math.Abs(float64(next*1e6)-float64(r.Y)) > 1 {
		w.add(Sized, w.id(r), r.At, "at %d, the last of the %d processors of job %q is said to save %d us and one more %d us; by its speedup they save %g s and %g s",
			r.At, n, w.id(r), r.X, r.Y, saved, next)
	}
}
