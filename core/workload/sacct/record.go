package sacct

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/workload"
)

// id is a parsed job id.
type id struct {
	text   string
	step   bool   // 123.batch: a step of a job
	tasks  bool   // 123_[5-9]: tasks of a job array that have no records of their own yet
	leader string // 123 for component 123+1 of a heterogeneous job
}

const anID = "a job id as 123, 123_4, 123_[5-9], 123+0 or, of a step, 123.batch"

// id parses the job id of the current record.
func (p *parser) id() (id, error) {
	f := jobID
	if !p.has(f) {
		f = jobIDRaw
	}
	var out id
	out.text, _, out.step = strings.Cut(p.cell(f), ".")
	out.tasks = strings.Contains(out.text, "_[")
	out.leader, _, _ = strings.Cut(out.text, "+")
	if out.leader == out.text {
		out.leader = ""
	}
	if !plain(out.text) {
		return out, p.wrong(f, anID)
	}
	return out, nil
}

// plain reports whether an id has only digits and the separators of arrays and components.
func plain(text string) bool {
	if text == "" || text[0]-'0' > 9 || strings.Trim(text, "0123456789_+[]-,%:") != "" {
		return false
	}
	last := text[len(text)-1]
	return last-'0' <= 9 || last == ']'
}

// record processes a record: it adds a job, or counts the record as left out.
func (p *parser) record() error {
	if err := p.fits(); err != nil {
		return err
	}
	id, err := p.id()
	if err != nil {
		return err
	}
	if id.step {
		p.left(workload.Step)
		return nil
	}
	p.tally.partitions.add(p.cell(partition))
	if !p.selected() {
		p.left(workload.OtherPartition)
		return nil
	}
	if p.cell(state) == "" {
		return p.wrong(state, "a state as COMPLETED")
	}
	t, err := p.times()
	if err != nil {
		return err
	}
	if k, left := p.notRun(&id, &t); left {
		p.left(k)
		return nil
	}
	return p.job(&id, &t)
}

// selected reports whether the current record is of a selected partition.
func (p *parser) selected() bool {
	here := p.Partition == ""
	for i, name := range p.chosen {
		if name != "" && among(p.cell(partition), name) {
			here, p.found[i] = true, true
		}
	}
	return here
}

// among reports whether name is in a comma-separated list. Jobs that may run in several partitions
// have such a list.
func among(list, name string) bool { return strings.Contains(","+list+",", ","+name+",") }

// left counts the current record as left out, with the reason k.
func (p *parser) left(k workload.Kind) {
	for i := range p.out.LeftOut {
		if p.out.LeftOut[i].Kind == k {
			p.out.LeftOut[i].N++
			return
		}
	}
	p.out.LeftOut = append(p.out.LeftOut, Left{k, workload.Count{N: 1, Line: p.line}})
}

// times holds the times of a job. A time is unknown if the file does not contain it. Queued is the
// submit time of the job in the model.
type times struct{ submit, eligible, queued, start, runtime, limit job.Time }

func (p *parser) times() (t times, err error) {
	var finish job.Time
	for _, m := range []struct {
		f  field
		to *job.Time
	}{{submit, &t.submit}, {eligible, &t.eligible}, {start, &t.start}, {end, &finish}} {
		if *m.to, err = p.timestamp(m.f); err != nil {
			return t, err
		}
	}
	if t.runtime, err = p.lasting(elapsedRaw, elapsed, 1); err != nil {
		return t, err
	}
	if t.runtime == unknown && t.start != unknown && finish != unknown {
		if t.runtime = finish - t.start; t.runtime < 0 {
			return t, p.bad(end, "a time not before the start "+p.cell(start), p.cell(end))
		}
	}
	t.queued = t.submit
	if p.Submit == AtEligible && t.eligible != unknown && t.submit != unknown {
		t.queued = max(t.eligible, t.submit)
	}
	t.limit, err = p.lasting(timelimitRaw, timelimit, 60)
	return t, err
}

// lasting parses a duration from the field raw, in the given unit, or else from the field clock, in
// the form HH:MM:SS.
func (p *parser) lasting(raw, clock field, unit job.Time) (job.Time, error) {
	f := raw
	if p.cell(raw) == "" {
		f = clock
	}
	word := p.cell(f)
	if among(",UNLIMITED,Partition_Limit,INVALID,Unknown,None", word) {
		return unknown, nil
	}
	if v, ok := number(word); ok && f == raw && v <= job.MaxTime {
		return v * unit, nil
	}
	if v, ok := span(word); ok && f == clock {
		return v, nil
	}
	if f == raw {
		return 0, p.wrong(f, "a whole number")
	}
	return 0, p.wrong(f, aSpan)
}

// condition returns the state without details, such as CANCELLED for "CANCELLED by 1000".
func (p *parser) condition() string {
	word, _, _ := strings.Cut(p.cell(state), " ")
	return strings.TrimSuffix(word, "+") // sacct shortens a long word with +
}

// notRun reports whether the job did not run to its end, and why.
func (p *parser) notRun(id *id, t *times) (workload.Kind, bool) {
	s := p.condition()
	switch {
	case among("PENDING,REQUEUE_HOLD,REQUEUE_FED,SPECIAL_EXIT,RESV_DEL_HOLD", s):
		return workload.Waiting, true
	case among("RUNNING,SUSPENDED,COMPLETING,CONFIGURING,STAGE_OUT,STOPPED,SIGNALING", s):
		return workload.Unfinished, true
	case id.tasks, p.has(start) && t.start == unknown, t.runtime <= 0 && among("CANCELLED,REVOKED", s):
		return workload.NeverRan, true
	}
	return 0, false
}

// job adds a job that ran.
func (p *parser) job(id *id, t *times) error {
	j := job.Job{Runtime: t.runtime}
	j.Submit, j.Estimate = t.queued, t.limit
	if t.limit == unknown {
		j.Estimate = cmp.Or(p.Limits.For(p.cell(partition)), unknown)
	}
	if err := p.request(&j); err != nil {
		return err
	}
	if j.Estimate <= 0 {
		if j.More == nil {
			j.More = &job.More{}
		}
		j.More.NoLimit = true
	}
	if err := p.note(t); err != nil {
		return err
	}
	if err := p.collectFacts(&j, t); err != nil {
		return err
	}
	whole := id.leader
	if whole != "" {
		whole += " " + p.cell(submit) // a resubmitted job is another job
		id.text = id.leader
	}
	if whole != "" && whole == p.leader { // components follow one another
		p.seen(merged, true)
		p.merge(&p.out.Jobs[len(p.out.Jobs)-1], &j)
		return nil
	}
	p.leader = whole
	if len(p.out.Jobs) == p.MaxJobs {
		return fmt.Errorf("line %d: %w: more than %d", p.line, ErrTooMany, p.MaxJobs)
	}
	if t.queued != unknown && (p.first == "" || t.queued < p.zero) {
		if p.zero, p.first = t.queued, p.cell(submit); t.queued != t.submit {
			p.first = p.cell(eligible)
		}
	}
	p.noteTimes(t)
	j.ID = strings.Clone(id.text)
	p.out.Jobs = append(p.out.Jobs, j)
	p.out.Lines = append(p.out.Lines, p.line)
	p.out.Starts = append(p.out.Starts, t.start)
	return nil
}

// merge adds a component to a heterogeneous job. All components start together.
func (p *parser) merge(j, part *job.Job) {
	j.Procs = min(j.Procs+part.Procs, math.MaxInt32)
	j.Runtime = max(j.Runtime, part.Runtime)
	j.Estimate = max(j.Estimate, part.Estimate)
	for k := range p.Resources {
		j.More.Extra[k] = min(j.More.Extra[k]+part.More.Extra[k], maxAmount)
	}
}

// file returns the result, with the first submission moved to 0.
func (p *parser) file() (*File, error) {
	if p.records == 0 {
		return nil, ErrNoRecords
	}
	for i, name := range p.chosen {
		if !p.found[i] {
			return nil, fmt.Errorf("partition: expected one of %s, got %s", p.tally.partitions.String(), shown(name))
		}
	}
	for i := range p.out.Jobs {
		if t := &p.out.Jobs[i].Submit; *t != unknown {
			*t -= p.zero
		}
		if t := &p.out.Starts[i]; *t != unknown {
			*t = max(*t-p.zero, unknown)
		}
	}
	if p.first != "" {
		p.out.Calendar = &format.Calendar{Start: p.zero}
	}
	p.conclude()
	p.notes()
	return &p.out, nil
}
