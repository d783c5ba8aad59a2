package refute_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/policy/script"
	"backfill-lab/core/policy/script/interp"
	"backfill-lab/core/refute"
	"backfill-lab/core/scenario"
)

// scripted returns a subject that runs the script in the given file.
func scripted(t testing.TB, file string) *refute.Subject {
	t.Helper()
	script.SetInterpreter(interp.New)
	source, err := os.ReadFile(file)
	require.NoError(t, err)
	title := strings.TrimSuffix(filepath.Base(file), ".star")
	s, err := refute.SubjectOf(scenario.Policy{Name: script.Name, Title: title, Knobs: map[string]string{script.SourceKnob: string(source)}})
	require.NoError(t, err)
	return s
}

// TestWrongScripts checks searches with the scripts in testdata. Each script reproduces a mistake
// in a published simulator of EASY. Within 2 s, a search must find a workload of at most 6 jobs
// that shows the mistake.
func TestWrongScripts(t *testing.T) {
	const limit = 2 * time.Second
	files, err := filepath.Glob("testdata/*.star")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			for seed := uint32(1); seed <= 3; seed++ { // the command refute uses seed 1 by default
				wrong, began := scripted(t, file), time.Now()
				f := search(t, refute.Config{A: wrong, B: registered(t, "easy"), Goals: []*refute.Goal{refute.Differ}, Seed: seed})
				took := time.Since(began)
				require.NotNil(t, f)
				require.LessOrEqual(t, len(f.Scenario.Workload.Jobs), 6, "seed %d\n%s", seed, scenario.Format(f.Scenario))
				t.Logf("seed %d: %s, %v: %s", seed, f.Size(), took, f.Title)
				if !testing.Short() {
					require.Less(t, took, limit)
				}
			}
		})
	}
}
