package document

import (
	"errors"
	"maps"
	"slices"
	"sort"

	"backfill-lab/core/job"
	"backfill-lab/core/workload"
)

// ErrNoneLeft is an operation after which there would be no job.
var ErrNoneLeft = errors.New("expected something that leaves at least one job, got none that stays")

// ErrTooLong is a load factor so small that time ends before the last submission.
var ErrTooLong = errors.New("expected a number with which the last job is submitted within 10^12 seconds")

// Look is what is known beforehand of the jobs that data rules leave.
type Look struct {
	Of, Stay    int
	Unjudged    int      // rows that stay as they are, as what they are judged by is no number
	First, Last job.Time // submission
	Work        float64  // processor-seconds; 0 with a limit
}

// Load returns the load that the jobs offer to a machine of so many slots, 0 where
// their submissions have no length.
func (l *Look) Load(slots int) float64 { return load(l.Work, l.First, l.Last, slots) }

// shape does to rows what the data rules do to the records of a file.
type shape struct {
	doc   *Doc
	rules workload.Rules
	slots int
	Look
	first   job.Time   // submission before anything moves
	submits []job.Time // with a limit
	last    job.Time   // of the submissions at this moment only so many stay
	ties    int
	jumbled bool     // rows are not in the order of submission
	before  job.Time // submission of the row before
}

// Look tells what Shape with these rules would leave; of the rules only window,
// keep, shift, load factor and limit count. It calls pause like ReadRows.
func (d *Doc) Look(rules workload.Rules, pause func(done int) error) (Look, error) {
	s, err := d.look(rules, pause)
	if err != nil {
		return Look{}, err
	}
	return s.Look, nil
}

func (d *Doc) look(rules workload.Rules, pause func(done int) error) (*shape, error) {
	if err := rules.Validate(); err != nil {
		return nil, err
	}
	s := &shape{doc: d, rules: rules, slots: d.Slots()}
	s.Of = d.Rows.Len()
	err := d.Rows.each(func(r *Row) { s.add(r) }, pause)
	if err == nil {
		err = s.settle()
	}
	return s, err
}

// add counts a row.
func (s *shape) add(r *Row) {
	if s.unjudged(r) {
		s.Unjudged++
		return
	}
	j := s.job(r)
	if !s.within(&j) {
		return
	}
	s.jumbled, s.before = s.jumbled || j.Submit < s.before, j.Submit
	if s.Stay == 0 {
		s.first, s.Last = j.Submit, j.Submit
	}
	s.first, s.Last = min(s.first, j.Submit), max(s.Last, j.Submit)
	s.Work += float64(j.Procs) * float64(j.Runtime)
	if s.Stay++; s.rules.Limit > 0 {
		s.submits = append(s.submits, j.Submit)
	}
}

// settle works out what is known once all rows were seen.
func (s *shape) settle() error {
	if s.Stay == 0 {
		return ErrNoneLeft
	}
	if s.rules.Limit > 0 {
		s.limit(min(s.rules.Limit, s.Stay))
	}
	last, ok := s.moved(s.Last)
	if !ok {
		return ErrTooLong
	}
	s.First, s.Last = s.begin(), last
	return nil
}

// limit finds the submission of the n-th job that stays.
func (s *shape) limit(n int) {
	if !slices.IsSorted(s.submits) {
		slices.Sort(s.submits)
	}
	s.last = s.submits[n-1]
	before, _ := slices.BinarySearch(s.submits, s.last)
	s.Stay, s.ties, s.Last, s.Work, s.submits = n, n-before, s.last, 0, nil
}

// within reports whether a job stays, the limit aside.
func (s *shape) within(j *job.Job) bool {
	return s.rules.Window.Has(j.Submit) && s.rules.Keep.Has(j)
}

// job returns the job that a row makes.
func (s *shape) job(r *Row) job.Job {
	j := r.Job()
	if s.doc.Excused(r) {
		j = s.doc.mended(j, s.slots)
	}
	return j
}

// unjudged reports whether a cell that decides about the row holds no number.
func (s *shape) unjudged(r *Row) bool {
	if !r.faulty() {
		return false
	}
	k := &s.rules.Keep
	return r.Bad(Submit) && (s.rules.Window != workload.Window{} || s.rules.Limit > 0 || s.moves()) ||
		r.Bad(Procs) && k.Procs != workload.Span{} || r.Bad(Estimate) && k.Estimate != workload.Span{} ||
		r.Bad(Runtime) && k.Runtime != workload.Span{}
}

// moves reports whether submissions change.
func (s *shape) moves() bool {
	return s.rules.Shift || s.rules.LoadFactor != 0 && s.rules.LoadFactor != 1
}

// begin returns the moment of the first submission afterwards.
func (s *shape) begin() job.Time {
	if s.rules.Shift {
		return 0
	}
	return s.first
}

// moved returns a submission afterwards.
func (s *shape) moved(t job.Time) (job.Time, bool) {
	if t -= s.first - s.begin(); s.rules.LoadFactor == 0 {
		return t, true
	}
	return workload.Scaled(s.begin(), t, s.rules.LoadFactor)
}

// Shape returns the document with the jobs that data rules leave; see Look. Rows that
// stay keep all that they hold, half-typed or unknown.
func (d Doc) Shape(rules workload.Rules, pause func(done int) error) (Doc, Look, error) {
	s, err := d.look(rules, pause)
	if err != nil {
		return d, Look{}, err
	}
	excused, from := maps.Clone(d.excused), d.Rows
	if s.jumbled && s.rules.LoadFactor > 1 { // of jobs that come to the same moment the former order counts
		from = inOrder(from)
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
		return d, Look{}, err
	}
	d.Rows, d.excused = rows, excused
	return d, s.Look, nil
}

// change moves a row and reports whether it stays.
func (s *shape) change(r *Row) bool {
	if s.unjudged(r) {
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
	if t, ok := s.moved(j.Submit); ok {
		r.Values[Submit-1] = t
	}
	return true
}

// inOrder returns the rows in the order of submission.
func inOrder(r Rows) Rows {
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
