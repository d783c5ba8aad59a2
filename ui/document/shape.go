package document

import (
	"errors"
	"maps"
	"slices"
	"sort"

	"backfill-lab/core/job"
	"backfill-lab/core/workload"
)

// ErrNoneLeft is returned when an operation would leave no job.
var ErrNoneLeft = errors.New("expected conditions that at least one job meets, got none")

// ErrTooLong is returned when a small load factor moves the last submission beyond the
// largest time.
var ErrTooLong = errors.New("expected a factor with which the last job is submitted by 10^12 s")

// Prediction predicts which jobs the data rules leave.
type Prediction struct {
	Total, Remaining int
	Skipped          int      // rows left unchanged because a number that decides about them is invalid
	First, Last      job.Time // submit times of the jobs that stay
	Work             float64  // processor-seconds; 0 if the rules have a limit

	Scaled, Exceeding int // jobs with another estimate, and those that run longer than it
	Unlimited         int // jobs whose estimate stays because they have no wall time limit
}

// Load returns the offered load on a machine with that many slots, or 0 if all submissions
// are at the same time.
func (l *Prediction) Load(slots int) float64 { return load(l.Work, l.First, l.Last, slots) }

// shape applies to the rows what the data rules apply to the records of a file.
type shape struct {
	doc   *Doc
	rules workload.Rules
	slots int
	Prediction
	first    job.Time   // first submission before any time is changed
	submits  []job.Time // all submit times, if the rules have a limit
	last     job.Time   // with a limit: submit time of the last job that stays; of the jobs at this time, only `ties` stay
	ties     int
	unsorted bool     // the rows are not in order of submission
	before   job.Time // submission of the previous row
}

// PredictShape predicts the result of Shape. It considers only these rules: window, keep, shift,
// load factor, wall factor with overrun, and limit. It calls pause like ReadRows.
func (d *Doc) PredictShape(rules workload.Rules, pause func(done int) error) (Prediction, error) {
	s, err := d.predict(rules, pause)
	if err != nil {
		return Prediction{}, err
	}
	return s.Prediction, nil
}

func (d *Doc) predict(rules workload.Rules, pause func(done int) error) (*shape, error) {
	if err := rules.Validate(); err != nil {
		return nil, err
	}
	s := &shape{doc: d, rules: rules, slots: d.Slots()}
	s.Total = d.Rows.Len()
	err := d.Rows.each(func(r *Row) { s.add(r) }, pause)
	if err == nil {
		err = s.finish()
	}
	return s, err
}

// add counts a row.
func (s *shape) add(r *Row) {
	if s.skipped(r) {
		s.Skipped++
		return
	}
	j := s.job(r)
	if !s.within(&j) {
		return
	}
	if s.rules.WallFactor > 0 {
		s.scaleWall(&j)
	}
	s.unsorted, s.before = s.unsorted || j.Submit < s.before, j.Submit
	if s.Remaining == 0 {
		s.first, s.Last = j.Submit, j.Submit
	}
	s.first, s.Last = min(s.first, j.Submit), max(s.Last, j.Submit)
	s.Work += float64(j.Procs) * float64(j.Runtime)
	if s.Remaining++; s.rules.Limit > 0 {
		s.submits = append(s.submits, j.Submit)
	}
}

// finish computes the prediction after all rows were added.
func (s *shape) finish() error {
	if s.Remaining == 0 {
		return ErrNoneLeft
	}
	if s.rules.Limit > 0 {
		s.applyLimit(min(s.rules.Limit, s.Remaining))
	}
	last, ok := s.shifted(s.Last)
	if !ok {
		return ErrTooLong
	}
	s.First, s.Last = s.start(), last
	return nil
}

// applyLimit finds the submit time of the n-th job that stays.
func (s *shape) applyLimit(n int) {
	if !slices.IsSorted(s.submits) {
		slices.Sort(s.submits)
	}
	s.last = s.submits[n-1]
	before, _ := slices.BinarySearch(s.submits, s.last)
	s.Remaining, s.ties, s.Last, s.Work, s.submits = n, n-before, s.last, 0, nil
}

// within reports whether the window and keep rules keep a job. It ignores the limit.
func (s *shape) within(j *job.Job) bool {
	return s.rules.Window.Has(j.Submit) && s.rules.Keep.Has(j)
}

// job returns the job of a row, repaired if the row is excused.
func (s *shape) job(r *Row) job.Job {
	j := r.Job()
	if s.doc.Excused(r) {
		j = s.doc.repaired(j, s.slots)
	}
	return j
}

// skipped reports whether a cell that decides about the row is invalid.
func (s *shape) skipped(r *Row) bool {
	if !r.hasInvalidCell() {
		return false
	}
	k := &s.rules.Keep
	return r.Invalid(Submit) && (s.rules.Window != workload.Window{} || s.rules.Limit > 0 || s.moves()) ||
		r.Invalid(Procs) && k.Procs != workload.Span{} || r.Invalid(Estimate) && k.Estimate != workload.Span{} ||
		r.Invalid(Runtime) && k.Runtime != workload.Span{} ||
		s.rules.WallFactor > 0 && (r.Invalid(Estimate) || r.Invalid(Runtime))
}

// moves reports whether the rules change submit times.
func (s *shape) moves() bool {
	return s.rules.Shift || s.rules.LoadFactor != 0 && s.rules.LoadFactor != 1
}

// start returns the time of the first submission after the change.
func (s *shape) start() job.Time {
	if s.rules.Shift {
		return 0
	}
	return s.first
}

// shifted returns the changed submit time, or false if it is out of range.
func (s *shape) shifted(t job.Time) (job.Time, bool) {
	if t -= s.first - s.start(); s.rules.LoadFactor == 0 {
		return t, true
	}
	return workload.Scaled(s.start(), t, s.rules.LoadFactor)
}

// Shape returns the document with only the jobs that the data rules keep, and the same
// prediction as PredictShape. Rows that stay keep everything else, including invalid texts and
// unknown fields.
func (d Doc) Shape(rules workload.Rules, pause func(done int) error) (Doc, Prediction, error) {
	s, err := d.predict(rules, pause)
	if err != nil {
		return d, Prediction{}, err
	}
	excused, from := maps.Clone(d.excused), d.Rows
	if s.unsorted && s.rules.LoadFactor > 1 { // compression can give jobs equal times; table order must then follow their old times
		from = sortedBySubmit(from)
	}
	rows, err := from.change(func(r *Row) bool {
		was := *r
		keep := s.change(r)
		if len(excused) > 0 && excused[was] {
			excused[*r] = true
		}
		return keep
	}, pause)
	if err != nil {
		return d, Prediction{}, err
	}
	d.Rows, d.excused = rows, excused
	d.Shaped = &rules
	d.Changes = append(slices.Clone(d.Changes), rules.Changes()...)
	if rules.Shift && d.Base != nil && d.Base.Calendar != nil { // time 0 is later now
		base, dates := *d.Base, *d.Base.Calendar
		dates.Start += s.first
		base.Calendar = &dates
		d.Base = &base
	}
	return d, s.Prediction, nil
}

// change changes the submit time of a row and reports whether the row stays.
func (s *shape) change(r *Row) bool {
	if s.skipped(r) {
		return true
	}
	j := s.job(r)
	if !s.within(&j) {
		return false
	}
	if s.rules.Limit > 0 && j.Submit >= s.last {
		if j.Submit > s.last || s.ties == 0 {
			return false
		}
		s.ties--
	}
	if s.rules.WallFactor > 0 {
		was := s.Prediction // the rows are counted already
		s.scaleWall(&j)
		*r, s.Prediction = r.withTimes(&j), was
	}
	if t, ok := s.shifted(j.Submit); ok {
		r.Values[Submit-1] = t
	}
	return true
}

// sortedBySubmit returns the rows sorted by submit time; ties stay in table order.
func sortedBySubmit(r Rows) Rows {
	rows := make(bySubmit, 0, r.Len())
	for _, x := range r.All() {
		rows = append(rows, *x)
	}
	sort.Stable(rows)
	return NewRows(rows)
}

type bySubmit []Row

func (b bySubmit) Len() int           { return len(b) }
func (b bySubmit) Swap(i, k int)      { b[i], b[k] = b[k], b[i] }
func (b bySubmit) Less(i, k int) bool { return b[i].Values[Submit-1] < b[k].Values[Submit-1] }
