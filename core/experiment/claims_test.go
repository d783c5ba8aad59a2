package experiment_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/experiment"
	"backfill-lab/core/policy/registry"
)

// TestNamedStudiesExist checks that every study or preset named on a page in public/studies exists.
func TestNamedStudiesExist(t *testing.T) {
	known := map[string]bool{}
	for _, s := range experiment.All() {
		known[s.Name] = true
	}
	for _, w := range experiment.AllWorkedFigures {
		known[w.Name] = true
	}
	for _, p := range registry.Presets {
		known[p.Name] = true
	}
	name := regexp.MustCompile(`\b(?:scojo|jin|leinberger|lindsay|wu|zeng)-[a-z0-9]+(?:-[a-z0-9]+)*\b`)
	named := 0
	for _, page := range []string{"jin", "leinberger", "lindsay", "wu", "zeng"} {
		text, err := os.ReadFile(filepath.Join("../../public/studies", page+".md"))
		require.NoError(t, err)
		for _, at := range name.FindAllIndex(text, -1) {
			if before := text[at[0]-1]; before == '-' || before == '=' {
				continue // this is only a part of a longer name
			}
			if word := string(text[at[0]:at[1]]); !known[word] {
				require.Contains(t, []string{"jin-fst", "scojo-pect"}, word, "%s.md: no study or preset of that name", page)
			}
			named++
		}
	}
	require.Greater(t, named, 50)
}
