package ui

import (
	"fmt"
	"slices"

	"github.com/vugu/vugu"

	"backfill-lab/core/policy"
	"backfill-lab/core/policy/registry"
	"backfill-lab/ui/document"
)

// Field is a field of a form as rendered.
type Field struct {
	ID, Name, Label, Text, Help, Problem, Invalid string
	Kind                                          policy.Kind
	Options                                       []string
	Place                                         int
	Set                                           bool // differs from the default
}

// HelpID is the id of the field's help, for aria-describedby.
func (f *Field) HelpID() string { return f.ID + "-help" }

var machineHelp = [len(document.MachineFields)][2]string{
	{"Nodes", "1 to 1,000,000"},
	{"Processors per node", "at least 1"},
	{"Cores per processor", "at least 1; a process takes a core"},
	{"Most jobs per node", "that share one; 0: no bound"},
}

// machine is the fields of the machine.
func (c *App) machine() []Field {
	out := make([]Field, len(document.MachineFields))
	for i, name := range document.MachineFields {
		out[i] = Field{ID: "machine-" + name, Name: name, Label: machineHelp[i][0], Help: machineHelp[i][1],
			Text: c.Doc().Machine[i], Place: i, Kind: policy.Integer}
		if i == len(out)-1 {
			out[i].Place = c.Doc().MoreTexts()
		}
		out[i].fault(c.problem(-1, name))
	}
	return out
}

// Choice is a policy to compare as rendered.
type Choice struct {
	I     int
	ID    string
	Name  string // of the policy, or of the preset that its knobs amount to
	Spec  *policy.Spec
	Knobs []Field
	Slack vugu.HTML // pictures, of a policy with knobs of slack while no field has a fault
}

// Choices is the policies to compare.
func (c *App) Choices() (out []Choice) {
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

func (c *App) knob(i int, p *document.Policy, k *policy.Knob) Field {
	f := knobField(fmt.Sprintf("knob-%d-%s", i, k.Name), p.Knob(k), k)
	f.Place = i
	f.fault(c.problem(i, k.Name))
	return f
}

// knobField is the field of a knob, of a policy or a model.
func knobField(id, text string, k *policy.Knob) Field {
	f := Field{ID: id, Name: k.Name, Label: k.Name, Text: text, Kind: k.Kind, Options: k.Choices}
	f.Set = f.Text != k.Default
	f.Help = fmt.Sprintf("%s. Default %s", k.Help, k.Default)
	switch k.Kind {
	case policy.Choice:
	case policy.ByOrder:
		f.Options = append(slices.Clone(k.Choices), byFormula)
		if f.IsFormula() {
			f.Help += "; " + formulaHelp
		}
	default:
		f.Help += "; " + k.Range()
	}
	if k.Unit != "" {
		f.Help += " " + k.Unit
	}
	return f
}

// fault marks the field as one that keeps the scenario from running.
func (f *Field) fault(problem string) {
	f.Problem, f.Invalid = problem, "false"
	if problem != "" {
		f.Invalid = "true"
	}
}

// problem is what is wrong with a field of a policy (-1: of the machine).
func (c *App) problem(policy int, field string) string {
	for _, p := range c.bad {
		product := p.Field == document.MachineProduct && slices.Contains(document.MachineFields[:3], field)
		if p.Row < 0 && p.Policy == policy && (p.Field == field || product) {
			return p.Text
		}
	}
	return ""
}

// IsChoice reports whether the knob is a list to choose from.
func (f *Field) IsChoice() bool { return f.Kind == policy.Choice || f.Kind == policy.ByOrder }

// Chosen reports whether the option o of the list is the one at hand.
func (f *Field) Chosen(o string) bool { return o == f.Text || o == byFormula && f.IsFormula() }

// IsSwitch reports whether the knob is on or off.
func (f *Field) IsSwitch() bool { return f.Kind == policy.Switch }

// long is the kind of a field of several lines.
const long policy.Kind = "long"

// IsLong reports whether the field has several lines.
func (f *Field) IsLong() bool { return f.Kind == long }

// IsText reports whether the knob is typed.
func (f *Field) IsText() bool { return !f.IsChoice() && !f.IsSwitch() && !f.IsLong() }

// byFormula is the option, of a list of orders, of an order typed as a formula.
const byFormula = "formula"

const formulaHelp = "the smallest value goes first, for example -wait/estimate, of submit, wait, estimate, procs, user and res:NAME, " +
	"with + - * / % ^, < <= > >= == !=, and, or, not, if(c, a, b), min, max, abs, sqrt, log"

// IsFormula reports whether the knob is an order that is not one of the words.
func (f *Field) IsFormula() bool {
	return f.Kind == policy.ByOrder && !slices.Contains(f.Options[:len(f.Options)-1], f.Text)
}

// FormulaID is the id of the field below the list, in which a formula is typed.
func (f *Field) FormulaID() string { return f.ID + "-formula" }

// FormulaLabel is its name.
func (f *Field) FormulaLabel() string { return f.Label + " as a formula" }

// SetKnob takes another value of a knob.
func (c *App) SetKnob(e vugu.DOMEvent, f Field) {
	text := e.PropString("target", "value")
	if f.Name == "" { // the field below the knobs
		c.slackWait = text
		return
	}
	if f.IsSwitch() {
		text = fmt.Sprint(e.PropBool("target", "checked"))
	}
	c.do(f.ID, c.Doc().SetKnob(f.Place, f.Name, f.taken(text)))
}

// taken is the text of the knob when text was typed or chosen. A formula begins
// with one that says the same as the word before.
func (f *Field) taken(text string) string {
	if f.Kind == policy.ByOrder && text == byFormula {
		return policy.Order(f.Text).Formula()
	}
	return text
}

// All is every policy there is.
func (c *App) All() []*policy.Spec { return registry.All }

// Recipes is the knobs that papers name, policy and all.
func (c *App) Recipes() []policy.Preset { return registry.Presets }

// SetPolicy swaps a policy.
func (c *App) SetPolicy(e vugu.DOMEvent, i int) {
	c.do("", c.Doc().SetPolicy(i, e.PropString("target", "value")))
}

// AddPolicy adds the first policy that is not there yet.
func (c *App) AddPolicy() {
	for _, spec := range registry.All {
		used := false
		for _, p := range c.Doc().Policies {
			used = used || p.Name == spec.Name
		}
		if !used {
			c.do("", c.Doc().SetPolicy(len(c.Doc().Policies), spec.Name))
			return
		}
	}
	c.do("", c.Doc().SetPolicy(len(c.Doc().Policies), registry.All[0].Name))
}

// CanAdd reports whether there is room for another policy.
func (c *App) CanAdd() bool { return len(c.Doc().Policies) < document.MaxPolicies }

// CanDrop reports whether a policy may go.
func (c *App) CanDrop() bool { return len(c.Doc().Policies) > 1 }

// DropPolicy takes a policy out.
func (c *App) DropPolicy(i int) { c.do("", c.Doc().DropPolicy(i)) }
