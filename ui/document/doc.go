package document

import (
	"fmt"
	"maps"
	"slices"

	"backfill-lab/core/anonymise"
	"backfill-lab/core/cluster"
	"backfill-lab/core/job"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/scenario"
	"backfill-lab/ui/lessons/lesson"
	"backfill-lab/ui/protocol"
)

// MaxPolicies is the largest number of policies that can be compared.
const MaxPolicies = 4

// Doc is a scenario as the user edits it. Numbers outside the table stay text until they
// are used, so that half-typed input is not lost.
type Doc struct {
	Title, Text string
	Lesson      *lesson.Lesson // lesson that is being written about the scenario, nil if none; its own Scenario is not used
	Machine     [len(MachineFields)]string
	Resources   []Resource
	Blocks      []Outage
	Slowdown    *Slowdown // nil if jobs do not slow each other down
	Policies    []Policy
	Rows        Rows
	Base        *scenario.Scenario // scenario from which the document was made, nil if none; preserves unknown fields
	Origin      Rows               // rows as they were when the document was made
	Source      string             // description of where the jobs came from; empty if typed
	Warmup      float64            // percent of the jobs, by submit time, that metrics ignore at the start
	Cooldown    float64            // the same at the end
	Names       *anonymise.Names   // names that Anonymised replaced, nil if none; never stored
	ContentID   int                // ID of content that the user brought in (a file, pasted rows), 0 if none; never stored
	excused     map[Row]bool       // invalid rows that only the data rules repair; see Excuse
}

// Policy is a policy with the texts of those knobs that were set.
type Policy struct {
	Name          string
	Knobs         map[string]string
	UnknownFields scenario.Fields // unknown fields of the policy in the scenario file
}

// Generated reports whether the jobs are exactly those that the scenario's generator draws
// for the current machine.
func (d *Doc) Generated() bool {
	if d.Base == nil || d.Base.Workload.Generator == nil || !d.Rows.Same(d.Origin) {
		return false
	}
	if m := &d.Base.Machine; d.Slots() != m.Slots() || d.Base.Order().DependsOnNodeSize() && d.PerNode() != m.PerNode() {
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

// Problem explains why a scenario cannot run. Row is -1 unless the problem is in a cell.
// Policy is -1 unless it is in a policy.
type Problem struct {
	Row    int
	Column Column
	Policy int
	Field  string // the field of the machine or the knob
	Text   string

	Overrun bool // the runtime exceeds the estimate
}

// SetCell returns the document with the text of a cell replaced.
func (d Doc) SetCell(row int, c Column, text string) Doc {
	d.Rows = d.Rows.Splice(row, 1, d.Rows.At(row).With(c, text))
	return d
}

// SetPolicy returns the document with policy i replaced by another policy or preset. A
// preset sets its knobs; all others have their defaults. If i is the number of policies,
// the policy is added.
func (d Doc) SetPolicy(i int, name string) Doc {
	set := Policy{Name: name}
	if policy, knobs, err := registry.Expand(name); err == nil {
		set.Name, set.Knobs = policy, knobs
	}
	d.Policies = append(slices.Clone(d.Policies[:i]), append([]Policy{set}, d.Policies[min(i+1, len(d.Policies)):]...)...)
	return d
}

// WithPolicies returns the document with its policies replaced by these policies or
// presets, with default knobs.
func (d Doc) WithPolicies(names []string) (Doc, error) {
	if n := len(names); n > MaxPolicies {
		return d, fmt.Errorf("expected at most %d policies, got %d", MaxPolicies, n)
	}
	d.Policies = nil
	for i, name := range names {
		if _, _, err := registry.Expand(name); err != nil {
			return d, err
		}
		d = d.SetPolicy(i, name)
	}
	return d, nil
}

// DropPolicy returns the document without policy i.
func (d Doc) DropPolicy(i int) Doc {
	d.Policies = slices.Delete(slices.Clone(d.Policies), i, i+1)
	return d
}

// SetKnob returns the document with a knob of policy i set to text.
func (d Doc) SetKnob(i int, knob, text string) Doc {
	d.Policies = slices.Clone(d.Policies)
	knobs := maps.Clone(d.Policies[i].Knobs)
	if knobs == nil {
		knobs = map[string]string{}
	}
	knobs[knob] = text
	d.Policies[i].Knobs = knobs
	return d
}

// Knob returns the text of a knob, or its default if it was not set.
func (p *Policy) Knob(k *policy.Knob) string {
	if text, ok := p.Knobs[k.Name]; ok {
		return text
	}
	return k.Default
}

// policies checks the policies and their knobs for the resources and outages of the
// machine.
func (d *Doc) policies(machine *protocol.Machine) (out []protocol.Policy, bad []Problem) {
	m := cluster.Machine{Outages: make([]cluster.Outage, len(machine.Outages))}
	for _, r := range machine.Resources {
		m.Resources = append(m.Resources, cluster.Resource{Name: r.Name, Capacity: r.Capacity})
	}
	for i, p := range d.Policies {
		spec, err := registry.Find(p.Name)
		if err == nil {
			_, err = spec.SettingsOn(&m, p.Knobs)
		}
		if err != nil {
			problem := Problem{Row: -1, Policy: i, Text: err.Error()}
			if k, ok := err.(*policy.BadKnob); ok {
				problem.Field = k.Knob
			}
			bad = append(bad, problem)
		}
		out = append(out, protocol.Policy{Name: p.Name, Knobs: p.Knobs})
	}
	return out, bad
}

// Plan is a valid document, ready for the worker to simulate.
type Plan struct {
	Run  protocol.Run
	Rows Rows
}

// Jobs returns the jobs in table order.
func (p *Plan) Jobs() []job.Job {
	jobs := make([]job.Job, 0, p.Rows.Len())
	for _, r := range p.Rows.All() {
		jobs = append(jobs, r.Job())
	}
	return jobs
}

// Check returns what to run, or the problems of the document if it has any.
func (d *Doc) Check() (*Plan, []Problem) {
	m, bad := d.machine()
	_, found := d.Slowdowns()
	bad = append(bad, found...)
	policies, found := d.policies(&m)
	bad = append(bad, found...)
	lim := limits{}
	if len(bad) == 0 {
		lim = limitsOf(m)
	}
	bad = append(bad, d.checkRows(lim, mostProblems)...)
	if d.Rows.Len() == 0 {
		bad = append(bad, Problem{Row: -1, Policy: -1, Text: NoJobs})
	}
	if len(bad) > 0 {
		return nil, bad
	}
	return &Plan{protocol.Run{Machine: m, Policies: policies}, d.Rows}, nil
}
