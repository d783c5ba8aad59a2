package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// invertBits returns data with all bits inverted. Tests use it instead of compression and decompression.
func invertBits(data []byte) ([]byte, error) {
	out := make([]byte, len(data))
	for i, b := range data {
		out[i] = ^b
	}
	return out, nil
}

// TestPackedProgramIsCached checks that the cache holds the last program, and replaces a truncated file.
func TestPackedProgramIsCached(t *testing.T) {
	dir := t.TempDir()
	packed := 0 // number of calls of pack
	c := codec{pack: func(data []byte) ([]byte, error) { packed++; return invertBits(data) }, unpack: invertBits}
	get := func(text string) []byte {
		out, err := c.cached(dir, "lab.wasm", []byte(text))
		require.NoError(t, err)
		require.NoError(t, c.verify(out, []byte(text)))
		return out
	}
	require.Equal(t, get("one"), get("one"))
	require.Equal(t, 1, packed)
	get("two")
	require.Equal(t, 2, packed)
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Len(t, files, 1, "the cache holds only the last program")

	whole, err := os.ReadFile(files[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(files[0], whole[:len(whole)/2], 0o644))
	require.Equal(t, whole, get("two"))
	require.Equal(t, 3, packed, "a truncated file is replaced")
}

// TestPackedProgramIsVerified checks the errors of packing, and that a failure leaves no file.
func TestPackedProgramIsVerified(t *testing.T) {
	dir := t.TempDir()
	_, err := codec{pack: func([]byte) ([]byte, error) { return invertBits([]byte("two")) }, unpack: invertBits}.cached(dir, "lab.wasm", []byte("one"))
	require.ErrorContains(t, err, "the decompressed program differs")
	broken := func([]byte) ([]byte, error) { return nil, errors.New("no node") }
	_, err = codec{pack: broken, unpack: invertBits}.cached(dir, "lab.wasm", []byte("one"))
	require.ErrorContains(t, err, "no node")
	_, err = codec{pack: invertBits, unpack: broken}.cached(dir, "lab.wasm", []byte("one"))
	require.ErrorContains(t, err, "no node")
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, files)
	_, err = xz(dir).pack([]byte("one"))
	require.ErrorContains(t, err, "npm ci")
}

// TestDecoderOfThePage checks that the decoder of the page decompresses what the compressor wrote.
func TestDecoderOfThePage(t *testing.T) {
	root, err := repoRoot()
	require.NoError(t, err)
	dir := browserDir(root)
	if _, err := npmPath(dir, "node-liblzma"); err != nil {
		t.Skip("the packages of build/browser are not installed")
	}
	long := bytes.Repeat([]byte("more than a window holds, "), 400_000)
	large, err := xz(dir).pack(long)
	require.NoError(t, err)
	require.NoError(t, xz(dir).verify(large, long))

	c, data := xz(dir), bytes.Repeat([]byte("the same again, and "), 999)
	first, err := c.pack(data)
	require.NoError(t, err)
	second, err := c.pack(data)
	require.NoError(t, err)
	require.NoError(t, c.verify(first, data))
	require.Equal(t, first, second)
	require.Error(t, c.verify(first[:len(first)/2], data))
}

// TestPageNamesCompressedPrograms checks that index.html contains packedAttribute once.
func TestPageNamesCompressedPrograms(t *testing.T) {
	page, err := os.ReadFile("../index.html")
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(page), packedAttribute))
}
