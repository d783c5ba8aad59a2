package main

import (
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The algorithm that sorts everything in the program is that which the library
// has for each type: only how elements are compared and swapped is written
// otherwise.
func TestSortOnce(t *testing.T) {
	goroot, all := overlaid(t)
	made := all["src/slices/zsortanyfunc.go"]
	made = made[strings.Index(made, "// insertionSort_func"):]
	data, err := os.ReadFile(filepath.Join(goroot, "src/slices/zsortanyfunc.go"))
	require.NoError(t, err)
	own := string(data)
	own = own[strings.Index(own, "// insertionSortCmpFunc"):]
	for _, r := range [][2]string{
		{`\(?cmp\((data\[.*?\]), (data\[.*?\])\) < 0\)?`, `data.Less($1, $2)`},
		{`(data\[.*?\]), (data\[.*?\]) = data\[.*?\], data\[.*?\]`, `data.Swap($1, $2)`},
		{`data\.(Less|Swap)\(data\[(.*?)\], data\[(.*?)\]\)`, `data.$1($2, $3)`},
		{`CmpFunc\[E any\]\(data \[\]E`, `_func(data lessSwap`},
		{`, cmp func\(a, b E\) int\)`, `)`},
		{`CmpFunc`, `_func`},
		{`, cmp\)`, `)`},
	} {
		own = regexp.MustCompile(r[0]).ReplaceAllString(own, r[1])
	}
	require.True(t, gofmted(t, own) == gofmted(t, made), "the two differ")
}

// What the page prints reaches the console without package os.
func TestPrintWithoutFiles(t *testing.T) {
	_, all := overlaid(t)
	for name := range withoutFiles {
		require.Contains(t, all[name], "console{}", name)
		require.NotContains(t, all[name], "os.Std", name)
	}
	require.Contains(t, all["src/fmt/print.go"], "type console struct")
}

// Each switch is found in the library, and what is left of it is a constant.
func TestSwitches(t *testing.T) {
	goroot, all := overlaid(t)
	found := map[string]bool{}
	for name, text := range all {
		data, err := os.ReadFile(filepath.Join(goroot, name))
		require.NoError(t, err)
		for _, s := range switched {
			if s.what.Match(data) {
				found[s.what.String()] = true
				require.NotEqual(t, string(data), text, name)
			}
		}
	}
	for _, s := range switched {
		require.True(t, found[s.what.String()], "%s", s.what)
	}
}

// overlaid is the folder of the toolchain, and what stands in the place of its
// files.
func overlaid(t *testing.T) (string, map[string]string) {
	t.Helper()
	if !knownToolchain() {
		t.Skip("another toolchain than the one that the overlay is for")
	}
	goroot, err := goRoot()
	require.NoError(t, err)
	all, err := replaced(goroot)
	require.NoError(t, err)
	return goroot, all
}

func gofmted(t *testing.T, text string) string {
	t.Helper()
	out, err := format.Source([]byte("package x\n" + text))
	require.NoError(t, err)
	return string(out)
}
