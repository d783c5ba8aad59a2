package main

import (
	"archive/zip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"backfill-lab/core/version"
)

func TestArchiveHoldsTheSiteInOneFolder(t *testing.T) {
	root := t.TempDir()
	files := map[string]string{"LICENSE": "MIT", "build/site/index.html": "page", "build/site/js/a.js": "script"}
	for name, content := range files {
		require.NoError(t, writeFile(filepath.Join(root, name), []byte(content)))
	}
	name := filepath.Join(root, "build", "backfill-lab-"+version.Program+".zip")
	require.NoError(t, archiveSite(root, target{out: "build/site"}))
	before, err := os.ReadFile(name)
	require.NoError(t, err)

	r, err := zip.OpenReader(name)
	require.NoError(t, err)
	defer r.Close()
	got := map[string]string{}
	for _, f := range r.File {
		in, err := f.Open()
		require.NoError(t, err)
		data, err := io.ReadAll(in)
		require.NoError(t, err)
		got[f.Name] = string(data)
	}
	folder := "backfill-lab-" + version.Program + "/"
	require.Equal(t, map[string]string{folder + "LICENSE": "MIT", folder + "index.html": "page", folder + "js/a.js": "script"}, got)

	require.NoError(t, archiveSite(root, target{out: "build/site"}))
	again, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, before, again, "the same site gives the same bytes")
	left, err := filepath.Glob(filepath.Join(root, "build", "*.part"))
	require.NoError(t, err)
	require.Empty(t, left)
}
