package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPackedProgramIsKept(t *testing.T) {
	dir := t.TempDir()
	times := 0
	get := func(text string) []byte {
		out, err := keep(dir, []byte(text), func() ([]byte, error) { times++; return gzipBest([]byte(text)) })
		require.NoError(t, err)
		require.NoError(t, same(out, []byte(text)))
		return out
	}
	require.Equal(t, get("one"), get("one"))
	require.Equal(t, 1, times)
	get("two")
	require.Equal(t, 2, times)
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Len(t, files, 1, "the last one only")

	whole, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(files[0], whole[:len(whole)/2], 0o644))
	require.Equal(t, whole, get("two"))
	require.Equal(t, 3, times, "half a file is none")
}

func TestPackerIsHeldAgainstTheProgram(t *testing.T) {
	dir := t.TempDir()
	_, err := keep(dir, []byte("one"), func() ([]byte, error) { return gzipBest([]byte("two")) })
	require.ErrorContains(t, err, "unpacked it is another one")
	_, err = keep(dir, []byte("one"), func() ([]byte, error) { return nil, errors.New("no node") })
	require.ErrorContains(t, err, "no node")
	_, err = zopfli(dir, []byte("one"))
	require.ErrorContains(t, err, "npm ci")
}

func TestZopfliGivesTheSameBytesTwice(t *testing.T) {
	root, err := repoRoot()
	require.NoError(t, err)
	dir := filepath.Join(root, "build", "browser")
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "@gfx", "zopfli")); err != nil {
		t.Skip("the packages of build/browser are not installed")
	}
	data := bytes.Repeat([]byte("the same again, and "), 999)
	first, err := zopfli(dir, data)
	require.NoError(t, err)
	second, err := zopfli(dir, data)
	require.NoError(t, err)
	require.NoError(t, same(first, data))
	require.Equal(t, first, second)
}
