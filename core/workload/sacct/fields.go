package sacct

import (
	"fmt"
	"strconv"
	"strings"

	"backfill-lab/core/job"
)

// field is a field of sacct that we look at.
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

// names are those that sacct writes; upper and lower case are the same.
var names = [fields]string{
	"JobID", "JobIDRaw", "User", "Partition", "QOS", "State", "Submit", "Eligible", "Start", "End",
	"Elapsed", "ElapsedRaw", "Suspended", "Timelimit", "TimelimitRaw", "AllocNodes", "NNodes", "ReqNodes",
	"NodeList", "AllocCPUS", "NCPUS", "ReqCPUS", "ReqMem", "AllocTRES", "ReqTRES", "Dependency", "Reason",
	"Reservation", "Constraints", "Restarts",
}

// parser reads a file line by line.
type parser struct {
	Options
	place   [fields]int // place of the field in a record, -1 where there is none
	width   int         // cells of the header
	line    int
	records int
	cells   []string
	out     File
	leader  string // of the heterogeneous job above, if the last job is one
	tally   tally
	facts   facts
	cpus    int64 // of the job of the record
	nodes   int64
	found   bool     // a record of the partition asked for
	zero    job.Time // submission of the earliest job
	first   string   // the same as the file writes it
}

// header takes the line of field names.
func (p *parser) header() error {
	if p.cells[len(p.cells)-1] == "" { // as -p writes it
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
				return p.bad(field(f), "each field once", "it twice")
			}
			p.place[f] = i
		}
	}
	p.width = len(p.cells)
	return p.complete()
}

// choice is fields of which a file must have one.
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

// complete demands the fields without which there is no job.
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

// cell returns the text of a field, empty where the file does not have it.
func (p *parser) cell(f field) string {
	if i := p.place[f]; i >= 0 {
		return p.cells[i]
	}
	return ""
}

// fits judges the number of cells of a record.
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

// bad returns an error at a field, or of the whole record.
func (p *parser) bad(f field, expected, got string) error {
	where := ""
	if f < fields {
		where = ", field " + names[f]
	}
	return fmt.Errorf("line %d%s: expected %s, got %s", p.line, where, expected, got)
}

// wrong returns a cell that is not what its field should hold.
func (p *parser) wrong(f field, expected string) error {
	return p.bad(f, expected, shown(p.cell(f)))
}
