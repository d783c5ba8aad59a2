package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHouse checks the metrics of a small source tree.
func TestHouse(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"ui/app/app.go": `package app
type App struct { a, b int; c string }
func (c *App) One() {}
func (c *App) Two() {}
func helper(c *App) {}
` + "func long() {\n" + strings.Repeat("\t_ = 1\n", 40) + "}\n",
		"ui/share.go":        "package ui\n",
		"ui/sharing.go":      "package ui\n",
		"ui/App_gen.go":      "package ui\nfunc (c *App) Build() {}\n",
		"ui/App.vugu":        `<p>{c.App.One()} {c.App.Two()}<span class="end"></span></p>`,
		"ui/app/app_test.go": "package app\nfunc (c *App) Three() {}\n",
		"ui/jobs/jobs.go":    "package jobs\n" + strings.Repeat("func (c *Table) M() {}\n", 61),
		"build/single.go":    "package main\n" + strings.Repeat("\n", 350),
	} {
		require.NoError(t, writeFile(filepath.Join(root, name), []byte(text)))
	}
	h, err := measureCode(root)
	require.NoError(t, err)
	var out bytes.Buffer
	h.print(&out)
	require.Equal(t, `root component: 3 fields (limit 15), 2 methods (limit 60)
parameters with the type of the root component: 1 (limit 10)
uses of c.App in markup: 2 (limit 0)
empty spacer elements: 1 (limit 0)
hand-written Go without tests: 462 lines (limit 18000)
types with more than 60 methods: 1
  ui/jobs.Table: 61
pairs of files whose names differ by an inflection: 1
  ui/share and sharing
functions with more than 40 lines: 1
  ui/app/app.go: long, 42 lines
files with more than 350 lines: 1
  build/single.go: 351 lines
`, out.String())
}

// TestDifferByInflection checks pairs of file names.
func TestDifferByInflection(t *testing.T) {
	for _, pair := range []string{"decided decisions", "played player", "share sharing", "spread spreads", "generated generating", "table tabled", "row rows", "block blocks"} {
		a, b, _ := strings.Cut(pair, " ")
		require.True(t, differByInflection(a, b), pair)
	}
	for _, pair := range []string{"share start", "run room", "view value"} {
		a, b, _ := strings.Cut(pair, " ")
		require.False(t, differByInflection(a, b), pair)
	}
}
