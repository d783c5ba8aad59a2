// Package policies implements the form that selects the policies to compare and sets
// their knobs. It also draws the slack curves of policies with slack knobs.
package policies

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/vugu/vugu"

	"backfill-lab/core/policy"
	"backfill-lab/core/policy/registry"
	"backfill-lab/core/policy/script"
	"backfill-lab/core/scenario"
	"backfill-lab/ui/session"
	"backfill-lab/ui/widgets"
)

// Policies edits the policies of the session's document.
type Policies struct {
	*session.Session

	slackWait string       // expected wait of the example job in the slack curve, as typed
	unfolded  map[int]bool // policies that also show the knobs without effect
	search    search       // search for a counterexample
}

// New returns the policy form of a session.
func New(s *session.Session) *Policies {
	return &Policies{Session: s, slackWait: "65000", unfolded: map[int]bool{}}
}

// Panel is the component of the Policies panel.
type Panel struct{ Policies *Policies }

// SetKnob stores the value that the user typed or selected for a knob. The field of the example job
// in the slack charts has no name. Its value is the expected wait of this job, not a knob.
func (c *Policies) SetKnob(e vugu.DOMEvent, f widgets.Field) {
	text := e.PropString("target", "value")
	if f.Name == "" { // the field of the example job, below the knobs
		c.slackWait = text
		return
	}
	if f.IsSwitch() {
		text = fmt.Sprint(e.PropBool("target", "checked"))
	}
	c.set(f, text)
}

// set stores text as the value of the knob of field f. If the text is "formula", it stores a formula for
// the current order (see Field.ValueFor). It reads the current order from the document, because f is
// outdated if two events arrive before the page is drawn again.
func (c *Policies) set(f widgets.Field, text string) {
	for _, choice := range c.Choices() {
		for _, current := range slices.Concat(choice.Knobs, choice.Folded) {
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

// All returns every policy of the registry, followed by the policy that runs a script.
func (c *Policies) All() []*policy.Spec { return append(slices.Clip(registry.All), &script.Spec) }

// Paper holds the presets of a paper. A preset is a policy with the knob values that the paper
// uses.
type Paper struct {
	Paper   string // citation, such as "Jin 2009"
	Presets []policy.Preset
}

// Papers returns the presets by paper.
func (c *Policies) Papers() (out []Paper) {
	for _, p := range registry.Presets {
		if n := len(out); n == 0 || out[n-1].Paper != p.Paper {
			out = append(out, Paper{Paper: p.Paper})
		}
		last := &out[len(out)-1]
		last.Presets = append(last.Presets, p)
	}
	return out
}

// SetPolicy replaces policy i by the policy or preset selected in the list.
func (c *Policies) SetPolicy(e vugu.DOMEvent, i int) {
	c.Do("", c.Doc().SetPolicy(i, e.PropString("target", "value")))
}

// AddPolicy adds the policy or preset selected in the list, and scrolls to its form.
func (c *Policies) AddPolicy(e vugu.DOMEvent) { c.Add(e.PropString("target", "value")) }

// Add adds a policy or preset, given its name.
func (c *Policies) Add(name string) {
	n := len(c.Doc().Policies)
	c.Do("", c.Doc().SetPolicy(n, name))
	c.ScrollTo = fmt.Sprintf("policy-%d", n)
}

// CanAdd reports whether the scenario may have another policy.
func (c *Policies) CanAdd() bool { return len(c.Doc().Policies) < scenario.MaxPolicies }

// CanDrop reports whether a policy may be removed; one must remain.
func (c *Policies) CanDrop() bool { return len(c.Doc().Policies) > 1 }

// DropPolicy removes policy i. The keyboard focus moves to the button that removes the policy in its place, or to the
// list that adds policies if only one is left.
func (c *Policies) DropPolicy(i int) {
	clear(c.unfolded)
	c.Do("", c.Doc().DropPolicy(i))
	if c.Focus = "add-policy"; c.CanDrop() {
		c.Focus = fmt.Sprintf("policy-%d-drop", min(i, len(c.Doc().Policies)-1))
	}
}

// Move moves policy i to another place in the list. The keyboard focus moves with the policy.
func (c *Policies) Move(i, to int) {
	n := len(c.Doc().Policies)
	if to < 0 || to >= n || to == i {
		return
	}
	c.unfolded[i], c.unfolded[to] = c.unfolded[to], c.unfolded[i]
	c.Do("", c.Doc().MovePolicy(i, to))
	button := "up"
	if to == 0 || to > i && to < n-1 {
		button = "down"
	}
	c.Focus = fmt.Sprintf("policy-%d-%s", to, button)
}

// MoveDragged moves policy i to the place to which it was dragged (public/js/order.js).
func (c *Policies) MoveDragged(e vugu.DOMEvent, i int) {
	if to, err := strconv.Atoi(e.PropString("target", "value")); err == nil {
		clear(c.unfolded)
		c.Move(i, to)
	}
}

// SetTitle gives policy i the typed title.
func (c *Policies) SetTitle(e vugu.DOMEvent, i int) {
	c.Do(fmt.Sprintf("policy-%d-title", i), c.Doc().SetTitle(i, e.PropString("target", "value")))
}

// SetBaseline makes policy i the baseline, with which the other policies are compared.
func (c *Policies) SetBaseline(i int) { c.Do("", c.Doc().SetBaseline(i)) }

// SetChart shows or hides the chart of policy i.
func (c *Policies) SetChart(e vugu.DOMEvent, i int) {
	c.Do("", c.Doc().SetChart(i, e.PropBool("target", "checked")))
}

// ToggleFold shows or hides the knobs of policy i that have no effect.
func (c *Policies) ToggleFold(i int) { c.unfolded[i] = !c.unfolded[i] }
