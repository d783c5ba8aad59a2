package main

import (
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
