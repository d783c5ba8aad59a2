package results

import (
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"unicode/utf8"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/ui/browser"
	"backfill-lab/ui/protocol"
	"backfill-lab/ui/widgets"
)

// table shows the schedules as numbers, with one row for each job. It is the accessible form of the
// charts. Until all answers about new results have arrived, it shows the previous results.
type table struct {
	widgets.Window
	Open bool

	columns []column
	names   []string // by job index
	order   []int32  // job index by row
	key     int      // index of the column that the rows are sorted by
	down    bool     // sort in descending order

	asked   map[int]int // request id to result index
	answers []outcome   // by result index
}

// outcome holds the worker's columns of starts, finishes and other numbers of the jobs
// under a policy.
type outcome struct {
	columns       [][]job.Time // the columns of protocol.Outcomes
	slots, pieces []string     // by job: its slots, and the times at which it runs if preempted; both nil in a large run
}

// column is a column of the table with one value for each job. The first column, which shows the
// job ids, has no values.
type column struct {
	Name, Title string             // heading above several columns, such as a policy, and heading of this column
	values      []job.Time         // by job index
	write       func(int64) string // writes a value, nil for plain numbers
	texts       []string           // shown in place of the values, if not empty
	widest      string             // the longest text, which keeps the width constant while the user scrolls
}

// requested is the heading above the columns that show what the jobs request.
const requested = "Request"

// ToggleTable opens or closes the schedule table.
func (c *Results) ToggleTable() {
	c.table.Open = !c.table.Open
	c.table.ask(c)
}

// ask requests the outcomes of the jobs under each policy, if the table is open and there are results.
func (t *table) ask(c *Results) {
	t.asked = map[int]int{}
	if !t.Open || c.Ran == nil {
		return
	}
	t.answers = make([]outcome, len(c.Ran.Results))
	for i := range t.answers {
		q := protocol.TimeQuery{Result: i, Generation: c.Ran.Generation}
		t.asked[c.Post("outcomes", q, browser.Message{})] = i
	}
}

// storeOutcomes stores an answer of the worker. When the last answer has arrived, it fills the
// table.
func (t *table) storeOutcomes(c *Results, m browser.Message) error {
	i, ok := t.asked[m.ID]
	if !ok || len(m.Bufs) == 0 {
		return nil
	}
	delete(t.asked, m.ID)
	var head protocol.Outcomes
	if err := json.Unmarshal(m.Head, &head); err != nil {
		return err
	}
	columns := protocol.DecodeTimes(m.Bufs[0], protocol.OutcomeColumns)
	if len(columns) != protocol.OutcomeColumns || len(columns[0]) != c.Ran.Jobs {
		return fmt.Errorf("expected the results of %d jobs", c.Ran.Jobs)
	}
	if t.answers[i] = (outcome{columns, head.Slots, head.Pieces}); len(t.asked) == 0 {
		t.fill(c)
	}
	return nil
}

// fill builds the columns from the answers and sorts the rows.
func (t *table) fill(c *Results) {
	n, clock := c.Ran.Jobs, c.Clock()
	submit, procs := make([]job.Time, n), make([]job.Time, n)
	t.order, t.names = make([]int32, n), make([]string, n)
	t.columns = []column{{Name: requested, Title: "job"}, {Name: requested, Title: "submit", values: submit, write: clock.Instant}, {Name: requested, Title: "procs", values: procs}}
	for _, r := range c.ShownPlan.Run.Machine.Resources {
		t.columns = append(t.columns, column{Name: requested, Title: r.Name, values: make([]job.Time, n)})
	}
	for i := range t.order {
		row := c.Row(int32(i))
		j := row.Job()
		t.order[i], t.names[i], submit[i], procs[i] = int32(i), j.ID, j.Submit, int64(j.Procs)
		for k := range c.ShownPlan.Run.Machine.Resources {
			t.columns[3+k].values[i] = j.Extra(k)
		}
	}
	for i, a := range t.answers {
		t.addPolicy(c.Ran.Results[i].Title, submit, procs, a, clock)
		if base := c.Ran.Baseline; i != base {
			t.columns = append(t.columns, differenceColumn(c.Ran.Results, i, base, t.answers[base].columns[0], a.columns[0], clock))
		}
	}
	t.answers = nil
	t.findWidestTexts()
	if t.key >= len(t.columns) {
		t.key, t.down = 0, false
	}
	t.sort()
}

// maxMeasured limits the work of findWidestTexts. In a table with this number of rows or more, findWidestTexts
// compares only some of the texts of a column.
const maxMeasured = 5000

// findWidestTexts finds the longest text of each column. In a long table, it compares all texts only in the column of
// job names. In the other columns, it compares the texts of every nth row, and of the smallest and the largest value.
func (t *table) findWidestTexts() {
	step := len(t.order)/maxMeasured + 1
	for i := range t.columns {
		k, width := &t.columns[i], 0
		keepLonger := func(text string) {
			if n := utf8.RuneCountInString(text); n > width {
				k.widest, width = text, n
			}
		}
		if k.values == nil {
			for _, name := range t.names {
				keepLonger(name)
			}
			continue
		}
		for row := 0; row < len(t.order); row += step {
			keepLonger(k.text(int32(row)))
		}
		if step > 1 {
			low, high := extremes(k.values)
			keepLonger(k.text(int32(low)))
			keepLonger(k.text(int32(high)))
		}
	}
}

// extremes returns the indexes of the smallest and the largest value. It ignores job.Never, unless all
// values are job.Never.
func extremes(values []job.Time) (low, high int) {
	for i, v := range values {
		if v == job.Never {
			continue
		}
		if values[low] == job.Never || v < values[low] {
			low = i
		}
		if values[high] == job.Never || v > values[high] {
			high = i
		}
	}
	return low, high
}

// addPolicy adds the columns of a policy. It leaves out promises if the policy makes none,
// and processors if all jobs get as many as they request. It leaves out pieces if no job
// is preempted, and speed if no job is slowed down. In a large run, it also leaves out the slots (cores)
// of each job, because the worker does not list them.
func (t *table) addPolicy(name string, submit, procs []job.Time, b outcome, clock format.Clock) {
	a := b.columns
	wait := make([]job.Time, len(submit))
	for k, start := range a[0] {
		if wait[k] = job.Never; start != job.Never {
			wait[k] = start - submit[k]
		}
	}
	add := func(title string, values []job.Time, write func(int64) string) {
		t.columns = append(t.columns, column{Name: name, Title: title, values: values, write: write})
	}
	add("start", a[0], clock.Instant)
	add("finish", a[1], clock.Instant)
	add("wait", wait, durations(clock))
	t.addUnlessUsual(job.Never, column{Name: name, Title: "promised", values: a[2], write: clock.Instant})
	for k, n := range a[3] {
		if n != job.Never && n != procs[k] {
			add("processors used", a[3], nil)
			break
		}
	}
	if len(b.slots) == len(submit) {
		t.columns = append(t.columns, column{Name: name, Title: "slots", values: firstNumbers(b.slots), texts: b.slots})
	}
	t.addUnlessUsual(1, column{Name: name, Title: "pieces", values: a[4], texts: b.pieces})
	t.addUnlessUsual(100, column{Name: name, Title: "speed, %", values: a[5]})
}

// differenceColumn returns a column that compares policy i with the policy at index base. For each job, it
// contains the number of seconds by which the job starts later under policy i. The number is negative if the job
// starts earlier.
func differenceColumn(all []protocol.Result, i, base int, baseStarts, starts []job.Time, clock format.Clock) column {
	by := make([]job.Time, len(starts))
	for k := range by {
		if by[k] = job.Never; starts[k] != job.Never && baseStarts[k] != job.Never {
			by[k] = starts[k] - baseStarts[k]
		}
	}
	return column{Name: all[i].Title, Title: "later than " + all[base].Title, values: by, write: func(v int64) string { return signedDuration(v, clock) }}
}

// durations returns a function that formats the durations in a column. It returns nil if they are
// written as plain numbers.
func durations(clock format.Clock) func(int64) string {
	if clock.Units {
		return clock.Duration
	}
	return nil
}

// firstNumbers returns the number at the beginning of each text. It returns job.Never for a text
// without one.
func firstNumbers(texts []string) []job.Time {
	out := make([]job.Time, len(texts))
	for i, text := range texts {
		end := 0
		for end < len(text) && text[end] >= '0' && text[end] <= '9' {
			end++
		}
		n, err := strconv.ParseInt(text[:end], 10, 64)
		if out[i] = n; err != nil {
			out[i] = job.Never
		}
	}
	return out
}

// addUnlessUsual adds column k if it contains a value other than the usual one and job.Never.
func (t *table) addUnlessUsual(usual job.Time, k column) {
	for _, n := range k.values {
		if n != job.Never && n != usual {
			t.columns = append(t.columns, k)
			return
		}
	}
}

// sort sorts the rows by the selected column; ties stay in job order.
func (t *table) sort() { sort.Sort(byColumn{t.order, t.columns[t.key].values, t.down}) }

// byColumn sorts job indexes by a column. It implements sort.Interface, because the program contains
// package sort anyway, and a generic sort function would enlarge the download.
type byColumn struct {
	order  []int32    // the job indexes to sort
	values []job.Time // nil sorts by index
	down   bool       // sort in descending order
}

func (b byColumn) Len() int { return len(b.order) }

func (b byColumn) Swap(i, k int) { b.order[i], b.order[k] = b.order[k], b.order[i] }

func (b byColumn) Less(i, k int) bool {
	x, y := b.order[i], b.order[k]
	if b.values == nil || b.values[x] == b.values[y] {
		return x < y != (b.down && b.values == nil)
	}
	return b.values[x] < b.values[y] != b.down
}

// SortBy sorts the table by a column in ascending order. If the table already has this order,
// SortBy reverses it.
func (c *Results) SortBy(key int) {
	t := &c.table
	t.down = key == t.key && !t.down
	t.key, t.Row = key, 0
	t.sort()
}

// move moves the keyboard focus to a row, scrolling if needed.
func (t *table) move(c *Results, row int) {
	t.Reveal(row, len(t.order))
	c.Focus = lineID(t.Row)
}

func lineID(row int) string { return "line-" + strconv.Itoa(row) + "-0" }

// text returns the text of the cell of job i.
func (k *column) text(i int32) string {
	if len(k.texts) > 0 && k.texts[i] != "" {
		return k.texts[i]
	}
	switch v := k.values[i]; {
	case v == job.Never:
		return "–"
	case k.write == nil:
		return strconv.FormatInt(v, 10)
	default:
		return k.write(v)
	}
}
