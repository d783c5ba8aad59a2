package generator

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
}

func TestCheckNamesWhatDiffers(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "ui")
	write(t, filepath.Join(dir, "x.go"), "package ui\n\ntype X struct{}\n")
	write(t, filepath.Join(dir, "X.vugu"), "<p>one</p>\n")
	require.ErrorContains(t, Check(root), "ui/X_gen.go is missing")
	require.NoError(t, Generate(root))
	require.NoError(t, Check(root))
	write(t, filepath.Join(dir, "X.vugu"), "<p>two</p>\n")
	require.ErrorContains(t, Check(root), "ui/X_gen.go differs")
	require.NoError(t, os.Remove(filepath.Join(dir, "X.vugu")))
	write(t, filepath.Join(dir, "Y.vugu"), "<p>two</p>\n")
	require.ErrorContains(t, Check(root), "ui/X_gen.go has no .vugu file")
}

func TestGenerateRefusesHookNames(t *testing.T) {
	root := t.TempDir()
	dir := filepath.Join(root, "ui")
	write(t, filepath.Join(dir, "X.vugu"), "<p>one</p>\n")
	write(t, filepath.Join(dir, "x.go"), "package ui\n\ntype X struct{}\n\nfunc (c *X) Compute() {}\n")
	require.ErrorContains(t, Generate(root), "Vugu calls X.Compute by itself")
}
