// Package registry lists the workload models by name and draws jobs by order. It
// is the one place where a new model is entered; commands, page and
// documentation read it.
package registry

import (
	"fmt"
	"strings"

	"backfill-lab/core/workload/cirne"
	"backfill-lab/core/workload/downey"
	"backfill-lab/core/workload/feitelson96"
	"backfill-lab/core/workload/generator"
	"backfill-lab/core/workload/lublin"
)

// All is every model, in the order in which people meet them.
var All = []*generator.Spec{
	&lublin.Spec,
	&feitelson96.Spec,
	&downey.Spec,
	&cirne.Spec,
}

// Invalid is a part of an order that cannot be: its field as in scenarios, what
// was expected and what was given.
type Invalid struct{ Field, Expected, Got string }

func (e *Invalid) Error() string {
	return fmt.Sprintf("%s: expected %s, got %s", e.Field, e.Expected, e.Got)
}

// Find returns the model of that name; the error is an *Invalid of the field
// model and names what there is.
func Find(name string) (*generator.Spec, error) {
	var names []string
	for _, s := range All {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return nil, &Invalid{"model", "one of " + strings.Join(names, ", "), fmt.Sprintf("%q", name)}
}
