package sacct

import (
	"fmt"
	"strconv"
	"strings"

	"backfill-lab/core/job"
)

// field identifies a field of sacct that this package reads.
type field int8

const (
	jobID field = iota
	jobIDRaw
	user
	partition
	qos
	state
	submit
	eligible
	start
	end
	elapsed
	elapsedRaw
	suspended
	timelimit
	timelimitRaw
	allocNodes
	nnodes
	reqNodes
	nodeList
	allocCPUs
	ncpus
	reqCPUs
	reqMem
	allocTRES
	reqTRES
	dependency
	reason
	reservation
	constraints
	restarts
	fields
)

// names lists the field names written by sacct. Their case does not matter.
var names = [fields]string{
	"JobID", "JobIDRaw", "User", "Partition", "QOS", "State", "Submit", "Eligible", "Start", "End",
	"Elapsed", "ElapsedRaw", "Suspended", "Timelimit", "TimelimitRaw", "AllocNodes", "NNodes", "ReqNodes",
	"NodeList", "AllocCPUS", "NCPUS", "ReqCPUS", "ReqMem", "AllocTRES", "ReqTRES", "Dependency", "Reason",
	"Reservation", "Constraints", "Restarts",
}

// parser parses a file line by line.
type parser struct {
	Options
	place   [fields]int // column of each field, -1 if the file does not have it
	width   int         // number of cells in the header
	line    int
	records int
	cells   []string
	out     File
	leader  string // the heterogeneous job of the previous record, if any
	tally   tally
	facts   facts
	cpus    int64 // CPUs of the job in the current record
	nodes   int64
	chosen  []string // names of the selected partitions
	found   []bool   // by selected partition: it has a record
	zero    job.Time // submission of the earliest job, which becomes time 0
	first   string   // the same time as written in the file
}

// header parses the line of field names.
func (p *parser) header() error {
	if p.cells[len(p.cells)-1] == "" { // sacct -p ends each line with a separator
		p.cells = p.cells[:len(p.cells)-1]
	}
	for f := range p.place {
		p.place[f] = -1
	}
	for i, cell := range p.cells {
		for f, name := range names {
			if !strings.EqualFold(cell, name) {
				continue
			}
			if p.place[f] >= 0 {
				return p.bad(field(f), "each field once", "two of them")
			}
			p.place[f] = i
		}
	}
	p.width = len(p.cells)
	return p.complete()
}

// choice is a set of fields, at least one of which must be in a file.
type choice struct {
	of    []field
	words string
}

var (
	needed = [...]choice{
		{[]field{jobID, jobIDRaw}, "JobID or JobIDRaw"},
		{[]field{state}, "State"},
		{[]field{submit}, "Submit"},
		{[]field{elapsed, elapsedRaw, end}, "Elapsed or ElapsedRaw or Start and End"},
		{[]field{elapsed, elapsedRaw, start}, "Elapsed or ElapsedRaw or Start and End"},
	}
	sizes = [...]choice{
		CPUs:  {[]field{allocCPUs, ncpus, reqCPUs, allocTRES, reqTRES}, "AllocCPUS or NCPUS or ReqCPUS or AllocTRES or ReqTRES"},
		Nodes: {[]field{allocNodes, nnodes, reqNodes, allocTRES, reqTRES}, "AllocNodes or NNodes or ReqNodes or AllocTRES or ReqTRES"},
	}
	ofPartition = choice{[]field{partition}, "Partition"}
)

// complete checks that the file has the fields needed to make jobs.
func (p *parser) complete() error {
	for i := range needed {
		if err := p.demand(&needed[i]); err != nil {
			return err
		}
	}
	if p.Partition != "" {
		if err := p.demand(&ofPartition); err != nil {
			return err
		}
	}
	return p.demand(&sizes[p.Unit])
}

func (p *parser) demand(c *choice) error {
	for _, f := range c.of {
		if p.has(f) {
			return nil
		}
	}
	return p.bad(fields, "a line of field names, as sacct -P writes it, with "+c.words, shown(strings.Join(p.cells, "|")))
}

func (p *parser) has(f field) bool { return p.place[f] >= 0 }

// cell returns the text of a field, or an empty text if the file does not have the field.
func (p *parser) cell(f field) string {
	if i := p.place[f]; i >= 0 {
		return p.cells[i]
	}
	return ""
}

// fits checks the number of cells in a record.
func (p *parser) fits() error {
	n := len(p.cells)
	if n == p.width+1 && p.cells[n-1] == "" {
		n--
	}
	if n == p.width {
		return nil
	}
	return p.bad(fields, strconv.Itoa(p.width)+" fields, as in the line of names (a job name or comment may hold a | or a line end: leave it out of --format)", strconv.Itoa(n))
}

// bad returns an error about field f, or about the whole record if f is fields.
func (p *parser) bad(f field, expected, got string) error {
	where := ""
	if f < fields {
		where = ", field " + names[f]
	}
	return fmt.Errorf("line %d%s: expected %s, got %s", p.line, where, expected, got)
}

// wrong returns an error about the content of field f.
func (p *parser) wrong(f field, expected string) error {
	return p.bad(f, expected, shown(p.cell(f)))
}
