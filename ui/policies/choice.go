package policies

import (
	"fmt"

	"github.com/vugu/vugu"

	"backfill-lab/core/knob"
	"backfill-lab/core/policy"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/policy/script"
	"backfill-lab/ui/document"
	"backfill-lab/ui/widgets"
)

// Choice is one of the compared policies, as rendered.
type Choice struct {
	I      int // index of the policy
	ID     string
	Name   string          // name of the policy, or of the preset with the same knobs
	Title  string          // as in charts and tables
	Own    string          // title that the user typed, "" if none
	Spec   *policy.Spec    // has only a name if there is no policy with this name
	Knobs  []widgets.Field // knobs that may have an effect, or differ from their defaults
	Folded []widgets.Field // the other knobs, without those of inner policies that are not selected
	Slack  vugu.HTML       // slack curves; empty without slack knobs or while a knob is invalid
	Script *Script         // nil if the policy is not a script

	Derived    string // title that the policy has if Own is ""
	Baseline   bool
	ShowsChart bool   // the page shows the chart of the policy
	Last       bool   // it is the last policy
	Unfolded   string // aria-expanded value of the button of the folded knobs

	DragTitle string // tooltip of a heading that can be dragged; empty for a single policy
}

// SelectClass returns the CSS class of the list of policies.
func (x *Choice) SelectClass() string { return widgets.SelectClass(x.Derived) }

// FoldedText returns the label of the button that shows or hides the knobs without effect.
func (x *Choice) FoldedText() string {
	return fmt.Sprintf("Knobs without effect here (%d)", len(x.Folded))
}

// Shown returns the knobs without effect, or nil while they are hidden.
func (x *Choice) Shown() []widgets.Field {
	if x.Unfolded == "true" {
		return x.Folded
	}
	return nil
}

// Choices returns the compared policies.
func (c *Policies) Choices() (out []Choice) {
	d := c.Doc()
	titles, baseline, facts := d.PolicyTitles(), d.Baseline(), d.Facts()
	for i := range d.Policies {
		p := &d.Policies[i]
		x := Choice{I: i, ID: fmt.Sprintf("policy-%d", i), Name: p.Name, Spec: &policy.Spec{Name: p.Name}, Title: titles[i], Own: p.Title, Derived: p.DerivedTitle(),
			Baseline: i == baseline, ShowsChart: !p.NoChart, Last: i == len(d.Policies)-1, Unfolded: fmt.Sprint(c.unfolded[i])}
		if len(d.Policies) > 1 {
			x.DragTitle = "Drag to change the order"
		}
		if spec, err := registry.Find(p.Name); err == nil {
			x.Spec = spec
			if preset := registry.PresetOf(spec, p.Knob); preset != nil {
				x.Name = preset.Name
			}
		}
		c.addKnobs(&x, p, x.Spec.AddFacts(facts))
		c.addSlack(&x, p)
		out = append(out, x)
	}
	return out
}

// addKnobs adds the fields of the knobs. If a knob has no effect, its help text says why, and the form
// hides the knob while its value is the default. addKnobs omits the knobs of inner policies that are not
// selected.
func (c *Policies) addKnobs(x *Choice, p *document.Policy, facts knob.Facts) {
	for k := range x.Spec.Knobs {
		kn := &x.Spec.Knobs[k]
		if kn.Name == script.SourceKnob {
			x.Script = c.scriptField(x.I, p.Knob(kn))
			continue
		}
		why, f := kn.NoEffect(x.Spec.Knobs, p.Knob, facts), c.knob(x, p, kn)
		if why != "" {
			f.Help = "No effect here: " + why + ". " + f.Help
		}
		switch {
		case why == "" || f.DiffersFromDefault:
			x.Knobs = append(x.Knobs, f)
		case !kn.DisabledBy("inner", x.Spec.Knobs, p.Knob):
			x.Folded = append(x.Folded, f)
		}
	}
}

func (c *Policies) knob(x *Choice, p *document.Policy, k *policy.Knob) widgets.Field {
	id := fmt.Sprintf("knob-%d-%s", x.I, k.Name)
	f := widgets.KnobField(id, p.Knob(k), k, x.Spec.Knobs)
	f.Text = c.TextOf(id, f.Text)
	f.Place = x.I
	f.SetProblem(c.Problem(x.I, k.Name))
	return f
}
