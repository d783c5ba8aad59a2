package examples_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/public/examples"
)

func TestEveryFileIsListed(t *testing.T) {
	var want, got []string
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	for _, e := range entries {
		name, found := strings.CutSuffix(e.Name(), ".json")
		if !found || name == "index" {
			continue
		}
		want = append(want, name)
		data, err := os.ReadFile(e.Name())
		require.NoError(t, err)
		require.Equal(t, string(data), string(examples.Read(name)))
	}
	for _, x := range examples.List() {
		got = append(got, x.Name)
	}
	require.ElementsMatch(t, want, got)
	require.Equal(t, examples.Read(got[0]), examples.First())
	require.Empty(t, examples.Read("none"))
}
