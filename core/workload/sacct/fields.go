package sacct

import (
	"fmt"
	"strconv"
	"strings"

	"backfill-lab/core/job"
)

// field is a field of sacct records that this package reads.
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
	fields // number of fields
)

// names lists the names of the fields as sacct writes them. Letter case does not matter.
var names = [fields]string{
	"JobID", "JobIDRaw", "User", "Partition", "QOS", "State", "Submit", "Eligible", "Start", "End",
	"Elapsed", "ElapsedRaw", "Suspended", "Timelimit", "TimelimitRaw", "AllocNodes", "NNodes", "ReqNodes",
	"NodeList", "AllocCPUS", "NCPUS", "ReqCPUS", "ReqMem", "AllocTRES", "ReqTRES", "Dependency", "Reason",
	"Reservation", "Constraints", "Restarts",
}

// parser parses a file line by line.
type parser struct {
	Options
	columns  [fields]int // by field: its column in the file, or -1 if the file does not have it
	width    int         // number of cells in the header
	line     int         // number of the current line
	records  int         // number of records so far
	cells    []string    // cells of the current line
	out      File
	leader   string // id and submit time of the heterogeneous job to which the previous record belongs, or ""
	tally    tally
	facts    facts
	cpus     int64    // CPUs of the job in the current record
	nodes    int64    // nodes of the job in the current record
	selected []string // names of the selected partitions
	found    []bool   // by selected partition: whether a record has it
	zero     job.Time // earliest submit time, which becomes time 0 of the run
	zeroText string   // the time zero, as the file writes it
}

// header parses the line with the names of the fields.
func (p *parser) header() error {
	if p.cells[len(p.cells)-1] == "" { // with option -p, sacct ends each line with a separator
		p.cells = p.cells[:len(p.cells)-1]
	}
	for f := range p.columns {
		p.columns[f] = -1
	}
	for i, cell := range p.cells {
		for f, name := range names {
			if !strings.EqualFold(cell, name) {
				continue
			}
			if p.columns[f] >= 0 {
				return p.errorAt(field(f), "each field only once", "it twice")
			}
			p.columns[f] = i
		}
	}
	p.width = len(p.cells)
	return p.checkRequired()
}

// alternatives lists fields of which a file must have at least one.
type alternatives struct {
	list []field
	text string // names of the fields, for errors
}

// These lists say which fields a file must have. Some fields are always required, some depend on
// the unit, and some are required if the choice names partitions.
var (
	requiredFields = [...]alternatives{
		{[]field{jobID, jobIDRaw}, "JobID or JobIDRaw"},
		{[]field{state}, "State"},
		{[]field{submit}, "Submit"},
		{[]field{elapsed, elapsedRaw, end}, "Elapsed, ElapsedRaw, or both Start and End"},
		{[]field{elapsed, elapsedRaw, start}, "Elapsed, ElapsedRaw, or both Start and End"},
	}
	sizeFields = [...]alternatives{
		CPUs:  {[]field{allocCPUs, ncpus, reqCPUs, allocTRES, reqTRES}, "one of AllocCPUS, NCPUS, ReqCPUS, AllocTRES, ReqTRES"},
		Nodes: {[]field{allocNodes, nnodes, reqNodes, allocTRES, reqTRES}, "one of AllocNodes, NNodes, ReqNodes, AllocTRES, ReqTRES"},
	}
	partitionField = alternatives{[]field{partition}, "Partition"}
)

// checkRequired checks that the file has the fields that are required.
func (p *parser) checkRequired() error {
	for i := range requiredFields {
		if err := p.requireOne(&requiredFields[i]); err != nil {
			return err
		}
	}
	if p.Partition != "" || p.Limits.partitions() != nil {
		if err := p.requireOne(&partitionField); err != nil {
			return err
		}
	}
	return p.requireOne(&sizeFields[p.Unit])
}

// requireOne returns an error if the file has none of the fields.
func (p *parser) requireOne(c *alternatives) error {
	for _, f := range c.list {
		if p.has(f) {
			return nil
		}
	}
	return p.errorAt(fields, "a line of field names, as sacct -P writes it, with "+c.text, quoteShort(strings.Join(p.cells, "|")))
}

// has reports whether the file has the field.
func (p *parser) has(f field) bool { return p.columns[f] >= 0 }

// cell returns the text of field f in the current record. It returns "" if the file does not have
// the field.
func (p *parser) cell(f field) string {
	if i := p.columns[f]; i >= 0 {
		return p.cells[i]
	}
	return ""
}

// checkWidth checks the number of cells in the current record.
func (p *parser) checkWidth() error {
	n := len(p.cells)
	if n == p.width+1 && p.cells[n-1] == "" {
		n--
	}
	if n == p.width {
		return nil
	}
	return p.errorAt(fields, strconv.Itoa(p.width)+" fields, as in the header line (if a job name or comment contains | or a line end, leave that field out of --format)", strconv.Itoa(n))
}

// errorAt returns an error about field f, or about the whole record if f == fields.
func (p *parser) errorAt(f field, expected, got string) error {
	where := ""
	if f < fields {
		where = ", field " + names[f]
	}
	return fmt.Errorf("line %d%s: expected %s, got %s", p.line, where, expected, got)
}

// invalidCell returns an error about the content of field f.
func (p *parser) invalidCell(f field, expected string) error {
	return p.errorAt(f, expected, quoteShort(p.cell(f)))
}
