// Package core_test checks which packages of the core import which others.
package core_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// allowedImports lists the core packages that each package of the core may import. Test files may
// import everything. A package without a line of its own uses the line of its parent folder, and
// may also import the parent. Policies without a line use the line "policy/" instead.
var allowedImports = layers(`
job:
version:
digest:
exact:
format:
cluster: job
formula: job cluster exact
formula/plain: job cluster exact
knob: cluster format formula
speed: job
log: job cluster
profile: job cluster
profile/plain: job cluster profile
slowdown: job speed workload/draw
sim: job cluster speed log
fairstart: job log profile sim
policy: job cluster formula knob log sim profile
policy/: job cluster formula knob log sim speed profile policy policy/plan policy/pick
policy/registry: *
experiment: *
claims: *
policy/plan: job log policy profile sim
policy/moldable: job log policy profile sim
policy/conservative: job log policy policy/plan profile sim
policy/fairslack/rule: job exact
policy/fairslack: job log policy policy/fairslack/rule profile sim
policy/compression: job log policy policy/plan profile sim
workload/input:
workload/draw: exact
workload/arrivals: workload/draw
workload/small: job cluster
workload/tsafrir: job exact workload/draw
workload/generator: job cluster knob exact slowdown workload/draw workload/tsafrir
workload/resample: job workload/draw
workload/lublin: job knob exact workload/draw workload/arrivals workload/generator
workload/downey: job knob speed workload/draw workload/arrivals workload/generator
workload/cirne: job exact knob workload/draw workload/arrivals workload/downey workload/generator
workload/feitelson96: job cluster knob workload/draw workload/arrivals workload/generator
workload/generator/registry: *
workload/swf: job format workload/input
workload/csv: job workload/input
workload/sacct: job format workload workload/input
workload: job format workload/swf
schedule: format job cluster log workload/csv
metrics: job cluster format log schedule scenario/raw
compare: format job log metrics
external: format job cluster log schedule compare
timeline: job cluster log timeline/interval
gantt: format job cluster log timeline timeline/interval
colour: job log metrics
timeline/interval: job
explain: format job cluster speed log timeline
decision: format job log explain policy/fairslack/rule policy/glomarc/gain
replay: format job log profile timeline gantt explain
exercise: format job policy/script refute scenario scenario/raw sim
scenario: format job cluster knob slowdown speed log sim policy policy/registry policy/script workload workload/sacct workload/generator/registry scenario/raw version metrics
scenario/raw:
stats: format workload/draw
sweep: format job log metrics policy policy/registry scenario scenario/raw schedule sim stats version workload workload/draw workload/arrivals workload/generator workload/resample
refute: format job cluster formula log sim profile policy metrics schedule explain scenario workload/draw workload/small
whatif: cluster format job log sim speed compare policy policy/glomarc policy/moldable policy/registry scenario workload
opening: format job cluster metrics scenario scenario/raw schedule workload workload/csv workload/sacct workload/swf workload/input
anonymise: format job cluster formula scenario schedule slowdown workload
cmd/backfill: *
cmd/backfill/internal/program: job log policy policy/registry sim
policy/policytest: *
policy/pick: job cluster policy
policy/glomarc: job cluster log policy policy/glomarc/gain profile sim speed
policy/glomarc/gain: job slowdown speed
policy/scojo: job cluster log policy profile sim
policy/script: job knob policy sim
policy/script/interp: job log policy/script profile sim
policy/easy: job cluster log policy policy/pick profile sim
partition: job cluster
`)

// layers parses lines of the form "package: allowed imports".
func layers(text string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(strings.TrimSpace(text)) {
		name, allowed, _ := strings.Cut(strings.TrimSpace(line), ":")
		out[name] = allowed
	}
	return out
}

// forbidden lists imports that no package of the core may have. The folders cmd and
// policy/policytest are exempt: they hold the command and code for tests.
var forbidden = []string{"os", "syscall/js", "math/rand", "math/rand/v2", "github.com/parquet-go", "backfill-lab/ui", "backfill-lab/wasm"}

func TestLayers(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		require.NoError(t, err)
		dir := filepath.ToSlash(filepath.Dir(path))
		for _, spec := range f.Imports {
			name, _ := strconv.Unquote(spec.Path.Value)
			checkImport(t, path, dir, name)
		}
		return nil
	})
	require.NoError(t, err)
}

func checkImport(t *testing.T, path, dir, name string) {
	if !strings.HasPrefix(dir, "cmd/") && !strings.HasPrefix(dir, "policy/policytest") {
		for _, bad := range forbidden {
			if name == bad || strings.HasPrefix(name, bad+"/") {
				t.Errorf("%s imports %s: the core has no files, screens or global randomness", path, name)
			}
		}
	}
	imported, ours := strings.CutPrefix(name, "backfill-lab/core/")
	if !ours {
		return
	}
	allowed, known := allowedImports[dir]
	if !known {
		for parent := dir; !known && strings.Contains(parent, "/"); {
			parent = parent[:strings.LastIndex(parent, "/")]
			if allowed, known = allowedImports[parent+"/"]; !known {
				allowed, known = allowedImports[parent]
				allowed += " " + parent
			}
		}
	}
	require.True(t, known, "%s: add what %s may import to allowedImports", path, dir)
	for _, a := range strings.Fields(allowed) {
		if a == "*" || a == imported {
			return
		}
	}
	t.Errorf("%s imports core/%s, which is not a lower layer", path, imported)
}
