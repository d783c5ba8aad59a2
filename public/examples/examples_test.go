package examples_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/scenario"
	"backfill-lab/public/examples"
)

func TestListIsTheIndex(t *testing.T) {
	data, err := os.ReadFile("index.json")
	require.NoError(t, err)
	var index []struct{ Name, Title string }
	require.NoError(t, json.Unmarshal(data, &index))
	require.Len(t, examples.List, len(index))
	for i, x := range examples.List {
		require.Equal(t, index[i].Name, x.Name)
		require.Equal(t, index[i].Title, x.Title)
		file, err := os.ReadFile(x.Name + ".json")
		require.NoError(t, err)
		require.Equal(t, string(file), x.Scenario)
		s, err := scenario.Parse(file)
		require.NoError(t, err)
		require.NoError(t, s.Validate())
	}
}
