package document

import (
	"backfill-lab/core/anonymise"
	"backfill-lab/core/job"
	"backfill-lab/core/scenario"
	"backfill-lab/core/workload"
	"backfill-lab/ui/lessons/lesson"
	"backfill-lab/ui/protocol"
)

// Doc is a scenario as the user edits it. Numbers outside the table stay text until they
// are used, so that half-typed input is not lost.
type Doc struct {
	Title, Text       string                     // title and description of the scenario
	Lesson            *lesson.Lesson             // lesson that is being written, nil if none; Lesson.Scenario is used only in an exercise: students start from it
	Machine           [len(MachineFields)]string // texts of the fields in MachineFields
	Resources         []Resource
	Outages           []Outage
	Slowdown          *Slowdown // nil if jobs do not slow each other down
	Policies          []Policy
	Rows              Rows
	Base              *scenario.Scenario // scenario from which the document was made, nil if none; preserves unknown fields
	Origin            Rows               // rows as they were when the document was made
	Source            string             // description of where the jobs came from; empty if typed
	Changes           []string           // what was done to all jobs, such as "load ×1.25"
	Warmup            float64            // percent of the jobs, by submit time, that metrics ignore at the start
	Cooldown          float64            // percent of the jobs that metrics ignore at the end
	MachineIsProposed bool               // the machine is a proposal for accounting records that the user has not accepted
	Names             *anonymise.Names   // names that Anonymised replaced, nil if none; never stored
	ContentID         int                // ID of content that the user brought in (a file, pasted rows), 0 if none; never stored
	LastRules         *workload.Rules    // rules of the last change of all jobs, nil if there was none; never stored
	excused           map[Row]bool       // invalid rows that Check accepts, because the data rules repair them; see Excuse
}

// Generated reports whether the jobs are exactly those that the scenario's generator draws
// for the current machine.
func (d *Doc) Generated() bool {
	if d.Base == nil || d.Base.Workload.Generator == nil || !d.Rows.Same(d.Origin) {
		return false
	}
	if m := &d.Base.Machine; d.Slots() != m.Slots() || d.Base.GeneratorSettings().DependsOnNodeSize() && d.SlotsPerNode() != m.SlotsPerNode() {
		return false
	}
	have, drawn := d.Extras(), d.Base.Machine.Resources
	for k := range drawn {
		if len(have) != len(drawn) || have[k].Name != drawn[k].Name || have[k].Capacity != drawn[k].Capacity {
			return false
		}
	}
	return len(d.Resources) == len(drawn)
}

// Problem explains why a scenario cannot run. Row is -1 unless the problem is in a cell. Policy is -1 unless the
// problem is in a policy.
type Problem struct {
	Row    int    // index of the row
	Column Column // column of the cell, if Row is not -1
	Policy int    // index of the policy
	Field  string // name of the field of the machine, outage or slowdowns, or of the knob; empty for a cell
	Text   string

	Overrun bool // the runtime exceeds the estimate
	Blank   bool // the cell is empty
}

// SetCell returns the document with the text of a cell replaced.
func (d Doc) SetCell(row int, c Column, text string) Doc {
	d.Rows = d.Rows.Splice(row, 1, d.Rows.At(row).With(c, text))
	return d
}

// Plan is a checked document without problems, ready to be simulated by the worker. It is not
// the plan of a scheduling policy.
type Plan struct {
	Run    protocol.Run // request to the worker, without the jobs
	Rows   Rows
	Origin Rows // Doc.Origin of the document
}

// Jobs returns the jobs in table order.
func (p *Plan) Jobs() []job.Job {
	jobs := make([]job.Job, 0, p.Rows.Len())
	for _, r := range p.Rows.All() {
		jobs = append(jobs, r.Job())
	}
	return jobs
}

// Check returns the plan to simulate, or the problems of the document if it has any.
func (d *Doc) Check() (*Plan, []Problem) {
	m, bad := d.parseMachine()
	_, found := d.Slowdowns()
	bad = append(bad, found...)
	policies, found := d.checkPolicies(&m)
	bad = append(bad, found...)
	lim := limits{}
	if len(bad) == 0 {
		lim = limitsOf(m)
	}
	bad = append(bad, d.checkRows(lim, maxProblems)...)
	if d.Rows.Len() == 0 {
		bad = append(bad, Problem{Row: -1, Policy: -1, Text: NoJobs})
	}
	if len(bad) > 0 {
		return nil, bad
	}
	return &Plan{protocol.Run{Machine: m, Policies: policies}, d.Rows, d.Origin}, nil
}
