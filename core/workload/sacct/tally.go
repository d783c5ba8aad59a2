package sacct

import (
	"fmt"
	"strconv"
	"strings"

	"backfill-lab/core/format"
	"backfill-lab/core/workload"
)

// remark identifies information in the file that the model ignores.
type remark int8

const (
	merged remark = iota
	held
	dependent
	reserved
	constrained
	requeued
	suspendedJobs
	ended
	resized
	remarks
)

// remarkWords holds the descriptions of the remarks. Each follows a count.
var remarkWords = [remarks]string{
	"further components of heterogeneous jobs, which were added to the first",
	"became eligible only after their submission (dependencies, begin times, limits); here they wait from submission on",
	"depended on other jobs",
	"ran in reservations",
	"requested a certain kind of node",
	"were requeued",
	"were suspended for a time",
	"were ended by preemption or a node failure; their runtime here ends at that point",
	"changed their size; each size becomes a job",
}

// tally counts information in the file that the model ignores.
type tally struct {
	partitions, qos, resources nameCounts
	unlimited                  nameCounts // partitions of jobs without a wall time limit of their own
	limited, later             int        // jobs that take a typed limit; jobs that enter the queue after their submission
	counts                     [remarks]workload.Count
}

// seen counts the current record under remark r if is is true.
func (p *parser) seen(r remark, is bool) {
	if !is {
		return
	}
	c := &p.tally.counts[r]
	if c.N == 0 {
		c.Line = p.line
	}
	c.N++
}

// nameCounts holds names with their counts, in order of first appearance.
type nameCounts []Named

func (m *nameCounts) add(name string) {
	if name != "" {
		m.count(name)
	}
}

func (m *nameCounts) count(name string) {
	for i := range *m {
		if (*m)[i].Name == name {
			(*m)[i].N++
			return
		}
	}
	*m = append(*m, Named{strings.Clone(name), 1})
}

// String returns the names with their counts, such as "batch (120), gpu (3)".
func (m nameCounts) String() string {
	const maxNames = 20
	out := ""
	for i, x := range m {
		if i > 0 {
			out += ", "
		}
		if i == maxNames {
			return out + strconv.Itoa(len(m)-maxNames) + " more"
		}
		out += x.Name + " (" + strconv.Itoa(x.N) + ")"
	}
	return out
}

// note counts information in the record of a job that the model ignores.
func (p *parser) note(t *times) error {
	s := p.condition()
	p.seen(held, p.Submit == AtSubmit && t.eligible > t.submit)
	p.seen(dependent, p.given(dependency) || p.cell(reason) == "Dependency")
	p.seen(reserved, p.given(reservation))
	p.seen(constrained, p.given(constraints))
	p.seen(requeued, p.given(restarts) || s == "REQUEUED")
	p.seen(suspendedJobs, p.given(suspended))
	p.seen(ended, among("PREEMPTED,NODE_FAIL,BOOT_FAIL", s))
	p.seen(resized, s == "RESIZING")
	p.tally.qos.add(p.cell(qos))
	return p.unread()
}

// noteTimes counts a job by its submit time and its wall time limit.
func (p *parser) noteTimes(t *times) {
	c := &p.tally
	if t.queued > t.submit {
		c.later++
	}
	if t.limit != unknown {
		return
	}
	c.unlimited.count(p.cell(partition))
	if p.Limits.For(p.cell(partition)) > 0 {
		c.limited++
	}
}

// given reports whether a field has a meaningful value.
func (p *parser) given(f field) bool { return !among(",0,None,(null),00:00:00", p.cell(f)) }

// unread counts the resources of jobs that the machine does not have.
func (p *parser) unread() error { return p.eachResource(p.missing) }

// eachResource calls see for each resource in the record that can limit jobs.
func (p *parser) eachResource(see func(name string)) error {
	f, mem := allocTRES, false
	if p.cell(f) == "" {
		f = reqTRES
	}
	for text := p.cell(f); text != ""; {
		name, _, rest, ok := trackable(text)
		if !ok {
			return p.wrong(f, anAmount)
		}
		if text = rest; limited(name) {
			see(name)
			mem = mem || name == "mem"
		}
	}
	if !mem && p.cell(reqMem) != "" {
		see("mem")
	}
	return nil
}

// limited reports whether a machine can run out of the resource. Other resources, such as
// energy, only measure jobs.
func limited(name string) bool {
	return name == "mem" || strings.HasPrefix(name, "gres/") || strings.HasPrefix(name, "license/") || strings.HasPrefix(name, "bb/")
}

// missing counts a resource if the machine does not have it.
func (p *parser) missing(name string) {
	for _, have := range p.Resources {
		if have == name {
			return
		}
	}
	p.tally.resources.add(name)
}

// notes turns the tally into sentences.
func (p *parser) notes() {
	c := &p.tally
	if p.first != "" {
		p.say("Time 0 is the first submission, ", p.first)
	}
	if p.Partition == "" && len(c.partitions) > 1 {
		p.say("Jobs of several partitions, which the model takes for one machine: ", c.partitions.String())
	} else if len(p.chosen) > 1 {
		p.say("Jobs of several partitions, which the model takes for one machine: ", strings.Join(p.chosen, ", "))
	}
	p.submitNote()
	p.limitNote()
	for r, n := range c.counts {
		if n.N > 0 {
			p.say("Not in the model: ", fmt.Sprintf("%d %s (first: line %d)", n.N, remarkWords[r], n.Line))
		}
	}
	if len(c.qos) > 1 {
		p.say("Not in the model: priorities and limits of the QOS ", c.qos.String())
	}
	if len(c.resources) > 0 {
		p.say("Ignored, because the machine has no resource of that name: ", c.resources.String())
	}
}

// submitNote says which times are the submit times.
func (p *parser) submitNote() {
	switch n := p.tally.later; {
	case p.Submit == AtSubmit:
		p.out.SubmitSays = "Jobs enter the queue when they were submitted (Submit)."
		return
	case !p.has(eligible):
		p.out.SubmitSays = "The records have no field Eligible. Jobs enter the queue when they were submitted (Submit)."
	case n == 0:
		p.out.SubmitSays = "Jobs enter the queue when they became eligible, which all did when they were submitted."
		return
	default:
		p.out.SubmitSays = fmt.Sprintf("Jobs enter the queue when they became eligible (Eligible): %s later than submitted (Submit).", format.Count(n, "job"))
	}
	p.out.Notes = append(p.out.Notes, p.out.SubmitSays)
}

// limitNote says how many jobs have no wall time limit of their own, and what they take.
func (p *parser) limitNote() {
	n, c := 0, &p.tally
	for _, x := range c.unlimited {
		n += x.N
	}
	if p.out.Unlimited = c.unlimited; n == 0 {
		return
	}
	text := format.Count(n, "job") + " without a wall time limit of their own (UNLIMITED, Partition_Limit or none): "
	switch c.limited {
	case n:
		text += "the typed limit is their estimate."
	case 0:
		text += "their runtime is their estimate."
	default:
		text += fmt.Sprintf("the typed limit is the estimate of %d, the runtime that of the others.", c.limited)
	}
	p.out.LimitSays = text
	p.out.Notes = append(p.out.Notes, text)
}

func (p *parser) say(what, of string) { p.out.Notes = append(p.out.Notes, what+of+".") }
