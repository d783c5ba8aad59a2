package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTypedInput gives flags what the browser test types into the fields of the
// page, which says the same of it.
func TestTypedInput(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "bad", "typed.json"))
	require.NoError(t, err)
	var list []struct{ Field, Policy, Text, Error string }
	require.NoError(t, json.Unmarshal(data, &list))
	folder(t)
	for _, c := range list {
		args, want := []string{"-" + c.Field, c.Text}, "-"+c.Field+": "+c.Error
		if c.Policy != "" {
			args = []string{"-policy", c.Policy, "-set", c.Field + "=" + c.Text}
			want = "-set: policy " + c.Policy + ", knob " + c.Field + ": " + c.Error
		}
		_, errs, code := call(nil, append([]string{"run", "-in", "first.json"}, args...)...)
		require.Equal(t, "backfill: "+want+"\nbackfill run -help tells more.\n", errs)
		require.Equal(t, 2, code)
	}
}
