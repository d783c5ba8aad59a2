package policies

import (
	"fmt"

	"github.com/vugu/vugu"

	"backfill-lab/core/policy"
	"backfill-lab/core/policy/registry"
	"backfill-lab/ui/document"
	"backfill-lab/ui/widgets"
)

// Choice is a policy to compare as rendered.
type Choice struct {
	I     int
	ID    string
	Name  string // of the policy, or of the preset that its knobs amount to
	Spec  *policy.Spec
	Knobs []widgets.Field
	Slack vugu.HTML // pictures, of a policy with knobs of slack while no field has a fault
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
		c.slacks(&x, p)
		out = append(out, x)
	}
	return out
}

func (c *Policies) knob(i int, p *document.Policy, k *policy.Knob) widgets.Field {
	f := widgets.KnobField(fmt.Sprintf("knob-%d-%s", i, k.Name), p.Knob(k), k)
	f.Place = i
	f.SetProblem(c.Problem(i, k.Name))
	return f
}

// SetKnob takes another value of a knob.
func (c *Policies) SetKnob(e vugu.DOMEvent, f widgets.Field) {
	text := e.PropString("target", "value")
	if f.Name == "" { // the field below the knobs
		c.slackWait = text
		return
	}
	if f.IsSwitch() {
		text = fmt.Sprint(e.PropBool("target", "checked"))
	}
	c.Do(f.ID, c.Doc().SetKnob(f.Place, f.Name, f.Taken(text)))
}

// All returns every policy there is.
func (c *Policies) All() []*policy.Spec { return registry.All }

// Recipes returns the knobs that papers name, policy and all.
func (c *Policies) Recipes() []policy.Preset { return registry.Presets }

// SetPolicy swaps a policy.
func (c *Policies) SetPolicy(e vugu.DOMEvent, i int) {
	c.Do("", c.Doc().SetPolicy(i, e.PropString("target", "value")))
}

// AddPolicy adds the first policy that is not there yet.
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

// CanAdd reports whether there is room for another policy.
func (c *Policies) CanAdd() bool { return len(c.Doc().Policies) < document.MaxPolicies }

// CanDrop reports whether a policy may go.
func (c *Policies) CanDrop() bool { return len(c.Doc().Policies) > 1 }

// DropPolicy takes a policy out.
func (c *Policies) DropPolicy(i int) { c.Do("", c.Doc().DropPolicy(i)) }
