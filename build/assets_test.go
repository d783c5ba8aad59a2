package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBundle(t *testing.T) {
	a := assets{dir: t.TempDir(), names: map[string]string{}}
	for name, text := range map[string]string{"css/a.css": "a{}", "css/b.css": "b{}", "js/a.js": "a()", "js/b.js": "b()", "js/own.js": "own()", "js/last.js": "last()"} {
		require.NoError(t, a.add(name, []byte(text)))
	}
	page, err := a.bundle(`<head>
  <link rel="stylesheet" href="css/a.css">
  <link rel="stylesheet" href="css/b.css">
  <script defer src="js/own.js" data-own></script>
  <script defer src="js/a.js"></script>
  <script defer src="js/b.js"></script>
  <script defer src="js/last.js" data-version="1"></script>
</head>`)
	require.NoError(t, err)
	require.Equal(t, `<head>
  <link rel="stylesheet" href="css/all.css">
  <script defer src="js/own.js" data-own></script>
  <script defer src="js/all.js"></script>
  <script defer src="js/last.js" data-version="1"></script>
</head>`, page)
	for name, want := range map[string]string{"css/all.css": "a{}\nb{}\n", "js/all.js": "a()\nb()\n"} {
		data, err := a.read(name)
		require.NoError(t, err)
		require.Equal(t, want, string(data))
	}
	_, err = a.bundle(`<script defer src="js/a.js"></script><script defer src="js/gone.js"></script>`)
	require.ErrorContains(t, err, "gone.js")
}

func TestShippedScript(t *testing.T) {
	got, err := shippedScript("a.js", "// Words.\n'use strict';\nfunction labShown(words) {\n  // more\n  return `//\n  ${words.text}`;\n}\n")
	require.NoError(t, err)
	require.Equal(t, "\"use strict\";function labShown(t){return`//\n  ${t.text}`}\n", string(got))
	_, err = shippedScript("a.js", "let x;\nx = 'one\n")
	require.EqualError(t, err, "a.js:2: Unterminated string literal")
}

// Scripts call one another by the names of their sources, and the guard compares
// with a text of the library.
func TestShippedScriptsKeepTheNamesOfOthers(t *testing.T) {
	root, err := repoRoot()
	require.NoError(t, err)
	for file, names := range map[string][]string{
		"worker.js":         {"self.labListen=", "labRun("},
		"chart-draw.js":     {"globalThis.labDraw=", "labTime", "hit", "extent"},
		"chart-gestures.js": {"globalThis.labGestures="},
		"chart.js":          {"window.labChart", "labGestures(", "labKeys(", "labDrag(", "labColour"},
		"guard.js":          {helperStart},
	} {
		source, err := os.ReadFile(filepath.Join(root, "public", "js", file))
		require.NoError(t, err)
		script, err := shippedScript(file, string(source))
		require.NoError(t, err)
		require.Less(t, len(script), len(source))
		for _, name := range names {
			require.Contains(t, string(script), name, file)
		}
	}
}
