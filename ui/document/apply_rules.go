package document

import (
	"errors"
	"maps"
	"slices"
	"sort"

	"backfill-lab/core/job"
	"backfill-lab/core/workload"
)

// ErrNoneLeft is returned when an operation would remove all jobs.
var ErrNoneLeft = errors.New("no job would remain")

// ErrTooLong is returned when a small load factor moves the last submission beyond the largest valid time.
var ErrTooLong = errors.New("expected a larger load factor: with this one, the last job would be submitted after 10^12 s")

// Prediction describes the effect of data rules on the jobs of a table. Data rules
// (workload.Rules) filter jobs and change their times.
type Prediction struct {
	Total, Remaining int      // rows before the rules apply, and jobs that the rules keep
	Skipped          int      // rows that stay unchanged because the rules depend on one of their invalid cells
	First, Last      job.Time // first and last submit time of the remaining jobs, after the rules changed them
	Work             float64  // processor-seconds; 0 if the rules have a limit

	Scaled    int // jobs that get another estimate
	Exceeding int // scaled jobs whose runtime exceeds their new estimate
	Unlimited int // jobs whose estimate does not change because they have no wall time limit
}

// Load returns the offered load on a machine with the given number of slots. It returns 0 if all submissions are at
// the same time, or if there are no slots.
func (l *Prediction) Load(slots int) float64 { return load(l.Work, l.First, l.Last, slots) }

// ruleApplication applies data rules to the rows of a document. The result is the same as if the rules
// were applied to a file with these jobs.
type ruleApplication struct {
	doc   *Doc
	rules workload.Rules
	slots int // number of slots of the machine; 0 if it is invalid
	Prediction
	oldFirst  job.Time   // first submission before any time is changed
	submits   []job.Time // all submit times, if the rules have a limit
	limitTime job.Time   // if the rules have a limit: submit time of the last job that stays
	ties      int        // how many of the jobs submitted at limitTime stay
	unsorted  bool       // the rows are not in order of submission
	previous  job.Time   // submission of the previous row
}

// PredictRules predicts the result of ApplyRules. It considers only these fields of the rules: Window, Keep, Shift,
// LoadFactor, WallFactor, Overrun and Limit. About every thousand rows, it calls pause with the number of rows
// done, and stops if pause returns an error.
func (d *Doc) PredictRules(rules workload.Rules, pause func(done int) error) (Prediction, error) {
	s, err := d.predict(rules, pause)
	if err != nil {
		return Prediction{}, err
	}
	return s.Prediction, nil
}

// predict returns a ruleApplication that contains the prediction for all rows of the document.
func (d *Doc) predict(rules workload.Rules, pause func(done int) error) (*ruleApplication, error) {
	if err := rules.Validate(); err != nil {
		return nil, err
	}
	s := &ruleApplication{doc: d, rules: rules, slots: d.Slots()}
	s.Total = d.Rows.Len()
	err := d.Rows.each(func(r *Row) { s.addRow(r) }, pause)
	if err == nil {
		err = s.finish()
	}
	return s, err
}

// addRow adds a row to the prediction.
func (s *ruleApplication) addRow(r *Row) {
	if s.isSkipped(r) {
		s.Skipped++
		return
	}
	j := s.repairedJob(r)
	if !s.passesFilters(&j) {
		return
	}
	if s.rules.WallFactor > 0 {
		s.scaleWall(&j)
	}
	s.unsorted, s.previous = s.unsorted || j.Submit < s.previous, j.Submit
	if s.Remaining == 0 {
		s.oldFirst, s.Last = j.Submit, j.Submit
	}
	s.oldFirst, s.Last = min(s.oldFirst, j.Submit), max(s.Last, j.Submit)
	s.Work += float64(j.Procs) * float64(j.Runtime)
	if s.Remaining++; s.rules.Limit > 0 {
		s.submits = append(s.submits, j.Submit)
	}
}

// finish computes the prediction after all rows were added.
func (s *ruleApplication) finish() error {
	if s.Remaining == 0 {
		return ErrNoneLeft
	}
	if s.rules.Limit > 0 {
		s.applyLimit(min(s.rules.Limit, s.Remaining))
	}
	last, ok := s.newSubmit(s.Last)
	if !ok {
		return ErrTooLong
	}
	s.First, s.Last = s.newFirst(), last
	return nil
}

// applyLimit limits the prediction to the n jobs that are submitted first.
func (s *ruleApplication) applyLimit(n int) {
	if !slices.IsSorted(s.submits) {
		slices.Sort(s.submits)
	}
	s.limitTime = s.submits[n-1]
	before, _ := slices.BinarySearch(s.submits, s.limitTime)
	s.Remaining, s.ties, s.Last, s.Work, s.submits = n, n-before, s.limitTime, 0, nil
}

// passesFilters reports whether a job passes the rules Window and Keep. It ignores the limit.
func (s *ruleApplication) passesFilters(j *job.Job) bool {
	return s.rules.Window.Has(j.Submit) && s.rules.Keep.Has(j)
}

// repairedJob returns the job of a row. If the row is invalid but accepted (see Excuse), it repairs the job first.
func (s *ruleApplication) repairedJob(r *Row) job.Job {
	j := r.Job()
	if s.doc.Excused(r) {
		j = s.doc.repaired(j, s.slots)
	}
	return j
}

// isSkipped reports whether ApplyRules keeps the row unchanged, because the rules depend on an invalid cell of the row.
func (s *ruleApplication) isSkipped(r *Row) bool {
	if !r.hasInvalidCell() {
		return false
	}
	k := &s.rules.Keep
	return r.Invalid(Submit) && (s.rules.Window != workload.Window{} || s.rules.Limit > 0 || s.changesTimes()) ||
		r.Invalid(Procs) && k.Procs != workload.Span{} || r.Invalid(Estimate) && k.Estimate != workload.Span{} ||
		r.Invalid(Runtime) && k.Runtime != workload.Span{} ||
		s.rules.WallFactor > 0 && (r.Invalid(Estimate) || r.Invalid(Runtime))
}

// changesTimes reports whether the rules change submit times.
func (s *ruleApplication) changesTimes() bool {
	return s.rules.Shift || s.rules.LoadFactor != 0 && s.rules.LoadFactor != 1
}

// newFirst returns the first submit time after the rules are applied.
func (s *ruleApplication) newFirst() job.Time {
	if s.rules.Shift {
		return 0
	}
	return s.oldFirst
}

// newSubmit returns the new submit time of a job submitted at t, or false if the new time is too large.
func (s *ruleApplication) newSubmit(t job.Time) (job.Time, bool) {
	if t -= s.oldFirst - s.newFirst(); s.rules.LoadFactor == 0 {
		return t, true
	}
	return workload.ScaledSubmit(s.newFirst(), t, s.rules.LoadFactor)
}

// ApplyRules returns the document after the data rules were applied to its jobs, and the same prediction as
// PredictRules. The remaining rows keep everything that the rules do not change, such as invalid texts and
// unknown fields. The document records the rules in LastRules and Changes. If a load factor could make submit
// times equal, the rows are sorted by submit time first.
func (d Doc) ApplyRules(rules workload.Rules, pause func(done int) error) (Doc, Prediction, error) {
	s, err := d.predict(rules, pause)
	if err != nil {
		return d, Prediction{}, err
	}
	excused, from := maps.Clone(d.excused), d.Rows
	if s.unsorted && s.rules.LoadFactor > 1 { // a load factor above 1 can give jobs equal times; their order in the table must then follow their old times
		from = sortedBySubmit(from)
	}
	rows, err := from.change(func(r *Row) bool {
		was := *r
		keep := s.apply(r)
		if len(excused) > 0 && excused[was] {
			excused[*r] = true
		}
		return keep
	}, pause)
	if err != nil {
		return d, Prediction{}, err
	}
	d.Rows, d.excused = rows, excused
	d.LastRules = &rules
	d.Changes = append(slices.Clone(d.Changes), rules.Changes()...)
	if rules.Shift && d.Base != nil && d.Base.Calendar != nil { // time 0 now stands for a later date
		base, dates := *d.Base, *d.Base.Calendar
		dates.Start += s.oldFirst
		base.Calendar = &dates
		d.Base = &base
	}
	return d, s.Prediction, nil
}

// apply applies the rules to a row and reports whether they keep the row.
func (s *ruleApplication) apply(r *Row) bool {
	if s.isSkipped(r) {
		return true
	}
	j := s.repairedJob(r)
	if !s.passesFilters(&j) {
		return false
	}
	if s.rules.Limit > 0 && j.Submit >= s.limitTime {
		if j.Submit > s.limitTime || s.ties == 0 {
			return false
		}
		s.ties--
	}
	if s.rules.WallFactor > 0 {
		was := s.Prediction // predict has counted this row already
		s.scaleWall(&j)
		*r, s.Prediction = r.withTimes(&j), was
	}
	if t, ok := s.newSubmit(j.Submit); ok {
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
