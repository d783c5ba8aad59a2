package truth

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"backfill-lab/core/job"
	"backfill-lab/core/log"
)

// Answer is what a person reads who asks why a job is where it is: text only.
type Answer struct {
	Job                         job.Index
	At                          job.Time
	Facts                       []Line // Name is that of the fact
	Lines, Holders, Overtakers  []Line
	MoreHolders, MoreOvertakers int
	History, Later              []Line // Name is the time
}

// Line is a line of an answer, with the time or the name that stands before it.
type Line struct{ Name, Text string }

// Reader judges answers about a log whose records Check has found true. It finds each
// number, job and time of each sentence anew, at the time asked about.
type Reader struct {
	c      *Case
	judge  *judge
	place  int    // records that are taken in
	final  []life // of each job, at the end
	byJob  [][]*log.Record
	byTime map[job.Time][]*log.Record
	starts []*log.Record
	ids    map[string]job.Index
	seen   map[string]int
	untrue []string
	answer *Answer
}

// NewReader returns a reader of answers about a log. It counts in seen the sentences
// that it judges, by their patterns.
func (c *Case) NewReader(seen map[string]int) *Reader {
	x := &Reader{c: inside(c), seen: seen, ids: map[string]job.Index{}, byTime: map[job.Time][]*log.Record{}}
	l := c.Log
	x.byJob, x.starts = make([][]*log.Record, len(l.Jobs)), make([]*log.Record, len(l.Jobs))
	for k := range l.Jobs {
		x.ids[l.Jobs[k].ID] = job.Index(k)
	}
	for r := range l.All() {
		x.byTime[r.At] = append(x.byTime[r.At], r)
		if r.Job == job.None || tried(r) {
			continue
		}
		x.byJob[r.Job] = append(x.byJob[r.Job], r)
		if r.Kind == log.Start {
			x.starts[r.Job] = r
		}
	}
	x.restart()
	x.advance(job.Never)
	x.final = x.judge.jobs
	x.restart()
	return x
}

func (x *Reader) restart() {
	x.judge = &judge{facts: newFacts(x.c), seen: Counts{}, usual: map[job.Index]float64{}}
	x.place = 0
}

// advance takes in all records up to a time.
func (x *Reader) advance(until job.Time) {
	for ; x.place < x.c.Log.Len(); x.place++ {
		r := x.c.Log.Record(x.place)
		if r.At > until {
			break
		}
		if r.At > x.judge.now {
			x.judge.begin(r.At)
		}
		x.judge.record = r
		x.judge.take(r)
	}
	if until != job.Never {
		x.judge.begin(until)
	}
}

// Read says what is untrue in an answer, and which sentences it cannot judge. It is
// quickest when answers come in the order of their times.
func (x *Reader) Read(a *Answer) (untrue []string) {
	if a.At < x.judge.now {
		x.restart()
	}
	x.advance(a.At)
	x.answer, x.untrue = a, nil
	if x.judge.sliced {
		x.judge.type_ = x.judge.class(a.Job)
	}
	x.same("facts", a.Facts, x.facts())
	x.sentences()
	x.holders()
	x.overtakers()
	past, later := x.history()
	x.same("history", a.History, past)
	x.same("later", a.Later, later)
	return x.untrue
}

func (x *Reader) wrong(format string, args ...any) {
	x.untrue = append(x.untrue, fmt.Sprintf("job %s at %d: ", x.judge.id(x.answer.Job), x.answer.At)+fmt.Sprintf(format, args...))
}

// same compares lines with those that should be read.
func (x *Reader) same(what string, read, want []Line) {
	for i := range max(len(read), len(want)) {
		switch {
		case i >= len(want):
			x.wrong("%s: %v should not be there", what, read[i])
		case i >= len(read):
			x.wrong("%s: %v is missing", what, want[i])
		case read[i].Name != want[i].Name || one.Replace(read[i].Text) != one.Replace(want[i].Text):
			x.wrong("%s: %v should be %v", what, read[i], want[i])
		default:
			x.seen[what]++
			continue
		}
		return
	}
}

// state returns what the job is doing, by its submission, starts and ends.
func (x *Reader) state() string {
	l := &x.judge.jobs[x.answer.Job]
	switch {
	case !x.judge.submitted(x.answer.Job):
		return "not submitted"
	case !l.started:
		return "waiting"
	case l.done:
		return "done"
	case l.on:
		return "running"
	}
	return "suspended"
}

func (x *Reader) asked(q *job.Job) string {
	s := fmt.Sprintf("%d processors for %d s", q.Procs, q.Estimate)
	if q.Speedup() != nil {
		s += ", or fewer or more: it is moldable"
	}
	return s
}

// facts returns the facts of the job: none of them later than the time asked about, but
// for those that are said to be.
func (x *Reader) facts() []Line {
	k, at := x.answer.Job, x.answer.At
	q := &x.c.Log.Jobs[k]
	out := []Line{{"state", x.state()}}
	var later []string
	event := func(name string, t job.Time) {
		if t > at {
			later = append(later, fmt.Sprintf("%s at t = %d", name, t))
		} else {
			out = append(out, Line{name, fmt.Sprint(t)})
		}
	}
	event("submitted", q.Submit)
	out = append(out, Line{"asks for", x.asked(q)})
	for i, r := range x.c.Log.Machine.Resources {
		if n := q.Extra(i); n > 0 {
			out = append(out, Line{r.Name, fmt.Sprint(n)})
		}
	}
	if p := x.promise(); p != unplanned {
		out = append(out, Line{"promised", fmt.Sprint(p)})
	}
	if r := x.starts[k]; r != nil {
		event("started", r.At)
		if procs := x.c.Log.Alloc(k).Count(); r.At <= at {
			out = append(out, Line{"waited", fmt.Sprintf("%d s", r.At-q.Submit)})
			if w := int(x.c.Log.Layout(k).Procs); q.Speedup() != nil {
				out = append(out, Line{"runs on", fmt.Sprintf("%d processors", procs)})
			} else if w != q.Procs {
				out = append(out, Line{"runs on", fmt.Sprintf("%d processors", w)})
			}
		}
	}
	if x.final[k].done {
		event("ended", x.final[k].finish)
	}
	if later != nil {
		out = append(out, Line{"later", strings.Join(later, ", ")})
	}
	return out
}

// promise returns the first promise to the job up to the time asked about.
func (x *Reader) promise() job.Time {
	for _, r := range x.byJob[x.answer.Job] {
		if r.Kind == log.Promise && r.At <= x.answer.At {
			return r.X
		}
	}
	return unplanned
}

// reason returns the sentence of a record, in the words of this package.
func (x *Reader) reason(r *log.Record) string {
	s := x.fill(sentences[r.Code], r)
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// fill puts the job, time and numbers of a record into a template.
func (x *Reader) fill(template string, r *log.Record) string {
	ratio := func(n int64) string { return strconv.FormatFloat(float64(n)/1e6, 'f', 3, 64) }
	resource := "the processors"
	if n := int(r.X); n > 0 && n <= len(x.c.Log.Machine.Resources) {
		resource = x.c.Log.Machine.Resources[n-1].Name
	}
	return one.Replace(strings.NewReplacer("{job}", "job "+x.judge.id(r.Job), "{other}", "job "+x.judge.id(r.Other), "{at}", fmt.Sprint(r.At), "{x}", fmt.Sprint(r.X),
		"{y}", fmt.Sprint(r.Y), "{xs}", fmt.Sprint(r.X)+" s", "{ys}", fmt.Sprint(r.Y)+" s", "{xr}", ratio(r.X), "{yr}", ratio(r.Y), "{xz}", resource).Replace(template))
}

// because returns what an entry of a history says, with the reason of the record.
func (x *Reader) because(what string, r *log.Record) string {
	if r.Code == log.NoReason {
		return what
	}
	return what + ": " + small(x.reason(r))
}

// small makes the begin of a sentence with a job its middle.
func small(s string) string {
	if strings.HasPrefix(s, "Job ") {
		return "j" + s[1:]
	}
	return s
}

// history returns the entries of the history of the job, up to the time asked about and
// later, each without the middle of a long list.
func (x *Reader) history() (past, later []Line) {
	k, at := x.answer.Job, x.answer.At
	q := &x.c.Log.Jobs[k]
	submitted := Line{fmt.Sprint(q.Submit), "submitted; asks for " + x.asked(q)}
	var before, after []Line
	for _, r := range x.byJob[k] {
		line := Line{fmt.Sprint(r.At), x.entry(r)}
		if r.At <= at {
			before = append(before, line)
		} else {
			after = append(after, line)
		}
	}
	before, after = shortened(before), shortened(after)
	if q.Submit <= at {
		before = append([]Line{submitted}, before...)
	} else {
		after = append([]Line{submitted}, after...)
	}
	return before, after
}

func shortened(all []Line) []Line {
	const first, last = 10, 30
	gap := len(all) - first - last
	if gap <= 1 {
		return all
	}
	out := append(slices.Clone(all[:first]), Line{all[first].Name, fmt.Sprintf("(%d entries are left out)", gap)})
	return append(out, all[first+gap:]...)
}

// entry returns what a history says of a record.
func (x *Reader) entry(r *log.Record) string {
	switch r.Kind {
	case log.Start:
		return x.because("started", r)
	case log.Suspend:
		return x.because("taken off the machine", r)
	case log.Resume:
		return x.because("went on", r)
	case log.Hold:
		return x.because("waits", r)
	case log.Finish:
		return "ended" + x.ended(r.Job)
	case log.Reprice:
		return fmt.Sprintf("from now on does %s s of its work a second", digits(math.Float64frombits(uint64(r.X))))
	case log.Promise:
		return fmt.Sprintf("promised to start at %d at the latest", r.X)
	case log.Move:
		return "planned start" + x.move(r, "")
	case log.Size:
		return "runs on" + x.sized(r)
	case log.Resize:
		if r.X == 0 {
			return fmt.Sprintf("its size is %d processors for now", r.Y)
		}
		return fmt.Sprintf("its size goes from %d to %d processors", r.X, r.Y)
	case log.Fair:
		return fmt.Sprintf("its fair start is %d", r.X)
	case log.Group:
		return fmt.Sprintf("matched with job %s in a group that gains %.3f", x.judge.id(r.Other), float64(r.X)/1e6)
	}
	return "?"
}

// digits returns a rate in three digits.
func digits(rate float64) string { return strconv.FormatFloat(rate, 'g', 3, 64) }

// ended is how the end of a job compares with its estimate.
func (x *Reader) ended(k job.Index) string {
	l := &x.final[k]
	switch early := l.due - l.finish; {
	case x.c.Log.Jobs[k].Killed:
		return ": it was cut at its estimate."
	case early > 0:
		return fmt.Sprintf(", %d s before its estimate.", early)
	}
	return ", as estimated."
}

// move returns how a planned start moved.
func (x *Reader) move(r *log.Record, when string) string {
	way := "up"
	if r.Y > r.X {
		way = "back"
	}
	return fmt.Sprintf(" moved %s from %d to %d%s ", way, r.X, r.Y, when) + x.fill(moved[r.Code], r) + "."
}

// sized says why a job has started on so many processors, from the numbers of the record.
func (x *Reader) sized(r *log.Record) string {
	n := x.c.Log.Alloc(r.Job).Count()
	s := fmt.Sprintf(" %d processors", n)
	if n > 1 {
		s += "; the last of them takes " + seconds(r.X) + " off its runtime"
	}
	if r.Y > 0 {
		s += "; one more would take " + seconds(r.Y) + " off"
	}
	if s += "."; r.Code != log.NoReason {
		s += " It" + strings.TrimPrefix(x.reason(r), "Job "+x.judge.id(r.Job))
	}
	return s
}

// seconds returns millionths of a second.
func seconds(micros int64) string {
	text := strconv.FormatFloat(float64(micros)/1e6, 'f', 3, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + " s"
}

// holders judges who is on the machine: all of them, the first to end first.
func (x *Reader) holders() {
	a, j := x.answer, x.judge
	if x.state() != "waiting" {
		if len(a.Holders) > 0 || a.MoreHolders > 0 {
			x.wrong("it does not wait, but has holders")
		}
		return
	}
	on, lack := j.running(everyone), j.free().lacks(j.asks(a.Job))
	slice := job.Never
	if j.sliced && j.turn.X == 1 && j.turn.Y > j.now {
		slice = j.turn.Y
	}
	until := func(k job.Index) job.Time { return min(slice, j.end(k)) }
	slices.SortStableFunc(on, func(p, q job.Index) int { return cmp.Or(cmp.Compare(until(p), until(q)), cmp.Compare(p, q)) })
	if len(a.Holders)+a.MoreHolders != len(on) {
		x.wrong("%d jobs are on the machine, not %d and %d more", len(on), len(a.Holders), a.MoreHolders)
		return
	}
	var want []Line
	for _, k := range on[:len(a.Holders)] {
		s := fmt.Sprintf("Job %s holds %d processors", x.judge.id(k), j.asks(k)[0])
		if lack > 0 {
			s += fmt.Sprintf(" and %d of %s", j.asks(k)[lack], x.c.Log.Machine.Resources[lack-1].Name)
		}
		if until(k) == slice {
			s += fmt.Sprintf(" until the time slice ends at %d.", slice)
		} else {
			s += fmt.Sprintf(" until %d by its estimate.", until(k))
		}
		want = append(want, Line{"", s})
	}
	x.same("holders", a.Holders, want)
}

// overtakers judges which jobs that were submitted later started first: all of them,
// in the order of their starts, and why they did.
func (x *Reader) overtakers() {
	a, until := x.answer, x.answer.At+1
	if r := x.starts[a.Job]; r != nil {
		until = min(until, r.At)
	}
	var want []Line
	for k, r := range x.starts {
		if k > int(a.Job) && r != nil && r.At < until && r.At >= x.c.Log.Jobs[a.Job].Submit {
			want = append(want, Line{"", fmt.Sprintf("At %d: ", r.At) + small(x.reason(r))})
		}
	}
	if len(a.Overtakers)+a.MoreOvertakers != len(want) {
		x.wrong("%d jobs overtook it, not %d and %d more", len(want), len(a.Overtakers), a.MoreOvertakers)
		return
	}
	for _, line := range a.Overtakers {
		i := slices.IndexFunc(want, func(w Line) bool { return w.Text == one.Replace(line.Text) })
		if i < 0 {
			x.wrong("%s is not so", line.Text)
			return
		}
		x.seen["overtakers"]++
		want = slices.Delete(want, i, i+1)
	}
	times := func(l Line) int {
		n, _ := strconv.Atoi(strings.TrimPrefix(strings.SplitN(l.Text, ":", 2)[0], "At "))
		return n
	}
	if !slices.IsSortedFunc(a.Overtakers, func(p, q Line) int { return times(p) - times(q) }) {
		x.wrong("those that overtook it are not in the order of their starts")
	}
}

// says returns the pattern of a sentence in which J is a job, N a number, F a fraction and R
// a resource.
func says(sentence string) *regexp.Regexp {
	p := regexp.QuoteMeta(sentence)
	p = regexp.MustCompile(`\bN\b`).ReplaceAllString(p, `(-?\d+)`)
	p = regexp.MustCompile(`\bF\b`).ReplaceAllString(p, `(-?[\d.]+(?:e-?\d+)?)`)
	p = regexp.MustCompile(`\bJ\b`).ReplaceAllString(p, `(\S+?)`)
	p = regexp.MustCompile(`\bR\b`).ReplaceAllString(p, `(processor|of \S+)`)
	return regexp.MustCompile("^" + p + "$")
}

// one is a text in which what is said of several is said of one.
var one = strings.NewReplacer("processors were", "processor is", "processor was", "processor is", "processors are", "processor is",
	"processors stay", "processor stays", "processors", "processor", " are free", " is free", " are to spare", " is to spare",
	" were free", " is free", " was free", " is free", "processes", "process", "nodes", "node")
