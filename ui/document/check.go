package document

import (
	"fmt"
	"iter"
	"math"
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/workload"
)

// maxProblems is the number of invalid cells after which Check stops looking for more, because nobody reads
// a longer list.
const maxProblems = 100

// NoJobs is the problem reported for an empty table.
const NoJobs = "There are no jobs yet. Add one, paste rows from a spreadsheet, or open a file."

// limits holds the size of the machine, which the requests of jobs must not exceed.
type limits struct {
	slots int     // 0 if unknown
	extra []int64 // capacities of the extra resources
}

// checkRows checks the cells of all rows. It stops after the row with which the number of problems reaches limit.
func (d *Doc) checkRows(lim limits, limit int) (bad []Problem) {
	seen := newNameSet(d.Rows.Len())
	for i, r := range d.Rows.rowsToCheck(lim, seen != nil) {
		for _, p := range d.checkRow(r, lim, seen) {
			p.Row = i
			bad = append(bad, p)
		}
		if len(bad) >= limit {
			break
		}
	}
	return bad
}

// Excuse marks the invalid rows of a scenario that the user opened, so that Check accepts them. The data rules repair
// such rows at each run. Excuse does not mark rows that the user has changed. The indexes of these rows are the keys in
// editedRows.
func (d *Doc) Excuse(editedRows map[int]bool) {
	excused := map[Row]bool{}
	for _, p := range d.checkRows(d.limits(), math.MaxInt) {
		if !editedRows[p.Row] {
			excused[d.Rows.At(p.Row)] = true
		}
	}
	d.excused = excused
}

// rowsToCheck yields the rows to check, with their indexes. It skips chunks that are known to be valid on a machine
// with the limits lim. If the argument `names` is true, it skips none, because duplicate names can be in different
// chunks.
func (r Rows) rowsToCheck(lim limits, names bool) iter.Seq2[int, *Row] {
	return func(yield func(int, *Row) bool) {
		n := 0
		for _, c := range r.chunks {
			if c.valid && c.fits(lim) && !names {
				n += c.len()
				continue
			}
			for i := range c.len() {
				row := c.at(i)
				if !yield(n, &row) {
					return
				}
				n++
			}
		}
	}
}

// repaired returns the job after the data rules have repaired it for a machine with the given number of slots.
func (d *Doc) repaired(j job.Job, slots int) job.Job {
	j.Runtime = max(j.Runtime, 1)
	j.Estimate = max(j.Estimate, j.Runtime)
	if d.Base != nil && d.Base.Rules.Oversize == workload.Clamp && slots > 0 {
		j.Procs = min(j.Procs, slots)
	}
	return j
}

// checkRow returns the problems of one row. If the row contains invalid texts, it returns only their errors.
// Otherwise, it checks whether the machine can run the job, and whether the name of the job is new. It adds the name
// to seen.
func (d *Doc) checkRow(r *Row, lim limits, seen nameSet) (bad []Problem) {
	report := func(c Column, text string) {
		bad = append(bad, Problem{Policy: -1, Column: c, Text: text})
	}
	if r.hasInvalidCell() {
		return r.invalidCells(lim)
	}
	j, excused := r.Job(), d.Excused(r)
	if excused {
		j = d.repaired(j, lim.slots)
	}
	if err := j.Validate(0, lim.slots); err != nil {
		e := err.(*job.Invalid)
		report(max(ID, ColumnNamed(e.Field)), fmt.Sprintf("expected %s, got %s", e.Expected, e.Got))
		bad[len(bad)-1].Overrun = e.Field == Runtime.Name() && j.Runtime > j.Estimate
	}
	for k, limit := range lim.extra {
		if a := j.Extra(k); a < 0 || a > limit {
			report(Amounts+Column(k), capacityError(limit, strconv.FormatInt(a, 10)))
		}
	}
	if !seen.add(r.Name) && !excused {
		report(ID, fmt.Sprintf("expected a unique name, got %q twice", r.Name))
	}
	return bad
}

// capacityError returns the error for an amount of an extra resource that is negative or exceeds the capacity.
// Package scenario reports the same error in the same words.
func capacityError(limit int64, got string) string {
	return fmt.Sprintf("expected 0 to %d (capacity of the machine), got %s", limit, got)
}

// invalidCells returns an error for each cell whose text is not a valid value.
func (r *Row) invalidCells(lim limits) (bad []Problem) {
	moldable := false
	for _, x := range r.optional.texts {
		switch {
		case x.valid:
		case x.col.kind() == curveKind:
			moldable = true
		default:
			bad = append(bad, Problem{Policy: -1, Column: x.col, Text: x.col.cellError(x.text, lim), Blank: x.text == ""})
		}
	}
	for c := L; moldable && c <= Sigma; c++ {
		if _, err := parseCurvePart(c, r.Text(c)); err != nil {
			bad = append(bad, Problem{Policy: -1, Column: c, Text: err.Error()})
		}
	}
	return bad
}

// nameSet is the set of the job names seen so far, to find duplicates. For a table of more than maxTypedRows rows,
// the set is nil and no duplicates are found. A table of this size was read from a file, and reading a file makes
// names unique.
type nameSet map[string]bool

// maxTypedRows is the largest number of rows whose names are checked for duplicates.
const maxTypedRows = 20_000

func newNameSet(rows int) nameSet {
	if rows > maxTypedRows {
		return nil
	}
	return make(nameSet, rows)
}

// add adds a name to the set. It returns false if the set already contains the name.
func (n nameSet) add(name string) bool {
	if n == nil {
		return true
	}
	if n[name] {
		return false
	}
	n[name] = true
	return true
}
