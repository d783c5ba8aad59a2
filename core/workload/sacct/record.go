package sacct

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/job"
	"backfill-lab/core/workload"
)

// id is a parsed job id.
type id struct {
	text   string // id without the step, such as 123 for 123.batch
	step   bool   // whether this is a step of a job, such as 123.batch
	tasks  bool   // whether the id stands for tasks without records of their own, such as 123_[5-9] for tasks of a job array
	leader string // for a component of a heterogeneous job, such as 123+1: the id of the job, 123
}

const idForm = "a job id such as 123, 123_4, 123_[5-9], 123+0 or, for a step, 123.batch"

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
	if !validID(out.text) {
		return out, p.invalidCell(f, idForm)
	}
	return out, nil
}

// validID reports whether an id begins with a digit, ends with a digit or ], and contains only digits
// and the separators of job arrays and components.
func validID(text string) bool {
	if text == "" || text[0]-'0' > 9 || strings.Trim(text, "0123456789_+[]-,%:") != "" {
		return false
	}
	last := text[len(text)-1]
	return last-'0' <= 9 || last == ']'
}

// processRecord adds a job for the current record, or drops the record.
func (p *parser) processRecord() error {
	if err := p.checkWidth(); err != nil {
		return err
	}
	id, err := p.id()
	if err != nil {
		return err
	}
	if id.step {
		p.drop(workload.Step)
		return nil
	}
	p.tally.partitions.add(p.cell(partition))
	if !p.inSelectedPartition() {
		p.drop(workload.OtherPartition)
		return nil
	}
	if p.cell(state) == "" {
		return p.invalidCell(state, "a state such as COMPLETED")
	}
	t, err := p.parseTimes()
	if err != nil {
		return err
	}
	if k, drop := p.unfinishedReason(&id, &t); drop {
		p.drop(k)
		if k == workload.Unfinished && !id.tasks && t.start != unknown {
			return p.addRunning(&id, &t)
		}
		return nil
	}
	return p.addJob(&id, &t)
}

// inSelectedPartition reports whether the current record belongs to a selected partition.
func (p *parser) inSelectedPartition() bool {
	selected := p.Partition == ""
	for i, name := range p.selected {
		if name != "" && listHas(p.cell(partition), name) {
			selected, p.found[i] = true, true
		}
	}
	return selected
}

// listHas reports whether a comma-separated list contains name. A job that can run in several
// partitions has a list of partitions.
func listHas(list, name string) bool { return strings.Contains(","+list+",", ","+name+",") }

// drop counts the current record as dropped for reason k.
func (p *parser) drop(k workload.Kind) {
	for i := range p.out.Dropped {
		if p.out.Dropped[i].Kind == k {
			p.out.Dropped[i].N++
			return
		}
	}
	p.out.Dropped = append(p.out.Dropped, Dropped{k, workload.Count{N: 1, Line: p.line}})
}

// times holds the times of a job, in seconds. A time is unknown if it is not in the file.
type times struct {
	submit, eligible, start, runtime, limit job.Time

	queued      job.Time // when the job enters the queue in the simulation
	queuedField field    // field that contains this time: submit, eligible or start
}

// parseTimes parses the times of the current record.
func (p *parser) parseTimes() (t times, err error) {
	var finish job.Time
	for _, m := range []struct {
		f  field
		to *job.Time
	}{{submit, &t.submit}, {eligible, &t.eligible}, {start, &t.start}, {end, &finish}} {
		if *m.to, err = p.timestamp(m.f); err != nil {
			return t, err
		}
	}
	if t.runtime, err = p.duration(elapsedRaw, elapsed, 1); err != nil {
		return t, err
	}
	if t.runtime == unknown && t.start != unknown && finish != unknown {
		if t.runtime = finish - t.start; t.runtime < 0 {
			return t, p.errorAt(end, "a time not before the start "+p.cell(start), p.cell(end))
		}
	}
	t.setQueued(p.Submit)
	t.limit, err = p.duration(timelimitRaw, timelimit, 60)
	return t, err
}

// setQueued sets the time at which the job enters the queue. This is its submission, or the time at
// which it becomes eligible if s is AtEligible. A job that started before this time enters the queue
// at its start, because no job waits a negative time.
func (t *times) setQueued(s SubmitTime) {
	t.queued, t.queuedField = t.submit, submit
	if s == AtEligible && t.submit != unknown && t.eligible > t.submit {
		t.queued, t.queuedField = t.eligible, eligible
	}
	if t.start != unknown && t.start < t.queued {
		t.queued, t.queuedField = t.start, start
	}
}

// duration parses a duration. The field rawField contains a number of units, each of the given
// length in seconds. If rawField is empty, clockField contains text such as 02:03:04. The result is
// unknown if both are empty, or if the field contains a word such as UNLIMITED.
func (p *parser) duration(rawField, clockField field, unit job.Time) (job.Time, error) {
	f := rawField
	if p.cell(rawField) == "" {
		f = clockField
	}
	word := p.cell(f)
	if listHas(",UNLIMITED,Partition_Limit,INVALID,Unknown,None", word) {
		return unknown, nil
	}
	if v, ok := parseDigits(word); ok && f == rawField && v <= job.MaxTime {
		return v * unit, nil
	}
	if v, ok := parseDuration(word); ok && f == clockField {
		return v, nil
	}
	if f == rawField {
		return 0, p.invalidCell(f, "a whole number")
	}
	return 0, p.invalidCell(f, durationForm)
}

// shortState returns the state of the job without details, such as CANCELLED for "CANCELLED by
// 1000".
func (p *parser) shortState() string {
	word, _, _ := strings.Cut(p.cell(state), " ")
	return strings.TrimSuffix(word, "+") // sacct cuts a long word and appends +
}

// unfinishedReason reports whether the record is dropped because the job did not run or has not
// ended. It also returns the reason.
func (p *parser) unfinishedReason(id *id, t *times) (workload.Kind, bool) {
	s := p.shortState()
	switch {
	case listHas("PENDING,REQUEUE_HOLD,REQUEUE_FED,SPECIAL_EXIT,RESV_DEL_HOLD", s):
		return workload.Waiting, true
	case listHas("RUNNING,SUSPENDED,COMPLETING,CONFIGURING,STAGE_OUT,STOPPED,SIGNALING", s):
		return workload.Unfinished, true
	case id.tasks, p.has(start) && t.start == unknown, t.runtime <= 0 && listHas("CANCELLED,REVOKED", s):
		return workload.NeverRan, true
	}
	return 0, false
}

// addRunning adds the facts about the machine that the record of a running job contains. The job uses the machine until
// the file was written.
func (p *parser) addRunning(id *id, t *times) error {
	j := job.Job{}
	if err := p.setRequest(&j); err != nil {
		return err
	}
	return p.collectFacts(&j, t, p.leaderOf(id))
}

// leaderOf identifies the heterogeneous job to which the current record belongs, by its id and submit time. A job that
// was submitted again counts as a different job. The result is "" for other jobs.
func (p *parser) leaderOf(id *id) string {
	if id.leader == "" {
		return ""
	}
	return id.leader + " " + p.cell(submit)
}

// addJob adds the job of the current record. The job must have run. If the record is a further
// component of a heterogeneous job, addJob merges it with the job of the previous record.
func (p *parser) addJob(id *id, t *times) error {
	j := job.Job{Runtime: t.runtime}
	j.Submit, j.Estimate = t.queued, t.limit
	if t.limit == unknown {
		j.Estimate = cmp.Or(p.Limits.For(p.cell(partition)), unknown)
	}
	if err := p.setRequest(&j); err != nil {
		return err
	}
	if j.Estimate <= 0 {
		j.SetNoLimit()
	}
	if err := p.countRemarks(t); err != nil {
		return err
	}
	leader := p.leaderOf(id)
	if err := p.collectFacts(&j, t, leader); err != nil {
		return err
	}
	if leader != "" {
		id.text = id.leader
	}
	if leader != "" && leader == p.leader { // records of the components follow each other
		p.countRemark(mergedComponents, true)
		p.mergeComponent(&p.out.Jobs[len(p.out.Jobs)-1], &j)
		return nil
	}
	p.leader = leader
	if len(p.out.Jobs) == p.MaxJobs {
		return fmt.Errorf("line %d: %w: more than %d", p.line, ErrTooMany, p.MaxJobs)
	}
	if t.queued != unknown && (p.zeroText == "" || t.queued < p.zero) {
		p.zero, p.zeroText = t.queued, p.cell(t.queuedField)
	}
	p.countTimes(t)
	j.ID = strings.Clone(id.text)
	p.out.Jobs = append(p.out.Jobs, j)
	p.out.Lines = append(p.out.Lines, p.line)
	p.out.Starts = append(p.out.Starts, t.start)
	return nil
}

// mergeComponent adds a component to a heterogeneous job. All components start at the same time.
func (p *parser) mergeComponent(j, part *job.Job) {
	j.Procs = min(j.Procs+part.Procs, math.MaxInt32)
	j.Runtime = max(j.Runtime, part.Runtime)
	j.Estimate = max(j.Estimate, part.Estimate)
	for k := range p.Resources {
		j.More.Extra[k] = min(j.More.Extra[k]+part.More.Extra[k], maxAmount)
	}
}

// result returns the jobs of the file. It moves all times so that the first submission is at 0.
func (p *parser) result() (*File, error) {
	if p.records == 0 {
		return nil, ErrNoRecords
	}
	if err := p.checkPartitions(); err != nil {
		return nil, err
	}
	for i := range p.out.Jobs {
		if t := &p.out.Jobs[i].Submit; *t != unknown {
			*t -= p.zero
		}
		if t := &p.out.Starts[i]; *t != unknown {
			*t = max(*t-p.zero, unknown)
		}
	}
	if p.zeroText != "" {
		p.out.Calendar = &format.Calendar{Start: p.zero}
	}
	p.setMachineFacts()
	p.writeNotes()
	return &p.out, nil
}

// checkPartitions returns an error if the file has no record of a partition that is selected or has a wall time limit.
func (p *parser) checkPartitions() error {
	missing := func(option, name string) error {
		return fmt.Errorf("%s: expected one of %s, got %s", option, p.tally.partitions.String(), quoteShort(name))
	}
	for i, name := range p.selected {
		if !p.found[i] {
			return missing("partition", name)
		}
	}
	for _, name := range p.Limits.partitions() {
		if !slices.ContainsFunc(p.tally.partitions, func(x NameCount) bool { return listHas(x.Name, name) }) {
			return missing("wall-limit", name)
		}
	}
	return nil
}
