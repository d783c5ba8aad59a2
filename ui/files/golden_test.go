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

// Every golden link opens in the page to the document that it holds: what the page would
// link again is that, to the byte.
func TestGoldenLinksInThePage(t *testing.T) {
	files, err := filepath.Glob("../link/testdata/v*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		f := link.Parse(strings.TrimSpace(string(text)))
		if f.Payload == "" {
			continue // a lesson is read by the browser test
		}
		want, err := link.Open(f.Version, f.Payload)
		require.NoError(t, err)
		got := linkedAgain(t, want)
		require.Equal(t, got, linkedAgain(t, got), file)
		if want.Typed == nil { // what is typed stands for what the scenario has there
			require.Equal(t, string(scenario.Format(want.Scenario)), string(scenario.Format(got.Scenario)), file)
			require.Empty(t, got.Typed, file)
		}
	}
}

// linkedAgain opens the document of a link in the page, and links it.
func linkedAgain(t *testing.T, l *link.Document) *link.Document {
	d, err := unlinked(l)
	require.NoError(t, err)
	c := newFiles(t)
	c.Put("", d)
	c.Plan, c.Bad = c.Doc().Check()
	return c.linked()
}
