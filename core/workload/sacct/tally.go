package sacct

import (
	"fmt"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/workload"
)

// remark is a kind of information in the file that the model ignores.
type remark int8

const (
	mergedComponents remark = iota
	eligibleLater
	dependent
	reserved
	constrained
	requeued
	suspendedJobs
	preempted
	resized
	remarks // number of remarks
)

// remarkWords holds a phrase for each remark. In a sentence, the phrase follows a number of records.
var remarkWords = [remarks]string{
	"for further components of heterogeneous jobs; here, each such job is one job with the processors of all its components",
	"of jobs that became eligible only after their submission (dependencies, begin times, limits); here they wait from submission on",
	"of jobs that depended on other jobs",
	"of jobs that ran in reservations",
	"of jobs that requested a certain kind of node",
	"of jobs that were requeued",
	"of jobs that were suspended for a time",
	"of jobs that were ended by preemption or a node failure; their runtime here ends at that point",
	"of jobs that changed their size; each size becomes a job",
}

// tally holds counts that the notes about the file report, such as the number of records with
// information that the model ignores.
type tally struct {
	partitions           nameCounts              // number of records by partition, except records of job steps
	kept, qos, resources nameCounts              // number of records of kept jobs, by partition, QOS, and resource that the machine lacks
	unlimited            nameCounts              // partitions of jobs whose records have no wall time limit
	limited              int                     // number of jobs that get a limit from Choice.Limits
	later                int                     // number of jobs that became eligible after their submission
	early                int                     // number of jobs that enter the queue at their start, see setQueued
	counts               [remarks]workload.Count // by remark
}

// countRemark counts remark r for the current record, if applies is true.
func (p *parser) countRemark(r remark, applies bool) {
	if !applies {
		return
	}
	c := &p.tally.counts[r]
	if c.N == 0 {
		c.Line = p.line
	}
	c.N++
}

// nameCounts holds names and how often each occurs, in order of first appearance.
type nameCounts []NameCount

// add counts a name. It ignores an empty name.
func (m *nameCounts) add(name string) {
	if name != "" {
		m.count(name)
	}
}

// count counts a name, which may be empty.
func (m *nameCounts) count(name string) {
	for i := range *m {
		if (*m)[i].Name == name {
			(*m)[i].N++
			return
		}
	}
	*m = append(*m, NameCount{strings.Clone(name), 1})
}

// String returns the names and how often each occurs, such as "batch (120), gpu (3)".
func (m nameCounts) String() string {
	const maxNames = 20
	out := ""
	for i, x := range m {
		if i > 0 {
			out += ", "
		}
		if i == maxNames {
			return out + format.Whole(len(m)-maxNames) + " more"
		}
		out += x.Name + " (" + format.Whole(x.N) + ")"
	}
	return out
}

// countRemarks counts what the model ignores in the record of a job.
func (p *parser) countRemarks(t *times) error {
	s := p.shortState()
	p.countRemark(eligibleLater, p.Submit == AtSubmit && t.eligible > t.submit)
	p.countRemark(dependent, p.hasValue(dependency) || p.cell(reason) == "Dependency")
	p.countRemark(reserved, p.hasValue(reservation))
	p.countRemark(constrained, p.hasValue(constraints))
	p.countRemark(requeued, p.hasValue(restarts) || s == "REQUEUED")
	p.countRemark(suspendedJobs, p.hasValue(suspended))
	p.countRemark(preempted, listHas("PREEMPTED,NODE_FAIL,BOOT_FAIL", s))
	p.countRemark(resized, s == "RESIZING")
	p.tally.kept.add(p.cell(partition))
	p.tally.qos.add(p.cell(qos))
	return p.countMissingResources()
}

// countTimes updates the counts that depend on the submit time and the wall time limit of a job.
func (p *parser) countTimes(t *times) {
	c := &p.tally
	if t.eligible > t.submit {
		c.later++
	}
	if t.queuedField == start {
		c.early++
	}
	if t.limit != unknown {
		return
	}
	c.unlimited.count(p.cell(partition))
	if p.Limits.For(p.cell(partition)) > 0 {
		c.limited++
	}
}

// hasValue reports whether field f contains a value, and not only a word that stands for "no value".
func (p *parser) hasValue(f field) bool { return !listHas(",0,None,(null),00:00:00", p.cell(f)) }

// countMissingResources counts the resources that the job uses but the machine does not have.
func (p *parser) countMissingResources() error { return p.eachResource(p.countMissing) }

// eachResource calls visit with the name of each resource in the record that can limit jobs.
func (p *parser) eachResource(visit func(name string)) error {
	f, mem := allocTRES, false
	if p.cell(f) == "" {
		f = reqTRES
	}
	for text := p.cell(f); text != ""; {
		name, _, rest, ok := cutTRES(text)
		if !ok {
			return p.invalidCell(f, amountForm)
		}
		if text = rest; canLimitJobs(name) {
			visit(name)
			mem = mem || name == "mem"
		}
	}
	if !mem && p.cell(reqMem) != "" {
		visit("mem")
	}
	return nil
}

// canLimitJobs reports whether jobs may have to wait for the resource. Other resources, such as
// energy, only measure what a job used.
func canLimitJobs(name string) bool {
	return name == "mem" || strings.HasPrefix(name, "gres/") || strings.HasPrefix(name, "license/") || strings.HasPrefix(name, "bb/")
}

// countMissing counts the resource if the machine does not have it.
func (p *parser) countMissing(name string) {
	for _, have := range p.Resources {
		if have == name {
			return
		}
	}
	p.tally.resources.add(name)
}

// writeNotes writes the notes about the file. They cover its first submission, its partitions, its
// submit times and limits, and the information that the model ignores.
func (p *parser) writeNotes() {
	c := &p.tally
	if p.zeroText != "" {
		p.addNoteWithNames("Time 0 is the first submission, ", p.zeroDate())
	}
	if p.Partition == "" && len(c.kept) > 1 {
		p.addNoteWithNames("Jobs of several partitions, which the model treats as one machine: ", c.kept.String())
	} else if len(p.selected) > 1 {
		p.addNoteWithNames("Jobs of several partitions, which the model treats as one machine: ", strings.Join(p.selected, ", "))
	}
	p.writeSubmitNote()
	p.writeLimitNote()
	for r, n := range c.counts {
		if n.N > 0 {
			p.addNote("Not in the model: ", fmt.Sprintf("%s %s (first: line %d)", format.Count(n.N, "record"), remarkWords[r], n.Line))
		}
	}
	if len(c.qos) > 1 {
		p.addNoteWithNames("Not in the model: priorities and limits of the QOS ", c.qos.String())
	}
	if len(c.resources) > 0 {
		p.addNoteWithNames("Ignored, because the machine does not have these resources: ", c.resources.String())
	}
}

// zeroDate returns the time zero as the file writes it. If the file writes it in seconds since 1970, zeroDate puts the
// date before it.
func (p *parser) zeroDate() string {
	if _, isEpoch := parseDigits(p.zeroText); !isEpoch {
		return p.zeroText
	}
	clock := format.Clock{Units: true, Calendar: p.out.Calendar}
	return clock.Instant(0) + " UTC (" + p.zeroText + " seconds since 1970)"
}

// writeSubmitNote writes sentences which say when jobs enter the queue. They are a note unless all jobs enter the queue
// when they are submitted, as expected.
func (p *parser) writeSubmitNote() {
	later, early := p.tally.later, p.tally.early
	expected := early == 0
	switch {
	case p.Submit == AtSubmit:
		p.out.SubmitNote = "Jobs enter the queue when they are submitted (Submit)."
	case !p.has(eligible):
		p.out.SubmitNote = "The records have no field Eligible. Jobs enter the queue when they are submitted (Submit)."
		expected = false
	case later == 0:
		p.out.SubmitNote = "Jobs enter the queue when they become eligible (Eligible). All became eligible at their submission."
	default:
		p.out.SubmitNote = fmt.Sprintf("Jobs enter the queue when they become eligible (Eligible). For %s, this is later than the submission (Submit).", format.Count(later, "job"))
		expected = false
	}
	if early > 0 {
		p.out.SubmitNote += fmt.Sprintf(" %s started earlier (Start), and %s.", format.Count(early, "job"),
			format.SingularOrPlural(early, "enters the queue at its start", "enter the queue at their starts"))
	}
	if !expected {
		p.out.Notes = append(p.out.Notes, p.out.SubmitNote)
	}
}

// writeLimitNote writes a sentence about jobs without a wall time limit, and about their estimates.
func (p *parser) writeLimitNote() {
	n, c := 0, &p.tally
	for _, x := range c.unlimited {
		n += x.N
	}
	if p.out.Unlimited = c.unlimited; n == 0 {
		return
	}
	text := "Jobs without their own wall time limit (UNLIMITED, Partition_Limit or none): " + format.Whole(n) + ". "
	switch c.limited {
	case n:
		text += "Their estimate is the limit that was entered: " + p.limitsUsed() + "."
	case 0:
		text += "Their estimate is their runtime."
	default:
		text += "The limit that was entered is the estimate for " + format.Whole(c.limited) + " of these jobs: " + p.limitsUsed() + ". For the others, the estimate is the runtime."
	}
	p.out.LimitNote = text
	if p.out.Notes = append(p.out.Notes, text); c.limited > 0 {
		p.out.NotesWithNames = append(p.out.NotesWithNames, text)
	}
}

// limitsUsed lists, for each partition with jobs without a wall time limit in their records, the
// limit that the user entered for these jobs, and their number. It omits partitions for which the
// user entered no limit.
func (p *parser) limitsUsed() string {
	var list []string
	for _, x := range p.tally.unlimited {
		if t := p.Limits.For(x.Name); t > 0 {
			text := format.UnitClock.Duration(t) + " for " + format.Count(x.N, "job")
			if x.Name != "" {
				text += " of " + x.Name
			}
			list = append(list, text)
		}
	}
	return strings.Join(list, ", ")
}

// addNote adds a note that consists of a text, a value and a full stop.
func (p *parser) addNote(text, value string) { p.out.Notes = append(p.out.Notes, text+value+".") }

// addNoteWithNames adds a note like addNote, and records that it contains names or dates.
func (p *parser) addNoteWithNames(text, value string) {
	p.addNote(text, value)
	p.out.NotesWithNames = append(p.out.NotesWithNames, text+value+".")
}
