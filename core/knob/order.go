package knob

import (
	"strings"

	"backfill-lab/core/cluster"
	"backfill-lab/core/formula"
)

// expected says what the knob takes other than text; of a formula also where it
// goes wrong.
func (k *Knob) expected(text string) string {
	if k.Kind != Order {
		return k.Range()
	}
	_, err := formula.Parse(text)
	return k.Range() + " (" + err.Error() + ")"
}

// Unknown returns the fault of a formula that names a resource which the machine does
// not have, nil if there is none.
func (k *Knob) Unknown(m *cluster.Machine, v Values) *BadKnob {
	if k.Kind != Order {
		return nil
	}
	f, err := formula.Parse(v.Text(k.Name))
	if err != nil { // a word
		return nil
	}
	name, unknown := f.Unknown(m)
	if !unknown {
		return nil
	}
	expected := "no resource, as the machine has none"
	if len(m.Resources) > 0 {
		have := make([]string, len(m.Resources))
		for i := range m.Resources {
			have[i] = m.Resources[i].Name
		}
		expected = "a resource of the machine (" + strings.Join(have, ", ") + ")"
	}
	return &BadKnob{Knob: k.Name, Expected: expected, Got: name}
}
