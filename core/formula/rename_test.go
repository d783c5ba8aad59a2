package formula_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"backfill-lab/core/formula"
)

func TestRenamed(t *testing.T) {
	user := func(name string) string { return "U" + name }
	resource := func(name string) string { return "R " + name }
	for source, want := range map[string]string{
		"": "", "sjf": "sjf", "-wait/estimate": "-wait/estimate",
		`user == "ann"`:                      `user == "Uann"`,
		` if(user!='b c', res:mem, 2*procs)`: ` if(user!="Ub c", res:"R mem", 2*procs)`,
		`res : "gres/gpu" + res:mem`:         `res : "R gres/gpu" + res:"R mem"`,
		`user == "ann`:                       `user == "ann`,
	} {
		assert.Equal(t, want, formula.Renamed(source, user, resource))
	}
}
