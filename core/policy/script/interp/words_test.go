package interp

import (
	"encoding/json"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.starlark.net/starlark"
)

// TestSuggestedWords checks that scripts can use every word that the editor of the page suggests, and
// that the editor suggests every attribute of the types in this package.
func TestSuggestedWords(t *testing.T) {
	data, err := os.ReadFile("../../../../public/js/editor/words.json")
	require.NoError(t, err)
	var words map[string]map[string]string
	require.NoError(t, json.Unmarshal(data, &words))
	program, err := compile("def schedule(p):\n    pass\n")
	require.NoError(t, err)
	policy, err := load(program, "", MaxSteps)
	require.NoError(t, err)
	for kind, v := range map[string]value{"pass": &policy.pass, "job": &jobValue{}, "event": &eventValue{}, "profile": newProfile(policy, nil)} {
		require.ElementsMatch(t, v.AttrNames(), namesOf(words[kind]), kind)
	}
	for _, name := range namesOf(words[""]) {
		_, known := starlark.Universe[name]
		require.True(t, known || predeclared[name] || name == "knobs", name)
	}
	require.Len(t, words, 5)
}

// namesOf returns the words without their arguments.
func namesOf(words map[string]string) (out []string) {
	for word := range maps.Keys(words) {
		name, _, _ := strings.Cut(word, "(")
		out = append(out, name)
	}
	return out
}
