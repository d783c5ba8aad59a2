package machine

import (
	"fmt"
	"unicode/utf8"

	"github.com/vugu/vugu"

	"backfill-lab/core/policy"
	"backfill-lab/ui/document"
	"backfill-lab/ui/widgets"
)

// Options of the field that sets how much two jobs slow each other down if the user has not listed the pair.
const (
	noSlowdown = "none"
	bySeed     = "drawn"
)

// SlowdownFields returns the fields that set how much jobs on a shared node slow each
// other down. It leaves out the list of pairs if this list is too long for a field.
func (c *Machine) SlowdownFields() []widgets.Field {
	t := c.Doc().Slowdown
	if t == nil {
		t = &document.Slowdown{}
	}
	out := []widgets.Field{{ID: "slowdown", Label: "Unlisted pairs", Kind: policy.Choice, Options: []string{noSlowdown, bySeed}, Text: noSlowdown,
		Help: "how much two jobs that share a node slow each other down if their pair is not listed below. none: not at all; drawn: random slowdowns from the seed, most of them mild (Zeng 2009, table 4)"}}
	if t.RandomUnlisted {
		out[0].Text = bySeed
		out = append(out, widgets.Field{ID: document.SlowdownSeed, Label: "Seed", Kind: policy.Integer, Text: t.Seed, Help: "0 to 4294967295; the same seed gives the same slowdowns on every computer"})
	}
	if utf8.RuneCountInString(t.Pairs) <= widgets.MaxTextLength {
		out = append(out, widgets.Field{ID: document.SlowdownPairs, Label: "Pairs", Kind: widgets.Long, Text: t.Pairs,
			Help: "one pair per line; “A next to B: 1.2” means that A takes 1.2 times as long while it shares a node with B; the reverse is a separate pair"})
	} else {
		out[0].Help += ". The list of pairs is too long to show here. To edit it, save the scenario, change the file in a text editor, and open it again"
	}
	if t.RandomUnlisted || t.Pairs != "" { // this field is the last, so that the field of the pairs does not move while the user types
		out = append(out, widgets.Field{ID: "slowdown-classes", Label: "Pairs of classes", Kind: policy.Switch, Text: fmt.Sprint(t.Classes), Help: "pairs name application classes instead of jobs; all jobs of a class have the same slowdowns"})
	}
	for i := range out {
		out[i].SetProblem(c.Problem(-1, out[i].ID))
	}
	return out
}

// SetSlowdown stores what the user typed or selected in the field f.
func (c *Machine) SetSlowdown(e vugu.DOMEvent, f widgets.Field) {
	on, text := e.PropBool("target", "checked"), e.PropString("target", "value")
	c.Do(f.ID, c.Doc().EditSlowdown(func(t *document.Slowdown) {
		switch f.ID {
		case document.SlowdownSeed:
			t.Seed = text
		case document.SlowdownPairs:
			t.Pairs = text
		case "slowdown":
			t.RandomUnlisted = text == bySeed
		default:
			t.Classes = on
		}
	}))
}
