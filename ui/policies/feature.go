// Package policies implements the form that selects the policies to compare and sets
// their knobs. It also draws the slack curves of policies with slack knobs.
package policies

import (
	"fmt"

	"github.com/vugu/vugu"

	"backfill-lab/core/policy"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/scenario"
	"backfill-lab/ui/document"
	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// Policies edits the policies of the session's document.
type Policies struct {
	*session.Session

	slackWait string // expected wait of the example job in the slack curve, as typed
}

// New returns the policy form of a session.
func New(s *session.Session) *Policies { return &Policies{Session: s, slackWait: "65000"} }

// Panel is the component of the Policies panel.
type Panel struct{ Policies *Policies }

// Choice is a policy to compare as rendered.
type Choice struct {
	I     int
	ID    string
	Name  string // name of the policy, or of the preset with the same knobs
	Spec  *policy.Spec
	Knobs []widgets.Field
	Slack vugu.HTML // slack curves; empty without slack knobs or while a knob is invalid
}

// Choices returns the policies to compare.
func (c *Policies) Choices() (out []Choice) {
	for i := range c.Doc().Policies {
		p := &c.Doc().Policies[i]
		x := Choice{I: i, ID: fmt.Sprintf("policy-%d", i), Name: p.Name, Spec: &policy.Spec{Name: p.Name}}
		if spec, err := registry.Find(p.Name); err == nil {
			x.Spec = spec
			if preset := registry.PresetOf(spec, p.Knob); preset != nil {
				x.Name = preset.Name
			}
		}
		for k := range x.Spec.Knobs {
			if x.Spec.Knobs[k].Applies(func(name string) string { return p.Knob(x.Spec.Knob(name)) }) {
				x.Knobs = append(x.Knobs, c.knob(i, p, &x.Spec.Knobs[k]))
			}
		}
		c.addSlack(&x, p)
		out = append(out, x)
	}
	return out
}

func (c *Policies) knob(i int, p *document.Policy, k *policy.Knob) widgets.Field {
	id := fmt.Sprintf("knob-%d-%s", i, k.Name)
	f := widgets.KnobField(id, p.Knob(k), k)
	f.Text = c.TextOf(id, f.Text)
	f.Place = i
	f.SetProblem(c.Problem(i, k.Name))
	return f
}

// SetKnob stores the value typed or selected for a knob. A field without a name sets
// the expected wait of the slack example.
func (c *Policies) SetKnob(e vugu.DOMEvent, f widgets.Field) {
	text := e.PropString("target", "value")
	if f.Name == "" { // the example's field, below the knobs
		c.slackWait = text
		return
	}
	if f.IsSwitch() {
		text = fmt.Sprint(e.PropBool("target", "checked"))
	}
	c.set(f, text)
}

// set stores text for the knob of field f. If two events arrive between two redraws, f is
// older than the document, and the document's value is the one that "formula" translates.
func (c *Policies) set(f widgets.Field, text string) {
	for _, choice := range c.Choices() {
		for _, current := range choice.Knobs {
			if current.ID == f.ID {
				text = current.ValueFor(text)
			}
		}
	}
	if f.Duration {
		text = c.TypeDuration(f.ID, text)
	}
	c.Do(f.ID, c.Doc().SetKnob(f.Place, f.Name, text))
}

// All returns every policy of the registry.
func (c *Policies) All() []*policy.Spec { return registry.All }

// Presets returns the presets: policies with the knob values that a paper uses.
func (c *Policies) Presets() []policy.Preset { return registry.Presets }

// SetPolicy replaces policy i by the one selected in the list.
func (c *Policies) SetPolicy(e vugu.DOMEvent, i int) {
	c.Do("", c.Doc().SetPolicy(i, e.PropString("target", "value")))
}

// AddPolicy adds the first policy of the registry that the scenario does not have yet.
// If it has all, AddPolicy adds the first one again.
func (c *Policies) AddPolicy() {
	for _, spec := range registry.All {
		used := false
		for _, p := range c.Doc().Policies {
			used = used || p.Name == spec.Name
		}
		if !used {
			c.Do("", c.Doc().SetPolicy(len(c.Doc().Policies), spec.Name))
			return
		}
	}
	c.Do("", c.Doc().SetPolicy(len(c.Doc().Policies), registry.All[0].Name))
}

// CanAdd reports whether the scenario may have another policy.
func (c *Policies) CanAdd() bool { return len(c.Doc().Policies) < scenario.MaxPolicies }

// CanDrop reports whether a policy may be removed; one must remain.
func (c *Policies) CanDrop() bool { return len(c.Doc().Policies) > 1 }

// DropPolicy removes policy i.
func (c *Policies) DropPolicy(i int) { c.Do("", c.Doc().DropPolicy(i)) }
