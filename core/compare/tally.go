package compare

import "backfill-lab/core/job"

// Measure is one of the numbers of a shift.
type Measure func(*Shift) job.Time

// The measures.
func Start(s *Shift) job.Time  { return s.Start }
func Wait(s *Shift) job.Time   { return s.Wait }
func Finish(s *Shift) job.Time { return s.Finish }

// Tally is what a number of jobs gain and pay. Jobs whose shift is not known do
// not count.
type Tally struct {
	Earlier, Later, Same int
	Gained, Paid         job.Time // sums of seconds, of the earlier and of the later jobs
}

// Jobs returns how many jobs count.
func (t *Tally) Jobs() int { return t.Earlier + t.Later + t.Same }

func (t *Tally) add(by job.Time) {
	switch {
	case by == job.Never:
	case by < 0:
		t.Earlier++
		t.Gained -= by
	case by > 0:
		t.Later++
		t.Paid += by
	default:
		t.Same++
	}
}

// Tally sums a measure up over all jobs.
func (d *Difference) Tally(of Measure) (t Tally) {
	for i := range d.Shifts {
		t.add(of(&d.Shifts[i]))
	}
	return t
}

// Classes sums a measure up class by class.
func (d *Difference) Classes(of Measure, c *Classes) []Tally {
	all := make([]Tally, len(c.Names))
	for i := range d.Shifts {
		all[c.Of[i]].add(of(&d.Shifts[i]))
	}
	return all
}

// Gainers returns the n jobs that are earlier by most, the most first; of equal ones
// the first submitted.
func (d *Difference) Gainers(of Measure, n int) []Shift { return d.extreme(of, n, -1) }

// Payers returns the n jobs that are later by most, as Gainers.
func (d *Difference) Payers(of Measure, n int) []Shift { return d.extreme(of, n, 1) }

// extreme keeps the n shifts that go farthest in a direction, by insertion.
func (d *Difference) extreme(of Measure, n int, sign job.Time) []Shift {
	var top []Shift
	for i := range d.Shifts {
		s := &d.Shifts[i]
		by := of(s)
		if by == job.Never || by*sign <= 0 || len(top) == n && by*sign <= of(&top[n-1])*sign {
			continue
		}
		if len(top) < n {
			top = append(top, *s)
		}
		k := len(top) - 1
		for ; k > 0 && of(&top[k-1])*sign < by*sign; k-- {
			top[k] = top[k-1]
		}
		top[k] = *s
	}
	return top
}
