// Package registry lists the workload models by name and draws jobs from them. The command,
// the page and the documentation use this list, so a new model is added only here.
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

// All lists every model in the order in which users see them.
var All = []*generator.Spec{
	&lublin.Spec,
	&feitelson96.Spec,
	&downey.Spec,
	&cirne.Spec,
}

// Invalid reports an invalid part of an order. Field is named as in scenarios.
type Invalid struct{ Field, Expected, Got string }

func (e *Invalid) Error() string {
	return fmt.Sprintf("%s: expected %s, got %s", e.Field, e.Expected, e.Got)
}

// Find returns the model with the given name. The error is an *Invalid that lists the valid
// names.
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
