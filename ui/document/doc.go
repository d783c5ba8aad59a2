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
	"backfill-lab/ui/protocol"
)

// MaxPolicies is how many policies are compared at once.
const MaxPolicies = 4

// Doc is a scenario as the person edits it. Numbers outside of the table stay
// text until they are used, so that nothing half-typed is lost.
type Doc struct {
	Title, Text string
	Machine     [len(MachineFields)]string
	Resources   []Resource
	Blocks      []Block
	Slowdown    *Slowdown // nil: jobs do not slow each other down
	Policies    []Policy
	Rows        Rows
	Base        *scenario.Scenario // the file it came from, nil if none: what we do not show is kept
	Origin      Rows               // the rows as they came
	Source      string             // from where, in words; empty: typed by hand
	Warmup      float64            // percent of the jobs, by submission, left out of the metrics at the start
	Cooldown    float64            // and at the end
	Names       *anonymise.Names   // that were replaced by numbers, nil if none were; never stored
	Brought     int                // number of the person's own content that it has, 0: none; never stored
	excused     map[Row]bool       // of those, the ones that only the data rules make right
}

// Policy is a policy and the texts of those of its knobs that were set.
type Policy struct {
	Name  string
	Knobs map[string]string
	Kept  scenario.Fields // what the scenario file says of it and we do not know
}

// Generated reports whether the jobs are those that the scenario's generator draws
// for the machine as it stands.
func (d *Doc) Generated() bool {
	if d.Base == nil || d.Base.Workload.Generator == nil || !d.Rows.Same(d.Origin) {
		return false
	}
	if m := &d.Base.Machine; d.Slots() != m.Slots() || d.Base.Order().ByNode() && d.PerNode() != m.PerNode() {
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

// Problem is why a scenario cannot run. Row is -1 unless it is about a cell;
// Policy is -1 unless it is about a policy.
type Problem struct {
	Row    int
	Column Column
	Policy int
	Field  string // of the machine, or the knob
	Text   string
}

// SetCell returns the document with another text in a cell.
func (d Doc) SetCell(row int, c Column, text string) Doc {
	d.Rows = d.Rows.Splice(row, 1, d.Rows.At(row).With(c, text))
	return d
}

// SetPolicy returns the document with another policy or preset at place i, its knobs
// as the preset has them and else at their defaults; at the place behind the last
// it is added.
func (d Doc) SetPolicy(i int, name string) Doc {
	set := Policy{Name: name}
	if policy, knobs, err := registry.Expand(name); err == nil {
		set.Name, set.Knobs = policy, knobs
	}
	d.Policies = append(slices.Clone(d.Policies[:i]), append([]Policy{set}, d.Policies[min(i+1, len(d.Policies)):]...)...)
	return d
}

// WithPolicies returns the document with other policies or presets, at their defaults.
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

// DropPolicy returns the document without the policy at place i.
func (d Doc) DropPolicy(i int) Doc {
	d.Policies = slices.Delete(slices.Clone(d.Policies), i, i+1)
	return d
}

// SetKnob returns the document with another text for a knob of the policy at i.
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

// Knob returns the text of a knob of the policy.
func (p *Policy) Knob(k *policy.Knob) string {
	if text, ok := p.Knobs[k.Name]; ok {
		return text
	}
	return k.Default
}

// policies checks the policies and their knobs, for a machine with some extra
// resources and blocks.
func (d *Doc) policies(on *protocol.Machine) (out []protocol.Policy, bad []Problem) {
	m := cluster.Machine{Blocks: make([]cluster.Block, len(on.Blocks))}
	for _, r := range on.Resources {
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

// Plan is what a valid document asks the worker to run.
type Plan struct {
	Run  protocol.Run
	Rows Rows
}

// Jobs returns the jobs in the order of the table.
func (p *Plan) Jobs() []job.Job {
	jobs := make([]job.Job, 0, p.Rows.Len())
	for _, r := range p.Rows.All() {
		jobs = append(jobs, r.Job())
	}
	return jobs
}

// Check returns the problems of the document, or what to run if it has none.
func (d *Doc) Check() (*Plan, []Problem) {
	m, bad := d.machine()
	_, more := d.Slowdowns()
	bad = append(bad, more...)
	policies, more := d.policies(&m)
	bad = append(bad, more...)
	on := room{}
	if len(bad) == 0 {
		on = roomOf(m)
	}
	bad = append(bad, d.rows(on, mostProblems)...)
	if d.Rows.Len() == 0 {
		bad = append(bad, Problem{Row: -1, Policy: -1, Text: NoJobs})
	}
	if len(bad) > 0 {
		return nil, bad
	}
	return &Plan{protocol.Run{Machine: m, Policies: policies}, d.Rows}, nil
}
