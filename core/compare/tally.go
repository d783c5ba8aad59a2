package compare

import "backfill-lab/core/job"

// A Measure returns one of the differences in a Shift, such as the difference between the start
// times.
type Measure func(*Shift) job.Time

// Start is the Measure that returns the difference between the start times.
func Start(s *Shift) job.Time { return s.Start }

// Tally counts the jobs that moved earlier, moved later or stayed unchanged. Jobs whose difference
// is unknown are not counted.
type Tally struct {
	Earlier, Later, Same         int
	SecondsEarlier, SecondsLater job.Time // total seconds by which jobs moved earlier and later, both positive
}

// Jobs returns the number of jobs that the tally counts.
func (t *Tally) Jobs() int { return t.Earlier + t.Later + t.Same }

// add counts a job whose time moved by the given number of seconds.
func (t *Tally) add(shift job.Time) {
	switch {
	case shift == job.Never:
	case shift < 0:
		t.Earlier++
		t.SecondsEarlier -= shift
	case shift > 0:
		t.Later++
		t.SecondsLater += shift
	default:
		t.Same++
	}
}

// Tally counts the jobs whose measured time moved earlier, moved later or stayed unchanged.
func (d *Difference) Tally(measure Measure) (t Tally) {
	for i := range d.Shifts {
		t.add(measure(&d.Shifts[i]))
	}
	return t
}

// ClassTallies returns one tally for each class of jobs.
func (d *Difference) ClassTallies(measure Measure, c *Classes) []Tally {
	all := make([]Tally, len(c.Names))
	for i := range d.Shifts {
		all[c.ClassOf[i]].add(measure(&d.Shifts[i]))
	}
	return all
}

// MostEarlier returns the shifts of the n jobs that moved earlier by the most seconds, with the
// largest shift first. Ties are in order of submission. If fewer than n jobs moved earlier,
// MostEarlier returns fewer shifts.
func (d *Difference) MostEarlier(measure Measure, n int) []Shift { return d.largest(measure, n, -1) }

// MostDelayed returns the shifts of the n jobs that moved later by the most seconds, in the same
// order as MostEarlier. If fewer than n jobs moved later, MostDelayed returns fewer shifts.
func (d *Difference) MostDelayed(measure Measure, n int) []Shift { return d.largest(measure, n, 1) }

// largest returns the n largest shifts with the given sign. It collects them in a short sorted
// list, which avoids sorting all shifts.
func (d *Difference) largest(measure Measure, n int, sign job.Time) []Shift {
	var top []Shift
	for i := range d.Shifts {
		s := &d.Shifts[i]
		shift := measure(s)
		if shift == job.Never || shift*sign <= 0 || len(top) == n && shift*sign <= measure(&top[n-1])*sign {
			continue
		}
		if len(top) < n {
			top = append(top, *s)
		}
		k := len(top) - 1
		for ; k > 0 && measure(&top[k-1])*sign < shift*sign; k-- {
			top[k] = top[k-1]
		}
		top[k] = *s
	}
	return top
}
