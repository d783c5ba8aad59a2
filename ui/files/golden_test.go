package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/scenario"
	"backfill-lab/ui/link"
)

// Every golden link opens in the page to its document: linking that again gives the same
// link document.
func TestGoldenLinksInThePage(t *testing.T) {
	files, err := filepath.Glob("../link/testdata/v*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		f := link.Parse(strings.TrimSpace(string(text)))
		if f.Payload == "" {
			continue // the browser tests cover links with lessons
		}
		want, err := link.Open(f.Version, f.Payload)
		require.NoError(t, err)
		got := linkedAgain(t, want)
		require.Equal(t, got, linkedAgain(t, got), file)
		if want.Typed == nil { // typed texts replace values of the scenario
			require.Equal(t, string(scenario.Format(want.Scenario)), string(scenario.Format(got.Scenario)), file)
			require.Empty(t, got.Typed, file)
		}
	}
}

// linkedAgain opens a link document in the page and returns the page's link document.
func linkedAgain(t *testing.T, l *link.Document) *link.Document {
	d, err := unlinked(l)
	require.NoError(t, err)
	c := newFiles(t)
	c.Put("", d)
	c.Plan, c.Bad = c.Doc().Check()
	return c.linked()
}
