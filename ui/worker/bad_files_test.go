package worker

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/opening"
	"backfill-lab/core/opening/badfiles"
	"backfill-lab/ui/protocol"
)

// The page shows the same errors and reports as the command backfill. badinput.test.mjs opens some
// of these files in a browser, including all large files.
func TestBadFiles(t *testing.T) {
	opened := 0
	for _, b := range badfiles.List(t) {
		if b.Body != "" {
			continue
		}
		opened++
		t.Run(b.Name, func(t *testing.T) {
			content := b.Data(t)
			f := &file{source: source{bytes.NewReader(content), int64(len(content))}, open: protocol.Open{Name: b.File, CurrentProcs: 8}, hash: func() Hash { return noHash{} }}
			got, err := f.read()
			if b.Error == "" {
				require.NoError(t, err)
				// The report omits the waits on the real machine, because the page shows them
				// separately, in its own time units.
				require.Equal(t, slices.DeleteFunc(b.Report, func(line string) bool { return strings.HasPrefix(line, "On the real machine") }), got.report)
				return
			}
			require.Error(t, err)
			b.RequireError(t, opening.WithFile(b.File, err).Error())
		})
	}
	require.Greater(t, opened, 70)
}
