package log

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
)

// Limits on the size of a text log.
const (
	MaxLine = 1 << 26 // bytes per line; the line of a start lists all slots of the job
	MaxMeta = 1000    // header lines (see MetaLine)

	MaxRecords = 300_000_000 // well above what a run can produce
)

// parser reads a text log line by line.
type parser struct {
	in         *bufio.Scanner
	line       int    // number of the current line
	rest       string // the part of the line not parsed yet
	log        *Log
	meta       []MetaLine
	ids        map[string]job.Index // index of each job by its ID, or ambiguous
	seen       []string             // names of the fields parsed so far in the current line
	headerRead [2]bool              // whether the machine line (0) and the level line (1) were read
}

// Read reads a log written by Write. It also returns the meta lines of the header. It does
// not check that the records make sense; package schedule does that.
func Read(r io.Reader) (*Log, []MetaLine, error) {
	p := &parser{in: bufio.NewScanner(r), log: New(cluster.Flat(1), nil, Decisions)}
	p.in.Buffer(make([]byte, 0, flushAt), MaxLine)
	for _, part := range []func() error{p.header, p.jobs, p.records} {
		if err := part(); err != nil {
			return nil, nil, err
		}
	}
	return p.log, p.meta, nil
}

// malformed returns a *Malformed error about the current line.
func (p *parser) malformed(expected, got string) error { return &Malformed{p.line, expected, got} }

// nextLine reads the next line into p.rest. At the end of the file, its error names what was
// expected.
func (p *parser) nextLine(expected string) error {
	p.line++
	if !p.in.Scan() {
		switch err := p.in.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			return p.malformed(fmt.Sprintf("a line of at most %d bytes", MaxLine), "a longer one")
		case err != nil:
			return p.malformed(expected, err.Error())
		}
		return p.malformed(expected, "the end of the file")
	}
	p.rest = p.in.Text()
	return nil
}

// header parses all lines before the line with the number of jobs, and validates the machine. It
// reads the line with the number of jobs into p.rest.
func (p *parser) header() error {
	first := format + strconv.Itoa(version)
	if err := p.nextLine(strconv.Quote(first)); err != nil {
		return err
	}
	if p.rest != first {
		return p.malformed(strconv.Quote(first), job.QuoteShort(p.rest))
	}
	if err := p.nextLine("a machine line"); err != nil {
		return err
	}
	if !strings.HasPrefix(p.rest, "machine:") {
		return p.malformed("a machine line", job.QuoteShort(p.rest))
	}
	for !strings.HasPrefix(p.rest, "jobs ") {
		if err := p.headerLine(); err != nil {
			return err
		}
		if err := p.nextLine(`a header line or "jobs"`); err != nil {
			return err
		}
	}
	if err := p.log.Machine.Validate(); err != nil {
		return p.malformed("a valid machine", err.Error())
	}
	return nil
}

// headerLine parses one line of the header.
func (p *parser) headerLine() error {
	key, value, ok := strings.Cut(p.rest, ":")
	value = strings.TrimPrefix(value, " ")
	switch {
	case ok && (key == "machine" && p.alreadyRead(0) || key == "level" && p.alreadyRead(1)):
		return p.malformed("only one "+key+" line", "another one")
	case ok && key == "machine":
		return p.fields(value, p.machineField)
	case ok && key == "block" && len(p.log.Machine.Outages) == cluster.MaxOutages:
		return p.malformed(fmt.Sprintf("at most %d blocks", cluster.MaxOutages), "more")
	case ok && key == "resource" && len(p.log.Machine.Resources) == cluster.MaxResources:
		return p.malformed(fmt.Sprintf("at most %d resources", cluster.MaxResources), "more")
	case len(p.meta) == MaxMeta:
		return p.malformed(fmt.Sprintf("at most %d header lines", MaxMeta), "more")
	case ok && key == "block":
		p.log.Machine.Outages = append(p.log.Machine.Outages, cluster.Outage{})
		return p.fields(value, p.blockField)
	case ok && key == "resource":
		p.log.Machine.Resources = append(p.log.Machine.Resources, cluster.Resource{})
		return p.fields(value, p.resourceField)
	case ok && key == "level":
		for i, name := range levels {
			if value == name {
				p.log.Level = Starts + Level(i)
				return nil
			}
		}
		return p.malformed("one of "+strings.Join(levels[:], ", "), job.QuoteShort(value))
	case ok && validKey(key):
		if strings.HasPrefix(value, `"`) {
			text, err := strconv.Unquote(value)
			if err != nil {
				return p.malformed("a quoted text", value)
			}
			value = text
		}
		p.meta = append(p.meta, MetaLine{key, value})
		return nil
	}
	return p.malformed("a header line such as \"policy: easy\"", job.QuoteShort(p.rest))
}

// alreadyRead reports whether a header line was read before, and marks it as read. The header line
// is given by its index in headerRead.
func (p *parser) alreadyRead(line int) bool {
	before := p.headerRead[line]
	p.headerRead[line] = true
	return before
}

// fields parses text as name=value fields. It passes the name and the value of each field to the
// function visit.
func (p *parser) fields(text string, visit func(name, value string) error) error {
	p.seen = p.seen[:0]
	for p.rest = text; p.rest != ""; {
		name, value, err := p.field()
		if err != nil {
			return err
		}
		if err := visit(name, value); err != nil {
			return err
		}
	}
	return nil
}

// machineField sets the named field of the machine to a value.
func (p *parser) machineField(name, value string) error {
	n, err := p.integer(value)
	if err != nil {
		return err
	}
	m := &p.log.Machine
	switch name {
	case "nodes":
		m.Nodes = int(n)
	case "processors":
		m.Processors = int(n)
	case "cores":
		m.Cores = int(n)
	case "jobs-per-node":
		m.JobsPerNode = int(n)
	default:
		return p.malformed("nodes, processors, cores or jobs-per-node", job.QuoteShort(name))
	}
	return nil
}

// resourceField sets the named field of the last resource to a value.
func (p *parser) resourceField(name, value string) (err error) {
	r := &p.log.Machine.Resources[len(p.log.Machine.Resources)-1]
	switch name {
	case "name":
		r.Name = value
	case "capacity":
		r.Capacity, err = p.integer(value)
	default:
		err = p.malformed("name or capacity", job.QuoteShort(name))
	}
	return err
}

// blockField sets the named field of the last outage to a value. A text log calls an outage a block.
func (p *parser) blockField(name, value string) (err error) {
	b := &p.log.Machine.Outages[len(p.log.Machine.Outages)-1]
	switch name {
	case "from":
		b.From, err = p.integer(value)
	case "to":
		b.To, err = p.integer(value)
	case "procs":
		var n int64
		n, err = p.integerUpTo(value, cluster.MaxSlots)
		b.Procs = int(n)
	case "label":
		b.Label = value
	default:
		err = p.malformed("from, to, procs or label", job.QuoteShort(name))
	}
	return err
}

// countLine parses a line such as "jobs 2", which says how many lines of that kind follow. The line
// must start with the given word, and the number must not exceed the limit.
func (p *parser) countLine(word string, limit int64) (int, error) {
	n, err := strconv.ParseInt(strings.TrimPrefix(p.rest, word+" "), 10, 64)
	if err != nil || n < 0 || n > limit || !strings.HasPrefix(p.rest, word) {
		return 0, p.malformed(fmt.Sprintf("%q and a number up to %d", word, limit), job.QuoteShort(p.rest))
	}
	return int(n), nil
}

// jobs parses the lines that describe jobs.
func (p *parser) jobs() error {
	n, err := p.countLine("jobs", job.MaxJobs)
	if err != nil {
		return err
	}
	for range n {
		if err := p.nextLine(fmt.Sprintf("%d jobs", n)); err != nil {
			return err
		}
		j, err := p.jobLine()
		if err != nil {
			return err
		}
		p.log.Jobs = append(p.log.Jobs, j)
	}
	p.log.places = make([]place, n)
	p.ids = byID(p.log.Jobs)
	return nil
}

// records parses the lines that describe records, and checks that the file ends after them.
func (p *parser) records() error {
	if err := p.nextLine(`"records" and a number`); err != nil {
		return err
	}
	n, err := p.countLine("records", MaxRecords)
	if err != nil {
		return err
	}
	for range n {
		if err := p.nextLine(fmt.Sprintf("%d records", n)); err != nil {
			return err
		}
		if err := p.recordLine(); err != nil {
			return err
		}
	}
	p.line++
	if p.in.Scan() {
		return p.malformed(fmt.Sprintf("the end of the file after %d records", n), job.QuoteShort(p.in.Text()))
	}
	return nil
}
