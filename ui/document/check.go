package document

import (
	"fmt"
	"iter"
	"math"
	"strconv"

	"backfill-lab/core/job"
	"backfill-lab/core/workload"
)

// mostProblems bounds the list of faulty cells; more help nobody.
const mostProblems = 100

// NoJobs is the problem of an empty table.
const NoJobs = "There are no jobs yet: add one, paste rows from a spreadsheet, or open a file."

// room is the machine on which jobs must fit.
type room struct {
	slots int     // 0: not known
	extra []int64 // capacities of the extra resources
}

// rows checks the cells until there are `most` problems.
func (d *Doc) rows(on room, most int) (bad []Problem) {
	seen := newNames(d.Rows.Len())
	for i, r := range d.Rows.doubtful(on, seen != nil) {
		for _, p := range d.problems(r, on, seen) {
			p.Row = i
			bad = append(bad, p)
		}
		if len(bad) >= most {
			break
		}
	}
	return bad
}

// Excuse lets rows stand as they came with a scenario that could run, though they
// break a rule: the data rules mend them at each run. What is typed, such as that
// in the rows told, is not excused.
func (d *Doc) Excuse(typed map[int]bool) {
	excused := map[Row]bool{}
	for _, p := range d.rows(d.room(), math.MaxInt) {
		if !typed[p.Row] {
			excused[d.Rows.At(p.Row)] = true
		}
	}
	d.excused = excused
}

// doubtful yields the rows, less the chunks known to be sound on the machine where
// names are not asked for, too.
func (r Rows) doubtful(on room, names bool) iter.Seq2[int, *Row] {
	return func(yield func(int, *Row) bool) {
		n := 0
		for _, c := range r.chunks {
			if c.sound && c.fits(on) && !names {
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

// mended returns the job of a row as the data rules make it.
func (d *Doc) mended(j job.Job, slots int) job.Job {
	j.Runtime = max(j.Runtime, 1)
	j.Estimate = max(j.Estimate, j.Runtime)
	if d.Base != nil && d.Base.Rules.Oversize == workload.Clamp && slots > 0 {
		j.Procs = min(j.Procs, slots)
	}
	return j
}

// problems checks the cells of one row.
func (d *Doc) problems(r *Row, on room, seen names) (bad []Problem) {
	say := func(c Column, text string) {
		bad = append(bad, Problem{Policy: -1, Column: c, Text: text})
	}
	if r.faulty() {
		r.faults(on, say)
		return bad
	}
	j, excused := r.Job(), d.Excused(r)
	if excused {
		j = d.mended(j, on.slots)
	}
	if err := j.Validate(0, on.slots); err != nil {
		e := err.(*job.Invalid)
		say(max(ID, ColumnNamed(e.Field)), fmt.Sprintf("expected %s, got %s", e.Expected, e.Got))
	}
	for k, most := range on.extra {
		if a := j.Extra(k); a < 0 || a > most {
			say(Amounts+Column(k), beyond(most, strconv.FormatInt(a, 10)))
		}
	}
	if !seen.add(r.Name) && !excused {
		say(ID, fmt.Sprintf("expected a name of its own, got %q again", r.Name))
	}
	return bad
}

// beyond returns the words of package scenario for an amount that the machine has not.
func beyond(most int64, got string) string {
	return fmt.Sprintf("expected 0 to the machine's %d, got %s", most, got)
}

// faults says what is wrong with cells that hold no value.
func (r *Row) faults(on room, say func(Column, string)) {
	moldable := false
	for _, x := range r.more.typed {
		switch {
		case x.is:
		case x.col.kind() == curve:
			moldable = true
		default:
			say(x.col, x.col.fault(x.text, on))
		}
	}
	for c := L; moldable && c <= Sigma; c++ {
		if _, err := part(c, r.Text(c)); err != nil {
			say(c, err.Error())
		}
	}
}

// names finds a name used twice. Tables too large to be typed come from files,
// whose reader has made the names differ.
type names map[string]bool

const largestTyped = 20_000

func newNames(rows int) names {
	if rows > largestTyped {
		return nil
	}
	return make(names, rows)
}

func (n names) add(name string) bool {
	if n == nil {
		return true
	}
	if n[name] {
		return false
	}
	n[name] = true
	return true
}
