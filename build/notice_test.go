package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestNoticeNamesEveryModule checks that NOTICE names every third-party module in the page's
// program and the command.
func TestNoticeNamesEveryModule(t *testing.T) {
	root, err := repoRoot()
	require.NoError(t, err)
	notice, err := os.ReadFile(filepath.Join(root, "NOTICE"))
	require.NoError(t, err)
	for target, env := range map[string][]string{"./wasm": {"GOOS=js", "GOARCH=wasm"}, "./wasm/script": {"GOOS=js", "GOARCH=wasm"}, "./core/cmd/backfill": nil} {
		cmd := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not (or .Main .Replace)}}{{.Path}}{{end}}{{end}}", target)
		cmd.Dir, cmd.Env = root, append(os.Environ(), env...)
		out, err := cmd.Output()
		require.NoError(t, err)
		require.NotEmpty(t, out)
		for _, module := range strings.Fields(string(out)) {
			require.Contains(t, string(notice), module+" ", "NOTICE needs a line for this module of %s", target)
		}
	}
}

// TestNoticeNamesEveryPackage checks that NOTICE names every npm package in the scripts of
// the site.
func TestNoticeNamesEveryPackage(t *testing.T) {
	root, err := repoRoot()
	require.NoError(t, err)
	notice, err := os.ReadFile(filepath.Join(root, "NOTICE"))
	require.NoError(t, err)
	if _, err := os.Stat(filepath.Join(browserDir(root), "node_modules")); err != nil {
		t.Skip("the npm packages are not installed: run make budget")
	}
	for _, name := range licensed {
		packages, err := packagesIn(root, name)
		require.NoError(t, err)
		require.NotEmpty(t, packages)
		for _, p := range packages {
			require.Regexp(t, `(?m)(^|[ ,])`+regexp.QuoteMeta(p)+`[ ,\n]`, string(notice), "NOTICE needs the npm package %s of %s", p, name)
		}
	}
}
