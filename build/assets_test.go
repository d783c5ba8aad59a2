package main

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBundleOfScripts checks that a bundle contains imported scripts, and that errors name the file.
func TestBundleOfScripts(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, writeFile(filepath.Join(root, "public/js/a.js"), []byte("// Words.\nimport { words } from './b.js';\nwindow.labShown = more => `//\n  ${words} ${more}`;\n")))
	require.NoError(t, writeFile(filepath.Join(root, "public/js/b.js"), []byte("export const words = document.title;\n")))
	got, err := bundle(root, "public/js/a.js", false)
	require.NoError(t, err)
	require.Equal(t, "'use strict';\n(()=>{var o=document.title;window.labShown=t=>`//\n  ${o} ${t}`;})();\n", string(got))
	got, err = bundle(root, "public/js/a.js", true)
	require.NoError(t, err)
	require.Contains(t, string(got), "var words = document.title;")

	require.NoError(t, writeFile(filepath.Join(root, "public/js/b.js"), []byte("let x;\nx = 'one\n")))
	_, err = bundle(root, "public/js/b.js", false)
	require.EqualError(t, err, "public/js/b.js:2: Unterminated string literal")
	_, err = bundle(root, "public/js/a.js", false)
	require.ErrorContains(t, err, "public/js/b.js:2")
}

// TestBundleOfStyles checks that a bundle contains imported style sheets.
func TestBundleOfStyles(t *testing.T) {
	root := t.TempDir()
	require.NoError(t, writeFile(filepath.Join(root, "public/css/a.css"), []byte("@import \"b.css\";\np { margin: 0 }\n")))
	require.NoError(t, writeFile(filepath.Join(root, "public/css/b.css"), []byte("/* first */\na { color: red }\n")))
	got, err := bundle(root, "public/css/a.css", false)
	require.NoError(t, err)
	require.Equal(t, "a{color:red}p{margin:0}\n", string(got))
}

// TestIsModule checks which files the site contains only as parts of bundles.
func TestIsModule(t *testing.T) {
	for name, want := range map[string]bool{
		"public/js/page.js": false, "public/js/chart/gantt.js": true, "public/css/lab.css": true, "public/css/docs.css": false, "public/embed/example.js": false, "public/icons/icon.svg": false,
	} {
		require.Equal(t, want, isModule(name), name)
	}
}
